//! Runs of cells in one direction, links between neighbours, and the places of a shape.
//!
//! A [`Grid`] knows the place of each cell, the directions of its neighbours, and the sides that meet.
//!
//! Example: 3×3 has 16 runs, namely 3 rows, 3 columns, and 5 diagonals in each direction. Of these runs, 8 have full length. King moves
//! have 20 links, orthogonal moves 12, and drawn moves 16. On a torus of 3×3 each of the 12 runs is closed: its first cell follows its
//! last.

use std::collections::BTreeSet;

/// Rows down and columns to the right: a step, or the place of a cell.
pub(super) type Step = (i32, i32);

/// Steps along a row and a column. The opposite steps are not needed.
pub(super) const STRAIGHT: [Step; 2] = [(0, 1), (1, 0)];

/// Steps along the two diagonals.
pub(super) const DIAGONAL: [Step; 2] = [(1, 1), (1, -1)];

/// A step turned and mirrored in every way.
pub(super) fn turned((a, b): Step) -> [Step; 8] {
    [(a, b), (a, -b), (-a, b), (-a, -b), (b, a), (b, -a), (-b, a), (-b, -a)]
}

/// Cells with places and neighbours.
#[derive(Clone, Default)]
pub(super) struct Grid {
    /// Place of each cell, by its number.
    pub places: Vec<Step>,
    /// Directions of neighbours, without the opposite directions.
    pub steps: Vec<Step>,
    /// Number of rows and of columns, possibly with holes; 0 if the cells are not in rows and columns.
    pub rows: u8,
    pub columns: u8,
    /// `true` if the left and the right end of every row meet.
    pub wraps_rows: bool,
    /// `true` if the upper and the lower end of every column meet.
    pub wraps_columns: bool,
}

/// Consecutive cells in one direction, up to the ends of the board.
pub(super) struct Run {
    pub cells: Vec<u8>,
    /// `true` if the first cell follows the last.
    pub closed: bool,
}

impl Grid {
    /// Returns true if the cells are in rows and columns, and false for a hexagonal board or a drawing.
    pub fn is_rectangle(&self) -> bool {
        self.rows > 0
    }

    /// The cell at a place, which may lie beyond sides that meet.
    fn at(&self, row: i32, column: i32) -> Option<u8> {
        let wrapped = |place: i32, length: u8, wraps: bool| match wraps {
            true => place.rem_euclid(length.into()),
            false => place,
        };
        let row = wrapped(row, self.rows, self.wraps_columns);
        let column = wrapped(column, self.columns, self.wraps_rows);
        self.places.iter().position(|place| *place == (row, column)).map(|cell| cell as u8)
    }

    fn square(&self, cell: u8) -> Step {
        self.places[usize::from(cell)]
    }

    fn neighbour(&self, cell: u8, (down, right): Step) -> Option<u8> {
        let (row, column) = self.square(cell);
        self.at(row + down, column + right)
    }

    fn cells(&self) -> std::ops::Range<u8> {
        0..self.places.len() as u8
    }

    /// The cells from `first` on in a direction, up to the border or once around.
    fn ray(&self, first: u8, step: Step) -> Run {
        let mut run = Run { cells: vec![first], closed: false };
        let mut next = self.neighbour(first, step);
        while let Some(cell) = next.filter(|&cell| cell != first) {
            run.cells.push(cell);
            next = self.neighbour(cell, step);
        }
        Run { closed: next.is_some(), ..run }
    }

    /// The runs in all directions. A closed run begins at its least cell. With `full`, only whole rows, whole columns and, on a square, the
    /// two main diagonals.
    pub fn runs(&self, full: bool) -> Vec<Run> {
        let of = |&step: &Step| {
            let whole = match step {
                (0, _) => self.columns,
                (_, 0) => self.rows,
                _ if self.rows == self.columns => self.rows,
                _ => 0,
            };
            let is_first = move |run: &Run| {
                let first = run.cells[0];
                let is_open = self.neighbour(first, (-step.0, -step.1)).is_none();
                is_open || run.closed && run.cells.iter().all(|&cell| cell >= first)
            };
            let runs = self.cells().map(move |cell| self.ray(cell, step)).filter(is_first);
            runs.filter(move |run| !full || run.cells.len() == usize::from(whole))
        };
        self.steps.iter().flat_map(of).collect()
    }

    /// The run that begins at each cell in each of the directions `steps`, and in the opposite directions.
    pub fn rays(&self, steps: &[Step]) -> Vec<Run> {
        let both = || steps.iter().flat_map(|&(a, b)| [(a, b), (-a, -b)]);
        self.cells().flat_map(|cell| both().map(move |step| self.ray(cell, step))).collect()
    }

    /// Returns true if row plus column of `cell` is even.
    pub fn is_even(&self, cell: u8) -> bool {
        let (row, column) = self.square(cell);
        (row + column) % 2 == 0
    }

    /// The sets of cells that a shape covers in every place, turned and mirrored in every way. The shape is given by
    /// its squares, as rows and columns.
    pub fn places(&self, shape: &[Step]) -> Vec<u64> {
        let mut places = BTreeSet::new();
        for turn in 0..8 {
            let turned: Vec<Step> = shape.iter().map(|square| turned(*square)[turn]).collect();
            let (first_row, first_column) = turned.first().copied().unwrap_or_default();
            for cell in self.cells() {
                let (row, column) = self.square(cell);
                let cells = turned.iter().map(|square| {
                    self.at(row + square.0 - first_row, column + square.1 - first_column)
                });
                // On a small torus a shape may overlap itself.
                places.extend(cells.into_iter().try_fold(0u64, |set, cell| {
                    let bit = 1u64 << cell?;
                    (set & bit == 0).then_some(set | bit)
                }));
            }
        }
        places.into_iter().collect()
    }
}

impl Run {
    /// Every `length` consecutive cells, each with the cells before and after it.
    pub fn windows(&self, length: usize) -> Vec<(u64, u64)> {
        let count = self.cells.len();
        // The bit of the cell at a place. The run begins at place `count`, and an open run has no cells beyond its ends.
        let bit = |place: usize| {
            let index = if self.closed { Some(place % count) } else { place.checked_sub(count) };
            index.and_then(|index| self.cells.get(index)).map_or(0, |cell| 1u64 << cell)
        };
        let window = |start: usize| {
            let line = (start..start + length).fold(0, |line, place| line | bit(place));
            (line, (bit(start - 1) | bit(start + length)) & !line)
        };
        let is_ring = self.closed && length < count;
        let starts = if is_ring { count } else { (count + 1).saturating_sub(length) };
        (count..count + starts).map(window).collect()
    }
}
