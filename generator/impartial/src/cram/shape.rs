//! Regions of free cells up to rotation and reflection.
//!
//! [`shapes`] splits free cells into connected regions in canonical form. Two equal regions cancel, because the xor of their
//! values is 0.

use morpion_core::rank::cells;

/// A connected region of free cells in canonical form. Its bits are ordered row by row over the width of its bounding
/// rectangle, and it is the least of its eight images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Shape {
    pub cells: u64,
    pub width: u8,
}

impl Shape {
    /// Lists the regions that each domino leaves. Options with small regions come first, since their values take the least work.
    pub fn options(self) -> Vec<Vec<Shape>> {
        let width = u32::from(self.width);
        let columns_but_last = not_in_column(width - 1, width);
        let right = self.cells & (self.cells >> 1) & columns_but_last;
        let down = if width < 64 { self.cells & (self.cells >> width) } else { 0 };
        let right = cells(right).map(|cell| 3 << cell);
        let down = cells(down).map(|cell| 1 << cell | 1 << (u32::from(cell) + width));
        let mut options: Vec<Vec<Shape>> =
            right.chain(down).map(|domino: u64| shapes(self.cells & !domino, width)).collect();
        options.sort_by_key(|shapes| shapes.last().map_or(0, |largest| largest.cells.count_ones()));
        options.dedup();
        options
    }
}

/// All cells that are not in this column, in rows of `width`.
fn not_in_column(column: u32, width: u32) -> u64 {
    (column..64).step_by(width as usize).fold(u64::MAX, |all, cell| all & !(1 << cell))
}

/// The connected regions of `free`, in rows of `width`, as shapes in canonical form, small ones first. Two equal
/// regions cancel, and single cells are left out.
pub(super) fn shapes(mut free: u64, width: u32) -> Vec<Shape> {
    let (not_first, not_last) = (not_in_column(0, width), not_in_column(width - 1, width));
    let mut found: Vec<Shape> = Vec::new();
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
            let shape = canonical(region, width);
            match found.iter().position(|s| *s == shape) {
                Some(at) => drop(found.swap_remove(at)),
                None => found.push(shape),
            }
        }
    }
    found.sort_unstable_by_key(|s| (s.cells.count_ones(), s.cells, s.width));
    found
}

/// The canonical form of a region: the least of its eight images, each moved to the top left corner.
fn canonical(region: u64, width: u32) -> Shape {
    let place = |cell: u8| (u32::from(cell) / width, u32::from(cell) % width);
    let cells: Vec<(u32, u32)> = cells(region).map(place).collect();
    let top = cells.iter().map(|c| c.0).min().unwrap_or(0);
    let left = cells.iter().map(|c| c.1).min().unwrap_or(0);
    let height = cells.iter().map(|c| c.0).max().unwrap_or(0) - top + 1;
    let across = cells.iter().map(|c| c.1).max().unwrap_or(0) - left + 1;
    let mut images = [0_u64; 8];
    let widths = [across, across, across, across, height, height, height, height];
    for (row, column) in &cells {
        let (r, c) = (row - top, column - left);
        let (u, d) = (height - 1 - r, across - 1 - c);
        let turned = [(r, c), (u, c), (r, d), (u, d), (c, r), (d, r), (c, u), (d, u)];
        for ((image, width), (row, column)) in images.iter_mut().zip(widths).zip(turned) {
            *image |= 1 << (row * width + column);
        }
    }
    // Prefers the narrower of the two orientations; for a square, the smaller number.
    let (width, cells) = widths.into_iter().zip(images).min().unwrap_or_default();
    Shape { cells, width: width as u8 }
}
