//! Checks the entries with one waiter's set in games whose pieces age.
//!
//! A turn keeps the waiter's pieces and their order, so all children of the positions with one waiter are in one row. The order of the
//! mover's pieces after a turn follows from their order before it and from the rank of the new cell among the mover's cells. Therefore
//! the turns of all orders of a set that begin with the same piece are found together.

use super::folded::{Doubt, Fold, Folded, Waiter};
use crate::halves::Ranks;
use crate::turns::{Order, Pieces, all_orders, in_order};
use morpion_core::rank::{cells, compress, expand, subsets};
use morpion_core::{Damage, Oldest, Step};
use morpion_lookup::ProbeError;
use std::ops::Range;

/// Number of orders of the waiter's pieces whose rows are in memory at the same time.
const ORDERS: u64 = 24;

/// The entries of a layer of a game whose pieces age.
pub(super) struct Ageing<'a> {
    folded: &'a Folded<'a>,
    /// The cells to which a piece may go.
    to: u64,
    oldest: Option<Oldest>,
    /// The layer after a turn that makes no line with the oldest piece.
    after: usize,
    /// The layer, without entries, after a turn that makes such a line.
    after_line: Option<usize>,
    /// Numbers of orders of the mover's and of the waiter's pieces, and of the mover's pieces after a turn.
    orders: [u64; 3],
    /// The mover's sets among the cells that the waiter leaves.
    movers: Vec<u64>,
    /// Ranks of the mover's sets after a turn.
    ranks: Ranks,
    /// The number of the order after a turn, by the rank of the new cell and the number of the order of the pieces that stay.
    appended: Vec<Vec<u32>>,
}

/// A turn of all orders that begin with the same piece.
struct Turn {
    /// Those orders.
    orders: Range<usize>,
    /// The first entry of the mover's set after the turn in the row.
    first: usize,
    /// The rank of the new cell.
    new: usize,
}

/// The buffers of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    /// The preferences of the children, one row after the other.
    values: Vec<u16>,
    /// The required codes of the orders of the mover's pieces, for one order of the waiter's after the other.
    expected: Vec<Option<u16>>,
    turns: Vec<Turn>,
    /// The greatest preference after a turn that ends the game, or 0, for each order of the mover's pieces; `None` if it has no turn.
    best: Vec<Option<u16>>,
    /// The greatest preference of each order.
    greatest: Vec<u16>,
    /// The numbers of the images of the orders.
    numbers: Vec<u64>,
}

