//! Tables of Grundy values: from a solution to the bytes of a file.

use super::solver::{Solution, Values};
use anyhow::ensure;
use morpion_grundy::{Closed, Code, GrundyTable, Header, MAGIC, Mask, Octal, Period};
use morpion_lookup::Bytes;
use morpion_machine::sealed;
use std::io::{self, Write};
use std::path::Path;

use super::moves::Moves;

/// The ending of a table's file name.
pub const EXTENSION: &str = "grundy";

/// Whether a file of this name is a table of Grundy values.
#[must_use]
pub fn is_named(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension == EXTENSION)
}

/// The file name of an octal game's table.
#[must_use]
pub fn file_name(code: &Code) -> String {
    match code.closed() {
        Some(Closed::Nim) => format!("nim.{EXTENSION}"),
        Some(Closed::Lasker) => format!("lasker.{EXTENSION}"),
        None => format!("{code}.{EXTENSION}"),
    }
}

/// The header of a solved game. `width` bytes a value, or as few as will do.
///
/// # Errors
/// A value that does not fit `width`.
pub fn header(code: &Code, solution: &Solution, width: Option<u8>) -> anyhow::Result<Octal> {
    header_to(code, solution, solution.heaps(), width)
}

/// The header that [`header`] would give had the heaps up to `heaps` been worked, fewer than 2^62. Those that were not have their values from
/// the period.
///
/// # Errors
/// A value that does not fit `width`.
pub fn header_to(
    code: &Code,
    solution: &Solution,
    heaps: usize,
    width: Option<u8>,
) -> anyhow::Result<Octal> {
    let period = solution.period.map(|p| Period { length: p.length as u64, start: p.start as u64 });
    let values = period.map_or(heaps as u64, |p| p.start + p.length - 1);
    let greatest = solution.values.greatest();
    let least = match greatest {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    };
    let width = width.unwrap_or(least);
    if width < least {
        let heap = solution.values.iter().position(|v| u64::from(v) >> (8 * width) != 0);
        let heap = heap.unwrap_or_default();
        anyhow::bail!(
            "{code}: heap {heap} has the value {}, which does not fit {width} byte a value: expected --width {least}",
            solution.values.get(heap)
        );
    }
    let mask = Moves::new(code).filter(|moves| !moves.two.is_empty()).map(|moves| {
        let (mask, rare) = solution.mask(&moves, heaps);
        Mask { bits: mask.bits as u64, position: mask.position.map(|t| t as u8), rare: rare as u64 }
    });
    Ok(Octal {
        code: code.to_string(),
        width,
        values,
        heaps: heaps as u64,
        period,
        greatest: u64::from(greatest),
        mask,
    })
}

/// The header of a game with a closed form, whose table has no values.
///
/// # Errors
/// No closed form is known.
pub fn closed_header(code: &Code) -> anyhow::Result<Octal> {
    ensure!(
        code.closed().is_some(),
        "{code}: no closed form is known for these digits repeated for ever: expected a finite code, 0.(3) or 4.(3)"
    );
    Ok(Octal {
        code: code.to_string(),
        width: 1,
        values: 0,
        heaps: 0,
        period: None,
        greatest: 0,
        mask: None,
    })
}

/// A writer of a table whose header is written; the values follow.
///
/// # Errors
/// Those of `out`.
pub fn begin<W: Write>(out: W, header: &Header) -> io::Result<sealed::Writer<W>> {
    let mut writer = sealed::Writer::new(out);
    writer.write_header(MAGIC, header)?;
    Ok(writer)
}

/// Writes the table of an octal game.
///
/// # Errors
/// Those of `out`.
pub fn write_octal<W: Write>(out: W, header: &Octal, values: &Values) -> io::Result<W> {
    let mut writer = begin(out, &Header::Octal(header.clone()))?;
    let width = usize::from(header.width);
    let mut bytes = Vec::with_capacity(width << 16);
    for n in 1..=header.values as usize {
        bytes.extend_from_slice(&values.get(n).to_le_bytes()[..width]);
        if bytes.len() >= width << 16 {
            writer.write(&bytes)?;
            bytes.clear();
        }
    }
    writer.write(&bytes)?;
    writer.finish()
}

/// A table in memory.
///
/// # Errors
/// Those of opening it.
pub fn in_memory(header: &Octal, values: &Values) -> anyhow::Result<GrundyTable> {
    Ok(GrundyTable::open(Bytes::from(write_octal(Vec::new(), header, values)?))?)
}
