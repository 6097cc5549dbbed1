//! The best children outside: for each position of a layer, its best child in the layers that are solved already.
//!
//! A move that takes nothing keeps the waiter's row. If the move places a piece, the child is in the same row of another layer. A move that
//! takes pieces leads to the row of the waiter's remaining set. The children after takes were sent before ([`takes`](crate::solve::takes)),
//! so that they too are in the waiter's row, in the column of the mover's set after the move.
//!
//! Example: the mover completes a line with the set A and may take one of two pieces. Of the children (B without the first piece, A) and
//! (B without the second, A), the better one was kept in row B and column A. Each set from which a move completes a line in A gets this child.

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::code::Code;
use crate::solve::operator::columns::{Added, Columns, Supersets};
use crate::solve::operator::layer_rules::{Change, LayerRules};
use crate::solve::operator::lines::{
    Line, each_with_line, have_effect, in_lines, lines_with_effect,
};
use crate::solve::operator::moves::RowMoves;
use crate::solve::operator::place::PlacePieces;
use crate::solve::operator::sliced::allowed_lanes;
use crate::solve::planes::STRIP_ROWS;
use crate::solve::rows::Solved;
use crate::solve::shape::Shape;
use crate::solve::store::Storage;
use crate::solve::takes::Taken;
use morpion_core::{
    CELLS, Oldest, Over, Position,
    rank::{cells, expand},
};
use morpion_machine::isa::dispatch;
use morpion_machine::threads::Pool;

/// The children outside of one layer.
pub struct Outside<'f, E> {
    pub sets: &'f FoldedSets,
    pub rules: LayerRules<'f>,
    pub shape: Shape,
    /// The kinds of moves, by their number of new pieces, 0 or 1.
    kinds: [Option<MoveKind>; 2],
    /// The columns of the layer.
    pub columns: Columns,
    /// The preference of a child whose mover has too few pieces.
    few: E,
    /// The children after takes.
    pub taken: Vec<Taken<'f, E>>,
    pool: Pool<Scratch<E>>,
}

/// The moves that add no piece, or the moves that add one piece.
struct MoveKind {
    /// The layer after a move that takes nothing; `None` if it is in the layer group of the layer before the move.
    layer: Option<usize>,
    /// True if the game is over in the layers after these moves: the other side has too few pieces.
    is_over: bool,
    /// The columns after a move.
    after: Columns,
    /// The columns after a placement; `None` if these moves place no piece.
    supersets: Option<Supersets>,
}

/// Buffers for a strip.
#[derive(Default)]
struct Scratch<E> {
    /// The preference of the best child of each position, row by row; 0 if there is none.
    best: Vec<E>,
    /// The codes of the children after moves that take nothing, by the number of new pieces.
    untaken: [Vec<E>; 2],
    placed: Vec<E>,
    lanes: Vec<[E; STRIP_ROWS]>,
    /// A bit for each column with a line.
    with_line: Vec<u64>,
}

impl<'f, E: Code> Outside<'f, E> {
    /// Prepares a layer.
    pub fn new(sets: &'f FoldedSets, shape: Shape, storage: &Storage) -> Self {
        let game = &sets.layout.game;
        let rules = LayerRules::new(game, shape.layer);
        let (count, size) = (rules.cells_left(), u32::from(rules.counts.mover));
        let has_ages = game.has_ages();
        let stays = rules.moves.origins != 0 || rules.moves.may_pass;
        let kind = |new: u8| {
            let exists = if new == 0 { stays } else { rules.placed() != 0 };
            let layer = rules.after(Change { new, taken: 0 }).filter(|_| exists)?;
            let is_placing = new == 1;
            let added = if has_ages { Added::Newest } else { Added::Ageless };
            Some(MoveKind {
                layer: Some(layer).filter(|_| is_placing || !rules.is_cyclic()),
                is_over: game.graph().layers[layer].ended,
                after: Columns::new(count, size + u32::from(new), has_ages),
                supersets: is_placing.then(|| Supersets::new(count, size, added)),
            })
        };
        let kinds = [kind(0), kind(1)];
        let most = game.graph().takes.map_or(0, |takes| takes.most());
        let has_children =
            |new: &u8| kinds[usize::from(*new)].as_ref().is_some_and(|kind| !kind.is_over);
        let of_kind = |new: u8| {
            (1..=most)
                .filter_map(move |taken| Taken::new(sets, &rules, Change { new, taken }, storage))
        };
        let taken = [0, 1].into_iter().filter(has_children).flat_map(of_kind).collect();
        let columns = Columns::new(count, size, has_ages);
        let few = E::over(game, Over::Few).preference();
        Outside { sets, rules, shape, kinds, columns, few, taken, pool: Pool::default() }
    }

