//! Computes the value that each position must have from the entries of its children.
//!
//! All children of the positions with one waiter are in that waiter's row. [`LANES`] rows are processed at once, one lane each. Inside a
//! row, the mover's sets are numbered among the cells that the waiter leaves, so one sequence of ranks serves all lanes. If a move depends
//! on the waiter's cells, a mask selects the lanes that have the move. This module has its own code to make moves from the steps of the
//! layer.
//!
//! The solver computes these values with code of its own. So the proof finds errors of the solver, and an error of the proof shows when it
//! refuses a right table.

use crate::halves::Ranks;
use morpion_core::{
    Condition, Counts, Game, Step,
    rank::{cells, compress, subsets},
};
use std::ops::{BitAnd, Not};

/// Number of rows that are processed together.
pub(crate) const LANES: usize = 32;

/// One preference in each lane.
pub(crate) type Best<P> = [P; LANES];

/// The integer type of a preference: one or two bytes.
pub(crate) trait Number:
    Copy
    + Ord
    + Default
    + TryFrom<u16>
    + Into<usize>
    + BitAnd<Output = Self>
    + Not<Output = Self>
    + Send
{
}

impl Number for u8 {}
impl Number for u16 {}

/// The ways in which the pieces of a layer move.
enum Ways {
    /// Pieces move and are placed by these steps.
    Steps(Vec<Step>),
    /// A piece moves to any empty cell. Contains the ranks of the sets with one piece lifted.
    Free(Ranks),
}

/// The moves of one layer.
pub(crate) struct LayerMoves<'g> {
    game: &'g Game,
    counts: Counts,
    /// Number of cells that the waiter leaves.
    left: u32,
    /// Ranks of the mover's sets after a move.
    ranks: Ranks,
    ways: Ways,
    /// True if a lifted piece may be put back, which is a pass.
    stay: bool,
    /// True if a blocked side passes.
    blocked_pass: bool,
}

/// The two greatest preferences among all drops of one lifted piece.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Drops<P> {
    first: Best<P>,
    /// The second greatest preference, which equals `first` if two drops have the greatest.
    second: Best<P>,
}

/// Buffers for the moves of one block of rows.
#[derive(Default)]
pub(crate) struct Prepared<P> {
    /// The drops for each set of the mover with one piece lifted, by the rank of the set.
    drops: Vec<Drops<P>>,
    /// The moves of the piece on each cell that the waiter leaves, and of a new piece.
    moves: Vec<Vec<LaneMove<P>>>,
}

/// A move, and a mask of the lanes whose waiter allows the move. The mover's cells are tested by `without` and `with`.
struct LaneMove<P> {
    to: u8,
    /// The cells that must not have a piece of the mover, and the cells that must have one.
    without: u64,
    with: u64,
    mask: Best<P>,
}

/// Applies the function `to` in every lane.
#[inline(always)]
fn each<P: Number>(a: &Best<P>, b: &Best<P>, to: impl Fn(P, P) -> P) -> Best<P> {
    let mut each = [P::default(); LANES];
    for lane in 0..LANES {
        each[lane] = to(a[lane], b[lane]);
    }
    each
}

