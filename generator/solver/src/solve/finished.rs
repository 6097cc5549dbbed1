//! Finds positions that are over: lines, a full board, and sides that cannot move.
//!
//! Fills rows with the scores of finished positions. In a layer whose moves stay in its layer group, all other positions are 0 (undecided).

use crate::sets::FoldedSets;
use crate::solve::code::Code;
use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::operator::lines::{Line, each_with_line, lines_within};
use crate::solve::shape::Shape;
use morpion_core::{
    Condition, Moves, Oldest, Over, Position, Step, Travel,
    rank::{compress, expand},
};
use morpion_games::symmetry::ranker::Ranker;

/// The finished positions of a layer.
pub struct Finished<'f, E> {
    sets: &'f FoldedSets,
    shape: Shape,
    /// Ranks of the waiter's sets among the cells that the mover leaves.
    waiter_columns: Ranker,
    /// The codes of positions whose waiter has a line, of positions whose mover cannot move, and of all other positions.
    line: E,
    stuck: E,
    pub other: E,
    /// The moves, and the cells on which a new piece may be placed.
    steps: &'f [Step],
    placed: u64,
    never_stuck: bool,
}

impl<'f, E: Code> Finished<'f, E> {
    pub fn new(sets: &'f FoldedSets, shape: Shape) -> Self {
        let game = &sets.layout.game;
        let rules = LayerRules::new(game, shape.layer);
        let Moves { travel, oldest, .. } = *rules.moves;
        let has_room = game.cells() > shape.counts.mover + shape.counts.waiter;
        let never_stuck = !rules.is_cyclic()
            || rules.moves.may_pass
            || rules.blocked_pass()
            || has_room && (travel == Travel::Anywhere || oldest.is_some())
            || oldest == Some(Oldest::First);
        let blocked = E::over(game, rules.blocked_reason());
        Finished {
            sets,
            shape,
            waiter_columns: Ranker::new(
                u32::from(game.cells() - shape.counts.mover),
                shape.counts.waiter.into(),
            ),
            line: E::over(game, Over::Line),
            stuck: blocked,
            other: if rules.is_cyclic() { E::default() } else { blocked },
            steps: game.graph().steps(shape.layer),
            placed: rules.placed(),
            never_stuck,
        }
    }

    /// Returns true if a side may be unable to move, and the game is then drawn.
    pub fn can_be_stuck_in_a_draw(&self) -> bool {
        !self.never_stuck && self.stuck == E::draw_end()
    }

    /// Fills the rows of one strip; rows of invalid arrangements stay unchanged.
    pub fn fill(&self, strip: usize, out: &mut [E]) {
        let Finished { sets, ref shape, .. } = *self;
        let graph = sets.layout.game.graph();
        for (row, out) in shape.rows_of(strip).zip(out.chunks_exact_mut(shape.columns)) {
            let mover = shape.mover(sets, row);
            if graph.lines_end() && shape.has_line(sets, row) {
                continue;
            }
            out.fill(self.other);
            if !graph.may_take() {
                self.mark_lines(mover, out);
            }
            if self.never_stuck {
                continue;
            }
            self.mark_stuck(mover, out);
        }
    }

    /// Marks the entries of a row whose mover has no move, unless they are over for another reason.
    fn mark_stuck(&self, mover: u64, out: &mut [E]) {
        let left = self.sets.layout.game.board() & !mover;
        // The mover is stuck only if the waiter occupies all cells to which a piece may go without a condition.
        let (mut reach, mut has_conditions) = (self.placed, false);
        let is_own = |step: &&Step| step.from.is_some_and(|from| mover >> from & 1 == 1);
        for step in self.steps.iter().filter(is_own) {
            match step.condition {
                Condition::EMPTY => reach |= step.to,
                _ => has_conditions = true,
            }
        }
        let (game, words) = (&self.sets.layout.game, self.shape.words);
        let orders = words.orders.waiter as usize;
        let all = [Line { cells: compress(reach & left, left), with: 0 }];
        each_with_line(&all, left.count_ones(), self.shape.counts.waiter.into(), |waiter| {
            let position = words.position(Position { mover, waiter: expand(waiter, left) }, 0, 0);
            if has_conditions && game.moves_at(position).next().is_some() {
                return;
            }
            let entries = &mut out[self.waiter_columns.rank(waiter) as usize * orders..][..orders];
            let undecided = entries.iter_mut().filter(|entry| **entry == E::default());
            undecided.for_each(|entry| *entry = self.stuck);
        });
    }

    /// Marks the entries of a row whose waiter has a line. For each line without a cell of the mover, these are the sets of the waiter that
    /// contain the line, but no cell that prolongs it.
    fn mark_lines(&self, mover: u64, out: &mut [E]) {
        let left = self.sets.layout.game.board() & !mover;
        let lines: Vec<Line> = lines_within(&self.sets.layout.game, left);
        let orders = self.shape.words.orders.waiter as usize;
        each_with_line(&lines, left.count_ones(), self.shape.counts.waiter.into(), |waiter| {
            out[self.waiter_columns.rank(waiter) as usize * orders..][..orders].fill(self.line);
        });
    }
}
