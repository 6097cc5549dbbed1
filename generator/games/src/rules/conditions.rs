//! The moves of the key `to`, and moves with a condition on other cells: slides, jumps, and moves beside an enemy.
//!
//! Each of these moves is a [`Step`] with a condition. On a row of three cells, a piece slides from the first to the second if the third is
//! taken, and to the third if the second is empty.

use super::data::{Jump, To};
use super::grid::Run;
use morpion_core::{Condition, Step, rank::cells};
use std::collections::{BTreeMap, BTreeSet};

impl To {
    /// The moves of one step in the same directions.
    pub(super) fn step(self) -> To {
        match self {
            To::Slide | To::Queen => To::King,
            To::SlideOrthogonal => To::Orthogonal,
            To::Any | To::Orthogonal | To::King | To::Drawn | To::Steps | To::Edges | To::Push => {
                self
            }
        }
    }

    /// Returns true if a piece goes more than one step in any direction. Without a grid, the edges give the directions.
    pub(super) fn is_far(self) -> bool {
        self != self.step() && self.step() == To::King
    }
}

/// The moves along rays, each of which begins with the cell of a piece.
pub(super) fn steps(rays: &[Run], to: To, jump: Option<Jump>, beside: u64) -> Vec<Step> {
    let mut moves: BTreeMap<(u8, Condition), u64> = BTreeMap::new();
    let next_to = |from: u8| {
        let near = rays.iter().filter(move |ray| ray.cells[0] == from);
        near.filter_map(|ray| ray.cells.get(1)).fold(0u64, |near, cell| near | 1 << cell)
    };
    let mut add = |from: u8, to: u8, condition: Condition| {
        let mut add = |condition| *moves.entry((from, condition)).or_default() |= 1 << to;
        if beside >> to & 1 == 0 {
            return add(condition);
        }
        // An enemy is not on a cell that must be empty or have an own piece. The move is added once for each cell on which an enemy may be.
        let others = condition.clear | condition.own | 1 << to;
        for enemy in cells(next_to(from) & !others).map(|cell| 1 << cell) {
            let (taken, other) = (condition.taken & !enemy, condition.other | enemy);
            add(Condition { taken, other, ..condition });
        }
    };
    for Run { cells, closed } in rays {
        let [from, next, ..] = cells[..] else { continue };
        // On a ring without other pieces nothing stops a piece, not even its own cell, because the piece leaves it.
        let end = if to == to.step() { 2 } else { cells.len() - usize::from(*closed) };
        for last in 1..end {
            let clear = cells[1..last].iter().fold(0, |clear, cell| clear | 1 << cell);
            let stop = cells.get(last + 1).filter(|_| to != To::Queen && to != to.step());
            let taken = stop.map_or(0, |stop| 1 << stop);
            add(from, cells[last], Condition { clear, taken, ..Condition::EMPTY });
        }
        if let (Some(jump), Some(&behind)) = (jump, cells.get(2)) {
            let mut over = Condition::EMPTY;
            match jump {
                Jump::Own => over.own = 1 << next,
                Jump::Other => over.other = 1 << next,
                Jump::Any => over.taken = 1 << next,
            }
            add(from, behind, over);
        }
    }
    let step = |((from, condition), to)| Step { condition, ..Step::shift(from, to) };
    let mut steps: Vec<Step> = moves.into_iter().map(step).collect();
    steps.sort_by_key(Step::place_in_phase);
    steps
}

/// The rays along links, which continue along the next link in the same direction. Without places, each ray has one link.
pub(super) fn along_links(links: &[(u8, u8)], places: &[(i32, i32)]) -> Vec<Run> {
    let both: BTreeSet<(u8, u8)> = links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    let vector = |(a, b): (u8, u8)| {
        let [a, b] = [a, b].map(|cell| places.get(usize::from(cell)).copied().unwrap_or_default());
        (i64::from(b.0 - a.0), i64::from(b.1 - a.1))
    };
    let ahead = |link: (u8, u8)| {
        let (down, right) = vector(link);
        let length_ahead = |next: &(u8, u8)| {
            let (a, b) = vector(*next);
            let is_ahead = down * b == right * a && down * a + right * b > 0;
            is_ahead.then_some((a.abs() + b.abs(), *next))
        };
        let next = both.iter().filter(|next| next.0 == link.1).filter_map(length_ahead).min();
        next.map(|(_, next)| next)
    };
    let ray = |&first: &(u8, u8)| {
        let rest = std::iter::successors(Some(first), |&link| ahead(link)).map(|link| link.1);
        Run { cells: std::iter::once(first.0).chain(rest).collect(), closed: false }
    };
    both.iter().map(ray).collect()
}
