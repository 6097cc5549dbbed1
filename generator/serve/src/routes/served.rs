//! The tables that a server answers from.

use crate::interface::part::Lists;
use crate::interface::routes;
use crate::library::{Library, ServedGame};
use crate::state;
use morpion_grundy::GrundyTable;
use morpion_impartial_routes::Games;
use morpion_impartial_routes::cram::CramBoard;
use morpion_impartial_routes::heaps::HeapGame;
use std::sync::Arc;

/// Games with a table, games of heaps, and boards of cram.
pub(crate) struct Served {
    games: Arc<[Arc<ServedGame>]>,
    impartial: Games,
}

pub(crate) type State = state::State<Served>;
pub(crate) type Routes = routes::Routes<Served>;

impl Served {
    pub(crate) fn new(library: Library, grundy: Vec<GrundyTable>) -> Served {
        Served { games: library.games, impartial: Games::new(grundy) }
    }
}

impl Lists<ServedGame> for Served {
    fn list(&self) -> &Arc<[Arc<ServedGame>]> {
        &self.games
    }
}

impl Lists<HeapGame> for Served {
    fn list(&self) -> &Arc<[Arc<HeapGame>]> {
        &self.impartial.heaps
    }
}

impl Lists<CramBoard> for Served {
    fn list(&self) -> &Arc<[Arc<CramBoard>]> {
        &self.impartial.boards
    }
}
