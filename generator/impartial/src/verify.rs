//! Proving a table of Grundy values.
//!
//! The sums of all bytes; the values again by the plain definition, up to a bound or in full, and behind the bound by sparse space; the
//! period looked for again in all values that the table was made from, so that the certificate, the least period and the least start
//! are those in the header; the greatest value and the mask.

use super::cram;
use super::moves::Moves;
use super::plain;
use super::solver::{Solution, Task, Way, solve};
use super::table;
use morpion_grundy::{Code, GrundyTable, Header, Octal};
use serde::Serialize;

/// Heaps that are worked by the definition alone, without vector instructions.
pub const BY_DEFINITION: u64 = 4096;

/// What was proved. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// The code, or the board of cram.
    pub game: String,
    /// Values that the file holds.
    pub values: u64,
    /// The last heap that was worked by the plain definition; for cram the number of positions.
    pub plain_to: u64,
    /// The last heap that was worked at all.
    pub worked_to: u64,
    /// The period, where it is certified.
    pub period: Option<u64>,
    /// The first heap of it.
    pub preperiod: Option<u64>,
    /// The last heap of its certificate.
    pub certified_to: Option<u64>,
}

/// Proves `table`: every value by the plain definition up to heap `bound`, by sparse space behind it. `progress` hears of heaps.
///
/// # Errors
/// What is wrong.
pub fn verify(
    grundy: &GrundyTable,
    bound: u64,
    progress: impl FnMut(usize),
) -> Result<Verified, String> {
    grundy.check_sums().map_err(|error| error.to_string())?;
    match (grundy.header(), grundy.octal()) {
        (Header::Cram(header), _) => {
            let board = format!("cram {}x{}", header.rows, header.columns);
            let positions = cram::verify(grundy, *header, progress)?;
            Ok(Verified {
                game: board,
                values: positions,
                plain_to: positions,
                worked_to: positions,
                period: None,
                preperiod: None,
                certified_to: None,
            })
        }
        (Header::Octal(header), Ok((code, _))) => octal(grundy, code, header, bound, progress),
        _ => Err("a header without a code".into()),
    }
}

fn octal(
    grundy: &GrundyTable,
    code: &Code,
    header: &Octal,
    bound: u64,
    mut progress: impl FnMut(usize),
) -> Result<Verified, String> {
    let mut verified = Verified {
        game: header.code.clone(),
        values: header.values,
        plain_to: 0,
        worked_to: 0,
        period: header.period.map(|p| p.length),
        preperiod: header.period.map(|p| p.start),
        certified_to: None,
    };
    let Some(moves) = Moves::new(code) else {
        // A closed form has no values; the formula is the library's and its proof is in the books.
        return if header.greatest == 0 && header.heaps == 0 && header.mask.is_none() {
            Ok(verified)
        } else {
            Err(format!("{}: facts of values that the table does not hold", header.code))
        };
    };
    verified.certified_to = header.period.and_then(|p| p.certificate(moves.last as u64));
    let heaps = usize::try_from(header.heaps).ok().filter(|heaps| *heaps < 1 << 62);
    let heaps = heaps.ok_or_else(|| {
        format!("{}: {} heaps, expected fewer than 2^62", header.code, header.heaps)
    })?;
    // The header may claim any number of heaps. Those behind the certificate follow from it, so that the work is bounded by the file.
    let last = verified.certified_to.map_or(heaps, |certificate| heaps.min(certificate as usize));
    let by_definition = plain::values(&moves, last.min(BY_DEFINITION as usize).min(bound as usize));
    for (n, value) in by_definition.iter().enumerate() {
        compare(grundy, n, u64::from(*value))?;
    }
    let plain_to = last.min(usize::try_from(bound).unwrap_or(usize::MAX));
    let plain = Task { way: Way::Vector, ..Task::all(plain_to) };
    let vector = solve(&moves, plain, &mut progress);
    compare_all(grundy, &vector)?;
    verified.plain_to = plain_to as u64;
    verified.worked_to = last as u64;
    let all = if plain_to == last {
        vector
    } else {
        let all = solve(&moves, Task::all(last), &mut progress);
        compare_all(grundy, &all)?;
        all
    };
    let all = all.with_period(&moves);
    // With the period of the header the number of heaps is the header's; without one all of them were worked.
    let heaps = if all.period.is_some() { heaps } else { last };
    let expected =
        table::header_to(code, &all, heaps, Some(header.width)).map_err(|e| e.to_string())?;
    if expected != *header {
        return Err(format!(
            "{}: found {header:?} in the header, expected {expected:?}",
            header.code
        ));
    }
    Ok(verified)
}

fn compare_all(grundy: &GrundyTable, solution: &Solution) -> Result<(), String> {
    solution.values.iter().enumerate().try_for_each(|(n, v)| compare(grundy, n, u64::from(v)))
}

fn compare(grundy: &GrundyTable, heap: usize, expected: u64) -> Result<(), String> {
    let found = grundy.heap(heap as u64).map_err(|error| error.to_string())?;
    if found == expected {
        Ok(())
    } else {
        Err(format!("the value of heap {heap} is {found} in the table, expected {expected}"))
    }
}
