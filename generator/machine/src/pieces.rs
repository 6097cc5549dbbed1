//! Reads the bytes of a table in order, piece by piece. So a table of any size can be copied or summed in a buffer of at most
//! 256 MiB.

use crate::progress::{Progress, Stopped};
use crate::threads;
use crate::unpacker::long_bytes;
use morpion_core::{Source, TableError};
use morpion_lookup::Bytes;
use std::io::{self, Write};
use std::ops::Range;

/// Bytes of a piece for each thread.
const PIECE: usize = 16 << 20;

/// Most bytes of a piece for all threads.
const LONGEST: usize = 256 << 20;

/// Visits `bytes` of a table in order, piece by piece. All threads unpack a piece. `progress` receives the number of bytes.
///
/// # Errors
/// If the table cannot be read, `visit` fails, or `progress` requests a stop. Nothing is read after an error.
pub fn each_piece<E: From<TableError> + From<Stopped>>(
    table: &Bytes,
    bytes: Range<u64>,
    progress: &dyn Progress,
    mut visit: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let length = (PIECE * threads::count()).min(LONGEST);
    for start in bytes.clone().step_by(length) {
        progress.check()?;
        let length = (bytes.end - start).min(length as u64);
        visit(&long_bytes(table, start, length)?)?;
        progress.advance(length);
    }
    Ok(())
}

/// Copies all bytes of a table. `progress` receives their number.
///
/// # Errors
/// If the table or `out` fails, or `progress` requests a stop.
pub fn copy<E: From<TableError> + From<io::Error> + From<Stopped>>(
    table: &Bytes,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<(), E> {
    each_piece(table, 0..table.size(), progress, |piece| Ok(out.write_all(piece)?))
}
