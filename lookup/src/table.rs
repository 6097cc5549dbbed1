//! An open table: adds files, names and checksums to the lookup of `morpion-core`.

use crate::bytes::Bytes;
use crate::{
    ErrorKind, Game, Position, ProbeError, RankedMove, RankedMoves, Score, Source, TableError,
};
use alloc::vec::Vec;
use core::ops::Range;
use morpion_core::index::Index;
use morpion_core::reader::Access;
use morpion_core::{
    Encoding, Header, MAGIC, VERSION, census_range, check_sums, orbit, read_census, read_preamble,
};
#[cfg(feature = "std")]
use {crate::bytes::IN_MEMORY, std::path::Path};

/// A table of perfect play. It answers by reading its source and holds no state: share it by reference.
///
/// `S` is the [`Source`] of its bytes. The default, [`Bytes`], is a file, memory, or a part of the program.
pub struct Table<S = Bytes> {
    source: S,
    pub(crate) index: Index,
    /// The bytes of the census, from the beginning of the file.
    pub(crate) census: Range<u64>,
}

impl<S: Source> Table<S> {
    /// Opens the table in a [`Source`]: a slice, a `Vec`, a `Packed`, or a reader of your own.
    ///
    /// Checks magic, version, lengths, and the header with its checksum. It does not check the entries; [`Table::check_sums`] does. Takes
    /// some microseconds and kilobytes for a table of any size. Reads the header, and the census of a source that is not in memory.
    ///
    /// A reader of your own implements two methods:
    ///
    /// ```
    /// use morpion_lookup::{TableError, Source, Table};
    /// use std::{fs::File, io::{Read, Seek, SeekFrom}, sync::Mutex};
    ///
    /// struct Seeking(Mutex<File>);
    ///
    /// impl Source for Seeking {
    ///     fn size(&self) -> u64 {
    ///         self.0.lock().unwrap().metadata().map_or(0, |data| data.len())
    ///     }
    ///
    ///     fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
    ///         let mut file = self.0.lock().unwrap();
    ///         file.seek(SeekFrom::Start(offset))?;
    ///         Ok(file.read_exact(into)?)
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/builtin");
    /// let file = File::open(format!("{folder}/swap.morpion"))?;
    /// let table = Table::from_source(Seeking(Mutex::new(file)))?;
    /// let start = table.game().start();
    /// assert_eq!(table.probe(start)?, Table::builtin("swap").unwrap().probe(start)?);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// If the bytes are not a table, or cannot be read.
    pub fn from_source(source: S) -> Result<Table<S>, TableError> {
        let header = Header::from_bytes(&read_preamble(MAGIC, VERSION, &source)?)?;
        let census = census_range(&source, &header)?;
        // A damaged seek table can shift the bytes. Then the number at the offset of the census may fit by chance, but no census follows
        // it, so the census is read too.
        if source.in_memory().is_none() {
            read_census(Access::new(&source), &census, header.layers.len())?;
        }
        Ok(Table { source, index: Index::new(header), census })
    }

