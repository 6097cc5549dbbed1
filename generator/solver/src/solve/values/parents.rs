//! Computes the values in the waiter's rows from the values of their children, one block at a time, by columns and
//! lanes.

use crate::sets::FoldedSets;
use crate::solve::operator::columns::Added;
use crate::solve::operator::columns::Supersets;
use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::operator::sliced::allowed_lanes;
use crate::solve::planes::{BLOCK_ROWS, Bits, transpose, word};
use crate::solve::shape::Shape;
use morpion_core::{Over, Value};
use morpion_machine::isa::{Kernel, dispatch};
use std::ops::Range;

/// Codes of entries of two bits.
pub const DRAW: u8 = 0;
pub const WIN: u8 = 1;
pub const LOSS: u8 = 2;
/// An invalid arrangement.
pub const NONE: u8 = 3;

/// The layer to solve, and its children.
pub struct Parents<'a> {
    sets: &'a FoldedSets,
    rules: LayerRules<'a>,
    shape: Shape,
    children: &'a [u8],
    supersets: Supersets,
}

impl<'a> Parents<'a> {
    pub fn new(sets: &'a FoldedSets, shape: Shape, children: &'a [u8]) -> Parents<'a> {
        let rules = LayerRules::new(&sets.layout.game, shape.layer);
        let (count, size) = (rules.cells_left(), rules.counts.mover.into());
        debug_assert_eq!(sets.layout.game.final_score(Over::Full).value(), Value::Draw);
        Parents {
            sets,
            rules,
            shape,
            children,
            supersets: Supersets::new(count, size, Added::Ageless),
        }
    }

    /// The waiter's rows of a block.
    pub fn rows(&self, block: usize) -> Range<usize> {
        block * BLOCK_ROWS..self.shape.source_rows.min((block + 1) * BLOCK_ROWS)
    }

    /// For each column, the won and the drawn lanes of the block; other lanes are lost.
    pub fn block(&self, block: usize) -> Vec<[Bits; 2]> {
        let Parents { sets, rules, shape, children, supersets } = self;
        let rows = self.rows(block);
        let (columns, child_columns) = (shape.source_columns, shape.child_columns);
        let waiters = &sets.orbits(rules.counts.waiter).representatives[rows.clone()];
        let allowed = allowed_lanes(rules, waiters);
        let allowed = allowed.as_deref();
        let exists = |children: &[Bits]| {
            let mut parents = vec![Bits::NONE; columns];
            dispatch(ExistsPlaced { supersets, allowed, children, parents: &mut parents });
            parents
        };
        let [lost, drawn] = load(children, rows.clone(), child_columns);
        let (with_lost, with_drawn) = (exists(&lost), exists(&drawn));
        // If the mover cannot place a piece, the board is full, which is a draw.
        let with_any = match allowed {
            None => vec![if supersets.degree == 0 { Bits::NONE } else { Bits::ALL }; columns],
            Some(_) => exists(&vec![Bits::ALL; child_columns]),
        };
        let mut lines = Bits::NONE;
        let has_line = sets.has_line(rules.counts.waiter)[rows].iter().enumerate();
        has_line.filter(|row| *row.1).for_each(|(lane, _)| lines.set(lane));
        let line = sets.layout.game.final_score(Over::Line).value();
        let value = |column: usize| {
            let won = with_lost[column];
            let drawn = (with_drawn[column] | !with_any[column]) & !won & !lines;
            [if line == Value::Win { won | lines } else { won & !lines }, drawn]
        };
        (0..columns).map(value).collect()
    }

    /// The most common code, estimated from some blocks. The table does not depend on the choice.
    pub fn common(&self) -> u8 {
        const BLOCKS: usize = 4;
        let blocks = self.shape.source_rows.div_ceil(BLOCK_ROWS);
        let mut counts = [0; 3];
        for block in (0..blocks).step_by(blocks.div_ceil(BLOCKS)) {
            let rows = self.rows(block).len();
            for [won, drawn] in self.block(block) {
                let (won, drawn) = (won.count(), drawn.count());
                counts[usize::from(WIN)] += won;
                counts[usize::from(DRAW)] += drawn;
                counts[usize::from(LOSS)] += (rows as u64).saturating_sub(won + drawn);
            }
        }
        (DRAW..NONE).max_by_key(|&code| counts[usize::from(code)]).unwrap_or(DRAW)
    }
}

/// Fills `parents` with the lanes of each column that have a child by placement in `children`.
struct ExistsPlaced<'a> {
    supersets: &'a Supersets,
    /// The result of [`allowed_lanes`].
    allowed: Option<&'a [Bits]>,
    children: &'a [Bits],
    parents: &'a mut [Bits],
}

impl Kernel for ExistsPlaced<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let ExistsPlaced { supersets, allowed, children, parents } = self;
        for ((columns, added), parent) in supersets.each().zip(parents) {
            let mut any = Bits::NONE;
            match allowed {
                None => columns.iter().for_each(|&child| any = any | children[child as usize]),
                Some(allowed) => {
                    for (&child, &cell) in columns.iter().zip(added) {
                        any = any | children[child as usize] & allowed[usize::from(cell)];
                    }
                }
            }
            *parent = any;
        }
    }
}

/// Loads the lost and the drawn positions in some rows; other lanes stay empty.
fn load(packed: &[u8], rows: Range<usize>, columns: usize) -> [Vec<Bits>; 2] {
    let mut planes = [vec![Bits::NONE; columns], vec![Bits::NONE; columns]];
    for strip in 0..rows.len().div_ceil(64) {
        for start in (0..columns).step_by(64) {
            let width = (columns - start).min(64);
            let (mut lost, mut drawn) = ([0u64; 64], [0u64; 64]);
            for lane in 0..(rows.len() - strip * 64).min(64) {
                let key = (rows.start + strip * 64 + lane) * columns + start;
                let words = [word(packed, key), word(packed, key + 32)];
                let bits = |of: u32| even_bits(words[0] >> of) | even_bits(words[1] >> of) << 32;
                (lost[lane], drawn[lane]) = (!bits(0) & bits(1), !bits(0) & !bits(1));
            }
            for (plane, mut words) in planes.iter_mut().zip([lost, drawn]) {
                transpose(&mut words);
                let columns = plane[start..start + width].iter_mut().zip(words);
                columns.for_each(|(bits, lanes)| bits.0[strip] = lanes);
            }
        }
    }
    planes
}

/// Moves bit 2 i of a word to bit i, for all i.
#[inline(always)]
fn even_bits(word: u64) -> u64 {
    let mut bits = word & 0x5555_5555_5555_5555;
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333;
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF;
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF;
    (bits | bits >> 16) & 0xFFFF_FFFF
}
