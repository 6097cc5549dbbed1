//! An open table: its source, its header and its sums.
//!
//! Opens a source as a [`Table`] that answers, or returns the fault of its bytes.

use crate::bytes::Bytes;
use crate::encoding::Encoding;
use crate::error::TableError;
use crate::error_kind::ErrorKind;
use crate::format::{
    ALIGNMENT, Census, Header, MAGIC, METADATA_LIMIT, VERSION, check_sums, deserialise,
    fingerprint, read_preamble, sums_length,
};
use crate::game::Game;
use crate::key::Keys;
use crate::rank::binomial;
use crate::reader::{Access, Reader};
use crate::source::Source;
use alloc::vec::Vec;

#[cfg(feature = "std")]
use {
    crate::{bytes::IN_MEMORY, error::FileError, source::ReadError},
    std::path::Path,
};

/// A table of perfect play. It answers by reading its source and holds no state: share it by reference.
///
/// `S` is the [`Source`] of its bytes. The default, [`Bytes`], is a file, memory, or a part of the program.
pub struct Table<S = Bytes> {
    source: S,
    keys: Keys,
    /// Offset of the sums.
    sums_offset: u64,
}

impl<S: Source> Table<S> {
    /// Opens the table whose bytes a [`Source`] has: a slice, a `Vec`, a `Packed`, a reader of your own.
    ///
    /// Checks magic, version, lengths and the header with its sum, not the entries ([`Table::check_sums`] does). Takes
    /// some microseconds and kilobytes for a table of any size. Reads the header, and the census of a source that is not in
    /// memory.
    ///
    /// # Errors
    /// If the bytes are not a table: [`TableError`] has the fault.
    pub fn from_source(source: S) -> Result<Table<S>, TableError> {
        let (version, header, body) = read_preamble(MAGIC, VERSION, &source)?;
        let header = Header::from_bytes(version, &header)?;
        let game = Game::new(header.rules.clone())?;
        header.check(&game, body)?;
        let sums_offset = sums_begin(&source, &header)?;
        Ok(Table { source, keys: Keys::new(game, header), sums_offset })
    }

    /// The source of the bytes.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Number of bytes.
    pub fn size(&self) -> u64 {
        self.source.size()
    }

    pub(crate) fn header(&self) -> &Header {
        &self.keys.header
    }

    #[inline(always)]
    pub(crate) fn keys(&self) -> &Keys {
        &self.keys
    }

    #[inline(always)]
    pub(crate) fn access(&self) -> Access<'_> {
        Access::new(&self.source)
    }

    /// The rules of the table.
    #[inline]
    pub fn game(&self) -> &Game {
        &self.keys.game
    }

    /// Returns true if the table has distances; a table without them has only values.
    #[inline]
    #[must_use]
    pub fn has_distances(&self) -> bool {
        self.header().encoding != Encoding::Wdl
    }

    /// Checks the sums of all bytes of the file, and that the padding between its sections is zero. Reads the whole file.
    ///
    /// # Errors
    /// If the sum of a MiB is wrong (the first one is named), padding is not zero, or the bytes cannot be read.
    pub fn check_sums(&self) -> Result<(), TableError> {
        check_sums(&self.source, self.sums_offset)?;
        let cells = u32::from(self.game().cells());
        let header = self.header();
        let maps =
            header.maps.iter().map(|map| map.offset + 4 * binomial(cells, u32::from(map.size)));
        let layers = header.layers.iter().map(|layer| layer.offset + layer.bytes);
        let census = header.census + 8 + census_length(&self.source, header.census)?;
        let ends = maps.chain(layers).map(|end| (end, end.next_multiple_of(ALIGNMENT)));
        for (end, next) in ends.chain([(census, self.sums_offset)]) {
            let mut padding = [0; ALIGNMENT as usize];
            let padding = &mut padding[..(next.saturating_sub(end) as usize).min(64)];
            self.source.read_at(end, padding)?;
            if padding.iter().any(|&byte| byte != 0) {
                let message = format_args!("padding at byte {end} that is not zero");
                return Err(TableError::header(message));
            }
        }
        Ok(())
    }

    /// Checks that this is the table of the game of this name, and if there is such a table inside this crate, that it has the
    /// same rules.
    ///
    /// # Errors
    /// If it is the table of another game, with both names or with both fingerprints.
    pub fn expect_name(&self, name: &str) -> Result<(), TableError> {
        let found = &self.header().rules.name;
        if found != name {
            let message = format_args!(
                "a table of {found}, expected {name}: give the file the name of its game"
            );
            return Err(TableError::invalid(ErrorKind::OtherRules, message));
        }
        Table::builtin(name).map_or(Ok(()), |own| self.expect_rules(own.game()))
    }

    /// Checks that this is a table of `game`.
    ///
    /// # Errors
    /// If its rules are others, with both fingerprints.
    pub fn expect_rules(&self, game: &Game) -> Result<(), TableError> {
        let expected = fingerprint(game.rules());
        let found = self.header().fingerprint;
        if found == expected {
            return Ok(());
        }
        let message = format_args!(
            "a table of other rules: fingerprint {found:016x}, expected {expected:016x}"
        );
        Err(TableError::invalid(ErrorKind::OtherRules, message))
    }
}

