//! Finds the place of a position's entry: its layer, row and column.
//!
//! Computes a place, and from it an address in the file. A layer is a matrix whose row is the orbit of the *mover's* set
//! and whose column is the rank of the *waiter's* set among the remaining cells, after the symmetry that takes the
//! mover's set to the representative of its orbit:
//!
//! ```text
//! . O X    mover X = {c1}, waiter O = {b1}, on 3×3 with the eight symmetries of the square.
//! . . .
//! . . .    The orbits of one cell are the corners, the edges and the centre. Their representatives are the least sets,
//!          a1, b1 and b2, so c1 is in row 0, and the mirror a ↔ c takes it to a1.
//!
//! R O .    The same mirror leaves the waiter on b1. Without the representative R the other cells are numbered
//! . . .    b1 = 0, c1 = 1, a2 = 2, … c3 = 7, so the waiter's set is {0}, of rank 0 among the C(8, 1) = 8 columns.
//! . . .    key = row × columns + column = 0 × 8 + 0 = 0.
//! ```
//!
//! If pieces age, each order of the mover's pieces has a row of its own, and each order of the waiter's pieces a column: see [`Words`](crate::Words).
//!
//! A move keeps the waiter's set, and the waiter moves next. So the mover's set is the same in all positions after a move, and their
//! entries lie in one row.

use crate::chunks::{SETS, chunks_of, compress, rank};
use crate::encoding::Encoding;
use crate::error::{Damage, ProbeError, TableError};
use crate::format::{Header, MapSection, symmetry_bits};
use crate::images::Images;
use crate::position::{AGED, Counts, MAX_CELLS, Position};
use crate::reader::Access;
use alloc::vec::Vec;

/// The header of a table, with data that is computed once to find entries fast.
pub struct Index {
    /// The header.
    pub header: Header,
    /// The map for each set size; a map without rows for sizes that are not in `header.maps`.
    maps: [MapSection; MAX_CELLS as usize + 1],
    symmetry_bits: u32,
    /// Bits per entry.
    bits: u64,
    /// Number of chunks of the board, the argument `chunks` of the functions here.
    pub chunks: usize,
    /// The images under the header's symmetries; empty for a large group, whose images would make opening slow.
    images: Images,
}

/// The most images that are computed while a table is opened: they take some ten microseconds.
const MAX_IMAGES: usize = 1 << 14;

/// A mover's set, found in its map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoverRow {
    /// Number of the row.
    row: u64,
    /// Number of the symmetry that takes the set to the row's representative.
    pub(crate) symmetry: usize,
    /// The cells outside the representative.
    pub(crate) rest: u64,
}

