//! Exports the explorer as plain files for any file server: the page, the tables, and the JavaScript table reader
//! instead of the interface.

use crate::assets::{ASSETS, EXPORTED_SOURCE, SOURCE};
use crate::library::{Library, ServedGame};
use anyhow::{Context, Result};
use morpion_games::catalogue::{EXTENSION, PACKED, Table};
use morpion_lookup::ProbeError;
use morpion_machine::files;
use morpion_machine::packer::{Packer, Packing};
use morpion_machine::pieces::copy;
use morpion_machine::progress::{Progress, Unobserved};
use morpion_play::puzzles::{Filter, Puzzle, puzzle};
use serde::Serialize;
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
    let before = exported_before(folder);
    for asset in ASSETS.iter() {
        let text = if asset.name == SOURCE { EXPORTED_SOURCE } else { &asset.text };
        write_bytes(folder, asset.name, text.as_bytes())?;
    }
    let mut tables = BTreeMap::new();
    for game in library.games.iter() {
        let ServedGame { table, summary, description, rules, .. } = &**game;
        let name = &summary.game;
        write_bytes(folder, &format!("data/{name}.json"), description)?;
        if table.ends_wins() {
            write_bytes(folder, &format!("data/{name}.judge.json"), &game.appraisal(&Unobserved)?)?;
        }
        if let Some(rules) = rules {
            write_bytes(folder, &format!("data/{name}.toml"), rules.as_bytes())?;
        }
        let ending = if is_whole(table) { EXTENSION } else { PACKED };
        let file = format!("{name}.{ending}");
        write(folder, &format!("data/{file}"), &|out| write_table(table, out, &observed))?;
        tables.insert(name.clone(), file);
    }
    let summaries: Vec<_> = library.games.iter().map(|game| &game.summary).collect();
    write_json(folder, "data/games.json", &BTreeMap::from([("games", summaries)]))?;
    let puzzles = BTreeMap::from([("puzzles", puzzles(library)?)]);
    write_json(folder, "data/puzzles.json", &puzzles)?;
    // This file tells the page which table a game has, and whether it is packed.
    write_json(folder, TABLES, &tables)?;
    let removed = remove_others(folder, before, &tables)?;
    Ok(Exported { games: tables.into_keys().collect(), removed })
}

/// Writes a file below the folder.
fn write(folder: &Path, name: &str, write: &dyn Fn(&mut dyn Write) -> Result<()>) -> Result<()> {
    let file = folder.join(name);
    let created = fs::create_dir_all(file.parent().unwrap_or(folder));
    let written = created.map_err(Into::into).and_then(|()| files::replace(&file, write));
    written.with_context(|| file.display().to_string())
}

fn write_bytes(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    write(folder, name, &|out| Ok(out.write_all(bytes)?))
}

fn write_json(folder: &Path, name: &str, value: &impl Serialize) -> Result<()> {
    write_bytes(folder, name, &serde_json::to_vec(value)?)
}

/// Returns true if visitors load the table as a whole.
fn is_whole(table: &Table) -> bool {
    table.size() <= LARGEST_WHOLE
}

/// Writes a table, packed if visitors read it in parts.
fn write_table<P: Progress>(
    table: &Table,
    out: &mut dyn Write,
    observed: impl Fn(&Table) -> P,
) -> Result<()> {
    if is_whole(table) {
        return copy(table.source(), out, &Unobserved);
    }
    if let Some(packed) = table.source().packed() {
        return copy(packed.get_ref(), out, &Unobserved);
    }
    let mut packer = Packer::new(out, table.raw().header(), Packing::default());
    copy::<anyhow::Error>(table.source(), &mut packer, &observed(table))?;
    packer.finish()?;
    Ok(())
}

/// Finds the puzzles of a year.
fn puzzles(library: &Library) -> Result<Vec<Puzzle>, ProbeError> {
    let games: Vec<&Table> = library.games.iter().map(|game| &game.table).collect();
    let puzzle = |number| puzzle(&games, number, Filter::default(), &|| Ok(()));
    (0..PUZZLES).filter_map(|number| puzzle(number).transpose()).collect()
}

/// Removes the files of an earlier export that are not among the new tables. Returns the games that are removed as a whole.
fn remove_others(
    folder: &Path,
    before: BTreeMap<String, String>,
    tables: &BTreeMap<String, String>,
) -> Result<Vec<String>> {
    let mut removed = Vec::new();
    for (name, file) in before {
        let now = tables.get(&name);
        let mut old = vec![file];
        if now.is_none() {
            old.extend([
                format!("{name}.json"),
                format!("{name}.judge.json"),
                format!("{name}.toml"),
            ]);
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
    Ok(removed)
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
