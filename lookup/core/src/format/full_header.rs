//! The header of a table: its game, its symmetries, and the places of its sections.
//!
//! Reads and writes its bytes, and checks that the sections of a header that was read are inside the file.

use super::header::{Header, LayerSection, MAX_SYMMETRIES, MapSection};
use crate::about::About;
use crate::encoding::Encoding;
use crate::error::TableError;
use crate::fields::{deserialise, serialise};
use crate::game::Game;
use crate::layers::{Layer, LayerGraph};
use crate::rank::binomial;
use crate::symmetry::Permutation;
use alloc::vec::Vec;

/// A header with its game.
#[derive(Clone, Debug, PartialEq)]
pub struct FullHeader {
    /// The game.
    pub game: Game,
    /// The fields after the game.
    pub header: Header,
}

/// A layer as it is written: the layer, and the rows, columns and offset of its entries.
type StoredLayer = (Layer, (u64, u64, u64));

impl FullHeader {
    /// Its bytes in the file: the fields in the order of the format, in groups, which add no bytes.
    ///
    /// # Errors
    /// If they are longer than 4 MiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TableError> {
        let Header { encoding, group, symmetries, maps, layers: sections, census } = &self.header;
        let graph = self.game.graph();
        let layer = |(layer, section): (&Layer, &LayerSection)| -> StoredLayer {
            (*layer, (section.rows, section.columns, section.offset))
        };
        let layers: Vec<StoredLayer> = graph.layers.iter().zip(sections).map(layer).collect();
        let game = (self.game.about(), self.game.lines(), self.game.prolongations());
        let ends = (graph.line, graph.blocked, graph.blocked_reason, graph.full);
        let takes = (graph.takes, graph.own_lines);
        let sections = (encoding, group, symmetries, maps, census);
        serialise(&(game, &graph.phases, layers, ends, takes, sections))
    }

    /// Reads the bytes of a header.
    ///
    /// # Errors
    /// If the bytes are not a header whose game can be played, and whose sections are before its census.
    pub fn from_bytes(bytes: &[u8]) -> Result<FullHeader, TableError> {
        let (game, phases, stored, ends, takes, sections) = deserialise(bytes)?;
        let (about, lines, prolongations): (About, _, _) = game;
        let stored: Vec<StoredLayer> = stored;
        let (line, blocked, blocked_reason, full) = ends;
        let (takes, own_lines) = takes;
        let (encoding, group, symmetries, maps, census) = sections;
        let section = |&(Layer { counts, .. }, (rows, columns, offset)): &StoredLayer| {
            let bytes = bits(rows, columns, encoding).div_ceil(8) as u64;
            LayerSection { counts, rows, columns, offset, bytes }
        };
        let sections = stored.iter().map(section).collect();
        let layers = stored.into_iter().map(|(layer, _)| layer).collect();
        let graph =
            LayerGraph { phases, layers, line, blocked, blocked_reason, full, takes, own_lines };
        let game = Game::new(about, lines, prolongations, graph)?;
        let header = Header { encoding, group, symmetries, maps, layers: sections, census };
        let full = FullHeader { game, header };
        full.contradiction().map_or(Ok(full), |message| Err(TableError::header(message)))
    }

    /// The first thing that keeps a reader from finding entries.
    fn contradiction(&self) -> Option<&'static str> {
        let (cells, header) = (self.game.cells(), &self.header);
        let Header { symmetries, maps, layers, census, .. } = header;
        let is_of_board = |symmetry: &Permutation| symmetry.images().len() == usize::from(cells);
        let is_identity = |first: &Permutation| *first == Permutation::identity(cells);
        let ends_before = |offset: u64, bits: u128| {
            (u128::from(offset) * 8).saturating_add(bits) <= u128::from(*census) * 8
        };
        let is_map = |map: &MapSection| {
            let sets = binomial(cells.into(), map.size.into());
            map.size <= cells && ends_before(map.offset, 32 * u128::from(sets))
        };
        let is_section = |layer: &LayerSection| {
            ends_before(layer.offset, bits(layer.rows, layer.columns, header.encoding))
        };
        let mut sizes: Vec<u8> = maps.iter().map(|map| map.size).collect();
        sizes.sort_unstable();
        let checks = [
            ((1..=MAX_SYMMETRIES).contains(&symmetries.len()), "no symmetries, or more than 1,024"),
            (
                symmetries.iter().all(is_of_board),
                "a symmetry that is not a permutation of the cells",
            ),
            (symmetries.is_sorted_by(|a, b| a < b), "symmetries out of order"),
            (symmetries.first().is_some_and(is_identity), "symmetries without the identity"),
            (sizes.is_sorted_by(|a, b| a < b), "two maps of sets of one size"),
            (maps.iter().all(is_map), "a map that does not end before the census"),
            (layers.iter().all(is_section), "a layer that does not end before the census"),
        ];
        checks.into_iter().find_map(|(is_right, message)| (!is_right).then_some(message))
    }
}

/// Bits of the entries of a layer. 128 bits hold any three factors of a header.
fn bits(rows: u64, columns: u64, encoding: Encoding) -> u128 {
    (u128::from(rows) * u128::from(columns)).saturating_mul(encoding.bits().into())
}
