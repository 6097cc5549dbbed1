//! The positions from which a move inside a group leads to a position: each step is taken back.

use morpion_lookup::Game;
use morpion_lookup::raw::rank::cells;
use morpion_lookup::raw::{AGED, CELLS, Oldest, Position, SHIFT, Sequence, Step, orders};

/// Moves that stay inside a group, from one layer to another.
pub struct Inner<'g> {
    game: &'g Game,
    /// The layer before a move.
    pub from: usize,
    steps: &'g [Step],
}

impl<'g> Inner<'g> {
    /// The moves of layer number `from`.
    pub fn new(game: &'g Game, from: usize) -> Inner<'g> {
        Inner { game, from, steps: game.graph().steps(from) }
    }

    /// Visits the mover's word before each move that leads to `after`, once for each move. Lines that end the game are ignored.
    #[inline]
    pub fn each_parent(&self, after: Position, mut visit: impl FnMut(u64)) {
        let Position { mover: waiter, waiter: mover } = after;
        let lines =
            if self.game.graph().takes.is_some() { self.game.in_lines(mover & CELLS) } else { 0 };
        // A piece that is in a line now has come with a take, if there was a piece to take.
        let taking = if lines != 0 && self.game.takeable(waiter & CELLS) != 0 { lines } else { 0 };
        for step in self.steps {
            match step.from {
                None if step.is_pass() => {}
                None => self.unplace(step, mover, waiter, &mut visit),
                Some(from) => {
                    if (mover | waiter) >> from & 1 == 1 {
                        continue;
                    }
                    for to in cells(step.to & mover & !taking) {
                        let before = mover & !(1 << to) | 1 << from;
                        if step.targets(Position { mover: before, waiter }) >> to & 1 == 1 {
                            visit(before);
                        }
                    }
                }
            }
        }
        if self.game.may_pass(self.from, Position { mover, waiter }) {
            visit(mover);
        }
    }

    /// Takes the newest piece of the mover back, and puts the oldest one that went where it may have been.
    #[inline]
    fn unplace(&self, step: &Step, mover: u64, waiter: u64, mut visit: impl FnMut(u64)) {
        let mut pieces = Sequence::of(mover);
        let Some(last) = pieces.cells().len().checked_sub(1) else { return };
        let newest = pieces.remove(last);
        let Some(oldest) = step.oldest.filter(|_| step.to >> newest & 1 == 1) else { return };
        let own = if oldest == Oldest::First { 1 << newest } else { 0 };
        let kept = pieces.word();
        // The first digit of the number of an order is the place of the oldest piece, and the others do not depend on it.
        let digit = orders(last as u8);
        for cell in cells(self.game.board() & !((mover | waiter) & CELLS) | own) {
            if oldest == Oldest::AfterLines && self.game.has_line(mover & CELLS | 1 << cell) {
                continue;
            }
            let below = (kept & ((1 << cell) - 1)).count_ones();
            visit((kept | 1 << cell | AGED) + ((u64::from(below) * digit) << SHIFT));
        }
    }
}
