//! The bytes of a source in order, piece by piece, so that a table of any size is copied or summed in a MiB of memory.
//!
//! Hands the pieces of a source to a visitor, up to the first error of either.

use morpion_lookup::{ReadError, Source};

/// Bytes of a piece.
const PIECE: u64 = 1 << 20;

/// Visits all bytes of a source in order, at most a MiB at a time. Costs reading it once.
///
/// # Errors
/// The first of the source or of `visit`; nothing is read after it.
pub fn each_piece<E: From<ReadError>>(
    source: &impl Source,
    mut visit: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let (mut piece, mut at) = (Vec::new(), 0);
    while at < source.size() {
        piece.resize((source.size() - at).min(PIECE) as usize, 0);
        source.read_at(at, &mut piece)?;
        visit(&piece)?;
        at += piece.len() as u64;
    }
    Ok(())
}
