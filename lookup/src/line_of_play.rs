//! A line of perfect play.
//!
//! Both sides play the first of their perfect moves, until the game ends or a position is repeated.

use crate::{Move, Over, ProbeError, RankedMove, Situation, Source, Table};
use alloc::vec::Vec;
use morpion_core::Damage;

/// Perfect play of both sides from some position, move after move; made by [`Table::line`]. Each step of the iterator plays one move and
/// returns this move with its worth.
#[derive(Debug)]
pub struct LineOfPlay<'t, S: Source> {
    table: &'t Table<S>,
    positions: Vec<Situation>,
    moves: Vec<Move>,
    end: Option<LineEnd>,
    failed: bool,
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
    /// its perfect moves, as [`Table::best_move`] does.
    ///
    /// ```
    /// use morpion_lookup::{LineEnd, Over, Table};
    ///
    /// let table = Table::builtin("tapatan").unwrap();
    /// let mut line = table.line(table.game().start());
    /// while let Some(best) = line.next() {
    ///     best?;
    /// }
    /// assert_eq!((line.moves().len(), line.end()), (9, Some(LineEnd::Over(Over::Line))));
    /// # Ok::<(), morpion_lookup::ProbeError>(())
    /// ```
    ///
    /// The line of a win or a loss has exactly as many moves as its distance. The line of a draw ends at a full board, at a blocked side,
    /// or at a repetition. In a table without distances the line of a win may end at a repetition too, see [`Table::ends_wins`]. The
    /// iterator returns the errors of [`Table::best_move`], and ends after an error. A move costs one [`Table::best_move`] and some hundred
    /// bytes.
    pub fn line(&self, position: Situation) -> LineOfPlay<'_, S> {
        let positions = [position].into();
        LineOfPlay { table: self, positions, moves: Vec::new(), end: None, failed: false }
    }
}

impl<S: Source> LineOfPlay<'_, S> {
    /// The positions so far: the first one, and the position after each move.
    pub fn positions(&self) -> &[Situation] {
        &self.positions
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The end that the line has reached; `None` while it continues, and after an error.
    pub fn end(&self) -> Option<LineEnd> {
        self.end
    }

    fn step(&mut self, at: Situation) -> Result<Option<RankedMove>, ProbeError> {
        let Some(best) = self.table.best_move(at)? else {
            let over = self.table.game().end_at(at).ok_or(ProbeError::Damaged(Damage::Entry))?;
            self.end = Some(LineEnd::Over(over));
            return Ok(None);
        };
        let (after, index) = (self.table.game().after(at, best.mv), self.positions.len());
        // Only every other position has the same side to move.
        let mut same_side = (index % 2..index).step_by(2);
        self.end = same_side.find(|&index| self.positions[index] == after).map(LineEnd::Cycle);
        self.moves.push(best.mv);
        self.positions.push(after);
        Ok(Some(best))
    }
}

impl<S: Source> Iterator for LineOfPlay<'_, S> {
    type Item = Result<RankedMove, ProbeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = *self.positions.last().filter(|_| self.end.is_none() && !self.failed)?;
        let step = self.step(at);
        self.failed = step.is_err();
        step.transpose()
    }
}
