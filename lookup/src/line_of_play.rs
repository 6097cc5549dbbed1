//! A line of perfect play.
//!
//! Both sides play the first of their perfect moves, until the game ends or a position is repeated.

use crate::{Over, ProbeError, RankedMove, Situation, Source, Table};
use alloc::vec::Vec;
use morpion_core::Damage;

/// Perfect play of both sides from some position; made by [`Table::line`].
#[derive(Clone, Debug, PartialEq)]
pub struct LineOfPlay {
    /// The positions: the first one, and the position after each move.
    pub positions: Vec<Situation>,
    /// The moves, each with its worth.
    pub moves: Vec<RankedMove>,
    /// The end; `None` if the line has as many moves as were asked for, and may continue.
    pub end: Option<LineEnd>,
}

/// End of a line of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnd {
    /// The game is over.
    Over(Over),
    /// A repetition: the last position equals the position with this index, with the same side to move.
    Cycle(usize),
}

impl<S: Source> Table<S> {
    /// The line of perfect play from a position on: the winner hurries, the loser delays, and each side takes the first of
    /// its perfect moves, as [`Table::best_move`] does. The line has at most `most` moves.
    ///
    /// ```
    /// use morpion_lookup::{LineEnd, Over, Table};
    ///
    /// let table = Table::builtin("tapatan").unwrap();
    /// let line = table.line(table.game().start(), usize::MAX)?;
    /// assert_eq!((line.moves.len(), line.end), (9, Some(LineEnd::Over(Over::Line))));
    /// # Ok::<(), morpion_lookup::ProbeError>(())
    /// ```
    ///
    /// The line of a win or a loss has exactly as many moves as its distance. The line of a draw ends at a full board, at a blocked side,
    /// or at a repetition. In a table without distances the line of a win may end at a repetition too, see [`Table::ends_wins`]. A move
    /// costs one [`Table::best_move`] and some hundred bytes.
    ///
    /// # Errors
    /// Errors of [`Table::best_move`].
    pub fn line(&self, position: Situation, most: usize) -> Result<LineOfPlay, ProbeError> {
        let (game, mut at) = (self.game(), position);
        let mut line = LineOfPlay { positions: [at].into(), moves: Vec::new(), end: None };
        while line.end.is_none() && line.moves.len() < most {
            let Some(best) = self.best_move(at)? else {
                let over = game.end_at(at).ok_or(ProbeError::Damaged(Damage::Entry))?;
                line.end = Some(LineEnd::Over(over));
                break;
            };
            at = game.after(at, best.mv);
            // Only every other position has the same side to move.
            let index = line.positions.len();
            let mut same_side = (index % 2..index).step_by(2);
            line.end = same_side.find(|&index| line.positions[index] == at).map(LineEnd::Cycle);
            line.moves.push(best);
            line.positions.push(at);
        }
        Ok(line)
    }
}
