//! Reads the bytes of a source in order, piece by piece. So a table of any size can be copied or summed in a MiB of
//! memory.
//!
//! Passes the pieces of a source to a visitor, until the source or the visitor fails.

use crate::progress::{Progress, Stopped};
use morpion_core::{Source, TableError};
use std::io::{self, Write};

/// Maximum number of bytes of a piece.
const PIECE: u64 = 1 << 20;

/// Visits all bytes of a source in order, at most a MiB at a time.
///
/// # Errors
/// The first error of the source or of `visit`. Nothing is read after it.
pub fn each_piece<E: From<TableError>>(
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

/// Copies all bytes of a source. `progress` receives their number.
///
/// # Errors
/// If the source or `out` fails, or `progress` requests a stop.
pub fn copy<E: From<TableError> + From<io::Error> + From<Stopped>>(
    source: &impl Source,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<(), E> {
    each_piece(source, |piece| {
        progress.check()?;
        out.write_all(piece)?;
        progress.advance(piece.len() as u64);
        Ok(())
    })
}
