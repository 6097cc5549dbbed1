//! Facts of a table of cram, as `morpion info` prints them: the board, the value of the empty board, and the size.

use crate::terminal::prelude::*;
use morpion_grundy::GrundyTable;
use morpion_impartial::Outcome;
use std::path::Path;

#[derive(Serialize)]
struct Facts {
    board: String,
    value: u8,
    outcome: Outcome,
    positions: u64,
    greatest: u8,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// Prints the facts of a table of cram.
pub fn print(table: &GrundyTable, file: Option<&Path>, json: bool, out: &mut Output) -> Result<()> {
    let header = table.cram()?;
    let value = table.cells(0)?;
    let facts = Facts {
        board: format!("{}x{}", header.rows, header.columns),
        value,
        outcome: Outcome::from(value != 0),
        positions: table.values().len() as u64,
        greatest: header.greatest,
        bytes: table.size(),
        file: file.map(|file| file.display().to_string()),
    };
    if json {
        out.json(&facts)?;
    } else {
        writeln!(out, "board         {}", facts.board)?;
        writeln!(out, "empty board   value {}, {}", facts.value, facts.outcome)?;
        writeln!(out, "positions     {}", grouped(facts.positions))?;
        writeln!(out, "greatest      {}", facts.greatest)?;
        writeln!(out, "bytes         {}", grouped(facts.bytes))?;
    }
    Ok(())
}
