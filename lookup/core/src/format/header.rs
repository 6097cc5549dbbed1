//! The header of a table after its game: its symmetries, and the places of maps, layers and census.

use super::preamble::ALIGNMENT;
use crate::encoding::Encoding;
use crate::position::Counts;
use crate::rank::binomial;
use crate::symmetry::Permutation;
use alloc::vec::Vec;
use core::ops::Range;

/// The group of symmetries that a table is folded by.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// All symmetries of the rules.
    Rules,
    /// The rotations and reflections of the grid that keep the rules, because the rules have too many symmetries.
    Board,
    /// The identity alone: the rules have too many symmetries and the board is not a grid.
    Trivial,
}

names!(Group { Rules = "rules", Board = "board", Trivial = "trivial" });
variants!(Group);

/// The fields of a header after the game, and the places of the sections, which follow from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Encoding of the entries.
    pub encoding: Encoding,
    /// The group that the symmetries form.
    pub group: Group,
    /// The elements of the group, ascending by their images, hence the identity first.
    pub symmetries: Vec<Permutation>,
    /// The map of each size of the mover's set.
    pub maps: Vec<MapSection>,
    /// The layers in the order of play. In the file they are in the opposite order.
    pub layers: Vec<LayerSection>,
    /// Offset of the census, in bytes from the beginning of the file.
    pub census: u64,
}

/// The map of one set size. The map has a `u32` for each set of that size, by rank. Its lowest [`symmetry_bits`] bits number a symmetry
/// that takes the set to the representative of its row; the bits above are the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapSection {
    /// Cells in a set.
    pub size: u8,
    /// Number of orbits of sets of this size.
    pub rows: u64,
    /// Bytes from the beginning of the file.
    pub offset: u64,
}

impl MapSection {
    /// The bytes of the map, on a board of `cells` cells.
    pub fn range(&self, cells: u8) -> Range<u64> {
        self.offset..self.offset + 4 * binomial(cells.into(), self.size.into())
    }
}

/// Offset and shape of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerSection {
    /// Pieces of the side to move and of the side waiting.
    pub counts: Counts,
    /// Number of rows: orbits of sets of the mover, times the orders of its pieces if pieces age.
    pub rows: u64,
    /// Number of columns: sets of the waiter among the cells that the mover leaves, times the orders of its pieces if pieces age.
    pub columns: u64,
    /// Bytes from the beginning of the file.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
}

impl LayerSection {
    /// Number of entries.
    pub fn entries(&self) -> u64 {
        self.rows * self.columns
    }
}

impl Header {
    /// Entries of all layers.
    pub fn entries(&self) -> u64 {
        self.layers.iter().map(LayerSection::entries).sum()
    }

    /// Number of orbits of the sets of a size; 0 if no mover has sets of this size.
    pub fn rows(&self, size: u8) -> u64 {
        self.maps.iter().find(|map| map.size == size).map_or(0, |map| map.rows)
    }

    /// The bytes between the sections of maps and layers, which are zeros, on a board of `cells` cells.
    pub fn padding(&self, cells: u8) -> impl Iterator<Item = Range<u64>> {
        let maps = self.maps.iter().map(move |map| map.range(cells).end);
        let layers = self.layers.iter().map(|layer| layer.offset + layer.bytes);
        maps.chain(layers).map(|end| end..end.next_multiple_of(ALIGNMENT))
    }
}

/// The most symmetries that a header may list; see `tables/FORMAT.md`.
pub const MAX_SYMMETRIES: usize = 1024;

/// Number of low bits of a map's entry that number the symmetry: enough to number all symmetries, 0 if there is only the identity.
pub fn symmetry_bits(symmetries: usize) -> u32 {
    usize::BITS - symmetries.saturating_sub(1).leading_zeros()
}
