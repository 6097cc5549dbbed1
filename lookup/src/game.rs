//! The rules of a game: valid, in canonical form, with its start and its end.
//!
//! [`Game::new`] checks rules. The core computes the moves and the end of a game; this file adds the position in which it begins.

use crate::layers::graph_of;
use crate::position::{Position, of_sides};
use crate::rules::{Rules, Start};
use crate::validate::{check, normalise};
use crate::{Counts, Move, RulesError, Side, raw};
use alloc::vec::Vec;
use core::ops::Deref;

/// Valid rules, and what follows from them: the layers with their moves, and the ends of the game. The methods of the
/// [core's game](morpion_core::Game) are its own.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    game: morpion_core::Game,
}

impl Deref for Game {
    type Target = morpion_core::Game;

    #[inline]
    fn deref(&self) -> &morpion_core::Game {
        &self.game
    }
}

impl Game {
    /// The game of these rules. Brings them into canonical form: lines ascending, none of which contains another; links ascending, each
    /// once, the lower cell first; a restriction of no cell is none. Compares every line with every smaller one.
    ///
    /// # Errors
    /// If the rules are invalid. The error names the first invalid key as in a rule file.
    pub fn new(mut rules: Rules) -> Result<Game, RulesError> {
        check(&rules)?;
        normalise(&mut rules);
        let (lines, prolongations) = (rules.lines.clone(), rules.prolongations.clone());
        let graph = graph_of(&rules);
        let cells = rules.board.cells() as u8;
        Ok(Game { game: morpion_core::Game::new(cells, lines, prolongations, graph), rules })
    }

    /// The rules.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The layers of the game in the order of play: (0, 0), (0, 1), (1, 1), (1, 2), … or, from a preset start, the
    /// movement layer alone.
    #[must_use]
    pub fn layers(&self) -> Vec<Counts> {
        self.graph().layers.iter().map(|layer| layer.counts).collect()
    }

    /// Returns true if moves can lead from layer number `index` back to it: in one move, or in two to a layer with the same pieces on
    /// the other side.
    #[must_use]
    pub fn is_cyclic(&self, index: usize) -> bool {
        let next = |index: usize| self.graph().layers.get(index)?.next.map(usize::from);
        next(index) == Some(index) || next(index).and_then(next) == Some(index)
    }

    /// Returns true if play can continue forever in some layer.
    #[must_use]
    pub fn has_cycles(&self) -> bool {
        (0..self.graph().layers.len()).any(|index| self.is_cyclic(index))
    }

    /// Returns true if the moves of this layer stay in it: pieces move instead of being placed.
    #[must_use]
    pub fn is_movement(&self, counts: Counts) -> bool {
        self.layer_index(counts).is_some_and(|index| self.is_cyclic(index))
    }

    /// The cells to which a piece on `cell` may move if they are empty; none in a game without movement and off the board.
    #[must_use]
    pub fn neighbours(&self, cell: u8) -> u64 {
        let steps = self.graph().phases.iter().flatten();
        steps.filter(|step| step.from == Some(cell)).fold(0, |cells, step| cells | step.to)
    }

    /// The position in which the game begins.
    #[must_use]
    pub fn start(&self) -> Position {
        let Rules { board, start, .. } = *self.rules();
        let hand = self.graph().layers.first().map_or(0, |layer| u64::from(layer.hands.mover));
        let empty = Start { x: hand << raw::SHIFT, o: hand << raw::SHIFT, side: Side::X };
        let Start { x, o, side } = start.unwrap_or(empty);
        Position { board, raw: of_sides(x, o, side), side }
    }

    /// The side to move in a position of this game, as far as the numbers of pieces determine it. `None` in the movement layer, in
    /// which either side may be to move.
    #[must_use]
    pub fn side_to_move(&self, position: impl Into<raw::Position>) -> Option<Side> {
        let layer = self.layer_of(position.into())?;
        self.graph().layers.get(layer)?.turn
    }

    /// The position after `mv`, with the other side to move. The move should be legal here; after one that is not, the answer
    /// may not be a position of the game. [`Game::play`](crate::Game::play) checks the move.
    #[must_use]
    pub fn after(&self, position: Position, mv: Move) -> Position {
        Position { raw: self.apply(position, mv), side: position.side.other(), ..position }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn piece_counts_tell_the_side_to_move_until_all_are_placed() {
        for (game, text, side) in [
            ("classic", ".../.../...", Some(Side::X)),
            ("classic", "X../.../...", Some(Side::O)),
            ("classic", "XOX/XOO/OXX", Some(Side::O)),
            ("swap", "XX./OO./...", Some(Side::X)),
            ("swap", "XX./OO./X..", Some(Side::O)),
            ("swap", "XX./OO./XO. x", None),
            ("swap", "XX./OO./XO. o", None),
            ("shisima", "XXX/.../OOO o", None),
        ] {
            let table = Table::builtin(game).unwrap();
            let position = table.game().parse_position(text).unwrap();
            assert_eq!(table.game().side_to_move(position), side, "{game} {text}");
            assert!(side.is_none_or(|side| side == position.side), "{game} {text}");
        }
    }
}
