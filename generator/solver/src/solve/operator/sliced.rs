//! The sliced operator works on many rows at once, with one lane per row: 512 rows of a block as bits, or 64 rows of a
//! strip as codes.
//!
//! Inside the waiter's rows, the mover's sets are numbered in the same way for every set of the waiter. So one sequence
//! of operations on whole lanes serves all rows. If rows differ, because of links or restricted cells, a mask selects
//! the lanes in which a move exists.

use super::general::{General, RowMove, row_moves};
use super::layer_rules::LayerRules;
use super::supersets::{Shifts, Supersets};
use crate::solve::entry::Entry;
use crate::solve::planes::{BLOCK_ROWS, Bits};
use crate::solve::shape::Shape;
use crate::solve::transpose::transpose;
use morpion_lookup::raw::Form;
use morpion_lookup::raw::rank::{cells, compress, subsets};
use morpion_machine::isa::{Kernel, pack};
use morpion_machine::memory::prefetch;

const _: () = assert!(BLOCK_ROWS.is_multiple_of(LOADED_TILE));

/// Moves from children to parents in the movement layer.
#[derive(Clone, Debug)]
pub enum Moves {
    /// To any cell: one piece is lifted from the parent and put on another cell to make the child.
    Free(Supersets),
    /// Along links.
    Linked(Shifts),
    /// By any steps.
    General(General),
}

impl Moves {
    /// Maximum memory in bytes for a layer of this shape, for any kind of moves.
    pub fn memory(shape: &Shape) -> u64 {
        let mover = u32::from(shape.counts.mover);
        let lifted = Supersets::memory(shape.cells_left, mover.saturating_sub(1));
        lifted.max(Shifts::memory(shape.cells_left, mover))
    }

    /// The moves of the layer.
    pub fn new(rules: &LayerRules) -> Moves {
        let (count, size) = (rules.cells_left(), u32::from(rules.counts.mover));
        match rules.form() {
            Form::Free => Moves::Free(Supersets::new(count, size - 1)),
            Form::Linked(_) => Moves::Linked(Shifts::new(count, size)),
            Form::Place(_) | Form::General => Moves::General(General::new(rules)),
        }
    }
}

/// The moves that the lanes of a block have.
#[derive(Clone, Debug, Default)]
pub struct LaneMoves {
    /// The lanes in which two cells are linked, from [`link_lanes`]. Empty if the moves do not depend on links.
    pub links: Vec<Bits>,
    /// The lanes in which passing is allowed, for each set of the mover. Empty if passes are moves like others.
    pub passes: Vec<Bits>,
    /// The moves of [`Moves::General`]; otherwise empty.
    pub general: Vec<RowMove>,
}

impl LaneMoves {
    /// The moves of the rows with these waiters, as `moves` needs them.
    pub fn new(rules: &LayerRules, moves: &Moves, waiters: &[u64]) -> LaneMoves {
        if let Moves::General(operator) = moves {
            let general = row_moves(rules, waiters);
            let mut passes = Vec::new();
            if rules.blocked_pass() {
                let columns = operator.columns();
                passes.resize(columns, Bits::NONE);
                operator.exists(&general, &vec![Bits::ALL; columns], &mut passes);
                passes.iter_mut().for_each(|lanes| *lanes = !*lanes);
            }
            return LaneMoves { general, passes, links: Vec::new() };
        }
        let needs_links = matches!(moves, Moves::Linked(_)) || rules.blocked_pass();
        let links = if needs_links { link_lanes(rules, waiters) } else { Vec::new() };
        let passes = pass_lanes(rules, &links);
        LaneMoves { links, passes, general: Vec::new() }
    }
}

/// The lanes in which two cells are linked, for each pair of cells that the waiter leaves. The index is `from · cells +
/// to`.
pub fn link_lanes(rules: &LayerRules, waiters: &[u64]) -> Vec<Bits> {
    let count = rules.cells_left() as usize;
    let mut lanes = vec![Bits::NONE; count * count];
    for (lane, &waiter) in waiters.iter().enumerate() {
        for (from, targets) in rules.links(waiter).into_iter().enumerate() {
            cells(targets).for_each(|to| lanes[from * count + usize::from(to)].set(lane));
        }
    }
    lanes
}

/// The lanes in which passing is allowed, for each set of the mover; empty if it never is. `links` comes from
/// [`link_lanes`].
fn pass_lanes(rules: &LayerRules, links: &[Bits]) -> Vec<Bits> {
    let count = rules.cells_left() as usize;
    let lanes = |mover: u64| {
        // A lifted piece may go back.
        if rules.stay() {
            return Bits::ALL;
        }
        let mut linked = Bits::NONE;
        for from in cells(mover) {
            for to in cells(!mover & ((1 << count) - 1)) {
                linked = linked | links[usize::from(from) * count + usize::from(to)];
            }
        }
        !linked
    };
    if !rules.stay() && !rules.blocked_pass() {
        return Vec::new();
    }
    subsets(count as u32, u32::from(rules.counts.mover)).map(lanes).collect()
}

