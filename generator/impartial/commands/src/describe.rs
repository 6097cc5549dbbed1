//! Facts of a table, for `info`, `nim info` and `cram info`.

use crate::table::open;
use crate::{cram_facts, octal_facts};
use anyhow::Result;
use morpion_grundy::{GrundyTable, Header};
use morpion_terminal::output::{Output, note};
use std::path::Path;
use std::process::ExitCode;

/// Prints the facts of a table file. With `check`, also checks the checksums of all bytes.
pub fn describe(file: &Path, check: bool, json: bool, out: &mut Output) -> Result<ExitCode> {
    let table = open(file)?;
    print(&table, Some(file), false, json, out)?;
    if check && let Err(fault) = table.check_sums() {
        note(format_args!("morpion: {}: {fault}", file.display()));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the facts of a table. With `zeros`, lists all heaps of value 0 of an octal game.
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
