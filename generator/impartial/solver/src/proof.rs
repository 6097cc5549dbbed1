//! Proof of a table of Grundy values: checks its checksums, every value, and the header.

pub use crate::fault::Fault;

use crate::cram;
use crate::octal::{self, Moves};
use morpion_grundy::{GrundyTable, Header};
use morpion_machine::progress::Progress;
use serde::Serialize;

/// Result of a proof. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Octal code, or board of cram.
    pub game: String,
    /// Number of values in the file.
    pub values: u64,
    /// Last heap that was computed by the definition; `None` for cram.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition_to: Option<u64>,
    /// Last heap that was computed from all splits; for cram the number of positions.
    #[serde(rename = "plain_to")]
    pub exhaustive_to: u64,
    /// Last heap that was computed by any method; for cram the number of positions.
    pub worked_to: u64,
    /// Certified period.
    pub period: Option<u64>,
    /// First heap from which the values repeat.
    pub preperiod: Option<u64>,
    /// Last heap of the certificate.
    pub certified_to: Option<u64>,
}

/// Proves `table`. The first values of an octal game are computed by the definition, more of them from all splits, and all of them by
/// sparse space. `progress` receives the number of heaps, or of positions of cram.
///
/// # Errors
/// The first [`Fault`].
pub fn verify(table: &GrundyTable, progress: &dyn Progress) -> Result<Verified, Fault> {
    table.check_sums()?;
    match table.header() {
        Header::Cram(header) => {
            let positions = cram::prove(table, *header, progress)?;
            Ok(Verified {
                game: format!("cram {}x{}", header.rows, header.columns),
                values: positions,
                exhaustive_to: positions,
                worked_to: positions,
                ..Verified::default()
            })
        }
        Header::Octal(_) => {
            let (code, header) = table.octal()?;
            let reach = octal::prove(table, code, header, progress)?;
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
