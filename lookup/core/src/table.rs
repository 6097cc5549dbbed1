//! An open table: its source, its header and its sums.
//!
//! Opens a source as a [`Table`] that answers, or returns the fault of its bytes.

use crate::error::{RulesError, TableError};
use crate::error_kind::ErrorKind;
use crate::format::{Header, MAGIC, METADATA_LIMIT, VERSION, read_preamble, sums_length};
use crate::game::Game;
use crate::key::Keys;
use crate::reader::Access;
use crate::rules::Rules;
use crate::source::Source;
use core::ops::Range;

/// A table of perfect play. It answers by reading its source and holds no state: share it by reference.
pub struct Table<S> {
    /// The source of the bytes.
    pub source: S,
    /// The game and the header, with data that is computed once.
    pub keys: Keys,
    /// The bytes of the census, from the beginning of the file. The sums begin at the next multiple of 8.
    pub census: Range<u64>,
}

impl<S: Source> Table<S> {
    /// Opens the table whose bytes a [`Source`] has: a slice, a `Vec`, a reader of your own.
    ///
    /// Checks magic, version, lengths, the header with its sum, and its rules as far as answers need them, not the entries.
    ///
    /// # Errors
    /// If the bytes are not a table: [`TableError`] has the fault.
    pub fn from_source(source: S) -> Result<Table<S>, TableError> {
        Table::open_with(source, Game::new)
    }

    /// [`Table::from_source`] with the game that `game` makes of the rules. The header is refused if the rules of that game are
    /// others, because `game` had to bring them into canonical form.
    ///
    /// # Errors
    /// Errors of [`Table::from_source`] and of `game`.
    pub fn open_with(
        source: S,
        game: impl FnOnce(Rules) -> Result<Game, RulesError>,
    ) -> Result<Table<S>, TableError> {
        let (version, header, body) = read_preamble(MAGIC, VERSION, &source)?;
        let header = Header::from_bytes(version, &header)?;
        let game = game(header.rules.clone())?;
        header.check(&game, body)?;
        let census = census(&source, header.census)?;
        Ok(Table { source, keys: Keys::new(game, header), census })
    }

    /// The header: rules, encoding, symmetries, sections.
    #[inline]
    pub fn header(&self) -> &Header {
        &self.keys.header
    }

    /// The bytes in memory, or the source that reads them.
    #[inline(always)]
    pub fn access(&self) -> Access<'_> {
        Access::new(&self.source)
    }

    /// The rules of the table.
    #[inline]
    pub fn game(&self) -> &Game {
        &self.keys.game
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
