//! An open table: where its bytes come from, and one entry read.

use crate::error::{ProbeError, TableError};
use crate::format::{
    self, ALIGNMENT, Census, Header, LayerSection, METADATA_LIMIT, MapSection, check_sums,
    deserialise, read_u32, read_u64, sums_length,
};
use crate::game::{Game, Position};
use crate::rank::{binomial, compress, rank};
use crate::rules::MAX_CELLS;
use crate::score::{Encoding, Score};
#[cfg(feature = "std")]
use alloc::vec::Vec;

/// A table of perfect play. It answers by reading its bytes and holds no state: share it by reference.
pub struct Table<'a> {
    bytes: Bytes<'a>,
    game: Game,
    header: Header,
    /// By set size, the place in `header.maps`.
    maps: [Option<MapSection>; MAX_CELLS as usize + 1],
    symmetry_bits: u32,
    /// Where the sums begin.
    sums: u64,
}

enum Bytes<'a> {
    Borrowed(&'a [u8]),
    #[cfg(feature = "std")]
    Owned(Vec<u8>),
    #[cfg(feature = "std")]
    Mapped(memmap2::Mmap),
}

impl Bytes<'_> {
    #[inline]
    fn get(&self) -> &[u8] {
        match self {
            Bytes::Borrowed(bytes) => bytes,
            #[cfg(feature = "std")]
            Bytes::Owned(bytes) => bytes,
            #[cfg(feature = "std")]
            Bytes::Mapped(map) => map,
        }
    }
}

/// A set's row, and the set and its complement moved to the row's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub row: u64,
    pub symmetry: u32,
    pub representative: u64,
}

impl<'a> Table<'a> {
    /// Opens a table that is in memory.
    ///
    /// Checks magic, version, lengths and the header with its sum, not the entries ([`Table::check_sums`] does); costs
    /// microseconds for a table of any size.
    ///
    /// # Errors
    /// [`TableError`] names what was found and what was expected.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Table<'a>, TableError> {
        Table::open(Bytes::Borrowed(bytes))
    }

    fn open(source: Bytes<'a>) -> Result<Table<'a>, TableError> {
        let bytes = source.get();
        let (header, _): (Header, u64) = format::unframe(format::MAGIC, bytes)?;
        let game = Game::new(header.rules.clone())?;
        header.check(&game)?;
        let short = |expected| TableError::Length { found: bytes.len() as u64, expected };
        let census = read_u64(bytes, header.census).ok_or_else(|| short(header.census + 8))?;
        if census > METADATA_LIMIT as u64 {
            return Err(TableError::Header("a census longer than 4 MiB".into()));
        }
        let sums = (header.census + 8 + census).next_multiple_of(8);
        let expected = sums + sums_length(sums);
        if bytes.len() as u64 != expected {
            return Err(short(expected));
        }
        let mut maps = [None; MAX_CELLS as usize + 1];
        for map in &header.maps {
            maps[usize::from(map.size)] = Some(*map);
        }
        let symmetry_bits = header.symmetry_bits();
        Ok(Table { bytes: source, game, header, maps, symmetry_bits, sums })
    }

    /// The rules of the table, ready to be played by.
    #[inline]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The header: rules, encoding, symmetries, sections.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The layers in the order of play.
    pub fn layers(&self) -> &[LayerSection] {
        &self.header.layers
    }

    /// All bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get()
    }

    /// The counts that the generator made.
    ///
    /// # Errors
    /// Where the bytes are damaged.
    pub fn census(&self) -> Result<Census, TableError> {
        let bytes = self.bytes();
        let length = read_u64(bytes, self.header.census).unwrap_or(0);
        let start = (self.header.census + 8) as usize;
        deserialise(bytes.get(start..start + length as usize).unwrap_or_default())
    }

    /// Checks the sums of all bytes of the file, and that the padding between its sections is zero. Reads the whole file.
    ///
    /// # Errors
    /// The first MiB whose sum is wrong, or where padding is not zero.
    pub fn check_sums(&self) -> Result<(), TableError> {
        check_sums(self.bytes(), self.sums)?;
        let cells = u32::from(self.game.cells());
        let maps = self
            .header
            .maps
            .iter()
            .map(|map| map.offset + 4 * binomial(cells, u32::from(map.size)));
        let layers = self.header.layers.iter().map(|layer| layer.offset + layer.bytes);
        let census =
            read_u64(self.bytes(), self.header.census).unwrap_or(0) + self.header.census + 8;
        let ends = maps.chain(layers).map(|end| (end, end.next_multiple_of(ALIGNMENT)));
        for (end, next) in ends.chain([(census, self.sums)]) {
            if self.bytes()[end as usize..next as usize].iter().any(|&byte| byte != 0) {
                return Err(TableError::Header(alloc::format!(
                    "padding at byte {end} that is not zero"
                )));
            }
        }
        Ok(())
    }

    /// Value and distance of a position.
    ///
    /// # Errors
    /// [`ProbeError::Position`] where the game has no such position, [`ProbeError::Damaged`] where the table contradicts
    /// itself.
    #[inline]
    pub fn probe(&self, position: Position) -> Result<Score, ProbeError> {
        let counts = self.game.check(position)?;
        let index =
            self.game.layer_index(counts).ok_or(ProbeError::Damaged("a layer is missing"))?;
        let row = self.row(position.mover)?;
        self.score(index, &row, position.waiter)
    }

    /// The row of a set of the mover.
    #[inline]
    pub(crate) fn row(&self, set: u64) -> Result<Row, ProbeError> {
        let map = self.maps[(set.count_ones() as usize).min(MAX_CELLS as usize)];
        let map = map.ok_or(ProbeError::Damaged("a map is missing"))?;
        let entry = read_u32(self.bytes(), map.offset + 4 * rank(set))
            .ok_or(ProbeError::Damaged("a map is short"))?;
        let symmetry = entry & ((1u32 << self.symmetry_bits) - 1);
        let row = u64::from(entry) >> self.symmetry_bits;
        let permutation = self.header.symmetries.get(symmetry as usize);
        let permutation =
            permutation.ok_or(ProbeError::Damaged("a map names a symmetry that is not there"))?;
        if row >= map.rows {
            return Err(ProbeError::Damaged("a map names a row that is not there"));
        }
        Ok(Row { row, symmetry, representative: permutation.apply(set) })
    }

    /// The score in `row` of layer number `index` of the set `waiter`, given in the frame of the board.
    #[inline]
    pub(crate) fn score(&self, index: usize, row: &Row, waiter: u64) -> Result<Score, ProbeError> {
        let permutation = &self.header.symmetries[row.symmetry as usize];
        let rest = self.game.board() & !row.representative;
        let column = rank(compress(permutation.apply(waiter), rest));
        let code = self.code(index, row.row, column)?;
        self.header.encoding.decode(code).ok_or(ProbeError::Damaged("no entry where a position is"))
    }

    /// The code of one entry as it stands in the file: layer number `index` (in the order of play), row and column.
    ///
    /// # Errors
    /// [`ProbeError::Damaged`] where there is no such entry.
    #[inline]
    pub fn code(&self, index: usize, row: u64, column: u64) -> Result<u16, ProbeError> {
        let beyond = ProbeError::Damaged("an entry beyond its layer");
        let layer = self.header.layers.get(index).ok_or(beyond)?;
        if row >= layer.rows || column >= layer.columns {
            return Err(beyond);
        }
        let key = row * layer.columns + column;
        let read = |at: u64| {
            usize::try_from(layer.offset + at).ok().and_then(|at| self.bytes().get(at)).copied()
        };
        match self.header.encoding {
            Encoding::Plies8 => read(key).map(u16::from),
            Encoding::Plies16 => read(2 * key)
                .zip(read(2 * key + 1))
                .map(|(low, high)| u16::from_le_bytes([low, high])),
            Encoding::Wdl => read(key / 4).map(|byte| u16::from(byte >> (key % 4 * 2) & 3)),
        }
        .ok_or(beyond)
    }

    /// The entry of the map of the sets of `size`, by rank: row and number of the symmetry that leads there; `None` where
    /// the table has no such set.
    pub fn map_entry(&self, size: u8, rank: u64) -> Option<(u64, u32)> {
        let map = self.maps.get(usize::from(size)).copied().flatten()?;
        if rank >= binomial(u32::from(self.game.cells()), u32::from(size)) {
            return None;
        }
        let entry = read_u32(self.bytes(), map.offset + 4 * rank)?;
        Some((u64::from(entry) >> self.symmetry_bits, entry & ((1u32 << self.symmetry_bits) - 1)))
    }

    /// Whether this is a table of `game`.
    ///
    /// # Errors
    /// [`TableError::OtherRules`] with both fingerprints.
    pub fn expect_rules(&self, game: &Game) -> Result<(), TableError> {
        let expected = format::fingerprint(game.rules());
        let found = self.header.fingerprint;
        if found == expected { Ok(()) } else { Err(TableError::OtherRules { found, expected }) }
    }
}

