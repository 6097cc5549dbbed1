//! An open table: where its bytes come from, and one entry read.

use crate::chunks::{Chunks, by_chunks, compress, rank};
use crate::error::{ProbeError, TableError};
use crate::format::{
    self, ALIGNMENT, Census, Header, LayerSection, METADATA_LIMIT, MapSection, check_sums,
    deserialise, read_u32, read_u64, sums_length,
};
use crate::game::{Counts, Game, Position};
use crate::rank::binomial;
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
    /// Arithmetic on sets of this board.
    chunks: Chunks,
    /// Where the sums begin.
    sums: u64,
}

pub(crate) enum Bytes<'a> {
    Borrowed(&'a [u8]),
    #[cfg(feature = "std")]
    Owned(Vec<u8>),
    #[cfg(feature = "std")]
    Mapped(memmap2::Mmap),
}

impl Bytes<'_> {
    #[inline]
    pub(crate) fn get(&self) -> &[u8] {
        match self {
            Bytes::Borrowed(bytes) => bytes,
            #[cfg(feature = "std")]
            Bytes::Owned(bytes) => bytes,
            #[cfg(feature = "std")]
            Bytes::Mapped(map) => map,
        }
    }
}

pub(crate) const LAYER_MISSING: &str = "a layer is missing";
pub(crate) const NO_ENTRY: &str = "no entry where a position is";