impl<'g> LayerMoves<'g> {
    /// The moves of layer number `index`.
    pub fn new(game: &'g Game, index: usize) -> LayerMoves<'g> {
        let graph = game.graph();
        let counts = graph.layers[index].counts;
        let left = u32::from(game.cells() - counts.waiter);
        let size = u32::from(counts.mover);
        let (passes, steps): (Vec<Step>, Vec<Step>) =
            graph.steps(index).iter().partition(|step| step.is_pass());
        let placed = u32::from(steps.iter().any(|step| step.from.is_none()));
        let board = game.board();
        let is_to_all = |cell| steps.contains(&Step::shift(cell, board & !(1 << cell)));
        let ways = match cells(board).all(is_to_all) {
            true => Ways::Free(Ranks::new(left, size - 1)),
            false => Ways::Steps(steps),
        };
        LayerMoves {
            game,
            counts,
            left,
            ranks: Ranks::new(left, size + placed),
            ways,
            stay: !passes.is_empty(),
            blocked_pass: graph.passes_if_blocked() && game.graph().is_cyclic(index),
        }
    }

    /// Prepares the moves of all positions with these waiters, at most [`LANES`]. `children` are the preferences of the
    /// entries in the waiters' rows, by column.
    pub fn prepare<P: Number>(
        &self,
        waiters: &[u64],
        children: &[Best<P>],
        prepared: &mut Prepared<P>,
    ) {
        let Prepared { drops, moves } = prepared;
        match &self.ways {
            Ways::Steps(steps) => {
                moves.clear();
                moves.resize_with(self.left as usize + 1, Vec::new);
                for (lane, &waiter) in waiters.iter().enumerate() {
                    let empty = self.game.board() & !waiter;
                    steps.iter().for_each(|step| add(step, waiter, empty, lane, moves));
                }
            }
            Ways::Free(_) => {
                drops.clear();
                let all = (1 << self.left) - 1;
                for rest in subsets(self.left, u32::from(self.counts.mover) - 1) {
                    let (mut first, mut second) = ([P::default(); LANES], [P::default(); LANES]);
                    for cell in cells(all & !rest) {
                        let child = &children[self.ranks.of(rest | 1 << cell)];
                        second = each(&second, &each(&first, child, Ord::min), Ord::max);
                        first = each(&first, child, Ord::max);
                    }
                    drops.push(Drops { first, second });
                }
            }
        }
    }

    /// The greatest preference of a child of the positions whose mover has the cells `own`; 0 in a lane without a move.
    ///
    /// A child that is marked as "no position" has preference 0, as if there were no move. If the mover of the child owns no line, this
    /// mark is an error, which the sums of the child's layer show.
    #[inline(always)]
    pub fn best<P: Number>(
        &self,
        own: u64,
        children: &[Best<P>],
        prepared: &Prepared<P>,
    ) -> Best<P> {
        let mut best = [P::default(); LANES];
        match &self.ways {
            Ways::Steps(_) => {
                for from in cells(own | 1 << self.left) {
                    for LaneMove { to, without, with, mask } in &prepared.moves[usize::from(from)] {
                        if own & without == 0 && with & !own == 0 {
                            let child = &children[self.ranks.of(own & !(1 << from) | 1 << to)];
                            best = each(&best, &each(child, mask, BitAnd::bitand), Ord::max);
                        }
                    }
                }
            }
            Ways::Free(lifted) => {
                // Putting a lifted piece back is not a move, but the drops contain the preference of the unchanged set. If this preference is
                // the greatest, the second greatest is used.
                let same = children[self.ranks.of(own)];
                for cell in cells(own) {
                    let Drops { first, second } = &prepared.drops[lifted.of(own & !(1 << cell))];
                    let other =
                        each(
                            first,
                            &same,
                            |first, same| {
                                if first == same { P::default() } else { first }
                            },
                        );
                    // If `other` is `first`, `second` changes nothing, because it is at most `first`.
                    best = each(&best, &each(&other, second, Ord::max), Ord::max);
                }
            }
        }
        if self.stay && own != 0 || self.blocked_pass {
            // A pass leads to the unchanged set. A lifted piece may be put back in all lanes, but a blocked side passes only in its own lane.
            let (stay, none) = (self.stay, P::default());
            let pass = |best: P, same| if stay || best == none { best.max(same) } else { best };
            best = each(&best, &children[self.ranks.of(own)], pass);
        }
        best
    }
}

/// Adds the moves of a step in lane number `lane`, whose waiter has the cells `waiter` and leaves the cells `empty`.
fn add<P: Number>(
    step: &Step,
    waiter: u64,
    empty: u64,
    lane: usize,
    moves: &mut [Vec<LaneMove<P>>],
) {
    let Condition { clear, own, other, taken } = step.condition;
    let is_waiters = step.from.is_some_and(|from| waiter >> from & 1 == 1);
    if is_waiters || (clear | own) & waiter != 0 || other & waiter != other {
        return;
    }
    let number = |from: u8| (empty & ((1 << from) - 1)).count_ones() as usize;
    let moves = &mut moves[step.from.map_or(empty.count_ones() as usize, number)];
    let [clear, with] = [clear, (own | taken) & !waiter].map(|cells| compress(cells, empty));
    for to in cells(compress(step.to & empty, empty)) {
        let without = clear | 1 << to;
        let is_same = |one: &LaneMove<P>| (one.to, one.without, one.with) == (to, without, with);
        let at = moves.iter().position(is_same).unwrap_or_else(|| {
            moves.push(LaneMove { to, without, with, mask: [P::default(); LANES] });
            moves.len() - 1
        });
        moves[at].mask[lane] = !P::default();
    }
}
