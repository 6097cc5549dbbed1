//! Exports the explorer as files for any file server: the page and the tables.

use crate::assets::ASSETS;
use crate::data::{self, LIST};
use crate::library::{Library, ServedGame};
use anyhow::{Context, Result};
use morpion_builder::files;
use morpion_core::ProbeError;
use morpion_games::catalogue::{EXTENSION, Table};
use morpion_machine::pieces::copy;
use morpion_machine::progress::{Progress, Unobserved};
use morpion_play::puzzles::{Filter, Puzzle, puzzle};
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
        write_bytes(folder, asset.name, &asset.text)?;
    }
    for game in library.games.iter() {
        let ServedGame { table, summary, .. } = &**game;
        write(folder, &format!("data/games/{}.{EXTENSION}", summary.game), &|out| {
            copy(table.source(), out, &observed(table))
        })?;
    }
    for game in library.games.iter() {
        let ServedGame { table, summary, description, rules, .. } = &**game;
        let path = |kind: &str| format!("data/games/{}.{kind}", summary.game);
        write_bytes(folder, &path("json"), description)?;
        if table.ends_wins() {
            write_bytes(folder, &path("judge.json"), &game.appraisal(&Unobserved)?)?;
        }
        if let Some(rules) = rules {
            write_bytes(folder, &path("toml"), rules.as_bytes())?;
        }
    }
    let puzzles = BTreeMap::from([("puzzles", puzzles(library)?)]);
    write_bytes(folder, "data/puzzles.json", &serde_json::to_vec(&puzzles)?)?;
    // The list is last: it names only games whose files are there.
    write_bytes(folder, &format!("data/{LIST}"), &data::list(&library.games, false)?)
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

/// Finds the puzzles of a year.
fn puzzles(library: &Library) -> Result<Vec<Puzzle>, ProbeError> {
    let games: Vec<&Table> = library.games.iter().map(|game| &game.table).collect();
    let puzzle = |number| puzzle(&games, number, Filter::default(), &|| Ok(()));
    (0..PUZZLES).filter_map(|number| puzzle(number).transpose()).collect()
}
