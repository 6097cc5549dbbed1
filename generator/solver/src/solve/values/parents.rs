//! Computes the values in the waiter's rows from the values of their children, one block at a time, by columns and
//! lanes.

use super::codes::{DRAW, LOSS, NONE, WIN};
use crate::sets::FoldedSets;
use crate::solve::Shape;
use crate::solve::operator::supersets::Supersets;
use crate::solve::operator::{LayerRules, sliced};
use crate::solve::planes::{BLOCK_ROWS, Bits};
use crate::solve::transpose::transpose;
use morpion_lookup::{Counts, Over, Value};
use morpion_machine::isa::{Isa, Kernel, compress, dispatch};
use std::ops::Range;

/// The layer to solve, and its children.
pub struct Parents<'a> {
    sets: &'a FoldedSets,
    rules: LayerRules<'a>,
    shape: Shape,
    children: &'a [u8],
    supersets: Supersets,
    isa: Isa,
}

impl<'a> Parents<'a> {
    pub fn new(sets: &'a FoldedSets, counts: Counts, children: &'a [u8]) -> Parents<'a> {
        let rules = LayerRules { game: sets.game(), counts };
        let supersets = Supersets::new(rules.cells_left(), u32::from(counts.mover));
        debug_assert_eq!(sets.game().final_score(Over::Full).value(), Value::Draw);
        let shape = Shape::of(sets, counts);
        Parents { sets, rules, shape, children, supersets, isa: Isa::detect() }
    }

    /// For each column, the won and the drawn lanes of the block; other lanes are lost.
    pub fn block(&self, block: usize) -> Vec<[Bits; 2]> {
        let Parents { sets, rules, shape, children, supersets, isa } = self;
        let rows = shape.source_rows_of(block);
        let waiters = &sets.orbits(rules.counts.waiter).representatives[rows.clone()];
        let mut planes = Planes::load(*isa, children, rows.clone(), shape.child_columns);
        let columns = shape.source_columns;
        let allowed = rules.is_restricted().then(|| sliced::allowed_lanes(rules, waiters));
        if allowed.is_some() {
            planes.any.resize(shape.child_columns, Bits::ALL);
        }
        let allowed = allowed.as_deref();
        let parents = dispatch(*isa, Placements { supersets, allowed, planes: &planes, columns });
        let mut lines = Bits::NONE;
        for (lane, _) in
            sets.has_line(rules.counts.waiter)[rows].iter().enumerate().filter(|row| *row.1)
        {
            lines.set(lane);
        }
        let line = sets.game().final_score(Over::Line).value();
        let value = |column: usize| {
            let won = parents.lost[column];
            // If the mover cannot place a piece, the board is full, which is a draw.
            let full = parents.any.get(column).map_or(Bits::NONE, |any| !*any);
            let full = if supersets.degree == 0 { Bits::ALL } else { full };
            let drawn = (parents.drawn[column] | full) & !won & !lines;
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
            let rows = (self.shape.source_rows - block * BLOCK_ROWS).min(BLOCK_ROWS);
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

/// Planes of one block: the children, or the parents with such a child.
struct Planes {
    lost: Vec<Bits>,
    drawn: Vec<Bits>,
    /// The positions with a child; empty if all or none have one.
    any: Vec<Bits>,
}

impl Planes {
    /// Loads the lanes of `rows`; other lanes stay empty.
    fn load(isa: Isa, packed: &[u8], rows: Range<usize>, columns: usize) -> Planes {
        let mut planes = Planes {
            lost: vec![Bits::NONE; columns],
            drawn: vec![Bits::NONE; columns],
            any: Vec::new(),
        };
        dispatch(
            isa,
            Load { packed, first: rows.start, rows: rows.len(), columns, planes: &mut planes },
        );
        planes
    }
}

struct Load<'a> {
    packed: &'a [u8],
    first: usize,
    rows: usize,
    columns: usize,
    planes: &'a mut Planes,
}

impl Kernel for Load<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Load { packed, first, rows, columns, planes } = self;
        for word in 0..rows.div_ceil(64) {
            for start in (0..columns).step_by(64) {
                let width = (columns - start).min(64);
                let (mut lost, mut drawn) = ([0u64; 64], [0u64; 64]);
                for lane in 0..(rows - word * 64).min(64) {
                    let key = (first + word * 64 + lane) * columns + start;
                    let (low, high) =
                        (halves::<BITS>(packed, key), halves::<BITS>(packed, key + 32));
                    lost[lane] = !low[0] & low[1] & 0xFFFF_FFFF | (!high[0] & high[1]) << 32;
                    drawn[lane] = !low[0] & !low[1] & 0xFFFF_FFFF | (!high[0] & !high[1]) << 32;
                }
                transpose(&mut lost);
                transpose(&mut drawn);
                for column in 0..width {
                    planes.lost[start + column].0[word] = lost[column];
                    planes.drawn[start + column].0[word] = drawn[column];
                }
            }
        }
    }
}

/// The low and the high bits of the 32 entries from `key` on, with zeros beyond the end.
#[inline(always)]
fn halves<const BITS: bool>(packed: &[u8], key: usize) -> [u64; 2] {
    const LOW: u64 = 0x5555_5555_5555_5555;
    let byte = key / 4;
    let word = match packed.get(byte..byte + 16) {
        Some(bytes) => u128::from_le_bytes(bytes.try_into().unwrap_or_default()),
        None => {
            let mut bytes = [0; 16];
            let rest = packed.get(byte..).unwrap_or_default();
            bytes[..rest.len().min(16)].copy_from_slice(&rest[..rest.len().min(16)]);
            u128::from_le_bytes(bytes)
        }
    };
    let word = (word >> (key % 4 * 2)) as u64;
    [compress::<BITS>(word, LOW), compress::<BITS>(word, LOW << 1)]
}

struct Placements<'a> {
    supersets: &'a Supersets,
    allowed: Option<&'a [Bits]>,
    planes: &'a Planes,
    columns: usize,
}

impl Kernel for Placements<'_> {
    type Output = Planes;

    #[inline(always)]
    fn run<const BITS: bool>(self) -> Planes {
        let Placements { supersets, allowed, planes, columns } = self;
        let place = |children: &[Bits]| {
            let mut parents = vec![Bits::NONE; if children.is_empty() { 0 } else { columns }];
            sliced::exists_placed(supersets, allowed, children, &mut parents);
            parents
        };
        Planes { lost: place(&planes.lost), drawn: place(&planes.drawn), any: place(&planes.any) }
    }
}
