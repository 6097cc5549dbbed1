//! What `nim` and `cram` share: a table of Grundy values in a file, opened, described and proved, whichever game it is of.
//!
//! In comes a `*.grundy` file; out go its facts or its proof. The commands `nim` and `cram` build on it, and neither on the other.

pub mod cram_facts;
pub mod octal_facts;
pub mod progress;
pub mod prove;

use super::output::{Output, note};
use anyhow::{Context, Result};
use morpion_grundy::{GrundyTable, Header};
use morpion_machine::files;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Opens a table file.
pub fn open(file: &Path) -> Result<GrundyTable> {
    // SAFETY: tables are only ever replaced by renaming a new file over them.
    Ok(unsafe { GrundyTable::map(file) }?)
}

/// Tells what the table in a file holds; with `check` whether the sums of all its bytes are right, too.
pub fn describe(file: &Path, check: bool, json: bool, out: &mut Output) -> Result<ExitCode> {
    let table = open(file)?;
    print(&table, Some(file), false, json, out)?;
    if check && let Err(fault) = table.check_sums() {
        note(format_args!("morpion: {}: {fault}", file.display()));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the facts of a table; of an octal game with all heaps of value 0 where `zeros` says so.
pub fn print(
    table: &GrundyTable,
    file: Option<&Path>,
    zeros: bool,
    json: bool,
    out: &mut Output,
) -> Result<()> {
    if let Header::Cram(_) = table.header() {
        return cram_facts::print(table, file, json, out);
    }
    let mut facts = octal_facts::Facts::new(table, zeros)?;
    facts.file = file.map(|file| file.display().to_string());
    facts.print(json, out)
}

/// Puts a file into `folder`, which is made where it is missing, whole or not at all.
pub fn save(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<PathBuf> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
    let path = folder.join(name);
    files::replace(&path, write).with_context(|| format!("{}: not written", path.display()))?;
    Ok(path)
}
