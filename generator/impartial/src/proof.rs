//! Proof of a table of Grundy values: checks its checksums, every value, and the header.

pub use crate::verdict::{Fault, Verified};

use crate::{cram, octal};
use morpion_grundy::{GrundyTable, Header};
use morpion_machine::progress::Progress;

/// Proves `table`. The first values of an octal game are computed by the definition, more of them from all splits, and all of them by
/// sparse space. `progress` receives the number of heaps, or of positions of cram.
///
/// # Errors
/// The first [`Fault`].
pub fn verify(table: &GrundyTable, progress: &dyn Progress) -> Result<Verified, Fault> {
    table.check_sums()?;
    match table.header() {
        Header::Cram(header) => cram::prove(table, *header, progress),
        Header::Octal(_) => octal::prove(table, progress),
    }
}
