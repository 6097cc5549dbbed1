//! The tables that a server answers from.

use crate::library::{Library, ServedGame};
use morpion_grundy::GrundyTable;
use morpion_impartial::routes::Games;
use std::sync::Arc;

/// Games with a table, games of heaps, and boards of cram.
pub(crate) struct Served {
    pub games: Arc<[Arc<ServedGame>]>,
    pub impartial: Games,
}

impl Served {
    pub(crate) fn new(library: Library, grundy: Vec<GrundyTable>) -> Served {
        Served { games: library.games, impartial: Games::new(grundy) }
    }
}
