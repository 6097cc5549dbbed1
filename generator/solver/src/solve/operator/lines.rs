//! Lines that change the result of a move: lines that take a piece, and lines that end the game before the oldest piece is lifted.
//!
//! In the waiter's rows, a line is a set of numbers of cells, which depends on the row. Most neighbouring rows have the same lines.

use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::planes::Bits;
use morpion_core::{
    Game, Oldest,
    rank::{compress, subsets},
};
use morpion_machine::isa::{Kernel, dispatch, expand};
use std::collections::BTreeMap;

/// A line, and the cells that extend it so that it does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    pub cells: u64,
    pub with: u64,
}

impl Line {
    /// Returns true if the owner of a set has made the line.
    #[inline(always)]
    pub fn is_in(&self, set: u64) -> bool {
        self.cells & !set == 0 && self.with & set == 0
    }
}

/// The lines among the cells of `left`, which are numbered from 0.
pub fn lines_within(game: &Game, left: u64) -> Vec<Line> {
    let within = game.lines_with_prolongations().filter(|(cells, _)| cells & !left == 0);
    let line = |(cells, with)| Line { cells: compress(cells, left), with: compress(with, left) };
    within.map(line).collect()
}

/// Returns true if a line changes the result of moves of the layer.
pub fn have_effect(rules: &LayerRules) -> bool {
    rules.game.graph().may_take() || rules.moves.oldest == Some(Oldest::AfterLines)
}

/// The lines that change the result of a move in the row of a waiter's set, as sets of numbers of the cells that the waiter leaves.
pub fn lines_with_effect(rules: &LayerRules, waiter: u64) -> Vec<Line> {
    // A line that finds no piece to take has no effect.
    let is_idle = rules.game.graph().may_take() && rules.game.takeable(waiter) == 0;
    if is_idle || !have_effect(rules) {
        return Vec::new();
    }
    lines_within(rules.game, rules.game.board() & !waiter)
}

/// The lines of some rows, each with the lanes in which it has an effect.
pub fn line_lanes(rules: &LayerRules, waiters: &[u64]) -> Vec<(Line, Bits)> {
    let mut lanes_of = BTreeMap::<Line, Bits>::new();
    for (lane, &waiter) in waiters.iter().enumerate() {
        let lines = lines_with_effect(rules, waiter);
        lines.into_iter().for_each(|line| lanes_of.entry(line).or_default().set(lane));
    }
    lanes_of.into_iter().collect()
}

/// Visits the sets of `size` out of `count` numbers that contain one of `lines`. A set may be visited several times.
pub fn each_with_line(lines: &[Line], count: u32, size: u32, visit: impl FnMut(u64)) {
    dispatch(EachWithLine { lines, count, size, visit });
}

/// Kernel of [`each_with_line`].
struct EachWithLine<'l, F> {
    lines: &'l [Line],
    count: u32,
    size: u32,
    visit: F,
}

impl<F: FnMut(u64)> Kernel for EachWithLine<'_, F> {
    type Output = ();
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let EachWithLine { lines, count, size, mut visit } = self;
        for line in lines {
            let Some(others) = size.checked_sub(line.cells.count_ones()) else { continue };
            let rest = ((1 << count) - 1) & !line.cells & !line.with;
            if others <= rest.count_ones() {
                for bits in subsets(rest.count_ones(), others) {
                    visit(line.cells | expand::<BITS>(bits, rest));
                }
            }
        }
    }
}

/// The numbers that are in at least one line of a set, and the numbers that are in at least two of its lines.
#[inline(always)]
pub fn in_lines(lines: &[Line], set: u64) -> [u64; 2] {
    let (mut found, mut last) = ([0; 2], 0);
    for line in lines {
        if line.is_in(set) {
            // Successive lines may have the same cells, with different cells that extend them. They count as one line.
            if line.cells != last {
                found[1] |= found[0] & line.cells;
            }
            found[0] |= line.cells;
            last = line.cells;
        }
    }
    found
}
