//! Exports the explorer as files for any file server: the page, the tables, and the JavaScript table reader
//! instead of the interface.

use crate::assets::{ASSETS, EXPORTED_SOURCE, SOURCE};
use crate::library::{Library, ServedGame};
use anyhow::{Context, Result};
use morpion_builder::files;
use morpion_core::ProbeError;
use morpion_games::catalogue::{EXTENSION, Table};
use morpion_machine::pieces::copy;
use morpion_machine::progress::{Progress, Unobserved};
use morpion_play::puzzles::{Filter, Puzzle, puzzle};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Number of exported puzzles: one for each day of a leap year.
const PUZZLES: u64 = 366;

/// Writes the page with all tables into `folder`, which is created if it is missing. Tables are plain, so that the page reads them without
/// a decoder. `observed` returns the observer of the bytes of a table.
///
/// # Errors
/// If a file cannot be written, a table cannot be read, or an observer requests a stop.
pub fn export<P: Progress>(
    library: &Library,
    folder: &Path,
    observed: impl Fn(&Table) -> P,
) -> Result<()> {
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
        write(folder, &format!("data/{name}.{EXTENSION}"), &|out| {
            copy(table.source(), out, &observed(table))
        })?;
        tables.insert(name.clone(), table.size());
    }
    let summaries: Vec<_> = library.games.iter().map(|game| &game.summary).collect();
    write_json(folder, "data/games.json", &BTreeMap::from([("games", summaries)]))?;
    let puzzles = BTreeMap::from([("puzzles", puzzles(library)?)]);
    write_json(folder, "data/puzzles.json", &puzzles)?;
    // This file tells the page which tables are small enough to be loaded whole.
    write_json(folder, "data/tables.json", &tables)
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

/// Finds the puzzles of a year.
fn puzzles(library: &Library) -> Result<Vec<Puzzle>, ProbeError> {
    let games: Vec<&Table> = library.games.iter().map(|game| &game.table).collect();
    let puzzle = |number| puzzle(&games, number, Filter::default(), &|| Ok(()));
    (0..PUZZLES).filter_map(|number| puzzle(number).transpose()).collect()
}
