//! Direct access to the parts of a table file: header, census, map entries and codes.
//!
//! For programs that check tables. Everything here follows the version of the format (`tables/FORMAT.md`), not the version of this crate: a
//! new format may change it in any release. Looking up a position needs nothing of this module. Programs that read all entries, or write
//! tables, also use `morpion-core`, whose interface is not stable.
//!
//! ```
//! use morpion_lookup::Table;
//!
//! let table = Table::builtin("classic").unwrap();
//! let file = table.raw();
//! let layer = file.header().layers[2]; // one piece of each side
//! assert_eq!((layer.rows, layer.columns), (3, 8)); // corner, edge, centre × the cells that are left
//! let code = file.code(2, 0, 0)?;
//! assert_eq!(file.header().encoding.decode(code).unwrap().value().name(), "win");
//! # Ok::<(), morpion_lookup::ProbeError>(())
//! ```

#[doc(hidden)]
#[cfg(feature = "std")]
pub use crate::bytes::IN_MEMORY;
pub use morpion_core::{Census, Deepest, LayerCensus};

use crate::{Position, ProbeError, Source, Table, TableError};
use core::iter::once;
use core::ops::Range;
use morpion_core::rank::binomial;
use morpion_core::{Damage, Header, read_census};

/// Access to the parts of a table file; made by [`Table::raw`](crate::Table::raw).
pub struct Raw<'t, S>(&'t Table<S>);

impl<S: Source> Table<S> {
    /// Gives access to the header, the census, the codes and the map entries of the file.
    pub fn raw(&self) -> Raw<'_, S> {
        Raw(self)
    }
}

impl<'t, S: Source> Raw<'t, S> {
    /// The header: game, encoding, symmetries, sections.
    pub fn header(&self) -> &'t Header {
        &self.0.index.header
    }

    /// The numbers of positions that were counted when the table was built. Reads their section of the file, and allocates a few bytes for
    /// each distance of each layer.
    ///
    /// # Errors
    /// If the bytes cannot be read or are damaged.
    pub fn census(&self) -> Result<Census, TableError> {
        read_census(self.0.access(), &self.0.census, self.header().layers.len())
    }

    /// Number of bytes before the checksums at the end of the file.
    #[doc(hidden)]
    pub fn covered(&self) -> u64 {
        self.0.census.end.next_multiple_of(8)
    }

    /// The bytes between the sections, which are zeros.
    #[doc(hidden)]
    pub fn padding(&self) -> impl Iterator<Item = Range<u64>> + use<'t, S> {
        let sections = self.header().padding();
        sections.chain(once(self.0.census.end..self.covered()))
    }

    /// The code of one entry as stored: layer number `index` (in the order of play), row and column. One
    /// read.
    ///
    /// # Errors
    /// [`ProbeError::Damaged`] if there is no such entry, [`ProbeError::Read`] if the source cannot be read.
    pub fn code(&self, index: usize, row: u64, column: u64) -> Result<u16, ProbeError> {
        let beyond = || ProbeError::Damaged(Damage::Entry);
        let address = self.0.index.address((index, row, column)).ok_or_else(beyond)?;
        self.0.index.code(self.0.access(), address)?.ok_or_else(beyond)
    }

    /// The place of a position's entry, which are the arguments of [`Raw::code`]: number of the layer, row and column. One read.
    ///
    /// ```
    /// use morpion_lookup::{Position, Table};
    ///
    /// // X has c1, O has b1. The mirror that takes c1 to a1, the representative of the corners, leaves b1, the first of the other cells.
    /// let table = Table::builtin("classic").unwrap();
    /// let position = Position { mover: 1 << 2, waiter: 1 << 1 };
    /// assert_eq!(table.raw().place(position)?, (2, 0, 0));
    /// # Ok::<(), morpion_lookup::ProbeError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of a probe, but none if the mover has a line.
    pub fn place(&self, position: Position) -> Result<(usize, u64, u64), ProbeError> {
        self.0.index.place(self.0.access(), position)
    }

    /// The map entry of the set with this size and rank: row, and number of the symmetry that takes the set to the row's representative.
    /// `None` if the table does not have the set. One read.
    pub fn map_entry(&self, size: u8, rank: u64) -> Option<(u64, u32)> {
        let index = &self.0.index;
        let map = index.map(size.into()).filter(|map| map.rows > 0)?;
        let is_rank = rank < binomial(index.header.game.cells().into(), size.into());
        let entry = self.0.access().word(map.offset + 4 * rank).ok().filter(|_| is_rank)??;
        Some(index.split(u32::from_le_bytes(entry)))
    }
}
