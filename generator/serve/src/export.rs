//! Exports the explorer as plain files for any file server: the page, the tables, and the JavaScript table reader
//! instead of the interface.

use super::assets::{ASSETS, EXPORTED_SOURCE, SOURCE};
use super::library::{Library, ServedGame};
use morpion_games::catalogue::{EXTENSION, PACKED, Table};
use morpion_lookup::{ProbeError, ReadError, Source};
use morpion_machine::files;
use morpion_machine::packer::{Packer, Packing, Sections};
use morpion_machine::pieces::each_piece;
use morpion_machine::progress::{Progress, Stopped, Unobserved};
use morpion_play::puzzles::{Filter, puzzle};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The largest table in bytes that a visitor loads as a whole. A larger table is exported packed, and read in parts.
pub(crate) const LARGEST_WHOLE: u64 = 1 << 20;

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

/// Reason why an export fails.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A file cannot be written or removed.
    #[error("{}", .0.display())]
    File(PathBuf, #[source] io::Error),
    /// A table cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A table is damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The observer requested a stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The new file cannot be written; `export` adds its path.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Writes the page with all tables into `folder`, which is created if it is missing. Games of an earlier export that
/// are not among them are removed. Packing a large plain table takes about a second per few megabytes, on all cores.
/// `observed` returns the observer of the packed bytes.
///
/// # Errors
/// If a file cannot be written, a table cannot be read, or an observer requests a stop.
pub fn export<P: Progress>(
    library: &Library,
    folder: &Path,
    observed: impl Fn(&Table) -> P,
) -> Result<Exported, ExportError> {
    let write =
        |name: &str, contents: &mut dyn FnMut(&mut dyn Write) -> Result<(), ExportError>| {
            let file = folder.join(name);
            let parent = file.parent().unwrap_or(folder);
            let written = fs::create_dir_all(parent).map_err(ExportError::from);
            written.and_then(|()| files::replace(&file, contents)).map_err(|error| match error {
                ExportError::Write(error) => ExportError::File(file, error),
                other => other,
            })
        };
    let write_bytes = |name: &str, bytes: &[u8]| write(name, &mut |out| Ok(out.write_all(bytes)?));
    let before = exported_before(folder);
    for asset in ASSETS.iter() {
        let text = if asset.name == SOURCE { EXPORTED_SOURCE } else { &asset.text };
        write_bytes(asset.name, text.as_bytes())?;
    }
    let summaries: Vec<_> = library.all().iter().map(|game| &game.summary).collect();
    write_bytes("data/games.json", &to_json(&BTreeMap::from([("games", &summaries)]))?)?;
    let mut tables = BTreeMap::new();
    for game in library.all().iter() {
        let ServedGame { table, summary, description, rules } = &**game;
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
        tables.insert(name.clone(), file);
    }
    let games: Vec<&Table> = library.all().iter().map(|game| &game.table).collect();
    let puzzles: Result<Vec<_>, ProbeError> =
        (0..PUZZLES).map(|number| puzzle(&games, number, Filter::default(), &|| Ok(()))).collect();
    let puzzles: Vec<_> = puzzles?.into_iter().flatten().collect();
    write_bytes("data/puzzles.json", &to_json(&BTreeMap::from([("puzzles", puzzles)]))?)?;
    // This file tells the page which table a game has, and whether it is packed.
    write_bytes(TABLES, &to_json(&tables)?)?;
    let mut removed = Vec::new();
    for (name, file) in before {
        let now = tables.get(&name);
        let mut old = vec![file.clone()];
        if now.is_none() {
            old.extend([format!("{name}.json"), format!("{name}.toml")]);
            removed.push(name);
        }
        for old in old.into_iter().filter(|old| now != Some(old)) {
            remove(&folder.join("data").join(old))?;
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

fn remove(file: &Path) -> Result<(), ExportError> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(ExportError::File(file.into(), error))
        }
        _ => Ok(()),
    }
}

fn to_json(value: &impl serde::Serialize) -> io::Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(io::Error::other)
}

/// Writes a packed table. A table that is already packed is copied.
fn pack<P: Progress>(
    table: &Table,
    out: &mut dyn Write,
    observed: impl Fn() -> P,
) -> Result<(), ExportError> {
    if let Some(packed) = table.source().packed() {
        return copy(packed.get_ref(), out, &Unobserved);
    }
    let Packing { level, frame } = Packing::default();
    let mut packer = Packer::new(out, level, Sections::of(table.raw().header(), frame));
    copy(table.source(), &mut packer, &observed())?;
    packer.finish()?;
    Ok(())
}

/// Copies the bytes of a source.
fn copy(
    source: &impl Source,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<(), ExportError> {
    each_piece(source, |piece| {
        progress.check()?;
        out.write_all(piece)?;
        progress.advance(piece.len() as u64);
        Ok(())
    })
}