    /// The source of the bytes.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The bytes in memory, or the source that reads them.
    #[inline(always)]
    pub(crate) fn access(&self) -> Access<'_> {
        Access::new(&self.source)
    }

    /// Length of the table in bytes, unpacked.
    pub fn size(&self) -> u64 {
        self.source().size()
    }

    /// The game of the table.
    pub fn game(&self) -> &Game {
        &self.index.header.game
    }

    /// Value and distance of a position. Takes one read in a map and one in a layer. Nothing is allocated.
    ///
    /// # Errors
    /// [`ProbeError::Position`] if the game does not have the position, [`ProbeError::Damaged`] if the table contradicts
    /// itself, [`ProbeError::Read`] if its source cannot be read.
    #[inline]
    pub fn probe(&self, position: impl Into<Position>) -> Result<Score, ProbeError> {
        self.index.probe(self.access(), position.into())
    }

    /// All moves of a position with their worth, the best first; none if the game is over.
    ///
    /// Two reads find the row that contains all positions after a move. Each move then takes one read. Nothing is allocated if
    /// the table is in memory; otherwise the whole row is read into a buffer.
    ///
    /// # Errors
    /// Errors of [`Table::probe`].
    pub fn ranked_moves(&self, position: impl Into<Position>) -> Result<RankedMoves, ProbeError> {
        self.index.ranked_moves(self.access(), position.into())
    }

    /// The first perfect move; `None` if the game is over. Costs as much as [`Table::ranked_moves`] without
    /// sorting.
    ///
    /// # Errors
    /// Errors of [`Table::probe`].
    pub fn best_move(
        &self,
        position: impl Into<Position>,
    ) -> Result<Option<RankedMove>, ProbeError> {
        self.index.best_move(self.access(), position.into())
    }

    /// The orbit of a position: its images under all symmetries of the rules, each once, in ascending order, with the position itself. The
    /// first image is the same for all positions of an orbit, so it can identify the orbit.
    ///
    /// ```
    /// let table = morpion_lookup::Table::builtin("classic").unwrap();
    /// let corner = table.game().parse_position("X../.O./... x")?;
    /// let other = table.game().parse_position("..X/.O./... x")?;
    /// assert_eq!(table.orbit(corner)?.len(), 4);
    /// assert_eq!(table.orbit(corner)?, table.orbit(other)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// All positions of an orbit have the same score. The table has at most 1,024 symmetries: a game with more is stored with the
    /// symmetries of its board. Reads nothing from the source.
    ///
    /// # Errors
    /// [`ProbeError::Position`] if the game does not have the position.
    pub fn orbit(&self, position: impl Into<Position>) -> Result<Vec<Position>, ProbeError> {
        let position = position.into();
        self.game().check(position)?;
        Ok(orbit(position, &self.index.header.symmetries))
    }

    /// Returns true if the table has distances; a table without them has only values.
    pub fn has_distances(&self) -> bool {
        self.index.header.encoding.has_distances()
    }

    /// Returns true if playing the best moves always finishes a win. This is false in a game with cycles for a table without distances: it
    /// does not know which winning moves make progress, so play can repeat positions forever.
    pub fn ends_wins(&self) -> bool {
        self.index.header.encoding != Encoding::WdlCycle
    }

    /// Compares the whole file with its checksums, and checks that the padding between its sections is zero.
    ///
    /// # Errors
    /// If a checksum is wrong (the message names the first one), padding is not zero, or the bytes cannot be read.
    pub fn check_sums(&self) -> Result<(), TableError> {
        check_sums(self.source(), self.raw().covered(), self.raw().padding())
    }

    /// Checks that this is the table of the game `name`. If this crate contains a table of this name, checks that both have the same rules.
    ///
    /// # Errors
    /// If this is the table of another game. The message has both names, or both fingerprints.
    pub fn expect_name(&self, name: &str) -> Result<(), TableError> {
        let found = self.game().name();
        if found != name {
            let message = format_args!(
                "a table of {found}, expected {name}: give the file the name of its game"
            );
            return Err(TableError::new(ErrorKind::OtherRules, message));
        }
        Table::builtin(name).map_or(Ok(()), |own| self.expect_rules(own.game()))
    }

    /// Checks that this is a table of `game`.
    ///
    /// # Errors
    /// If this table has other rules. The message has both fingerprints.
    #[doc(hidden)]
    pub fn expect_rules(&self, game: &Game) -> Result<(), TableError> {
        let (found, expected) = (self.game().fingerprint(), game.fingerprint());
        if found == expected {
            return Ok(());
        }
        let message = format_args!(
            "a table of other rules: fingerprint {found:016x}, expected {expected:016x}"
        );
        Err(TableError::new(ErrorKind::OtherRules, message))
    }
}

impl<S: Source> core::fmt::Debug for Table<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Table")
            .field("game", &self.game().name())
            .field("encoding", &self.index.header.encoding)
            .field("bytes", &self.size())
            .finish()
    }
}

#[cfg(feature = "std")]
impl Table {
    /// Opens a table file, plain or packed, which its first bytes show. A table of at most 64 MiB is loaded into memory, unpacked. A larger
    /// table stays in the file, and each answer reads the bytes that it needs.
    ///
    /// ```no_run
    /// use morpion_lookup::Table;
    ///
    /// let table = Table::open("tables/teeko.morpion.zst")?;
    /// # Ok::<(), morpion_lookup::TableError>(())
    /// ```
    ///
    /// # Errors
    /// If the file cannot be read or is not a table. The error has the path.
    pub fn open(path: impl AsRef<Path>) -> Result<Table, TableError> {
        Bytes::open(path.as_ref()).and_then(|bytes| Table::of_file(path.as_ref(), bytes))
    }

    /// Maps a table file, which takes microseconds for a plain file of any size; see [`Bytes::map`]. A packed table of at most
    /// 64 MiB is unpacked into memory.
    ///
    /// # Safety
    /// Nobody may change or truncate the file while it is mapped. To replace the file, rename another file over it.
    ///
    /// # Errors
    /// Errors of [`Table::open`], or if the file cannot be mapped.
    #[cfg(feature = "map")]
    #[allow(unsafe_code, reason = "the caller's promise is handed on")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Table, TableError> {
        // SAFETY: the caller guarantees that the file does not change.
        let bytes = unsafe { Bytes::map(path.as_ref()) }?;
        Table::of_file(path.as_ref(), bytes)
    }

    /// Loads the table into memory: see [`Bytes::loaded`].
    ///
    /// # Errors
    /// Errors of [`Bytes::loaded`].
    pub fn loaded(self) -> Result<Table, TableError> {
        Ok(Table { source: self.source.loaded()?, ..self })
    }

    fn of_file(path: &Path, bytes: Bytes) -> Result<Table, TableError> {
        let load =
            |table: Table| if table.size() <= IN_MEMORY { table.loaded() } else { Ok(table) };
        Table::from_source(bytes).and_then(load).map_err(|error| error.at(path))
    }
}
