//! Cram: a domino on two free neighbouring cells of a board; whoever cannot place one has lost.
//!
//! Two ways. [`dense`] works out every set of occupied cells, from full to empty, 64 sets at a time. [`Regions`] takes a position apart into
//! connected regions of free cells and knows regions by shape, up to the square's symmetries: it reaches empty boards beyond any dense table.
//! It never works out a value by its mex: `R + *v` is lost for the side to move exactly when `v` is the value of `R`, and a win shows itself
//! at the first winning move (Lemoine and Viennot, *Nimbers are inevitable*, 2012).

use morpion_grundy::{Cram, GrundyTable};
use std::collections::HashMap;

/// The most cells of a board that [`dense`] takes: 2^30 bytes.
pub const MAX_DENSE: u32 = 30;

/// The most cells of any board here.
pub const MAX_CELLS: u32 = 64;

/// A board of `rows` × `columns` cells, cell 0 the top left one, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Rows.
    pub rows: u32,
    /// Columns.
    pub columns: u32,
}

impl Board {
    /// Number of cells.
    #[must_use]
    pub fn cells(self) -> u32 {
        self.rows * self.columns
    }

    /// All cells.
    #[must_use]
    pub fn all(self) -> u64 {
        u64::MAX >> (64 - self.cells())
    }

    /// All places of a domino: two neighbouring cells each, by the lower cell, the one to the right first.
    #[must_use]
    pub fn dominoes(self) -> Vec<u64> {
        let mut all = Vec::new();
        for cell in 0..self.cells() {
            if cell % self.columns + 1 < self.columns {
                all.push(3 << cell);
            }
            if cell + self.columns < self.cells() {
                all.push(1 << cell | 1 << (cell + self.columns));
            }
        }
        all
    }
}

/// [`dense_while`] to the end.
///
/// # Panics
/// A larger board.
pub fn dense(board: Board, mut progress: impl FnMut(usize)) -> Vec<u8> {
    let values = dense_while(board, |done| {
        progress(done);
        true
    });
    values.unwrap_or_else(|| unreachable!("nobody said stop"))
}

/// The values of all sets of occupied cells of a board of at most [`MAX_DENSE`] cells, indexed by the set: a byte each, about 40
/// nanoseconds each. `progress` hears how many are done, every million or so, and says whether to go on; `None` where it says no.
///
/// # Panics
/// A larger board.
pub fn dense_while(board: Board, mut progress: impl FnMut(usize) -> bool) -> Option<Vec<u8>> {
    assert!(board.cells() <= MAX_DENSE, "a board of {} cells", board.cells());
    let sets = 1_usize << board.cells();
    let mut values = vec![0_u8; sets.max(64)];
    let dominoes: Vec<usize> = board.dominoes().into_iter().map(|d| d as usize).collect();
    // Dominoes above the lowest six cells move a whole block of 64 sets to another one; the others stay within or cross.
    let (low, high): (Vec<usize>, Vec<usize>) = dominoes.into_iter().partition(|d| d & 63 != 0);
    for block in (0..sets.div_ceil(64)).rev() {
        let base = block * 64;
        let mut seen = [0_u32; 64];
        for domino in high.iter().filter(|d| *d & base == 0) {
            let child: &[u8; 64] = values[base | domino..].first_chunk().expect("a whole block");
            for (seen, value) in seen.iter_mut().zip(child) {
                *seen |= 1 << (value & 31);
            }
        }
        for i in (0..sets.min(64)).rev() {
            let set = base | i;
            let mut seen = seen[i];
            for domino in low.iter().filter(|d| *d & set == 0) {
                seen |= 1 << (values[set | domino] & 31);
            }
            // A board of 30 cells has at most 15 moves in a row, so every value is at most 15.
            values[set] = seen.trailing_ones() as u8;
        }
        if block % (1 << 14) == 0 && !progress(sets - base) {
            return None;
        }
    }
    values.truncate(sets);
    Some(values)
}

