//! Tables of octal games: the header and the bytes of a `*.grundy` file, or an open table in memory.

use super::moves::Moves;
use super::solver::{Solution, Task, solve};
use crate::table::{EXTENSION, begin};
use morpion_core::TableError;
use morpion_grundy::{Code, GrundyTable, Header, Octal};
use morpion_lookup::Bytes;
use morpion_machine::progress::{Progress, Stopped};
use std::io::{self, Write};
use thiserror::Error;

/// Reason why a table cannot be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The digits of the code repeat forever, and no closed form is known.
    #[error(
        "{0}: no closed form is known for digits that repeat forever: choose a finite code, 0.(3) or 4.(3)"
    )]
    NoClosedForm(Code),
    /// A stop was requested.
    #[error("{0}: stopped before the end: nothing is kept")]
    Stopped(Code),
    /// The table cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The bytes are not a table.
    #[error(transparent)]
    Open(#[from] TableError),
}

/// Returns the file name of an octal game's table.
#[must_use]
pub fn file_name(code: &Code) -> String {
    let name = code.closed().map_or_else(|| code.to_string(), |closed| closed.name().into());
    format!("{name}.{EXTENSION}")
}

/// Makes the header of a solved game. A value gets 1, 2 or 4 bytes, as the greatest value needs.
#[must_use]
pub fn header(code: &Code, solution: &Solution) -> Octal {
    let heaps = solution.heaps();
    let period = solution.period;
    let values = period.map_or(heaps as u64, |p| p.start + p.length - 1);
    let greatest = solution.greatest();
    let width = match greatest {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    };
    let moves = Moves::new(code).filter(|moves| !moves.split.is_empty());
    let mask = moves.map(|moves| solution.mask(&moves));
    Octal {
        code: code.to_string(),
        width,
        values,
        heaps: heaps as u64,
        period,
        greatest: u64::from(greatest),
        mask,
    }
}

/// Solves a game, or takes its closed form. Returns the header of its table, and the values of heaps 0, 1, …; a closed form has
/// only heap 0.
///
/// # Errors
/// [`BuildError::NoClosedForm`], or [`BuildError::Stopped`] if `progress` requests a stop.
pub fn solved(
    code: &Code,
    task: Task,
    progress: &dyn Progress,
) -> Result<(Octal, Vec<u32>), BuildError> {
    let solution = match Moves::new(code) {
        Some(moves) => {
            solve(&moves, task, progress).map_err(|Stopped| BuildError::Stopped(code.clone()))?
        }
        None if code.closed().is_some() => Solution::closed(),
        None => return Err(BuildError::NoClosedForm(code.clone())),
    };
    Ok((header(code, &solution), solution.values))
}

/// Writes a table.
///
/// # Errors
/// If `out` fails.
pub fn write<W: Write>(out: W, header: &Octal, values: &[u32]) -> io::Result<W> {
    let mut writer = begin(out, &Header::Octal(header.clone()))?;
    let width = usize::from(header.width);
    for values in values[1..=header.values as usize].chunks(1 << 16) {
        let bytes = values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(width));
        writer.write(&bytes.collect::<Vec<u8>>())?;
    }
    writer.finish()
}

/// Makes a table in memory.
///
/// # Errors
/// [`BuildError::Open`] if the header contradicts itself.
pub fn in_memory(header: &Octal, values: &[u32]) -> Result<GrundyTable, BuildError> {
    Ok(GrundyTable::open(Bytes::from(write(Vec::new(), header, values)?))?)
}
