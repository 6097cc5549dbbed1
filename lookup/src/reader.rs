//! Readers of a table: straight from memory if the table is there, else by the source's own `read_at`.
//!
//! Reads words and rows at offsets from the beginning of the file. Every answer is written once over [`Reader`] and compiled for
//! both kinds, so that a table in memory has no overhead.

use crate::error::{Damage, ProbeError};
use crate::source::{ReadError, Source, slice};
use alloc::vec::Vec;

/// Reads a table; `None` means beyond its end.
pub(crate) trait Reader: Copy {
    /// Error of a read.
    type Error: Into<ReadError>;

    /// The N bytes from `at` on.
    fn word<const N: usize>(self, at: u64) -> Result<Option<[u8; N]>, Self::Error>;

    /// The `length` bytes from `at` on. If they are not in memory, they are read into `buffer` at once.
    fn row<'b>(
        self,
        at: u64,
        length: usize,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8]>, Self::Error>
    where
        Self: 'b;
}

/// Reason why an entry cannot be read. It has no drop glue if reading cannot fail, which keeps answers from memory fast.
#[derive(Clone, Copy)]
pub(crate) enum EntryError<E> {
    Damaged(Damage),
    Read(E),
}

impl<E: Into<ReadError>> From<EntryError<E>> for ProbeError {
    fn from(error: EntryError<E>) -> ProbeError {
        match error {
            EntryError::Damaged(what) => ProbeError::Damaged(what),
            EntryError::Read(error) => ProbeError::Read(error.into()),
        }
    }
}

/// Reading memory does not fail.
#[derive(Clone, Copy)]
pub(crate) enum Never {}

impl From<Never> for ReadError {
    fn from(never: Never) -> ReadError {
        match never {}
    }
}

impl Reader for &[u8] {
    type Error = Never;

    #[inline(always)]
    fn word<const N: usize>(self, at: u64) -> Result<Option<[u8; N]>, Never> {
        let rest = usize::try_from(at).ok().and_then(|at| self.get(at..));
        Ok(rest.and_then(<[u8]>::first_chunk).copied())
    }

    #[inline(always)]
    fn row<'b>(
        self,
        at: u64,
        length: usize,
        _: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8]>, Self::Error>
    where
        Self: 'b,
    {
        Ok(slice(self, at, length))
    }
}

/// A source that is not in memory.
pub(crate) struct Remote<'s, S: ?Sized>(pub(crate) &'s S);

impl<S: ?Sized> Clone for Remote<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized> Copy for Remote<'_, S> {}

impl<S: Source + ?Sized> Reader for Remote<'_, S> {
    type Error = ReadError;

    fn word<const N: usize>(self, at: u64) -> Result<Option<[u8; N]>, ReadError> {
        let mut word = [0; N];
        self.0.read_at(at, &mut word)?;
        Ok(Some(word))
    }

    fn row<'b>(
        self,
        at: u64,
        length: usize,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8]>, Self::Error>
    where
        Self: 'b,
    {
        buffer.resize(length, 0);
        self.0.read_at(at, buffer)?;
        Ok(Some(buffer))
    }
}

/// Calls a function with the fitting [`Reader`] of a source.
macro_rules! by_reader {
    ($source:expr, $reader:ident => $call:expr) => {{
        let source = $source;
        match $crate::source::Source::in_memory(source) {
            Some($reader) => $call,
            None => {
                let $reader = $crate::reader::Remote(source);
                $call
            }
        }
    }};
}
pub(crate) use by_reader;