/// Whether a table's values are the mex of the followers', everywhere: one set at a time, straight from the rules. The number of sets.
///
/// # Errors
/// The first set that is wrong.
pub fn verify(
    table: &GrundyTable,
    header: Cram,
    mut progress: impl FnMut(usize),
) -> Result<u64, String> {
    let board = Board { rows: header.rows.into(), columns: header.columns.into() };
    let dominoes = board.dominoes();
    let values = table.values();
    for (set, found) in values.iter().enumerate() {
        let mut seen = 0_u64;
        for domino in dominoes.iter().filter(|d| **d & set as u64 == 0) {
            seen |= 1_u64.checked_shl(values[set | *domino as usize].into()).unwrap_or(0);
        }
        let expected = seen.trailing_ones();
        if u32::from(*found) != expected {
            return Err(format!(
                "the value of set {set:#x} is {found} in the table, expected {expected}"
            ));
        }
        if set % (1 << 20) == 0 {
            progress(set);
        }
    }
    let greatest = values.iter().max().copied().unwrap_or(0);
    if greatest != header.greatest {
        return Err(format!(
            "greatest value {} in the header, expected {greatest}",
            header.greatest
        ));
    }
    Ok(values.len() as u64)
}

/// A connected region of free cells, in a normal place: the bits row by row over the width of its bounding rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Shape {
    cells: u64,
    width: u8,
}

/// What is known of a shape's value: whether it is each of 0 to 31.
#[derive(Clone, Copy, Default)]
struct Known {
    no: u32,
    yes: Option<u8>,
}

/// Values of positions by regions, each shape remembered up to rotation and reflection.
#[derive(Default)]
pub struct Regions {
    known: HashMap<Shape, Known, std::hash::BuildHasherDefault<ShapeHasher>>,
}

/// A quick hash of a shape's two numbers.
#[derive(Default)]
pub struct ShapeHasher(u64);

impl std::hash::Hasher for ShapeHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }
    fn write_u8(&mut self, byte: u8) {
        self.write_u64(byte.into());
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Regions {
    /// Nothing known yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many shapes are known.
    #[must_use]
    pub fn shapes(&self) -> usize {
        self.known.len()
    }

    /// The value of the board with these cells occupied.
    pub fn value(&mut self, board: Board, occupied: u64) -> u8 {
        let free = board.all() & !occupied;
        parts(free, board.columns).into_iter().fold(0, |sum, shape| sum ^ self.shape(shape))
    }

    fn shape(&mut self, shape: Shape) -> u8 {
        (0..32).find(|v| self.is(shape, *v)).unwrap_or_else(|| unreachable!("a value of 32"))
    }

    /// Whether `shape` has the value `value`: whether `shape + *value` is lost for the side to move.
    fn is(&mut self, shape: Shape, value: u8) -> bool {
        let known = self.known.get(&shape).copied().unwrap_or_default();
        if let Some(yes) = known.yes {
            return yes == value;
        }
        if known.no >> value & 1 != 0 {
            return false;
        }
        let no = |regions: &mut Self| {
            regions.known.entry(shape).or_default().no |= 1 << value;
            false
        };
        // No more moves in a row than half the cells.
        if u32::from(value) > shape.cells.count_ones() / 2 {
            return no(self);
        }
        let mut moves: Vec<Vec<Shape>> =
            shape.moves().map(|left| parts(left, shape.width.into())).collect();
        // First those that fall into many small parts: they are known soonest.
        moves.sort_by_key(|parts| parts.iter().map(|s| s.cells.count_ones()).max().unwrap_or(0));
        moves.dedup();
        for parts in &moves {
            if self.sum_is(parts, value) {
                return no(self);
            }
        }
        for smaller in 0..value {
            if self.is(shape, smaller) {
                return no(self);
            }
        }
        self.known.entry(shape).or_default().yes = Some(value);
        true
    }

    /// Whether the parts together have the value `value`. Only the largest is asked for one value; the others' are needed in full.
    fn sum_is(&mut self, parts: &[Shape], value: u8) -> bool {
        let Some((last, others)) = parts.split_last() else { return value == 0 };
        let sum = others.iter().fold(value, |sum, shape| sum ^ self.shape(*shape));
        sum < 32 && self.is(*last, sum)
    }
}

impl Shape {
    /// What every domino leaves free.
    fn moves(self) -> impl Iterator<Item = u64> {
        let width = u32::from(self.width);
        let columns_but_last = not_in_column(width - 1, width);
        let right = self.cells & (self.cells >> 1) & columns_but_last;
        let down = if width < 64 { self.cells & (self.cells >> width) } else { 0 };
        let cells = self.cells;
        bits(right)
            .map(move |c| cells & !(3 << c))
            .chain(bits(down).map(move |c| cells & !(1 << c | 1 << (c + width))))
    }
}

/// The places of the bits set.
fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros();
            set &= set - 1;
            bit
        })
    })
}