    /// Returns true if no position has a child outside.
    pub fn is_empty(&self) -> bool {
        let has_untaken = self.kinds.iter().flatten().any(|kind| kind.layer.is_some());
        !has_untaken && !have_effect(&self.rules)
    }

    /// The solved layer after moves that add `new` pieces and take nothing; `None` if the game is over in that layer.
    pub fn untaken(&self, new: usize) -> Option<usize> {
        self.kinds[new].as_ref().filter(|kind| !kind.is_over)?.layer
    }

    /// Finds the best children in the waiter's rows of a strip, and passes their preferences to `visit`, row by row. A position without
    /// children has preference 0.
    ///
    /// # Errors
    /// If `visit` or a store fails.
    pub fn strip(
        &self,
        solved: &Solved<E>,
        strip: usize,
        visit: impl FnOnce(&mut [E]) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let first = strip * STRIP_ROWS;
        let rows = first..self.shape.source_rows.min(first + STRIP_ROWS);
        let orders = self.shape.words.orders.waiter as usize;
        let orbits = self.sets.orbits(self.rules.counts.waiter);
        let waiters: Vec<u64> = rows.map(|row| orbits.representatives[row / orders]).collect();
        let mut scratch = self.pool.take();
        for (new, codes) in scratch.untaken.iter_mut().enumerate() {
            codes.clear();
            self.untaken(new).map_or(Ok(()), |layer| solved[&layer].copy_strip(strip, codes))?;
        }
        scratch.best.clear();
        scratch.best.resize(waiters.len() * self.shape.source_columns, E::default());
        let taken = self.taken.iter().map(|taken| taken.strip(strip));
        let taken = taken.collect::<Result<Vec<Vec<E>>, SolveError>>()?;
        let lines = waiters.iter().map(|&waiter| lines_with_effect(&self.rules, waiter));
        let lines: Vec<Vec<Line>> = lines.collect();
        self.place(&waiters, &lines, &mut scratch);
        let Scratch { best, untaken, with_line, .. } = &mut scratch;
        for (row, (&waiter, lines)) in waiters.iter().zip(&lines).enumerate() {
            let row = WaiterRow { outside: self, row, waiter, lines, untaken, taken: &taken };
            row.find(best, with_line);
        }
        let visited = visit(best);
        self.pool.put(scratch);
        visited
    }

    /// Finds the best children after placements that take nothing, if the mover's set after the placement has no line.
    fn place(&self, waiters: &[u64], lines: &[Vec<Line>], scratch: &mut Scratch<E>) {
        let Some(MoveKind { after, supersets: Some(supersets), .. }) = &self.kinds[1] else {
            return;
        };
        let (child_columns, size) = (after.words.len(), u32::from(self.rules.counts.mover) + 1);
        let Scratch { best, untaken: [_, placed], placed: copy, lanes, .. } = scratch;
        let mut children = &placed[..];
        if placed.is_empty() || best.is_empty() {
            return;
        }
        if lines.iter().any(|lines| !lines.is_empty()) {
            copy.clear();
            copy.extend_from_slice(placed);
            for (row, lines) in copy.chunks_exact_mut(child_columns).zip(lines) {
                // Sets with a line take a piece instead.
                each_with_line(lines, self.rules.cells_left(), size, |set| {
                    row[after.of(set) as usize] = E::none();
                });
            }
            children = copy;
        }
        let allowed = allowed_lanes(&self.rules, waiters);
        let allowed = allowed.as_deref();
        dispatch(PlacePieces { supersets, allowed, children, child_columns, out: best, lanes });
    }
}

/// One of the waiter's rows in a strip.
struct WaiterRow<'r, 'f, E> {
    outside: &'r Outside<'f, E>,
    row: usize,
    waiter: u64,
    /// The lines with which a move takes a piece or ends the game.
    lines: &'r [Line],
    untaken: &'r [Vec<E>; 2],
    taken: &'r [Vec<E>],
}