/// A mover's set, found in its map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Number of the row.
    pub row: u64,
    /// Number of the symmetry that takes the set to the row's representative.
    pub symmetry: usize,
    /// The cells that the representative leaves.
    pub rest: u64,
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
        let (header, body): (Header, u64) = format::unframe(format::MAGIC, bytes)?;
        let game = Game::new(header.rules.clone())?;
        header.check(&game, body)?;
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
        let chunks = Chunks::new(game.cells(), &header.symmetries);
        Ok(Table { bytes: source, game, header, maps, symmetry_bits, chunks, sums })
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

    /// The counts that the generator made. Reads that section of the file and allocates what it holds, some bytes a distance of each layer.
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

    /// Value and distance of a position. One read in a map and one in a layer; nothing is allocated.
    ///
    /// # Errors
    /// [`ProbeError::Position`] where the game has no such position, [`ProbeError::Damaged`] where the table contradicts
    /// itself.
    #[inline]
    pub fn probe(&self, position: Position) -> Result<Score, ProbeError> {
        let address = by_chunks!(self.chunks.count(), C => {
            self.address::<C>(position, self.in_map::<C>(position.mover))
        });
        address.and_then(|address| self.score(position, self.read_code(address)))
    }

    /// Values and distances of many positions: calls `visit` with the index of each in `positions` and its answer, in
    /// order. Faster than one [`Table::probe`] after the other on tables larger than the caches, because the reads of
    /// many positions are under way at once. Nothing is allocated.
    pub fn probe_many(
        &self,
        positions: &[Position],
        visit: impl FnMut(usize, Result<Score, ProbeError>),
    ) {
        by_chunks!(self.chunks.count(), C => self.probe_many_in::<C>(positions, visit));
    }

    fn probe_many_in<const C: usize>(
        &self,
        positions: &[Position],
        mut visit: impl FnMut(usize, Result<Score, ProbeError>),
    ) {
        const UNIT: usize = 64;
        // No entry is there; what is wrong with its position is found out in its turn.
        const NOWHERE: u64 = u64::MAX;
        // No map has sets of that size.
        const NO_ENTRY_OF_MAP: (u32, usize) = (0, usize::MAX);
        let mut entries = [NO_ENTRY_OF_MAP; UNIT];
        let mut addresses = [NOWHERE; UNIT];
        let mut codes = [None; UNIT];
        for (unit, positions) in positions.chunks(UNIT).enumerate() {
            // What the maps say, where the entries are, all entries, what they say: no step waits for one of another position.
            for (entry, position) in entries.iter_mut().zip(positions) {
                *entry = self.in_map::<C>(position.mover).unwrap_or(NO_ENTRY_OF_MAP);
            }
            for ((address, &position), &entry) in addresses.iter_mut().zip(positions).zip(&entries)
            {
                *address = self.address::<C>(position, Ok(entry)).unwrap_or(NOWHERE);
            }
            for (code, &address) in codes.iter_mut().zip(&addresses[..positions.len()]) {
                *code = self.read_code(address);
            }
            for (index, (&position, &code)) in positions.iter().zip(&codes).enumerate() {
                let score = code.and_then(|code| self.header.encoding.decode(code));
                visit(unit * UNIT + index, score.map_or_else(|| self.probe(position), Ok));
            }
        }
    }

    /// Where the entry of a position stands, in bits from the beginning of the file, `entry` being the map's of the mover's set; C is the
    /// number of chunks.
    #[inline(always)]
    fn address<const C: usize>(
        &self,
        position: Position,
        entry: Result<(u32, usize), ProbeError>,
    ) -> Result<u64, ProbeError> {
        let Position { mover, waiter } = position;
        if (mover | waiter) & !self.game.board() != 0 || mover & waiter != 0 {
            return Err(self.no_score(position));
        }
        let found = entry.and_then(|(entry, size)| {
            self.row_of_entry::<C>(mover, entry, size).map(|row| (row, size))
        });
        let (row, size) = match found {
            Ok(found) => found,
            Err(error) => return Err(self.or_position_error(position, error)),
        };
        let image = self.image::<C>(&row, waiter);
        let (column, others) = rank::<C>(compress::<C>(image, row.rest));
        let counts = Counts { mover: size as u8, waiter: others as u8 };
        match self.game.layer_index(counts).and_then(|index| self.row_address(index, &row)) {
            Some(start) => Ok(start.wrapping_add(u64::from(column) * self.bits())),
            None => Err(self.no_score(position)),
        }
    }

    /// The entry of the map of a mover's set, and the set's size; C is the number of chunks. For a set that is not of the board alone any entry.
    #[inline(always)]
    fn in_map<const C: usize>(&self, set: u64) -> Result<(u32, usize), ProbeError> {
        let (rank, size) = rank::<C>(set);
        let map = self.maps.get(size).and_then(Option::as_ref);
        let map = map.ok_or(ProbeError::Damaged("a map is missing"))?;
        let entry = read_u32(self.bytes(), map.offset.wrapping_add(4 * u64::from(rank)))
            .ok_or(ProbeError::Damaged("a map is short"))?;
        Ok((entry, size))
    }

    /// The row that the entry of the map of a mover's set names, `size` that of the set; C is the number of chunks.
    #[inline(always)]
    fn row_of_entry<const C: usize>(
        &self,
        set: u64,
        entry: u32,
        size: usize,
    ) -> Result<Row, ProbeError> {
        let symmetry = (entry & ((1u32 << self.symmetry_bits) - 1)) as usize;
        let row = u64::from(entry >> self.symmetry_bits);
        let map = self.maps.get(size).and_then(Option::as_ref);
        if map.is_none_or(|map| row >= map.rows) {
            return Err(ProbeError::Damaged("a map names a row that is not there"));
        }
        let image = self.chunks.image::<C>(&self.header.symmetries, symmetry, set);
        let image = image.ok_or(ProbeError::Damaged("a map names a symmetry that is not there"))?;
        Ok(Row { row, symmetry, rest: self.game.board() & !image })
    }

    /// The row of a mover's set of cells of the board; C is the number of chunks.
    #[inline(always)]
    pub(crate) fn row<const C: usize>(&self, set: u64) -> Result<Row, ProbeError> {
        let (entry, size) = self.in_map::<C>(set)?;
        self.row_of_entry::<C>(set, entry, size)
    }

    /// The image of a set of cells of the board under a row's symmetry; C is the number of chunks.
    #[inline(always)]
    pub(crate) fn image<const C: usize>(&self, row: &Row, set: u64) -> u64 {
        self.chunks.image::<C>(&self.header.symmetries, row.symmetry, set).unwrap_or(0)
    }

    /// Number of chunks of the board.
    #[inline(always)]
    pub(crate) fn chunks(&self) -> usize {
        self.chunks.count()
    }

    /// Bits an entry takes.
    #[inline(always)]
    pub(crate) fn bits(&self) -> u64 {
        u64::from(self.header.encoding.bits())
    }

    /// Where the entries of a row in layer number `index` begin, in bits from the beginning of the file.
    #[inline(always)]
    pub(crate) fn row_address(&self, index: usize, row: &Row) -> Option<u64> {
        let layer = self.header.layers.get(index)?;
        let key = row.row.wrapping_mul(layer.columns);
        Some(layer.offset.wrapping_mul(8).wrapping_add(key.wrapping_mul(self.bits())))
    }

    /// The entries of a row in layer number `index` of a table of one byte an entry.
    #[inline(always)]
    pub(crate) fn row_of_bytes(&self, index: usize, row: &Row) -> Option<&[u8]> {
        let layer = self.header.layers.get(index)?;
        let start = layer.offset.checked_add(row.row.checked_mul(layer.columns)?)?;
        let start = usize::try_from(start).ok()?;
        self.bytes().get(start..)?.get(..usize::try_from(layer.columns).ok()?)
    }

    /// The code at an address in bits; `None` beyond the end of the file.
    #[inline(always)]
    pub(crate) fn read_code(&self, address: u64) -> Option<u16> {
        let at = usize::try_from(address / 8).ok()?;
        match self.header.encoding {
            Encoding::Plies8 => self.bytes().get(at).map(|&byte| u16::from(byte)),
            Encoding::Plies16 => {
                self.bytes().get(at..)?.first_chunk().map(|pair| u16::from_le_bytes(*pair))
            }
            Encoding::Wdl => self.bytes().get(at).map(|&byte| u16::from(byte >> (address % 8) & 3)),
        }
    }

    /// What the code of a position says.
    #[inline(always)]
    fn score(&self, position: Position, code: Option<u16>) -> Result<Score, ProbeError> {
        match code.and_then(|code| self.header.encoding.decode(code)) {
            Some(score) => Ok(score),
            None => Err(self.no_score(position)),
        }
    }

    /// Why a position has no entry: it is no position of the game, or the table is damaged.
    #[cold]
    fn no_score(&self, position: Position) -> ProbeError {
        self.or_position_error(position, ProbeError::Damaged(NO_ENTRY))
    }

    /// What is wrong with a position, or else `error`.
    #[cold]
    pub(crate) fn or_position_error(&self, position: Position, error: ProbeError) -> ProbeError {
        self.game.check(position).map_or_else(ProbeError::from, |_| error)
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
        self.read_code(layer.offset * 8 + key * u64::from(self.header.encoding.bits()))
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