/// All cells of rows of `width` that are not in this column.
fn not_in_column(column: u32, width: u32) -> u64 {
    let mut all = u64::MAX;
    let mut cell = column;
    while cell < 64 {
        all &= !(1 << cell);
        cell += width;
    }
    all
}

/// The connected regions of `free`, in rows of `width`, as shapes in normal form; those equal in pairs cancel, single cells are left out. Small
/// ones first.
fn parts(mut free: u64, width: u32) -> Vec<Shape> {
    let (not_first, not_last) = (not_in_column(0, width), not_in_column(width - 1, width));
    let mut shapes: Vec<Shape> = Vec::new();
    while free != 0 {
        let mut region = free & free.wrapping_neg();
        loop {
            let vertical = if width < 64 { region << width | region >> width } else { 0 };
            let grown =
                region | ((region & not_last) << 1 | (region & not_first) >> 1 | vertical) & free;
            if grown == region {
                break;
            }
            region = grown;
        }
        free &= !region;
        if region & (region - 1) != 0 {
            let shape = normal(region, width);
            match shapes.iter().position(|s| *s == shape) {
                Some(at) => drop(shapes.swap_remove(at)),
                None => shapes.push(shape),
            }
        }
    }
    shapes.sort_unstable_by_key(|s| (s.cells.count_ones(), s.cells, s.width));
    shapes
}

/// The least of the eight images of a region, moved into the corner.
fn normal(region: u64, width: u32) -> Shape {
    let cells: Vec<(u32, u32)> = bits(region).map(|c| (c / width, c % width)).collect();
    let top = cells.iter().map(|c| c.0).min().unwrap_or(0);
    let left = cells.iter().map(|c| c.1).min().unwrap_or(0);
    let height = cells.iter().map(|c| c.0).max().unwrap_or(0) - top + 1;
    let across = cells.iter().map(|c| c.1).max().unwrap_or(0) - left + 1;
    let mut images = [0_u64; 8];
    for (row, column) in &cells {
        let (r, c) = (row - top, column - left);
        let (u, d) = (height - 1 - r, across - 1 - c);
        for (image, (r, c)) in images[..4].iter_mut().zip([(r, c), (u, c), (r, d), (u, d)]) {
            *image |= 1 << (r * across + c);
        }
        for (image, (r, c)) in images[4..].iter_mut().zip([(c, r), (d, r), (c, u), (d, u)]) {
            *image |= 1 << (r * height + c);
        }
    }
    let image = |(i, cells): (usize, &u64)| Shape {
        cells: *cells,
        width: if i < 4 { across } else { height } as u8,
    };
    // The narrower way round first: a tie between the two is decided by the cells.
    images
        .iter()
        .enumerate()
        .map(image)
        .min_by_key(|s| (s.width, s.cells))
        .unwrap_or(Shape { cells: 0, width: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_regions_agree_on_every_set() {
        for (rows, columns) in [(1, 1), (1, 5), (2, 2), (2, 3), (3, 3), (3, 4), (2, 7), (1, 12)] {
            let board = Board { rows, columns };
            let values = dense(board, |_| ());
            let mut regions = Regions::new();
            for (set, value) in values.iter().enumerate() {
                assert_eq!(regions.value(board, set as u64), *value, "{rows}x{columns} {set:#x}");
            }
        }
    }

    #[test]
    fn dense_is_the_mex_of_the_followers() {
        let board = Board { rows: 4, columns: 4 };
        let values = dense(board, |_| ());
        let dominoes = board.dominoes();
        for set in 0..values.len() {
            let followers: Vec<u8> = dominoes
                .iter()
                .filter(|d| **d & set as u64 == 0)
                .map(|d| values[set | *d as usize])
                .collect();
            let mex = (0..).find(|v| !followers.contains(v)).unwrap();
            assert_eq!(values[set], mex);
        }
        assert_eq!(values[0], 0);
    }

    #[test]
    fn one_row_is_dawsons_kayles() {
        use super::super::{moves::Moves, plain};
        let heaps = plain::values(&Moves::new(&"0.07".parse().unwrap()).unwrap(), 40);
        let mut regions = Regions::new();
        for cells in 1..=40 {
            let value = regions.value(Board { rows: 1, columns: cells }, 0);
            assert_eq!(u32::from(value), heaps[cells as usize]);
        }
    }
}
