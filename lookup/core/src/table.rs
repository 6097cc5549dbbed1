//! An open table: its source, its game, its header and its census.
//!
//! Answers as a [`Table`], or returns the fault of its bytes.

use crate::error::TableError;
use crate::error_kind::ErrorKind;
use crate::fields::METADATA_LIMIT;
use crate::format::{Header, sums_length};
use crate::game::Game;
use crate::index::Index;
use crate::reader::Access;
use crate::source::Source;
use core::ops::Range;

/// A table of perfect play. It answers by reading its source and holds no state: share it by reference.
pub struct Table<S> {
    /// The source of the bytes.
    pub source: S,
    /// The game and the header, with data that is computed once.
    pub index: Index,
    /// The bytes of the census, from the beginning of the file. The sums begin at the next multiple of 8.
    pub census: Range<u64>,
}

impl<S: Source> Table<S> {
    /// The table in these bytes, with the game and the header that [`read_preamble`](crate::read_preamble) found there. Checks the
    /// length of the file, not the entries. The header has to follow from the game, which `morpion-lookup` checks.
    ///
    /// # Errors
    /// If the file is longer or shorter, or its source cannot be read.
    pub fn new(source: S, game: Game, header: Header) -> Result<Table<S>, TableError> {
        let census = census(&source, header.census)?;
        Ok(Table { source, index: Index::new(game, header), census })
    }

    /// The bytes in memory, or the source that reads them.
    #[inline(always)]
    pub fn access(&self) -> Access<'_> {
        Access::new(&self.source)
    }
}

/// The bytes of the census, whose length precedes it. Checks the length of the file, which follows from them.
fn census(source: &dyn Source, offset: u64) -> Result<Range<u64>, TableError> {
    let mut length = [0; 8];
    let (found, start) = (source.size(), offset.saturating_add(8));
    if start > found {
        return Err(TableError::cut(found, start.saturating_add(sums_length(start))));
    }
    source.read_at(offset, &mut length)?;
    let length = u64::from_le_bytes(length);
    if length > METADATA_LIMIT as u64 {
        return Err(TableError::header("a census longer than 4 MiB"));
    }
    let sums = (start + length).next_multiple_of(8);
    let expected = sums.saturating_add(sums_length(sums));
    if found != expected {
        let fault = format_args!("{found} bytes, expected {expected}");
        return Err(TableError::new(ErrorKind::Length, fault));
    }
    Ok(start..start + length)
}
