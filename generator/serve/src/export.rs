//! The explorer as plain files, for any server of files.
//!
//! In: tables. Out: a folder with the page, the tables and puzzles, and the JavaScript reader instead of the interface.

use super::assets::{ASSETS, EXPORTED_SOURCE, SOURCE};
use super::json;
use super::library::{Library, ServedGame};
use super::puzzles::{EXPORTED, puzzle};
use anyhow::Context;
use morpion_games::catalogue::{EXTENSION, PACKED, Table};
use morpion_games::progress::{Progress, Unobserved};
use morpion_lookup::{ProbeError, Source};
use morpion_machine::files;
use morpion_machine::packer::{Packer, Packing, Sections};
use morpion_machine::pieces::each_piece;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

/// The most bytes that a visitor loads as a whole table. A larger table is exported packed, and asked for in parts.
pub(crate) const LARGEST_WHOLE: u64 = 1 << 20;

/// Writes the page with all tables into `folder`, which is made where it is missing. Gives the names of the games. Packing a
/// large table that is not packed takes a second for some megabytes, on all cores; `observed` gives the observer of its bytes.
///
/// # Errors
/// Where a file cannot be written, or a table not read.
pub fn export<P: Progress>(
    library: &Library,
    folder: &Path,
    observed: impl Fn(&Table) -> P,
) -> anyhow::Result<Vec<String>> {
    let write = |name: &str, contents: &mut dyn FnMut(&mut dyn Write) -> anyhow::Result<()>| {
        let file = folder.join(name);
        let folder = file.parent().unwrap_or(folder);
        fs::create_dir_all(folder)
            .map_err(anyhow::Error::from)
            .and_then(|()| files::replace(&file, contents))
            .with_context(|| file.display().to_string())
    };
    let write_bytes = |name: &str, bytes: &[u8]| write(name, &mut |out| Ok(out.write_all(bytes)?));
    for asset in ASSETS.iter() {
        let text = if asset.name == SOURCE { EXPORTED_SOURCE } else { &asset.text };
        write_bytes(asset.name, text.as_bytes())?;
    }
    let summaries: Vec<_> = library.all().iter().map(|game| &game.summary).collect();
    write_bytes("data/games.json", &json::to_vec(&BTreeMap::from([("games", &summaries)]))?)?;
    let mut tables = BTreeMap::new();
    for ServedGame { table, summary, description, rules } in library.all() {
        let name = &summary.game;
        write_bytes(&format!("data/{name}.json"), description)?;
        if let Some(rules) = rules {
            write_bytes(&format!("data/{name}.toml"), rules.as_bytes())?;
        }
        let is_whole = table.size() <= LARGEST_WHOLE;
        let file = format!("{name}.{}", if is_whole { EXTENSION } else { PACKED });
        write(&format!("data/{file}"), &mut |out| match is_whole {
            true => copy(table.source(), out, &Unobserved),
            false => pack(table, out, || observed(table)),
        })?;
        tables.insert(name, file);
    }
    let puzzles: Result<Vec<_>, ProbeError> =
        (0..EXPORTED).map(|number| puzzle(library, number, &|| Ok(()))).collect();
    let puzzles: Vec<_> = puzzles?.into_iter().flatten().collect();
    write_bytes("data/puzzles.json", &json::to_vec(&BTreeMap::from([("puzzles", puzzles)]))?)?;
    // Which file has a game's table: the page asks for parts of a packed one.
    write_bytes("data/tables.json", &json::to_vec(&tables)?)?;
    Ok(summaries.iter().map(|summary| summary.game.clone()).collect())
}

/// Writes a table packed: as it is, if it is packed already.
fn pack<P: Progress>(
    table: &Table,
    out: &mut dyn Write,
    observed: impl Fn() -> P,
) -> anyhow::Result<()> {
    if let Some(packed) = table.source().packed() {
        return copy(packed.get_ref(), out, &Unobserved);
    }
    let Packing { level, frame } = Packing::default();
    let mut packer = Packer::new(out, level, Sections::of(table.raw().header(), frame));
    copy(table.source(), &mut packer, &observed())?;
    packer.finish()?;
    Ok(())
}

/// Hands over the bytes of a source, in order.
fn copy(source: &impl Source, out: &mut dyn Write, progress: &dyn Progress) -> anyhow::Result<()> {
    each_piece(source, |piece| {
        progress.check()?;
        out.write_all(piece)?;
        progress.advance(piece.len() as u64);
        Ok(())
    })
}