impl core::fmt::Debug for Table<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Table")
            .field("game", &self.header.rules.name)
            .field("encoding", &self.header.encoding)
            .field("bytes", &self.bytes().len())
            .finish()
    }
}

#[cfg(feature = "std")]
impl Table<'static> {
    /// Maps a table file into memory. Nothing is read before it is asked for, and processes share the pages.
    ///
    /// The file is opened with a shared lock, which is held as long as the table lives.
    ///
    /// # Safety
    /// Nobody may change or truncate the file while it is mapped: the bytes would change under references to them, and
    /// reading behind a new end kills the process. The generator only ever replaces a table by renaming a new file over
    /// it, which leaves the mapped one as it is. Use [`Table::read`] for files from elsewhere.
    ///
    /// # Errors
    /// Where the file cannot be opened, locked or mapped, and those of [`Table::from_bytes`].
    pub unsafe fn map(path: impl AsRef<std::path::Path>) -> Result<Table<'static>, TableError> {
        let file = std::fs::File::open(path)?;
        file.lock_shared()?;
        // SAFETY: the caller answers for the file staying as it is.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Table::open(Bytes::Mapped(map))
    }

    /// Reads a table file into memory.
    ///
    /// # Errors
    /// Where the file cannot be read, and those of [`Table::from_bytes`].
    pub fn read(path: impl AsRef<std::path::Path>) -> Result<Table<'static>, TableError> {
        Table::from_vec(std::fs::read(path)?)
    }

    /// Opens a table that is in memory and keeps its bytes.
    ///
    /// # Errors
    /// Those of [`Table::from_bytes`].
    pub fn from_vec(bytes: Vec<u8>) -> Result<Table<'static>, TableError> {
        Table::open(Bytes::Owned(bytes))
    }
}
