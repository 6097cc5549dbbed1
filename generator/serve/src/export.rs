//! Exports the explorer as files for any file server: the page and the tables.

use crate::assets::ASSETS;
use crate::data::{self, LIST};
use crate::library::{Library, ServedGame};
use anyhow::{Context, Result};
use morpion_builder::files;
use morpion_games::catalogue::{EXTENSION, Table, standard, standard_text};
use morpion_machine::pieces::copy;
use morpion_machine::progress::Progress;
use std::fs;
use std::io::Write;
use std::path::Path;

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
        write_bytes(folder, asset.name, &asset.plain.bytes)?;
    }
    for game in &library.games {
        let ServedGame { table, summary, description, .. } = &**game;
        let name = &summary.game;
        write(folder, &format!("data/games/{name}.{EXTENSION}"), &|out| {
            copy(table.source(), out, &observed(table))
        })?;
        write_bytes(folder, &format!("data/games/{name}.json"), description)?;
    }
    for game in standard() {
        let name = game.name();
        let table = library.games.iter().find(|table| table.summary.game == *name);
        // If a table of this name is served, it may have other rules.
        let rules = table.map_or_else(|| standard_text(name), |table| table.rules);
        if let Some(rules) = rules {
            write_bytes(folder, &format!("data/games/{name}.toml"), rules.as_bytes())?;
        }
    }
    // The list is last: it names only games whose files are there.
    write_bytes(folder, &format!("data/{LIST}"), &data::list(&library.games)?)
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
