//! The positions from which a move inside a group leads to a position: each step is taken back.

use morpion_lookup::raw::rank::cells;
use morpion_lookup::raw::{CELLS, Position, Sequence, Step};
use morpion_lookup::{Game, Oldest};

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

    /// Visits the position before each move that leads to `after`, once for each move. Lines that end the game are ignored.
    pub fn each_parent(&self, after: Position, mut visit: impl FnMut(Position)) {
        let Position { mover: waiter, waiter: mover } = after;
        for step in self.steps {
            match step.from {
                None if step.is_pass() => {}
                None => self.unplace(step, mover, waiter, &mut visit),
                Some(from) if step.path != 0 => {
                    if step.to & mover != 0 {
                        let pull = Step {
                            from: Some(step.to.trailing_zeros() as u8),
                            to: 1 << from,
                            ..*step
                        };
                        let mover = pull.pushed(mover & !step.to) | 1 << from;
                        visit(Position { mover, waiter: pull.pushed(waiter) });
                    }
                }
                Some(from) => {
                    let from_bit = 1 << from;
                    if (mover | waiter) & from_bit != 0 {
                        continue;
                    }
                    for to in cells(step.to & mover) {
                        let before = Position { mover: mover & !(1 << to) | from_bit, waiter };
                        let is_move = step.targets(before) >> to & 1 == 1;
                        if is_move && self.game.takes(before, Some(from), to) == 0 {
                            visit(before);
                        }
                    }
                }
            }
        }
        let before = Position { mover, waiter };
        if self.game.may_pass(self.from, before) {
            visit(before);
        }
    }

    /// Takes the newest piece of the mover back, and puts the oldest one that went where it may have been.
    fn unplace(&self, step: &Step, mover: u64, waiter: u64, visit: &mut impl FnMut(Position)) {
        let after = Sequence::of(mover);
        let Some((&newest, kept)) = after.cells().split_last() else { return };
        let Some(oldest) = step.oldest.filter(|_| step.to >> newest & 1 == 1) else { return };
        let own = if oldest == Oldest::First { 1 << newest } else { 0 };
        for cell in cells(self.game.board() & !((mover | waiter) & CELLS) | own) {
            if oldest == Oldest::AfterLines && self.game.has_line(mover & CELLS | 1 << cell) {
                continue;
            }
            let mut before = Sequence::default();
            before.push(cell);
            kept.iter().for_each(|&cell| before.push(cell));
            visit(Position { mover: before.word(), waiter });
        }
    }
}
