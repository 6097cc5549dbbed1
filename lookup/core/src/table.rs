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

/// A table of perfect play. It answers by reading its source and holds no state: share it by reference.
pub struct Table<S> {
    /// The source of the bytes.
    pub source: S,
    /// The game and the header, with data that is computed once.
    pub keys: Keys,
    /// Offset of the sums, in bytes from the beginning of the file.
    pub sums_offset: u64,
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
        let sums_offset = sums_begin(&source, &header)?;
        Ok(Table { source, keys: Keys::new(game, header), sums_offset })
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

/// Reads the length of the census, which precedes it.
pub fn census_length(source: &dyn Source, census: u64) -> Result<u64, TableError> {
    let mut length = [0; 8];
    let (found, end) = (source.size(), census.saturating_add(8));
    if end > found {
        return Err(TableError::cut(found, end.saturating_add(sums_length(end))));
    }
    source.read_at(census, &mut length)?;
    let length = u64::from_le_bytes(length);
    if length > METADATA_LIMIT as u64 {
        return Err(TableError::header("a census longer than 4 MiB"));
    }
    Ok(length)
}

/// Checks the length of the file, which follows from the header and the length of the census, and returns where the sums
/// begin.
fn sums_begin(source: &dyn Source, header: &Header) -> Result<u64, TableError> {
    let found = source.size();
    let sums = (header.census + 8 + census_length(source, header.census)?).next_multiple_of(8);
    let expected = sums.saturating_add(sums_length(sums));
    let fault = format_args!("{found} bytes, expected {expected}");
    if found == expected { Ok(sums) } else { Err(TableError::new(ErrorKind::Length, fault)) }
}
