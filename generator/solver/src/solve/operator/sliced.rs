//! The sliced operator works on many rows at once, with one lane per row: 512 rows of a block as bits, or 64 rows of a
//! strip as codes.
//!
//! Inside the waiter's rows, the mover's sets are numbered in the same way for every set of the waiter. So one sequence
//! of operations on whole lanes serves all rows. If rows differ, because of links, lines or restricted cells, a mask selects
//! the lanes in which a move exists.
//!
//! A move lifts one piece and drops it. So a move leads from a parent to a column with one piece less, and from there to a child. If pieces
//! age, the lifted piece is the oldest piece of the parent, and the dropped piece the newest piece of the child.

use super::columns::{Added, Columns, Supersets};
use super::layer_rules::LayerRules;
use super::lines::{Line, line_lanes};
use super::moves::{Targets, target_lanes};
use crate::solve::code::Code;
use crate::solve::planes::{BLOCK_ROWS, Bits, transpose};
use morpion_core::{
    MAX_CELLS, Oldest, Travel,
    rank::{cells, compress},
};
use morpion_machine::isa::{Kernel, pack};
use morpion_machine::memory::prefetch;

const _: () = assert!(BLOCK_ROWS.is_multiple_of(LOADED_TILE));

/// The moves of a layer that keep the number of pieces.
#[derive(Clone, Debug)]
pub struct ColumnMoves {
    /// True if a lifted piece only goes to the empty cells among its [`Targets`]. Otherwise it goes to any empty cell but its own.
    has_targets: bool,
    /// The time at which the oldest piece is lifted. If it is lifted first, the new piece may take its cell. If it is lifted after lines
    /// count, lines that contain the oldest piece count too.
    oldest: Option<Oldest>,
    /// The columns with a piece lifted, and the children of each of these columns, by the dropped piece.
    pub children: Supersets,
    /// The parents of each lifted column, by the lifted piece. Empty if the parents are the same columns as the children.
    parents: Vec<u32>,
    /// The columns with a piece lifted.
    pub lifted: Columns,
    /// The columns of parents and children.
    pub columns: Columns,
}

impl ColumnMoves {
    /// The moves of the layer.
    pub fn new(rules: &LayerRules) -> ColumnMoves {
        let (count, size) = (rules.cells_left(), u32::from(rules.counts.mover));
        let lifted = size.saturating_sub(1);
        let oldest = rules.moves.oldest;
        let added = if oldest.is_some() { Added::Newest } else { Added::Ageless };
        ColumnMoves {
            has_targets: oldest.is_none() && rules.moves.travel != Travel::Anywhere,
            oldest,
            children: Supersets::new(count, lifted, added),
            parents: match oldest {
                Some(_) => Supersets::new(count, lifted, Added::Oldest).columns,
                None => Vec::new(),
            },
            lifted: Columns::new(count, lifted, oldest.is_some()),
            columns: Columns::new(count, size, oldest.is_some()),
        }
    }

    /// The parents of a column with a piece lifted, in the order of the lifted pieces.
    #[inline(always)]
    pub fn parents(&self, lifted: usize) -> &[u32] {
        let all = if self.parents.is_empty() { &self.children.columns } else { &self.parents };
        &all[lifted * self.children.degree..][..self.children.degree]
    }
}

/// The moves that the lanes of a block have.
#[derive(Clone, Debug, Default)]
pub struct LaneMoves {
    /// The moves of a piece, by its cell. Empty if moves need no targets.
    pub targets: Vec<Targets>,
    /// The lanes in which passing is allowed, for each column. Empty if passing is never allowed.
    pub passes: Vec<Bits>,
    /// The lines after which a move does not lead to a child in these rows, each with its lanes.
    pub lines: Vec<(Line, Bits)>,
}

