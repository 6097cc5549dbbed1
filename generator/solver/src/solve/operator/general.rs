//! The general operator executes any steps. It is slower than the operators for placing, links and moves to any cell, and has the same
//! results.
//!
//! Takes the steps of a layer and the waiters of some rows, and lists each move of these rows once, with the lanes that have it.
//! Example on 3×3: a piece may be placed on a2 only on top of a piece on a3. If the waiter has a3, its lane has the move without a
//! condition. If the waiter has neither cell, the lane has the move on condition that the mover has a3.

use super::layer_rules::LayerRules;
use crate::solve::entry::Entry;
use crate::solve::planes::Bits;
use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::raw::rank::{cells, compress, subsets};
use std::collections::BTreeMap;

/// A move in the waiter's rows. Sets are numbered among the cells that the waiter leaves.
#[derive(Clone, Copy, Debug)]
pub struct RowMove {
    change: Change,
    /// The lanes that have the move.
    pub lanes: Bits,
}

/// Conditions of a move, and its change of the mover's set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    /// Cells that the mover has.
    own: u64,
    lifted: u64,
    /// The cell that gets the piece, which is empty before; no cell for a pass.
    dropped: u64,
}

impl RowMove {
    /// The mover's set after the move; `None` if the move is impossible.
    #[inline(always)]
    pub fn after(&self, own: u64) -> Option<u64> {
        let Change { own: needed, lifted, dropped } = self.change;
        (needed & !own == 0 && dropped & own == 0).then_some(own & !lifted | dropped)
    }
}

/// The moves of the rows with these waiters, by the steps of the layer.
pub fn row_moves(rules: &LayerRules, waiters: &[u64]) -> Vec<RowMove> {
    let mut lanes_of = BTreeMap::<Change, Bits>::new();
    for (lane, &waiter) in waiters.iter().enumerate() {
        let left = rules.game.board() & !waiter;
        for step in rules.steps() {
            let lifted = step.from.map_or(0, |from| 1 << from);
            if lifted & waiter != 0 {
                continue;
            }
            let own = compress(lifted, left);
            let lifted = compress(lifted, left);
            let mut add = |dropped| {
                lanes_of.entry(Change { own, lifted, dropped }).or_default().set(lane);
            };
            if step.is_pass() {
                add(0);
            }
            cells(compress(step.to & left, left)).for_each(|cell| add(1 << cell));
        }
    }
    lanes_of.into_iter().map(|(change, lanes)| RowMove { change, lanes }).collect()
}

/// The mover's sets of a layer, and their ranks after a move.
#[derive(Clone, Debug)]
pub struct General {
    movers: Vec<u64>,
    children: Ranker,
}

impl General {
    /// Prepares the layer.
    pub fn new(rules: &LayerRules) -> General {
        let (count, size) = (rules.cells_left(), u32::from(rules.counts.mover));
        let placed = u32::from(!rules.is_cyclic());
        General {
            movers: subsets(count, size).collect(),
            children: Ranker::new(count, size + placed),
        }
    }

    /// Number of columns of the layer.
    pub fn columns(&self) -> usize {
        self.movers.len()
    }

    /// Adds to `parents` every position that has a child in `children`. Both are planes of one block.
    pub fn exists(&self, moves: &[RowMove], children: &[Bits], parents: &mut [Bits]) {
        for (parent, &own) in parents.iter_mut().zip(&self.movers) {
            for mv in moves {
                if let Some(after) = mv.after(own) {
                    let child = children[self.children.rank(after) as usize];
                    *parent = *parent | child & mv.lanes;
                }
            }
        }
    }

