//! The header of a table: its game, its symmetries, and the places of maps, layers and census.
//!
//! Reads and writes the bytes of a [`Header`]. The places of the sections are not stored: they follow from the fields.

use super::preamble::{ALIGNMENT, body_begins};
use super::sums::sums_length;
use crate::about::About;
use crate::encoding::Encoding;
use crate::error::TableError;
use crate::fields::{deserialise, serialise};
use crate::game::Game;
use crate::layers::LayerGraph;
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

/// The fields of a header, and the places of the sections, which follow from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The game.
    pub game: Game,
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
    /// The header of the table of `game`. `rows` gives the number of orbits of the sets of a size.
    ///
    /// # Errors
    /// If a map has too many sets, or the header or the file would be too long.
    pub fn new(
        game: &Game,
        encoding: Encoding,
        group: Group,
        symmetries: Vec<Permutation>,
        rows: impl Fn(u8) -> u64,
    ) -> Result<Header, TableError> {
        let maps = unplaced(game, game.map_sizes().into_iter().map(rows));
        let (game, layers) = (game.clone(), Vec::new());
        Header { game, encoding, group, symmetries, maps, layers, census: 0 }.placed()
    }

    /// The header of the same table with another encoding.
    ///
    /// # Errors
    /// If the file would be too long.
    pub fn with_encoding(&self, encoding: Encoding) -> Result<Header, TableError> {
        Header { encoding, ..self.clone() }.placed()
    }

    /// Places the sections after the bytes of the header.
    fn placed(self) -> Result<Header, TableError> {
        let start = body_begins(self.to_bytes()?.len());
        self.placed_from(start)
    }

    /// The bytes of the header in the file.
    ///
    /// # Errors
    /// If the bytes are longer than 4 MiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TableError> {
        let Header { game, encoding, group, symmetries, maps, .. } = self;
        let graph = game.graph();
        let rows: Vec<u32> = maps.iter().map(|map| map.rows as u32).collect();
        // The fields in the order of the format. They are grouped in tuples, which add no bytes.
        let board = (game.about(), game.lines(), game.prolongations());
        let ends = (graph.line, graph.blocked, graph.blocked_reason, graph.full);
        let takes = (graph.takes, graph.own_lines);
        let folding = (encoding, group, symmetries, &rows);
        serialise(&(board, &graph.phases, &graph.layers, ends, takes, folding))
    }

    /// Reads the bytes of a header.
    ///
    /// # Errors
    /// If the bytes are not a header whose game can be played.
    pub fn from_bytes(bytes: &[u8]) -> Result<Header, TableError> {
        let (game, phases, layers, ends, takes, folding) = deserialise(bytes)?;
        let (about, lines, prolongations): (About, _, _) = game;
        let (line, blocked, blocked_reason, full) = ends;
        let (takes, own_lines) = takes;
        let graph =
            LayerGraph { phases, layers, line, blocked, blocked_reason, full, takes, own_lines };
        let game = Game::new(about, lines, prolongations, graph)?;
        let (encoding, group, symmetries, rows): (_, _, Vec<Permutation>, Vec<u32>) = folding;
        if let Some(message) = contradiction(&game, &symmetries, &rows) {
            return Err(TableError::header(message));
        }
        let maps = unplaced(&game, rows.into_iter().map(u64::from));
        let header =
            Header { game, encoding, group, symmetries, maps, layers: Vec::new(), census: 0 };
        header.placed_from(body_begins(bytes.len()))
    }

    /// Entries of all layers.
    pub fn entries(&self) -> u64 {
        self.layers.iter().map(LayerSection::entries).sum()
    }

    /// Number of orbits of the sets of a size; 0 if no mover has sets of this size.
    pub fn rows(&self, size: u8) -> u64 {
        self.maps.iter().find(|map| map.size == size).map_or(0, |map| map.rows)
    }

    /// The bytes between the sections of maps and layers, which are zeros.
    pub fn padding(&self) -> impl Iterator<Item = Range<u64>> {
        let maps = self.maps.iter().map(|map| map.range(self.game.cells()).end);
        let layers = self.layers.iter().map(|layer| layer.offset + layer.bytes);
        maps.chain(layers).map(|end| end..end.next_multiple_of(ALIGNMENT))
    }

    /// Length of the file if its census has `census` bytes.
    pub fn file_length(&self, census: u64) -> u64 {
        let covered = (self.census + 8 + census).next_multiple_of(8);
        covered + sums_length(covered)
    }
}

/// The maps of a game without places, with these numbers of rows.
fn unplaced(game: &Game, rows: impl Iterator<Item = u64>) -> Vec<MapSection> {
    let map = |(size, rows)| MapSection { size, rows, offset: 0 };
    game.map_sizes().into_iter().zip(rows).map(map).collect()
}

/// The first fault of the symmetries or rows with which entries could not be found.
fn contradiction(game: &Game, symmetries: &[Permutation], rows: &[u32]) -> Option<&'static str> {
    let cells = game.cells();
    let is_of_board = |symmetry: &Permutation| symmetry.images().len() == usize::from(cells);
    let is_identity = |first: &Permutation| *first == Permutation::identity(cells);
    let checks = [
        ((1..=MAX_SYMMETRIES).contains(&symmetries.len()), "no symmetries, or more than 1,024"),
        (symmetries.iter().all(is_of_board), "a symmetry that is not a permutation of the cells"),
        (symmetries.is_sorted_by(|a, b| a < b), "symmetries out of order"),
        (symmetries.first().is_some_and(is_identity), "symmetries without the identity"),
        (rows.len() == game.map_sizes().len(), "rows of another number of maps"),
    ];
    checks.into_iter().find_map(|(is_right, message)| (!is_right).then_some(message))
}

/// The most symmetries that a header may list; see `tables/FORMAT.md`.
pub const MAX_SYMMETRIES: usize = 1024;

/// Number of low bits of a map's entry that number the symmetry: enough to number all symmetries, 0 if there is only the identity.
pub fn symmetry_bits(symmetries: usize) -> u32 {
    usize::BITS - symmetries.saturating_sub(1).leading_zeros()
}