/// The entries of one row.
#[derive(Clone, Copy)]
pub(crate) enum Entries<'t> {
    /// Entries of one byte.
    Bytes(&'t [u8]),
    /// Entries of other sizes: the bytes that contain them, and the bit at which the first entry begins.
    Bits(&'t [u8], u64),
}

impl Index {
    /// Computes the data of the header of a table.
    pub fn new(header: Header) -> Index {
        let cells = header.game.cells();
        let mut maps = [MapSection { size: 0, rows: 0, offset: 0 }; MAX_CELLS as usize + 1];
        for map in &header.maps {
            maps.get_mut(usize::from(map.size)).into_iter().for_each(|slot| *slot = *map);
        }
        let symmetry_bits = symmetry_bits(header.symmetries.len());
        let chunks = chunks_of(cells.into());
        let is_small = header.symmetries.len() * chunks * SETS <= MAX_IMAGES;
        let permutations = if is_small { &header.symmetries[..] } else { &[] };
        let images = Images::new(cells, permutations);
        let bits = header.encoding.bits().into();
        Index { header, maps, symmetry_bits, bits, chunks, images }
    }

    /// The map of the sets of this size; a map without rows if the table has no such map, `None` for a size above [`MAX_CELLS`].
    #[inline(always)]
    pub fn map(&self, size: usize) -> Option<&MapSection> {
        self.maps.get(size)
    }

    /// Splits an entry of a map into the row and the number of the symmetry that leads there.
    #[inline(always)]
    pub fn split(&self, entry: u32) -> (u64, u32) {
        (u64::from(entry >> self.symmetry_bits), entry & ((1u32 << self.symmetry_bits) - 1))
    }

    /// The address of a position of two sets of cells, in bits from the beginning of the file; `entry` is the map entry of the mover's set.
    /// Equal to [`Index::address_of`], in fewer instructions.
    #[inline(always)]
    pub fn address_of_sets(
        &self,
        chunks: usize,
        position: Position,
        (entry, size): (u32, usize),
    ) -> Result<u64, ProbeError> {
        let Position { mover, waiter } = position;
        if (mover | waiter) & !self.header.game.board() != 0 || mover & waiter != 0 {
            return Err(self.no_entry(position));
        }
        let row = match self.row_of_entry(chunks, mover, entry, size) {
            Ok(row) => row,
            Err(damage) => return Err(self.missing(position, damage.into())),
        };
        let (column, others) = self.column(chunks, &row, waiter);
        let counts = Counts { mover: size as u8, waiter: others as u8 };
        let layer = self.header.game.index.get(counts);
        match layer.and_then(|layer| self.row_address(layer, &row)) {
            Some(start) => Ok(start.wrapping_add(u64::from(column) * self.bits)),
            None => Err(self.no_entry(position)),
        }
    }

    /// The place of a position's entry: number of the layer, row and column.
    ///
    /// # Errors
    /// The errors of a probe, but none if the mover has a line; [`Damage::Entry`] if the layer has ended.
    pub fn place(
        &self,
        access: Access<'_>,
        position: Position,
    ) -> Result<(usize, u64, u64), ProbeError> {
        let (game, chunks) = (&self.header.game, self.chunks);
        let index = game.layer_of_arrangement(position)?;
        if self.header.layers.get(index).is_none_or(|layer| layer.rows == 0) {
            return Err(self.no_entry(position));
        }
        let Position { mover, waiter } = position.cells();
        let row = self.row(chunks, access, mover)?;
        let (column, _) = self.column(chunks, &row, waiter);
        let image = |word| match self.header.symmetries.get(row.symmetry) {
            Some(symmetry) if word & AGED != 0 => symmetry.apply(word),
            _ => word,
        };
        let words = game.words(index);
        let row = words.row(row.row, image(position.mover));
        Ok((index, row, words.column(column.into(), image(position.waiter))))
    }

    /// The address of the entry at a row and column of layer number `layer`, in bits from the beginning of the file; `None` if the
    /// table does not have the entry.
    pub fn address(&self, (layer, row, column): (usize, u64, u64)) -> Option<u64> {
        let layer = self.header.layers.get(layer)?;
        let is_inside = row < layer.rows && column < layer.columns;
        is_inside.then(|| layer.offset * 8 + (row * layer.columns + column) * self.bits)
    }

    /// The address of a position's entry: [`Index::address`] of [`Index::place`].
    ///
    /// # Errors
    /// Errors of [`Index::place`].
    pub fn address_of(&self, access: Access<'_>, position: Position) -> Result<u64, ProbeError> {
        self.address(self.place(access, position)?).ok_or_else(|| self.no_entry(position))
    }

    /// The map entry of a mover's set, and the size of the set. Unspecified for a set with cells off the board.
    #[inline(always)]
    pub fn map_entry(
        &self,
        chunks: usize,
        access: Access<'_>,
        set: u64,
    ) -> Result<(u32, usize), ProbeError> {
        let (rank, size) = rank(chunks, set);
        let map = self.map(size).ok_or(Damage::Map)?;
        let entry = access.word(map.offset.wrapping_add(4 * u64::from(rank)))?;
        Ok((u32::from_le_bytes(entry.ok_or(Damage::Map)?), size))
    }

    /// Returns the row in the map entry of a mover's set of size `size`.
    #[inline(always)]
    fn row_of_entry(
        &self,
        chunks: usize,
        set: u64,
        entry: u32,
        size: usize,
    ) -> Result<MoverRow, Damage> {
        let (row, symmetry) = self.split(entry);
        let symmetry = symmetry as usize;
        if self.map(size).is_none_or(|map| row >= map.rows) {
            return Err(Damage::Row);
        }
        let image = self.image_by(chunks, symmetry, set).ok_or(Damage::Symmetry)?;
        Ok(MoverRow { row, symmetry, rest: self.header.game.board() & !image })
    }

    /// The row of a mover's set of cells of the board.
    #[inline(always)]
    pub(crate) fn row(
        &self,
        chunks: usize,
        access: Access<'_>,
        set: u64,
    ) -> Result<MoverRow, ProbeError> {
        let (entry, size) = self.map_entry(chunks, access, set)?;
        Ok(self.row_of_entry(chunks, set, entry, size)?)
    }

    /// The column of a waiter's set among the cells that a row leaves, and the set's size.
    #[inline(always)]
    fn column(&self, chunks: usize, row: &MoverRow, waiter: u64) -> (u32, usize) {
        rank(chunks, compress(chunks, self.image(chunks, row, waiter), row.rest))
    }

    /// The image of a set of cells of the board under a row's symmetry.
    #[inline(always)]
    pub(crate) fn image(&self, chunks: usize, row: &MoverRow, set: u64) -> u64 {
        self.image_by(chunks, row.symmetry, set).unwrap_or(0)
    }

    /// The image of a set of cells of the board under symmetry number `index`; `None` if there is no such symmetry.
    #[inline(always)]
    fn image_by(&self, chunks: usize, index: usize, set: u64) -> Option<u64> {
        if let Some(image) = self.images.get_by(chunks, index, set) {
            return Some(image);
        }
        let symmetry = self.header.symmetries.get(index)?;
        Some(symmetry.apply(set))
    }

    /// Offset of the entries of a row in layer number `index`, in bits from the beginning of the file.
    #[inline(always)]
    fn row_address(&self, index: usize, row: &MoverRow) -> Option<u64> {
        let layer = self.header.layers.get(index)?;
        let key = row.row.wrapping_mul(layer.columns);
        Some(layer.offset.wrapping_mul(8).wrapping_add(key.wrapping_mul(self.bits)))
    }

    /// The entries of a row in layer number `index`, by one read.
    #[inline(always)]
    pub(crate) fn entries<'b>(
        &self,
        access: Access<'b>,
        index: usize,
        row: &MoverRow,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Entries<'b>, ProbeError> {
        let layer = self.header.layers.get(index).zip(self.row_address(index, row));
        let (layer, start) = layer.ok_or(Damage::Layer)?;
        let (at, bit) = (start / 8, start % 8);
        let whole_bytes = self.header.encoding == Encoding::Plies8;
        let length = match whole_bytes {
            true => layer.columns,
            false => (bit + layer.columns * self.bits).div_ceil(8),
        };
        let length = usize::try_from(length).map_err(|_| Damage::Layer)?;
        let bytes = access.row(at, length, buffer)?.ok_or(Damage::Layer)?;
        Ok(if whole_bytes { Entries::Bytes(bytes) } else { Entries::Bits(bytes, bit) })
    }

    /// Reads the code at an address in bits; `None` beyond the end of the file.
    #[inline(always)]
    pub fn code(&self, access: Access<'_>, address: u64) -> Result<Option<u16>, TableError> {
        let at = address / 8;
        Ok(match self.header.encoding {
            Encoding::Plies8 => access.word(at)?.map(|[byte]| byte.into()),
            Encoding::Plies16 => access.word(at)?.map(u16::from_le_bytes),
            // Encodings of two bits. Naming both of them here would cost three instructions.
            _ => access.word(at)?.map(|[byte]| u16::from(byte >> (address % 8) & 3)),
        })
    }

    /// The code in a column of a row; the code of "no such position" if the row does not contain it.
    #[inline(always)]
    pub(crate) fn code_in(&self, row: Entries<'_>, column: u32) -> u16 {
        let code = match row {
            Entries::Bytes(codes) => codes.get(column as usize).map(|&code| code.into()),
            Entries::Bits(bytes, start) => {
                let address = start + u64::from(column) * self.bits;
                self.code(Access::Memory(bytes), address).ok().flatten()
            }
        };
        code.unwrap_or(self.header.encoding.no_position())
    }

    /// Reason why a position has no entry: the game has no such position, or the table is damaged.
    #[cold]
    pub fn no_entry(&self, position: Position) -> ProbeError {
        self.missing(position, Damage::Entry.into())
    }

    /// Returns the fault of a position, or else `error`.
    #[cold]
    pub(crate) fn missing(&self, position: Position, error: ProbeError) -> ProbeError {
        self.header.game.check(position).map_or_else(ProbeError::Position, |_| error)
    }
}