    /// Fills rows with the [`Entry::preference`] of the best child of each set of the mover, or 0 if there is no move.
    pub fn best<E: Entry>(&self, moves: &[RowMove], children: &[E], columns: usize, out: &mut [E]) {
        let rows = children.chunks_exact(columns).zip(out.chunks_exact_mut(self.movers.len()));
        for (lane, (children, out)) in rows.enumerate() {
            let moves: Vec<&RowMove> = moves.iter().filter(|mv| mv.lanes.get(lane)).collect();
            for (entry, &own) in out.iter_mut().zip(&self.movers) {
                let after = moves.iter().filter_map(|mv| mv.after(own));
                let best = after.map(|set| children[self.children.rank(set) as usize].preference());
                *entry = best.max().unwrap_or_default();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use crate::sets::FoldedSets;
    use crate::solve::operator::place::PlacePieces;
    use crate::solve::operator::sliced::{Exists, ExistsPlaced, LaneMoves, Moves, allowed_lanes};
    use crate::solve::operator::supersets::Supersets;
    use crate::solve::planes::{BLOCK_ROWS, STRIP_ROWS};
    use crate::solve::shape::Shape;
    use morpion_games::catalogue::standard;
    use morpion_lookup::raw::Form;
    use morpion_machine::isa::dispatch;
    use morpion_machine::progress::Unobserved;

    /// A sequence of pseudorandom numbers (Marsaglia: Xorshift RNGs, 2003).
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        fn plane(&mut self, columns: usize) -> Vec<Bits> {
            let sparse = |numbers: &mut Numbers| numbers.next() & numbers.next();
            (0..columns).map(|_| Bits(std::array::from_fn(|_| sparse(self)))).collect()
        }
    }

    fn assert_the_same_in_planes(rules: &LayerRules, waiters: &[u64], shape: &Shape) {
        let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
        let general = Moves::General(General::new(rules));
        let by_general = LaneMoves::new(rules, &general, waiters);
        let parents = |moves: &Moves, lanes: &LaneMoves, children: &[Bits]| {
            let mut parents = vec![Bits::NONE; shape.source_columns];
            dispatch(Exists { moves, lanes, children, parents: &mut parents });
            let used = |bits: Bits| (0..waiters.len()).map(|lane| bits.get(lane)).collect();
            parents.into_iter().map(used).collect::<Vec<Vec<bool>>>()
        };
        if rules.is_cyclic() {
            let fast = Moves::new(rules);
            assert!(!matches!(fast, Moves::General(_)));
            let by_fast = LaneMoves::new(rules, &fast, waiters);
            let children = numbers.plane(shape.source_columns);
            let found = parents(&fast, &by_fast, &children);
            assert!(found == parents(&general, &by_general, &children));
            return;
        }
        let children = numbers.plane(shape.child_columns);
        let supersets = &Supersets::new(rules.cells_left(), rules.counts.mover.into());
        let allowed = allowed_lanes(rules, waiters);
        let allowed = allowed.as_deref();
        let mut found = vec![Bits::NONE; shape.source_columns];
        let kernel = ExistsPlaced { supersets, allowed, children: &children, parents: &mut found };
        dispatch(kernel);
        let used = |bits: Bits| (0..waiters.len()).map(|lane| bits.get(lane)).collect();
        let found: Vec<Vec<bool>> = found.into_iter().map(used).collect();
        assert!(found == parents(&general, &by_general, &children));
    }

    fn assert_the_same_codes(rules: &LayerRules, waiters: &[u64], shape: &Shape) {
        let waiters = &waiters[..waiters.len().min(STRIP_ROWS)];
        let mut numbers = Numbers(1);
        let codes = waiters.len() * shape.child_columns;
        let children: Vec<u8> = (0..codes).map(|_| numbers.next() as u8).collect();
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        for out in [&mut found, &mut expected] {
            out.resize(waiters.len() * shape.source_columns, 0u8);
        }
        dispatch(PlacePieces {
            supersets: &Supersets::new(rules.cells_left(), rules.counts.mover.into()),
            allowed: allowed_lanes(rules, waiters).as_deref(),
            children: &children,
            child_columns: shape.child_columns,
            out: &mut found,
            lanes: &mut Vec::new(),
        });
        let moves = row_moves(rules, waiters);
        General::new(rules).best(&moves, &children, shape.child_columns, &mut expected);
        assert!(found == expected);
    }

    #[test]
    fn the_fast_operators_agree_with_the_general_one_in_all_layers_of_the_standard_games() {
        for game in standard().filter(|game| game.is_plain()) {
            let layout = Layout::new(&game, None, &Unobserved).unwrap();
            // The last games have millions of columns, and no layer of another form.
            if layout.entries() > 20_000_000 {
                continue;
            }
            let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
            for counts in game.layers() {
                let (rules, shape) = (LayerRules::new(&game, counts), Shape::of(&sets, counts));
                if shape.source_rows == 0
                    || rules.steps().is_empty()
                    || shape.child_columns > 10_000
                {
                    continue;
                }
                let waiters = &sets.orbits(counts.waiter).representatives;
                let waiters = &waiters[..waiters.len().min(BLOCK_ROWS)];
                assert_the_same_in_planes(&rules, waiters, &shape);
                if let Form::Place(_) = rules.form() {
                    assert_the_same_codes(&rules, waiters, &shape);
                }
            }
        }
    }
}