impl LaneMoves {
    /// The moves of the rows with these waiters, as `moves` needs them.
    pub fn new(rules: &LayerRules, moves: &ColumnMoves, waiters: &[u64]) -> LaneMoves {
        let needs_targets = moves.has_targets || rules.blocked_pass();
        let targets = if needs_targets { target_lanes(rules, waiters) } else { Vec::new() };
        let passes = pass_lanes(rules, moves, waiters, &targets);
        LaneMoves { targets, passes, lines: line_lanes(rules, waiters) }
    }
}

/// The lanes in which passing is allowed, for each column; empty if passing is never allowed.
fn pass_lanes(
    rules: &LayerRules,
    moves: &ColumnMoves,
    waiters: &[u64],
    targets: &[Targets],
) -> Vec<Bits> {
    // A lifted piece may return to its cell, which is a pass.
    if rules.moves.may_pass {
        return vec![Bits::ALL; moves.columns.words.len()];
    }
    if !rules.blocked_pass() {
        return Vec::new();
    }
    let places = allowed_lanes(rules, waiters);
    let (count, has_oldest) = (rules.cells_left(), rules.moves.oldest.is_some());
    let lanes = |&mover: &u64| {
        let left = !mover & ((1 << count) - 1);
        // The oldest piece can move if a cell is free for the new piece.
        let mut can = if has_oldest && left != 0 { Bits::ALL } else { Bits::NONE };
        if rules.placed() != 0 {
            let all =
                |cell: u8| places.as_ref().map_or(Bits::ALL, |places| places[usize::from(cell)]);
            cells(left).for_each(|cell| can = can | all(cell));
        }
        for from in cells(mover & ((1 << count) - 1)) {
            targets[usize::from(from)].each(mover, |to, lanes| {
                if left >> to & 1 == 1 {
                    can = can | lanes;
                }
            });
        }
        !can
    };
    moves.columns.words.iter().map(lanes).collect()
}

/// The lanes in which a piece may be placed on a cell, for each cell that the waiter leaves; `None` if every cell is allowed in all lanes.
pub fn allowed_lanes(rules: &LayerRules, waiters: &[u64]) -> Option<Vec<Bits>> {
    let (board, placed) = (rules.game.board(), rules.placed());
    if placed == board {
        return None;
    }
    let mut lanes = vec![Bits::NONE; rules.cells_left() as usize];
    for (lane, &waiter) in waiters.iter().enumerate() {
        let allowed = compress(placed, board & !waiter);
        cells(allowed).for_each(|cell| lanes[usize::from(cell)].set(lane));
    }
    Some(lanes)
}

/// Adds to `parents` every position that has a child in `children`. Both are planes of one block.
pub struct Exists<'a> {
    pub moves: &'a ColumnMoves,
    pub lanes: &'a LaneMoves,
    pub children: &'a [Bits],
    pub parents: &'a mut [Bits],
}

impl Kernel for Exists<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Exists { moves, lanes, children, parents } = self;
        // By cell: the lanes in which a drop there leads to one of `children`.
        let mut dropped = [Bits::NONE; MAX_CELLS as usize];
        for (lifted, (supersets, added)) in moves.children.each().enumerate() {
            let mut any = Bits::NONE;
            for (&child, &cell) in supersets.iter().zip(added) {
                dropped[usize::from(cell)] = children[child as usize];
                any = any | children[child as usize];
            }
            if any == Bits::NONE {
                continue;
            }
            let word = moves.lifted.words[lifted];
            let each_parent = moves.parents(lifted).iter().zip(added);
            if moves.oldest == Some(Oldest::AfterLines) {
                for (&parent, &from) in each_parent {
                    let mut left = dropped;
                    exclude_lines(&lanes.lines, word | 1 << from, &mut left);
                    let mut found = parents[parent as usize];
                    for &to in added.iter().filter(|&&to| to != from) {
                        found = found | left[usize::from(to)];
                    }
                    parents[parent as usize] = found;
                }
                continue;
            }
            exclude_lines(&lanes.lines, word, &mut dropped);
            if moves.has_targets {
                cells(word).for_each(|cell| dropped[usize::from(cell)] = Bits::NONE);
                for (&parent, &from) in each_parent {
                    let mut found = parents[parent as usize];
                    lanes.targets[usize::from(from)].each(word | 1 << from, |to, lanes| {
                        found = found | dropped[usize::from(to)] & lanes;
                    });
                    parents[parent as usize] = found;
                }
            } else {
                // The lanes in which at least one drop leads to a child, and in which at least two do. A parent needs a drop on a cell
                // other than the cell of its lifted piece.
                let (mut one, mut two) = (Bits::NONE, Bits::NONE);
                for &cell in added {
                    let child = dropped[usize::from(cell)];
                    two = two | one & child;
                    one = one | child;
                }
                for (&parent, &from) in each_parent {
                    let own = dropped[usize::from(from)];
                    let may_return = moves.oldest == Some(Oldest::First);
                    let found = if may_return { one } else { one & !own | two };
                    parents[parent as usize] = parents[parent as usize] | found;
                }
            }
        }
        for ((parent, &child), &passes) in parents.iter_mut().zip(children).zip(&lanes.passes) {
            *parent = *parent | child & passes;
        }
    }
}

