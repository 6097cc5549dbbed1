//! The header of a table: its game, its symmetries, and the places of its sections.
//!
//! Reads and writes the bytes of a [`FullHeader`]. The places of the sections are not stored: they follow from the fields.

use super::header::{Group, Header, MAX_SYMMETRIES};
use super::preamble::body_begins;
use crate::about::About;
use crate::encoding::Encoding;
use crate::error::TableError;
use crate::fields::{deserialise, serialise};
use crate::game::Game;
use crate::layers::LayerGraph;
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

impl FullHeader {
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
    ) -> Result<FullHeader, TableError> {
        let sizes = game.map_sizes().into_iter();
        // A map with 2³² rows or more has too many sets, which `Header::new` reports.
        let rows: Vec<u32> = sizes.map(|size| rows(size).try_into().unwrap_or(u32::MAX)).collect();
        let header =
            |symmetries, start| Header::new(game, encoding, group, symmetries, &rows, start);
        // The length of the header, which does not depend on the places of the sections, gives their places.
        let unplaced = FullHeader { game: game.clone(), header: header(symmetries.clone(), 0)? };
        let start = body_begins(unplaced.to_bytes()?.len());
        Ok(FullHeader { header: header(symmetries, start)?, ..unplaced })
    }

    /// The header of the table of the same game with another encoding.
    ///
    /// # Errors
    /// If the file would be too long.
    pub fn with_encoding(&self, encoding: Encoding) -> Result<FullHeader, TableError> {
        let Header { group, symmetries, .. } = &self.header;
        let rows = |size| self.header.rows(size);
        FullHeader::new(&self.game, encoding, *group, symmetries.clone(), rows)
    }

    /// The bytes of the header in the file.
    ///
    /// # Errors
    /// If the bytes are longer than 4 MiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TableError> {
        let (game, graph) = (&self.game, self.game.graph());
        let Header { encoding, group, symmetries, maps, .. } = &self.header;
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
    pub fn from_bytes(bytes: &[u8]) -> Result<FullHeader, TableError> {
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
        let start = body_begins(bytes.len());
        let header = Header::new(&game, encoding, group, symmetries, &rows, start)?;
        Ok(FullHeader { game, header })
    }
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
