//! The proof of a table of Grundy values, whichever game it is of.
//!
//! In comes an open table; out goes what was proved, or the first thing that is wrong: a sum of its bytes, a value, or the header.

use crate::cram::{self, CramFault};
use crate::octal::{self, Moves, OctalFault};
use morpion_grundy::{GrundyError, GrundyTable, Header};
use morpion_lookup::TableError;
use serde::Serialize;
use thiserror::Error;

/// What is wrong with a table.
#[derive(Debug, Error)]
pub enum Fault {
    /// The sums of its bytes.
    #[error(transparent)]
    Sums(#[from] TableError),
    /// A table of an octal game.
    #[error(transparent)]
    Octal(#[from] OctalFault),
    /// A table of cram.
    #[error(transparent)]
    Cram(#[from] CramFault),
    /// A header that is not of the game it names.
    #[error(transparent)]
    Header(#[from] GrundyError),
}

/// What was proved. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// The code, or the board of cram.
    pub game: String,
    /// Values that the file holds.
    pub values: u64,
    /// The last heap that was computed by the definition; none for cram.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition_to: Option<u64>,
    /// The last heap that was computed from all splits; for cram the number of positions.
    #[serde(rename = "plain_to")]
    pub exhaustive_to: u64,
    /// The last heap that was computed at all; for cram the number of positions.
    pub worked_to: u64,
    /// The period, where it is certified.
    pub period: Option<u64>,
    /// The first heap of it.
    pub preperiod: Option<u64>,
    /// The last heap of its certificate.
    pub certified_to: Option<u64>,
}

/// Proves `table`: of an octal game every value from all splits up to heap `bound`, the first ones by the definition too, those beyond
/// it by sparse space. `progress` receives heaps, or positions of cram.
///
/// # Errors
/// The first [`Fault`].
pub fn verify(
    table: &GrundyTable,
    bound: u64,
    progress: &mut dyn FnMut(usize),
) -> Result<Verified, Fault> {
    table.check_sums()?;
    match table.header() {
        Header::Cram(header) => {
            let positions = cram::prove(table, *header, progress)?;
            Ok(Verified {
                game: format!("cram {}x{}", header.rows, header.columns),
                values: positions,
                definition_to: None,
                exhaustive_to: positions,
                worked_to: positions,
                period: None,
                preperiod: None,
                certified_to: None,
            })
        }
        Header::Octal(_) => {
            let (code, header) = table.octal()?;
            let reach = octal::prove(table, code, header, bound, progress)?;
            let moves = Moves::new(code);
            Ok(Verified {
                game: header.code.clone(),
                values: header.values,
                definition_to: Some(reach.definition_to),
                exhaustive_to: reach.exhaustive_to,
                worked_to: reach.last,
                period: header.period.map(|p| p.length),
                preperiod: header.period.map(|p| p.start),
                certified_to: moves.and_then(|moves| octal::certified_to(header, &moves)),
            })
        }
    }
}
