//! The plain operator: one position after another, one move after another.

use super::LayerRules;
use crate::solve::entry::Entry;
use morpion_games::symmetry::ranker::Ranker;
use morpion_lookup::raw::rank::{cells, subsets};

/// Fills one of the waiter's rows of a placement layer: for each set of the mover the [`Entry::preference`] of the best
/// child, 0 where nothing can be placed. `children` is the waiter's row of the child layer.
pub fn place<E: Entry>(
    rules: &LayerRules,
    ranker: &Ranker,
    waiter: u64,
    children: &[E],
    out: &mut [E],
) {
    let allowed = rules.allowed(waiter);
    for (mover, best) in subsets(rules.cells_left(), u32::from(rules.counts.mover)).zip(out) {
        let child = |cell: u8| children[ranker.rank(mover | 1u64 << cell) as usize].preference();
        *best = cells(allowed & !mover).map(child).max().unwrap_or_default();
    }
}

/// What a step of the movement layer finds for one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A child is lost.
    Win,
    /// All children are won, and there is one.
    Loss,
    /// Neither, yet.
    Undecided,
}

/// What its children decide of the position whose mover has `mover`, numbered among the cells the waiter leaves. `children`
/// is the waiter's row; `won` and `lost` say what an entry of it is.
pub fn step<E: Entry>(
    rules: &LayerRules,
    ranker: &Ranker,
    links: &[u64],
    mover: u64,
    children: &[E],
    won: impl Fn(E) -> bool,
    lost: impl Fn(E) -> bool,
) -> Step {
    let is_blocked = || cells(mover).all(|from| links[usize::from(from)] & !mover == 0);
    let passes = rules.stay() && mover != 0 || rules.blocked_pass() && is_blocked();
    let pass = passes.then_some(mover);
    let shifts = cells(mover).flat_map(|from| {
        cells(links[usize::from(from)] & !mover).map(move |to| mover & !(1 << from) | 1 << to)
    });
    let mut all_won = None;
    for child in shifts.chain(pass) {
        let code = children[ranker.rank(child) as usize];
        if lost(code) {
            return Step::Win;
        }
        all_won = Some(all_won.unwrap_or(true) && won(code));
    }
    if all_won == Some(true) { Step::Loss } else { Step::Undecided }
}
