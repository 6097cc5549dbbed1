//! Exports the explorer as plain files for any file server: the page, the tables, and the JavaScript table reader
//! instead of the interface.

use crate::assets::{ASSETS, EXPORTED_SOURCE, SOURCE};
use crate::library::{Library, ServedGame};
use anyhow::{Context, Result};
use morpion_games::catalogue::{EXTENSION, PACKED, Table};
use morpion_lookup::{ProbeError, Source};
use morpion_machine::files;
use morpion_machine::packer::{Packer, Packing};
use morpion_machine::pieces::each_piece;
use morpion_machine::progress::{Progress, Unobserved};
use morpion_play::puzzles::{Filter, puzzle};
use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// The largest table in bytes that a visitor loads as a whole. A larger table is exported packed, and read in parts.
const LARGEST_WHOLE: u64 = 1 << 20;

/// Number of exported puzzles: one for each day of a leap year.
const PUZZLES: u64 = 366;

/// The file that lists the table of each exported game.
const TABLES: &str = "data/tables.json";

/// The games of an export.
#[derive(Debug)]
pub struct Exported {
    /// Games that were written.
    pub games: Vec<String>,
    /// Games of an earlier export into the same folder, whose files were removed.
    pub removed: Vec<String>,
}

/// Writes the page with all tables into `folder`, which is created if it is missing. Games of an earlier export that
/// are not among them are removed. Packing a large plain table takes about a second per few megabytes, on all cores.
/// `observed` returns the observer of the packed bytes.
///
/// # Errors
/// If a file cannot be written or removed, a table cannot be read, or an observer requests a stop.
pub fn export<P: Progress>(
    library: &Library,
    folder: &Path,
    observed: impl Fn(&Table) -> P,
) -> Result<Exported> {
    let write = |name: &str, write: &dyn Fn(&mut dyn Write) -> Result<()>| {
        let file = folder.join(name);
        let created = fs::create_dir_all(file.parent().unwrap_or(folder));
        let written = created.map_err(Into::into).and_then(|()| files::replace(&file, write));
        written.with_context(|| file.display().to_string())
    };
    let write_bytes = |name: &str, bytes: &[u8]| write(name, &|out| Ok(out.write_all(bytes)?));
    let before = exported_before(folder);
    for asset in ASSETS.iter() {
        let text = if asset.name == SOURCE { EXPORTED_SOURCE } else { &asset.text };
        write_bytes(asset.name, text.as_bytes())?;
    }
    let mut tables = BTreeMap::new();
    for game in library.games.iter() {
        let ServedGame { table, summary, description, rules } = &**game;
        let name = &summary.game;
        write_bytes(&format!("data/{name}.json"), description)?;
        if let Some(rules) = rules {
            write_bytes(&format!("data/{name}.toml"), rules.as_bytes())?;
        }
        let is_whole = table.size() <= LARGEST_WHOLE;
        let file = format!("{name}.{}", if is_whole { EXTENSION } else { PACKED });
        write(&format!("data/{file}"), &|out| match table.source().packed() {
            _ if is_whole => copy(table.source(), out, &Unobserved),
            Some(packed) => copy(packed.get_ref(), out, &Unobserved),
            None => {
                let packing = Packing::default();
                let mut packer = Packer::new(out, table.raw().header(), packing);
                copy(table.source(), &mut packer, &observed(table))?;
                packer.finish()?;
                Ok(())
            }
        })?;
        tables.insert(name.clone(), file);
    }
    let summaries: Vec<_> = library.games.iter().map(|game| &game.summary).collect();
    let games: Vec<&Table> = library.games.iter().map(|game| &game.table).collect();
    let puzzle = |number| puzzle(&games, number, Filter::default(), &|| Ok(()));
    let puzzles: Vec<_> = (0..PUZZLES).map(puzzle).collect::<Result<_, ProbeError>>()?;
    let puzzles: Vec<_> = puzzles.into_iter().flatten().collect();
    write_bytes("data/games.json", &serde_json::to_vec(&BTreeMap::from([("games", summaries)]))?)?;
    write_bytes(
        "data/puzzles.json",
        &serde_json::to_vec(&BTreeMap::from([("puzzles", puzzles)]))?,
    )?;
    // This file tells the page which table a game has, and whether it is packed.
    write_bytes(TABLES, &serde_json::to_vec(&tables)?)?;
    let mut removed = Vec::new();
    for (name, file) in before {
        let now = tables.get(&name);
        let mut old = vec![file];
        if now.is_none() {
            old.extend([format!("{name}.json"), format!("{name}.toml")]);
            removed.push(name);
        }
        for old in old.into_iter().filter(|old| now != Some(old)) {
            let file = folder.join("data").join(old);
            match fs::remove_file(&file) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(error).with_context(|| file.display().to_string());
                }
                _ => {}
            }
        }
    }
    Ok(Exported { games: tables.into_keys().collect(), removed })
}

/// Reads the games and tables of an earlier export. Names that this program does not write are ignored.
fn exported_before(folder: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(folder.join(TABLES)).unwrap_or_default();
    let mut tables: BTreeMap<String, String> = serde_json::from_str(&text).unwrap_or_default();
    let is_plain =
        |name: &str| !name.is_empty() && !name.contains(['/', '\\']) && !name.starts_with('.');
    tables.retain(|name, file| {
        is_plain(name) && is_plain(file) && file.starts_with(&format!("{name}."))
    });
    tables
}

/// Copies the bytes of a source.
fn copy(source: &impl Source, out: &mut dyn Write, progress: &dyn Progress) -> Result<()> {
    each_piece(source, |piece| {
        progress.check()?;
        out.write_all(piece)?;
        progress.advance(piece.len() as u64);
        Ok(())
    })
}
