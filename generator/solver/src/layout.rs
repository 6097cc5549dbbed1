//! The layout of a table: the number of rows of every layer, and its offset in the file.
//!
//! [`Layout`] has the group, the rows of every set size and the header, but the sets are not folded yet.
//! A build starts with a layout, from which its cost is estimated.

use crate::error::SolveError;
use morpion_core::{Encoding, ErrorKind, FullHeader, Game, Group, Header, Permutation, TableError};
use morpion_games::symmetry::burnside::orbits_of_sets;
use morpion_games::symmetry::group::group;
use morpion_machine::progress::Progress;

/// A game's group, its rows and the header of its table.
#[derive(Clone, Debug)]
pub struct Layout {
    full: FullHeader,
    /// The number of orbits by set size.
    rows: Vec<u64>,
}

/// Number of entries above which a game without movement has values alone by default.
const MANY_ENTRIES: u64 = 100_000_000;

impl Layout {
    /// Lays out the table of `game`, which searches for the group. The default encoding is distances of one byte, but values alone for a
    /// game without movement and with more than 100 million entries.
    ///
    /// # Errors
    /// If the game is too large for the format, values alone are requested for a game with movement, or the observer
    /// requests a stop.
    pub fn new(
        game: &Game,
        encoding: Option<Encoding>,
        progress: &dyn Progress,
    ) -> Result<Layout, SolveError> {
        let (kind, symmetries) = group(game, progress)?;
        let rows: Vec<u64> =
            (0..=game.cells()).map(|size| orbits_of_sets(&symmetries, size)).collect();
        let layout = |encoding| Layout::of(game, encoding, kind, symmetries, rows);
        match encoding {
            Some(encoding) => layout(encoding),
            None if needs_distances(game) => layout(Encoding::Plies8),
            None => match layout(Encoding::Wdl)? {
                values if values.entries() > MANY_ENTRIES => Ok(values),
                values => values.with_encoding(Encoding::Plies8),
            },
        }
    }

    /// Returns the layout of the same table with another encoding. Does not search for the group again.
    ///
    /// # Errors
    /// If the table is too large for the format, or values alone are requested for a game with movement.
    pub fn with_encoding(&self, encoding: Encoding) -> Result<Layout, SolveError> {
        let Header { group, symmetries, .. } = self.header().clone();
        Layout::of(self.game(), encoding, group, symmetries, self.rows.clone())
    }

    fn of(
        game: &Game,
        encoding: Encoding,
        group: Group,
        symmetries: Vec<Permutation>,
        rows: Vec<u64>,
    ) -> Result<Layout, SolveError> {
        if encoding == Encoding::WdlCycle || encoding == Encoding::Wdl && needs_distances(game) {
            let fault = "header: values alone are for games that end by placing: this one is solved with distances (plies)";
            return Err(TableError::new(ErrorKind::Header, fault).into());
        }
        let of_size = |size: u8| rows[usize::from(size)];
        let full = FullHeader::new(game, encoding, group, symmetries, of_size)?;
        Ok(Layout { full, rows })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.full.game
    }

    /// The header of the future table, without the game.
    pub fn header(&self) -> &Header {
        &self.full.header
    }

    /// The header of the future table, with the game.
    pub fn full_header(&self) -> &FullHeader {
        &self.full
    }

    /// Number of orbits of the sets of this size.
    pub fn rows(&self, size: u8) -> u64 {
        self.rows[usize::from(size)]
    }

    /// Entries of all layers.
    pub fn entries(&self) -> u64 {
        self.header().entries()
    }
}

/// Returns true if a table of values alone is impossible: play could repeat instead of winning, or the game is solved in layer groups,
/// which are solved distance by distance.
fn needs_distances(game: &Game) -> bool {
    game.graph().has_cycles() || !game.has_children_in_one_row()
}
