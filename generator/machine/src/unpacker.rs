//! Reads of long parts of a packed table by several threads. Each thread has its own unpacker, because threads would wait for a shared one.

use crate::threads;
use morpion_core::{Source, TableError};
use morpion_lookup::{Bytes, Packed};
use std::borrow::Cow;

/// The least number of bytes for which another thread is worth its unpacker.
const SHARE: usize = 16 << 20;

/// Reads a table for one thread.
pub struct Unpacker<'t> {
    table: &'t Bytes,
    /// An unpacker of the packed bytes; `None` if the table is not packed, or its file is not in memory.
    own: Option<Packed<&'t [u8]>>,
}

impl<'t> Unpacker<'t> {
    /// Makes an unpacker with its own memory.
    ///
    /// # Errors
    /// If the seek table of a packed table cannot be read.
    pub fn new(table: &'t Bytes) -> Result<Unpacker<'t>, TableError> {
        let packed = table.packed().and_then(|packed| packed.get_ref().in_memory());
        let own = packed.map(Packed::open).transpose()?;
        own.iter().for_each(|packed| packed.set_cache(0));
        Ok(Unpacker { table, own })
    }

    /// Bytes of the table, from [`bytes`].
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn bytes(&self, offset: u64, length: u64) -> Result<Cow<'_, [u8]>, TableError> {
        bytes(self.source(), offset, length)
    }

    fn source(&self) -> &dyn Source {
        match &self.own {
            Some(own) => own,
            None => self.table,
        }
    }
}

/// Bytes of a table. They are borrowed if they are in memory, and otherwise read.
///
/// # Errors
/// If the source cannot be read.
pub fn bytes(source: &dyn Source, offset: u64, length: u64) -> Result<Cow<'_, [u8]>, TableError> {
    if let Some(bytes) = source.in_memory() {
        let rest = bytes.get(offset as usize..).unwrap_or_default();
        return Ok(Cow::Borrowed(&rest[..rest.len().min(length as usize)]));
    }
    let mut bytes = vec![0; length as usize];
    source.read_at(offset, &mut bytes)?;
    Ok(Cow::Owned(bytes))
}

/// Bytes of a table, unpacked by all threads. They are borrowed if they are in memory, and otherwise read.
///
/// # Errors
/// If the source cannot be read.
pub fn long_bytes(table: &Bytes, offset: u64, length: u64) -> Result<Cow<'_, [u8]>, TableError> {
    if table.packed().is_none() {
        return bytes(table, offset, length);
    }
    let mut bytes = vec![0; length as usize];
    let share = bytes.len().div_ceil(threads::count()).max(SHARE);
    let read = threads::each_chunk(&mut bytes, share, &|number, chunk| {
        let at = offset + (number * share) as u64;
        Unpacker::new(table).and_then(|unpacker| unpacker.source().read_at(at, chunk))
    });
    read.into_iter().collect::<Result<(), TableError>>()?;
    Ok(Cow::Owned(bytes))
}
