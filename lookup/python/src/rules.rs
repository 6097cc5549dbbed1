//! The class `Game`, which the other classes of this module use: positions as words, moves as numbers, and the pickled form of a game.

use crate::errors::of_check;
use morpion_core::{Effect, Header, Permutation};
use morpion_lookup::{self as lookup, Move, Position, TableError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// First bytes of a pickled game.
const PICKLED: [u8; 8] = *b"MORPGAME";

/// The word of the side to move and the word of the side waiting.
pub(crate) type Words = (u64, u64);

pub(crate) fn position((mover, waiter): Words) -> Position {
    Position { mover, waiter }
}

/// Reads a position from a text or from words. Words are not checked here: they must belong to a position of this game.
pub(crate) fn read(game: &lookup::Game, at: &Bound<'_, PyAny>) -> PyResult<Position> {
    let Ok(text) = at.cast::<PyString>() else { return at.extract().map(position) };
    let found = game.parse_position(&text.to_cow()?);
    Ok(found.map_err(|error| of_check(at.py(), error))?.raw)
}

/// The rules of a game: positions and moves without values. The class `Game` in Python derives from this class.
#[pyclass(frozen, subclass, module = "morpion._core")]
pub(crate) struct Game {
    pub(crate) rules: lookup::Game,
    /// The header of the game's table, which is the pickled form.
    header: Header,
    actions: OnceLock<Vec<Move>>,
}

impl Game {
    pub(crate) fn new(header: Header) -> Game {
        Game { rules: header.game.clone(), header, actions: OnceLock::new() }
    }

    pub(crate) fn symmetries(&self) -> &[Permutation] {
        &self.header.symmetries
    }

    /// All moves of the game; the index of a move is its number. Placements by cell, moves of pieces by origin and target, moves that take
    /// a piece, pushes, and the pass. Games with cycles have a pass even if the rules do not allow passing.
    pub(crate) fn actions_in_order(&self) -> &[Move] {
        self.actions.get_or_init(|| {
            let (game, graph) = (&self.rules, self.rules.graph());
            let cells = || 0..game.cells();
            let mut actions = BTreeSet::new();
            for step in graph.phases.iter().flatten() {
                let (from, targets) = match (step.effect, step.from) {
                    // Placements on all cells get numbers, also on cells that the rules forbid in the opening.
                    (Effect::Move, None) | (Effect::Replace { .. }, _) => (None, game.board()),
                    (Effect::Move | Effect::Push { .. } | Effect::Pass, from) => (from, step.to),
                };
                for to in cells().filter(|to| targets >> to & 1 == 1) {
                    actions.insert(match (step.effect, from) {
                        (Effect::Push { .. }, Some(from)) => Move::Push { from, to },
                        (_, Some(from)) => Move::Shift { from, to },
                        (_, None) => Move::Place { to },
                    });
                    let takes = cells().filter(|&take| graph.may_take() && take != to);
                    let takes = takes.filter(|&take| from != Some(take));
                    let is_two = graph.takes.is_some_and(|takes| takes.most() > 1);
                    for take in takes.clone() {
                        let others = takes.clone().filter(|&also| is_two && also > take).map(Some);
                        let both = others.chain([None]);
                        actions.extend(both.map(|also| Move::Take { from, to, take, also }));
                    }
                }
            }
            actions.extend(game.graph().has_cycles().then_some(Move::Pass));
            actions.into_iter().collect()
        })
    }

    /// Length in bytes, at least 1, of a row with a bit for each move.
    pub(crate) fn width(&self) -> usize {
        self.actions_in_order().len().div_ceil(8).max(1)
    }

    /// Sets the bit of a legal move.
    pub(crate) fn mark(&self, bits: &mut [u8], mv: Move) {
        // `Move` is ordered as the numbers are, so a binary search finds the number.
        let action = self.actions_in_order().binary_search(&mv).unwrap_or_else(|next| next);
        bits[action / 8] |= 1 << (action % 8);
    }

    /// The pickled form of the game: the header of its table.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, TableError> {
        Ok(morpion_core::preamble(PICKLED, morpion_core::VERSION, &self.header.to_bytes()?))
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Game, TableError> {
        let header = morpion_core::read_preamble(PICKLED, morpion_core::VERSION, &bytes)?;
        Header::from_bytes(&header).map(Game::new)
    }
}
