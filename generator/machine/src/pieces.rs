//! Reads the bytes of a source in order, piece by piece. So a table of any size can be copied or summed in a MiB of
//! memory.
//!
//! Passes the pieces of a source to a visitor, up to the first error of either.

use morpion_lookup::{ReadError, Source};

/// Maximum number of bytes of a piece.
const PIECE: u64 = 1 << 20;

/// Visits all bytes of a source in order, at most a MiB at a time.
///
/// # Errors
/// The first error of the source or of `visit`. Nothing is read after it.
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
