//! The file and its index as they are: header, sections, sums, map entries and codes, symmetries and ranks.
//!
//! For programs that write tables, check them, or go through all of their entries. Everything here follows the version of
//! the format (`tables/FORMAT.md`), not the version of this crate: a new format may change it in any release. Looking up a
//! position needs none of it.
//!
//! ```
//! use morpion_lookup::{Table, raw};
//!
//! let table = Table::builtin("classic").unwrap();
//! let file = table.raw();
//! let layer = file.header().layers[2]; // one piece of each side
//! assert_eq!((layer.rows, layer.columns), (3, 8)); // corner, edge, centre × the cells that are left
//! let code = file.code(2, 0, 0)?;
//! assert_eq!(file.header().encoding.decode(code).unwrap().value().name(), "win");
//! assert_eq!(raw::rank::rank(0b11), 0); // the least set of two cells
//! # Ok::<(), morpion_lookup::ProbeError>(())
//! ```

pub use crate::arrangements::Arrangements;
pub use crate::encoding::Encoding;
pub use crate::format::{
    ALIGNMENT, Census, Deepest, Group, Header, LayerCensus, LayerSection, MAGIC, MAX_SYMMETRIES,
    MapSection, Sums, VERSION, check_sums, deserialise, fingerprint, preamble, read_preamble,
    serialise, sums_length, symmetry_bits,
};
pub use crate::game::Position;
pub use crate::images::Images;
pub use crate::orbit::orbit;
#[cfg(feature = "packed")]
pub use crate::packed::seek_table;
pub use crate::symmetry::Permutation;

/// Ranks of subsets: rows of the maps and columns of the layers.
pub mod rank {
    pub use crate::rank::{binomial, cells, compress, expand, rank, subsets, unrank};
}

use crate::error::{Damage, ProbeError, TableError};
use crate::key::Keys;
use crate::reader::{Access, Reader};
use crate::source::Source;
use crate::table::{Table, census_length, read_census};

/// The file of a table; from [`Table::raw`].
pub struct Raw<'t, S>(&'t Table<S>);

impl<S: Source> Table<S> {
    /// The file as it is: header, census, codes and map entries.
    #[must_use]
    #[inline]
    pub fn raw(&self) -> Raw<'_, S> {
        Raw(self)
    }
}

impl<'t, S: Source> Raw<'t, S> {
    /// The header: rules, encoding, symmetries, sections.
    #[must_use]
    #[inline]
    pub fn header(&self) -> &'t Header {
        self.0.header()
    }

    /// The numbers that were counted when the table was built. Reads that section of the file, and allocates a few bytes for each
    /// distance of each layer.
    ///
    /// # Errors
    /// If the bytes cannot be read or are damaged.
    pub fn census(&self) -> Result<Census, TableError> {
        let header = self.header();
        let length = census_length(self.0.source(), header.census)?;
        read_census(self.0.access(), header, length)
    }

    /// The code of one entry as stored: layer number `index` (in the order of play), row and column. One
    /// read.
    ///
    /// # Errors
    /// [`ProbeError::Damaged`] if there is no such entry, [`ProbeError::Read`] if the source cannot be read.
    #[inline]
    pub fn code(&self, index: usize, row: u64, column: u64) -> Result<u16, ProbeError> {
        self.0.keys().code_at(self.0.access(), index, row, column)
    }

    /// The place of a position's entry, the inverse of the arguments of [`Raw::code`]: number of the layer, row and column. One
    /// read.
    ///
    /// # Errors
    /// Errors of [`Table::probe`], except that the mover may have a line.
    #[inline]
    pub fn place(&self, position: Position) -> Result<(usize, u64, u64), ProbeError> {
        self.0.keys().place_of(self.0.access(), position)
    }

    /// The entry of the map of the sets of `size`, by rank: row and number of the symmetry that leads there; `None` if
    /// the table does not have the set. One read.
    #[must_use]
    pub fn map_entry(&self, size: u8, rank: u64) -> Option<(u64, u32)> {
        self.0.keys().map_entry_at(self.0.access(), size, rank)
    }
}

impl Keys {
    fn code_at(
        &self,
        access: Access<'_>,
        index: usize,
        row: u64,
        column: u64,
    ) -> Result<u16, ProbeError> {
        let beyond = || ProbeError::Damaged(Damage::Entry);
        let layer = self.header.layers.get(index).ok_or_else(beyond)?;
        if row >= layer.rows || column >= layer.columns {
            return Err(beyond());
        }
        let address = layer.offset * 8 + (row * layer.columns + column) * self.bits();
        self.code(access, address)?.ok_or_else(beyond)
    }

    fn place_of(
        &self,
        access: Access<'_>,
        position: Position,
    ) -> Result<(usize, u64, u64), ProbeError> {
        let entry = self.map_entry(self.chunks(), access, position.mover);
        let (index, row, column) = self.place(self.chunks(), position, entry)?;
        Ok((index, row.row, column.into()))
    }

    fn map_entry_at(&self, access: Access<'_>, size: u8, rank: u64) -> Option<(u64, u32)> {
        let map = self.map(usize::from(size)).filter(|map| map.rows > 0)?;
        if rank >= crate::rank::binomial(u32::from(self.game.cells()), u32::from(size)) {
            return None;
        }
        let entry = access.word(map.offset + 4 * rank).ok()??;
        Some(self.split(u32::from_le_bytes(entry)))
    }
}