impl<S: Source> core::fmt::Debug for Table<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Table")
            .field("game", &self.header().rules.name)
            .field("encoding", &self.header().encoding)
            .field("bytes", &self.source.size())
            .finish()
    }
}

#[cfg(feature = "std")]
impl Table {
    /// Opens a plain or packed table file; its first bytes tell which. A table of at most 64 MiB is unpacked into memory. From a
    /// larger table, each answer reads what it needs.
    ///
    /// ```no_run
    /// use morpion_lookup::Table;
    ///
    /// let table = Table::open("tables/teeko.morpion.zst")?;
    /// # Ok::<(), morpion_lookup::FileError>(())
    /// ```
    ///
    /// # Errors
    /// The path and the reason: the file cannot be read, or it is not a table.
    pub fn open(path: impl AsRef<Path>) -> Result<Table, FileError> {
        Bytes::open(path.as_ref()).and_then(|bytes| Table::of_file(path.as_ref(), bytes))
    }

    /// Maps a table file, which takes microseconds for a plain file of any size; see [`Bytes::map`]. A packed table of at most
    /// 64 MiB is unpacked into memory.
    ///
    /// # Safety
    /// Nobody may change or truncate the file while it is mapped. Replace it by renaming another file over it.
    ///
    /// # Errors
    /// Errors of [`Table::open`], or if the file cannot be mapped.
    #[cfg(feature = "map")]
    #[allow(unsafe_code, reason = "the caller's promise is handed on")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Table, FileError> {
        // SAFETY: the caller guarantees that the file does not change.
        let bytes = unsafe { Bytes::map(path.as_ref()) }?;
        Table::of_file(path.as_ref(), bytes)
    }

    /// Loads the table into memory: see [`Bytes::loaded`].
    ///
    /// # Errors
    /// Errors of [`Bytes::loaded`].
    pub fn loaded(self) -> Result<Table, ReadError> {
        Ok(Table { source: self.source.loaded()?, ..self })
    }

    fn of_file(path: &Path, bytes: Bytes) -> Result<Table, FileError> {
        let table = Table::from_source(bytes).and_then(|table| match table.size() <= IN_MEMORY {
            true => Ok(table.loaded()?),
            false => Ok(table),
        });
        table.map_err(|error| FileError { path: path.into(), error })
    }
}

/// Reads the length of the census, which precedes it.
pub(crate) fn census_length(source: &dyn Source, census: u64) -> Result<u64, TableError> {
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
///
/// If the source is not in memory, the census is read too. A damaged seek table can move bytes to another offset, and a
/// number at the wrong offset may equal the expected length, but it is not followed by a census.
fn sums_begin(source: &dyn Source, header: &Header) -> Result<u64, TableError> {
    let found = source.size();
    let length = census_length(source, header.census)?;
    let sums = (header.census + 8 + length).next_multiple_of(8);
    let expected = sums.saturating_add(sums_length(sums));
    if found != expected {
        return Err(TableError::length(found, expected));
    }
    let access = Access::new(source);
    if let Access::Remote(_) = access
        && read_census(access, header, length)?.layers.len() != header.layers.len()
    {
        return Err(TableError::header("a census of other layers"));
    }
    Ok(sums)
}

/// Reads the census, whose length is known.
pub(crate) fn read_census(
    access: Access<'_>,
    header: &Header,
    length: u64,
) -> Result<Census, TableError> {
    let mut buffer = Vec::new();
    let bytes = access.row(header.census + 8, length as usize, &mut buffer)?;
    deserialise(bytes.unwrap_or_default())
}