/// The lanes in which a piece may be placed now on a cell, for each cell that the waiter leaves; `None` if every cell is
/// allowed in all lanes.
pub fn allowed_lanes(rules: &LayerRules, waiters: &[u64]) -> Option<Vec<Bits>> {
    let board = rules.game.board();
    let Form::Place(placed) = rules.form() else { return None };
    if *placed == board {
        return None;
    }
    let mut lanes = vec![Bits::NONE; rules.cells_left() as usize];
    for (lane, &waiter) in waiters.iter().enumerate() {
        let allowed = compress(*placed, board & !waiter);
        cells(allowed).for_each(|cell| lanes[usize::from(cell)].set(lane));
    }
    Some(lanes)
}

/// Adds to `parents` every position that has a child in `children`. Both are planes of one block of the movement layer.
pub struct Exists<'a> {
    pub moves: &'a Moves,
    pub lanes: &'a LaneMoves,
    pub children: &'a [Bits],
    pub parents: &'a mut [Bits],
}

impl Kernel for Exists<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Exists { moves, lanes, children, parents } = self;
        let LaneMoves { links, passes, general } = lanes;
        match moves {
            Moves::Free(lifted) => {
                // For each set with a piece lifted: whether `children` contains one of the sets that a drop makes of it,
                // and whether it contains two. A parent needs a child other than itself.
                for (supersets, _) in lifted.each() {
                    let (mut one, mut two) = (Bits::NONE, Bits::NONE);
                    for &child in supersets {
                        let child = children[child as usize];
                        two = two | one & child;
                        one = one | child;
                    }
                    for &parent in supersets {
                        let own = children[parent as usize];
                        parents[parent as usize] = parents[parent as usize] | one & !own | two;
                    }
                }
            }
            Moves::Linked(shifts) => {
                let degree = shifts.degree.max(1);
                let each = shifts.ranks.chunks_exact(degree).zip(shifts.pairs.chunks_exact(degree));
                for ((ranks, pairs), parent) in each.zip(parents.iter_mut()) {
                    let mut any = *parent;
                    for (&child, &pair) in ranks.iter().zip(pairs) {
                        any = any | children[child as usize] & links[usize::from(pair)];
                    }
                    *parent = any;
                }
            }
            Moves::General(operator) => operator.exists(general, children, parents),
        }
        for ((parent, &child), &passes) in parents.iter_mut().zip(children).zip(passes) {
            *parent = *parent | child & passes;
        }
    }
}

/// Fills `parents` with the lanes of each column that have a child by placement in `children`.
pub struct ExistsPlaced<'a> {
    pub supersets: &'a Supersets,
    /// From [`allowed_lanes`].
    pub allowed: Option<&'a [Bits]>,
    pub children: &'a [Bits],
    pub parents: &'a mut [Bits],
}

impl Kernel for ExistsPlaced<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let ExistsPlaced { supersets, allowed, children, parents } = self;
        for ((ranks, added), parent) in supersets.each().zip(parents) {
            let mut any = Bits::NONE;
            match allowed {
                None => ranks.iter().for_each(|&child| any = any | children[child as usize]),
                Some(allowed) => {
                    for (&child, &cell) in ranks.iter().zip(added) {
                        any = any | children[child as usize] & allowed[usize::from(cell)];
                    }
                }
            }
            *parent = any;
        }
    }
}

/// Maximum rows and columns of a tile that `load` loads.
pub const LOADED_TILE: usize = 64;

/// Loads a tile of two planes from at most [`LOADED_TILE`] rows of a table, from column `start` on, into the lanes of
/// word `word`. The first plane gets the lost entries, which are above the draws that end. The second gets the unwon
/// ones, which are 0 or at least `won`. Lanes beyond the last row stay empty, and a plane without columns is not
/// changed.
///
/// Prefetches the tile from column `next` on, which is loaded next. Its rows are too far apart for the processor to
/// prefetch them.
pub fn load<E: Entry>(
    rows: &[E],
    columns: usize,
    [start, next]: [usize; 2],
    won: E,
    word: usize,
    [lost, unwon]: [&mut [Bits]; 2],
) {
    let (draw, one) = (E::draw_end(), E::new(1));
    let width = (columns - start).min(LOADED_TILE);
    let (mut lost_words, mut unwon_words) = ([0u64; LOADED_TILE], [0u64; LOADED_TILE]);
    for (index, row) in rows.chunks_exact(columns).enumerate() {
        prefetch(row, next);
        prefetch(row, next + LOADED_TILE - 1);
        // A whole array, even at the right edge, so that the compiler knows its length.
        let codes = row[start..].first_chunk().copied().unwrap_or_else(|| {
            let mut codes = [E::default(); LOADED_TILE];
            codes[..width].copy_from_slice(&row[start..]);
            codes
        });
        let mut flags = [0; LOADED_TILE];
        if !lost.is_empty() {
            for (flag, &code) in flags.iter_mut().zip(&codes) {
                *flag = u8::from(code > draw);
            }
            lost_words[index] = pack(&flags);
        }
        if !unwon.is_empty() {
            for (flag, &code) in flags.iter_mut().zip(&codes) {
                *flag = u8::from(code < one) | u8::from(code >= won);
            }
            unwon_words[index] = pack(&flags);
        }
    }
    for (plane, words) in [(lost, &mut lost_words), (unwon, &mut unwon_words)] {
        if !plane.is_empty() {
            transpose(words);
            let columns = plane[start..start + width].iter_mut().zip(words);
            columns.for_each(|(bits, &mut lanes)| bits.0[word] = lanes);
        }
    }
}
