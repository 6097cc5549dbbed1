//! The rules of a `Game`, which every class of this module shares, with the numbers of its moves and its pickled form.

use crate::errors::{TableFault, named};
use morpion_format::WriteHeader;
use morpion_lookup as lookup;
use morpion_lookup::raw::{self, Header, Permutation};
use morpion_lookup::{Move, Source};
use pyo3::prelude::*;
use std::sync::OnceLock;

/// First bytes of a pickled game.
const PICKLED: [u8; 8] = *b"MORPGAME";

/// A game by its rules, from Table.game: positions and moves without their values.
///
/// Games are equal if their rules are equal, under any name. They pickle.
///
/// >>> game = morpion.Table.builtin("classic").game
/// >>> game.start.legal_moves[:3], len(list(game.positions()))
/// (['a1', 'b1', 'c1'], 5478)
#[pyclass(frozen, module = "morpion")]
pub(crate) struct Game {
    pub(crate) rules: lookup::Game,
    /// The header of its table, which is pickled.
    header: Header,
    actions: OnceLock<Vec<Move>>,
}

impl Game {
    pub(crate) fn of<S: Source>(table: &lookup::Table<S>) -> Game {
        Game::new(table.game().clone(), table.raw().header().clone())
    }

    fn new(rules: lookup::Game, header: Header) -> Game {
        Game { rules, header, actions: OnceLock::new() }
    }

    pub(crate) fn symmetries(&self) -> &[Permutation] {
        &self.header.symmetries
    }

    pub(crate) fn fingerprint(&self) -> u64 {
        self.header.fingerprint
    }

    /// All moves, by their numbers: placements by cell, moves of pieces by the cells before and after, and the pass last, even if the
    /// rules have none.
    pub(crate) fn actions_in_order(&self) -> &[Move] {
        self.actions.get_or_init(|| {
            let (game, cells) = (&self.rules, 0..self.rules.cells());
            let places = cells.clone().filter(|_| game.rules().start.is_none());
            let mut actions: Vec<Move> = places.map(|to| Move::Place { to }).collect();
            if game.rules().movement.is_none() {
                return actions;
            }
            for from in cells.clone() {
                let targets = cells.clone().filter(|to| game.neighbours(from) >> to & 1 == 1);
                actions.extend(targets.map(|to| Move::Shift { from, to }));
            }
            actions.push(Move::Pass);
            actions
        })
    }

    /// The number of a legal move.
    pub(crate) fn action(&self, mv: Move) -> usize {
        // Moves have the order of their numbers.
        self.actions_in_order().binary_search(&mv).unwrap_or_else(|next| next)
    }

    /// The pickled form of the game: the header of its table.
    pub(crate) fn to_bytes(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        let header = self.header.to_bytes();
        let header = header
            .map_err(|error| named::<TableFault>(py, error.kind().name(), error.to_string()))?;
        Ok(morpion_format::preamble(PICKLED, self.header.version(), &header))
    }

    pub(crate) fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Game> {
        let fault = |kind: &str, text: String| named::<TableFault>(py, kind, text);
        let read = raw::read_preamble(PICKLED, raw::VERSION, &bytes);
        let header = read.and_then(|(version, header, _)| Header::from_bytes(version, &header));
        let header = header.map_err(|error| fault(error.kind().name(), error.to_string()))?;
        let game = lookup::Game::new(header.rules.clone())
            .map_err(|error| fault("rules", error.to_string()))?;
        Ok(Game::new(game, header))
    }
}