impl<'a> Ageing<'a> {
    /// The entries of a layer, if its only turns are placements of one kind.
    pub fn new(folded: &'a Folded) -> Option<Ageing<'a>> {
        let (keys, layer) = (folded.keys, folded.layer);
        let (graph, counts) = (&keys.turns.graph, keys.turns.graph.layers[layer].counts);
        let steps = graph.steps(layer);
        let oldest = steps.first()?.oldest;
        let is_placement =
            |step: &Step| (step.from, step.path, step.oldest) == (None, 0, oldest) && step.to != 0;
        let is_known = keys.turns.has_ages() && graph.lines_end() && !graph.passes_if_blocked();
        if !is_known || !steps.iter().all(is_placement) {
            return None;
        }
        let [[moved, ..], [placed, ..]] = keys.turns.after[layer];
        let (after, after_line) = match oldest {
            None => (placed?, None),
            Some(Oldest::AfterLines) => (moved?, Some(placed?)),
            Some(Oldest::First | Oldest::BeforeLines) => (moved?, None),
        };
        let is_over = |layer: usize| graph.layers[layer].ended;
        if is_over(after) || after_line.is_some_and(|layer| !is_over(layer)) {
            return None;
        }
        let left = u32::from(keys.table.game().cells() - counts.waiter);
        let size = u32::from(counts.mover);
        let stay = size.checked_sub(oldest.is_some().into())?;
        Some(Ageing {
            folded,
            to: steps.iter().fold(0, |to, step| to | step.to),
            oldest,
            after,
            after_line,
            orders: [keys.orders(layer)[0], keys.orders(layer)[1], keys.orders(after)[1]],
            movers: subsets(left, size).collect(),
            ranks: Ranks::new(left, stay + 1),
            appended: (0..=stay).map(|new| appended(stay, new)).collect(),
        })
    }

    /// Checks the entries with one waiter's set, in all orders of the pieces.
    pub fn check(&self, waiter: &Waiter, scratch: &mut Scratch) -> Result<(), Doubt> {
        for first in (0..self.orders[1]).step_by(ORDERS as usize) {
            let orders = first..self.orders[1].min(first + ORDERS);
            self.read(waiter, orders.clone(), scratch)?;
            for &mover in &self.movers {
                self.require(waiter, mover, (orders.end - orders.start) as usize, scratch)?;
                self.compare(waiter, expand(mover, waiter.left), orders.clone(), scratch)?;
            }
        }
        Ok(())
    }

    /// Reads the children of the positions with these orders of the waiter's pieces.
    fn read(
        &self,
        waiter: &Waiter,
        orders: Range<u64>,
        Scratch { values, .. }: &mut Scratch,
    ) -> Result<(), ProbeError> {
        let Folded { codes, scale, .. } = self.folded;
        values.clear();
        for order in orders {
            codes.row(self.after, waiter.row * self.orders[1] + order, values)?;
        }
        values.iter_mut().for_each(|code| *code = scale.preference(*code));
        Ok(())
    }

    /// Finds the codes that the positions with one set of the mover must have, for `count` orders of the waiter's pieces.
    fn require(
        &self,
        waiter: &Waiter,
        mover: u64,
        count: usize,
        scratch: &mut Scratch,
    ) -> Result<(), Doubt> {
        let Folded { keys, scale, layer, .. } = *self.folded;
        let Scratch { values, expected, turns, best, greatest, .. } = scratch;
        expected.clear();
        let own = Pieces::of(expand(mover, waiter.left));
        let other = Pieces::of(waiter.set);
        let orders = self.orders[0] as usize;
        if keys.turns.is_none(&own) {
            expected.resize(count * orders, Some(scale.encoding.no_position()));
            return Ok(());
        }
        if let Some(score) = keys.turns.finished(layer, &own, &other) {
            expected.resize(count * orders, scale.of(score));
            return Ok(());
        }
        self.find_turns(waiter, mover, turns, best)?;
        let blocked = scale.of(keys.turns.blocked(&own, &other));
        for values in values.chunks_exact(values.len() / count) {
            greatest.clear();
            greatest.extend(best.iter().map(|best| best.unwrap_or(0)));
            for turn in turns.iter() {
                let values = &values[turn.first..];
                let greatest = &mut greatest[turn.orders.clone()];
                for (greatest, &after) in greatest.iter_mut().zip(&self.appended[turn.new]) {
                    *greatest = values[after as usize].max(*greatest);
                }
            }
            let of = |(&best, greatest): (&Option<u16>, &u16)| match best {
                None => blocked,
                Some(_) => scale.code(*greatest),
            };
            expected.extend(best.iter().zip(&*greatest).map(of));
        }
        Ok(())
    }

    /// Lists the turns of all orders of a set that lead to entries, and the best of the others.
    fn find_turns(
        &self,
        waiter: &Waiter,
        mover: u64,
        turns: &mut Vec<Turn>,
        best: &mut Vec<Option<u16>>,
    ) -> Result<(), ProbeError> {
        turns.clear();
        best.clear();
        best.resize(self.orders[0] as usize, None);
        let allowed = compress(self.to & waiter.left, waiter.left);
        let leaving: Vec<u64> = match self.oldest {
            // Nothing leaves, so all orders are together.
            None => vec![0],
            Some(_) => cells(mover).map(|cell| 1 << cell).collect(),
        };
        let length = best.len() / leaving.len().max(1);
        for (number, leaving) in leaving.into_iter().enumerate() {
            let (stay, orders) = (mover & !leaving, number * length..(number + 1) * length);
            let occupied = if self.oldest == Some(Oldest::First) { stay } else { mover };
            for to in cells(allowed & !occupied) {
                let of_line = self.of_line(waiter, mover | 1 << to)?;
                for best in &mut best[orders.clone()] {
                    *best = (*best).max(Some(of_line.unwrap_or(0)));
                }
                if of_line.is_none() {
                    turns.push(Turn {
                        orders: orders.clone(),
                        first: self.ranks.of(stay | 1 << to) * self.orders[2] as usize,
                        new: (stay & ((1 << to) - 1)).count_ones() as usize,
                    });
                }
            }
        }
        Ok(())
    }

    /// The preference after a turn that makes a line with the oldest piece, if that ends the game.
    fn of_line(&self, waiter: &Waiter, mover: u64) -> Result<Option<u16>, ProbeError> {
        let Folded { keys, scale, .. } = self.folded;
        let Some(layer) = self.after_line else { return Ok(None) };
        let own = Pieces::of(expand(mover, waiter.left));
        if !keys.turns.has_line(own.set) {
            return Ok(None);
        }
        let score = keys.turns.finished(layer, &Pieces::of(waiter.set), &own);
        let code = score.and_then(|score| scale.of(score));
        let code = code.ok_or(Damage::Layer)?;
        Ok(Some(scale.preference(code)))
    }

    /// Compares the entries with one set of the mover.
    fn compare(
        &self,
        waiter: &Waiter,
        mover: u64,
        orders: Range<u64>,
        scratch: &mut Scratch,
    ) -> Result<(), Doubt> {
        let fold = self.folded.fold(mover);
        let symmetry = &self.folded.keys.table.raw().header().symmetries[fold.symmetry as usize];
        let first = symmetry.images();
        let pair = (waiter.set, mover);
        self.compare_images(pair, orders.clone(), fold, &|cell| first[usize::from(cell)], scratch)?;
        if fold.is_kept() {
            for other in self.folded.others(fold) {
                let then = other.images();
                let image = |cell| then[usize::from(first[usize::from(cell)])];
                self.compare_images(pair, orders.clone(), fold, &image, scratch)?;
            }
        }
        Ok(())
    }

    /// Compares the images of entries under one symmetry that takes the mover's set to its representative.
    fn compare_images(
        &self,
        (waiter, mover): (u64, u64),
        orders: Range<u64>,
        fold: Fold,
        image: &dyn Fn(u8) -> u8,
        Scratch { expected, numbers, .. }: &mut Scratch,
    ) -> Result<(), Doubt> {
        let keys = self.folded.keys;
        let number = |set: u64, order| keys.pieces(set, set.count_ones() as u8, order).order(image);
        let of_set = cells(waiter).fold(0, |set, cell| set | 1 << image(cell));
        let column = self.folded.column(fold, of_set) * self.orders[1];
        numbers.clear();
        numbers.extend((0..self.orders[0]).map(|order| number(mover, order)));
        for (order, expected) in orders.zip(expected.chunks_exact(numbers.len())) {
            let column = column + number(waiter, order);
            for (number, &expected) in numbers.iter().zip(expected) {
                self.folded.compare(fold.row * self.orders[0] + number, column, expected)?;
            }
        }
        Ok(())
    }
}

/// The numbers of the orders of `stay` pieces after a new piece, whose cell has the rank `new`, is appended.
fn appended(stay: u32, new: u32) -> Vec<u32> {
    let number = |order: &Order| {
        // The ranks of the cells are the cells.
        let mut pieces = in_order(((1 << (stay + 1)) - 1) & !(1 << new), order);
        pieces.add_newest(new as u8);
        pieces.order(|cell| cell) as u32
    };
    all_orders(stay as u8).iter().map(number).collect()
}