impl<E: Code> WaiterRow<'_, '_, E> {
    /// Raises the preferences of the row's positions to the preferences of the children that the placement operator does not find.
    fn find(&self, best: &mut [E], with_line: &mut Vec<u64>) {
        let columns = self.outside.shape.source_columns;
        let best = &mut best[self.row * columns..][..columns];
        if self.outside.rules.moves.oldest == Some(Oldest::AfterLines) {
            return self.end(best);
        }
        for new in 0..2 {
            let Some(kind) = &self.outside.kinds[new] else { continue };
            let is_whole = kind.layer.is_some() && (new == 0 || kind.is_over);
            if !is_whole && self.lines.is_empty() {
                continue;
            }
            let (after, rules) = (&kind.after, &self.outside.rules);
            with_line.clear();
            let none = if is_whole { u64::MAX } else { 0 };
            with_line.resize(after.words.len().div_ceil(64), none);
            let size = u32::from(rules.counts.mover) + new as u32;
            each_with_line(self.lines, rules.cells_left(), size, |set| {
                let column = after.of(set) as usize;
                with_line[column / 64] |= 1 << (column % 64);
            });
            self.after(new, kind, with_line, best);
        }
    }

    /// Raises the preferences of the positions from which a move leads to a column with a bit in `with_line`.
    fn after(&self, new: usize, kind: &MoveKind, with_line: &[u64], best: &mut [E]) {
        let Outside { rules, columns: own, .. } = self.outside;
        let moves = RowMoves::new(rules, self.waiter);
        let takeable = rules.game.takeable(self.waiter).count_ones();
        let may_take_two =
            takeable > 1 && rules.game.graph().takes.is_some_and(|takes| takes.most() > 1);
        for (word, &bits) in with_line.iter().enumerate() {
            for bit in cells(bits) {
                let column = word * 64 + usize::from(bit);
                let Some(&set) = kind.after.words.get(column) else { break };
                let [one, two] = in_lines(self.lines, set);
                let two = if may_take_two { two } else { 0 };
                let mut values = [E::default(); 3];
                for (taken, moved) in [set & !one, one & !two, two].into_iter().enumerate() {
                    if moved != 0 {
                        values[taken] = self.value(new, kind, taken, column);
                    }
                }
                for to in cells(if values[0] == E::default() { one } else { set }) {
                    let value = values[((one >> to & 1) + (two >> to & 1)) as usize];
                    let lifted = set & !(1 << to);
                    if new == 1 {
                        if moves.places(to) {
                            raise(best, own.of(lifted), value);
                        }
                    } else {
                        let from = cells(moves.sources(lifted, to));
                        from.for_each(|from| raise(best, own.of(lifted | 1 << from), value));
                    }
                }
                let may_pass = || {
                    let mover = expand(set & CELLS, rules.game.board() & !self.waiter);
                    rules.game.may_pass(rules.layer, Position { mover, waiter: self.waiter })
                };
                if new == 0 && kind.layer.is_some() && may_pass() {
                    raise(best, column as u32, self.value(new, kind, 0, column));
                }
            }
        }
    }

    /// Raises the preferences of the positions from which a move ends the game before the oldest piece is lifted.
    fn end(&self, best: &mut [E]) {
        let Outside { rules, columns: own, sets, .. } = self.outside;
        let line = E::over(&sets.layout.game, Over::Line).preference();
        let orders = self.outside.shape.words.orders.mover as usize;
        let size = u32::from(rules.counts.mover) + 1;
        each_with_line(self.lines, rules.cells_left(), size, |set| {
            for to in cells(set) {
                let first = own.of(set & !(1 << to)) as usize;
                best[first..first + orders].fill(line);
            }
        });
    }

    /// The preference of the child in a column after a move that takes `taken` pieces; 0 if the child is not outside.
    #[inline(always)]
    fn value(&self, new: usize, kind: &MoveKind, taken: usize, column: usize) -> E {
        let at = self.row * kind.after.words.len() + column;
        if taken == 0 {
            return match kind.layer {
                None => E::default(),
                Some(_) if kind.is_over => self.outside.few,
                Some(_) => self.untaken[new][at].preference(),
            };
        }
        let change = Change { new: new as u8, taken: taken as u8 };
        let is_kind = |other: &Taken<E>| other.change == change;
        match self.outside.taken.iter().position(is_kind) {
            Some(number) => self.taken[number][at],
            None => self.outside.few,
        }
    }
}

/// Raises the preference of a column to `value`.
#[inline(always)]
fn raise<E: Code>(best: &mut [E], column: u32, value: E) {
    let slot = &mut best[column as usize];
    *slot = (*slot).max(value);
}
