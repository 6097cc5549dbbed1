//! The explorer as plain files, for any server of files.
//!
//! In: tables. Out: a folder with the page, the small tables, and the JavaScript reader instead of the interface.

use super::assets::{ASSETS, READER, SOURCE};
use super::library::{Entry, Library};
use anyhow::Context;
use morpion_lookup::Source;
use morpion_machine::files;
use serde_json::json;
use std::fs;
use std::path::Path;

/// Tables up to this size are exported, in bytes: a visitor loads the whole table.
pub(crate) const LARGEST: u64 = 1 << 20;

/// Writes the page with all small tables into `folder`, which is made where it is missing. Gives the names of the games
/// that were exported and of those that are too large.
///
/// # Errors
/// Where a file cannot be written, or no table is small enough.
pub fn export(library: &Library, folder: &Path) -> anyhow::Result<(Vec<String>, Vec<String>)> {
    let (small, large): (Vec<&Entry>, Vec<&Entry>) =
        library.entries().iter().partition(|entry| entry.table.size() <= LARGEST);
    anyhow::ensure!(
        !small.is_empty(),
        "found no table of up to {LARGEST} bytes, expected at least one: a visitor loads whole tables"
    );
    let write = |name: &str, bytes: &[u8]| {
        let file = folder.join(name);
        let folder = file.parent().unwrap_or(folder);
        let written = fs::create_dir_all(folder)
            .and_then(|()| files::replace(&file, |out| out.write_all(bytes)));
        written.with_context(|| file.display().to_string())
    };
    for asset in ASSETS.iter().filter(|asset| asset.name != SOURCE) {
        write(asset.name, asset.text.as_bytes())?;
    }
    for (name, text) in READER {
        write(name, text.as_bytes())?;
    }
    let summaries: Vec<_> = small.iter().map(|entry| &entry.summary).collect();
    write("data/games.json", json!({ "games": summaries }).to_string().as_bytes())?;
    for entry in &small {
        let name = &entry.summary.game;
        write(&format!("data/{name}.json"), &entry.description)?;
        let mut bytes = vec![0; entry.table.size() as usize];
        entry.table.source().read_at(0, &mut bytes)?;
        write(&format!("data/{name}.morpion"), &bytes)?;
    }
    let names =
        |entries: &[&Entry]| entries.iter().map(|entry| entry.summary.game.clone()).collect();
    Ok((names(&small), names(&large)))
}