/// Takes away the lanes in which a drop completes a line with the pieces of `word`.
#[inline(always)]
fn exclude_lines(lines: &[(Line, Bits)], word: u64, dropped: &mut [Bits; MAX_CELLS as usize]) {
    for (line, lanes) in lines {
        let missing = line.cells & !word;
        if missing & missing.wrapping_sub(1) == 0 && missing != 0 && line.with & word == 0 {
            let slot = &mut dropped[missing.trailing_zeros() as usize % MAX_CELLS as usize];
            *slot = *slot & !*lanes;
        }
    }
}

/// Maximum rows and columns of a tile that [`Load`] loads.
pub const LOADED_TILE: usize = 64;

/// Loads tiles of planes from at most [`LOADED_TILE`] rows of codes into the lanes of word `word`. Lanes beyond the last row stay empty.
pub struct Load<'l, E, F, const PLANES: usize> {
    pub codes: &'l [E],
    pub columns: usize,
    /// The numbers of the tiles.
    pub tiles: &'l [usize],
    /// The planes of a code, a bit for each.
    pub classes: F,
    pub word: usize,
    pub planes: [&'l mut [Bits]; PLANES],
}

impl<E: Code, F: Fn(E) -> u8, const PLANES: usize> Kernel for Load<'_, E, F, PLANES> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Load { codes, columns, tiles, classes, word, mut planes } = self;
        for (index, tile) in tiles.iter().enumerate() {
            // The rows of a tile are too far apart for the processor to prefetch the next tile by itself.
            let next = tiles.get(index + 1).unwrap_or(tile);
            let [start, next] = [tile, next].map(|tile| tile * LOADED_TILE);
            let width = (columns - start).min(LOADED_TILE);
            let mut words = [[0u64; LOADED_TILE]; PLANES];
            for (index, row) in codes.chunks_exact(columns).enumerate() {
                prefetch(row, next);
                prefetch(row, next + LOADED_TILE - 1);
                // A whole array, even at the right edge, so that the compiler knows its length.
                let codes = row[start..].first_chunk().copied().unwrap_or_else(|| {
                    let mut codes = [E::default(); LOADED_TILE];
                    codes[..width].copy_from_slice(&row[start..]);
                    codes
                });
                let mut classified = [0; LOADED_TILE];
                let each = classified.iter_mut().zip(&codes);
                each.for_each(|(planes, &code)| *planes = classes(code));
                for (plane, words) in words.iter_mut().enumerate() {
                    words[index] = pack(&classified.map(|planes| planes >> plane & 1));
                }
            }
            for (plane, words) in planes.iter_mut().zip(&mut words) {
                transpose(words);
                let columns = plane[start..start + width].iter_mut().zip(words);
                columns.for_each(|(bits, &mut lanes)| bits.0[word] = lanes);
            }
        }
    }
}
