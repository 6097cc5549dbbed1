//! Proof of a table of Grundy values: checks its checksums, every value, and the header.

pub use crate::verdict::{Fault, Verified};

use crate::{cram, octal};
use morpion_grundy::{GrundyTable, Header};
use morpion_machine::progress::Progress;

/// Proves `table`. In an octal game, the values of the first heaps are computed by the definition, of more heaps from all splits, and of all
/// heaps by sparse space. `progress` receives the number of heaps, or of positions of cram.
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
