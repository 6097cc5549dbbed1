//! Proof of a table of cram: computes the mex of every set of cells from the rules and compares it with the table.

use super::board::Board;
use crate::verdict::{Fault, Verified, compare_headers};
use morpion_grundy::{Cram, GrundyTable, Header};
use morpion_machine::progress::Progress;

/// Number of positions between two progress reports.
const STEP: usize = 1 << 20;

/// Proves that every value of a table is the mex of its options' values.
pub(crate) fn prove(
    table: &GrundyTable,
    header: Cram,
    progress: &dyn Progress,
) -> Result<Verified, Fault> {
    let board = Board { rows: header.rows.into(), columns: header.columns.into() };
    let dominoes = board.dominoes();
    let values = table.values();
    progress.whole(values.len() as u64);
    for (set, found) in values.iter().enumerate() {
        let mut options = 0_u64;
        for domino in dominoes.iter().filter(|d| **d & set as u64 == 0) {
            options |= 1_u64.checked_shl(values[set | *domino as usize].into()).unwrap_or(0);
        }
        let expected = options.trailing_ones();
        if u32::from(*found) != expected {
            let part = format!("set {set:#x}");
            return Err(Fault::Value { part, found: (*found).into(), expected });
        }
        if (set + 1) % STEP == 0 {
            progress.check()?;
            progress.advance(STEP as u64);
        }
    }
    let greatest = values.iter().max().copied().unwrap_or(0);
    compare_headers(table.header(), Header::Cram(Cram { greatest, ..header }))?;
    let positions = values.len() as u64;
    Ok(Verified {
        game: format!("cram {board}"),
        values: positions,
        exhaustive_to: positions,
        worked_to: positions,
        ..Verified::default()
    })
}
