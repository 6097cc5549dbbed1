//! Runs of cells in one direction on a grid, links between neighbours, and the places of a shape.
//!
//! In: rows and columns, which squares are cells, and which sides meet. Out: cells, numbered row by row. On 3×3 there are
//! 16 runs: 3 rows, 3 columns, 5 diagonals in each direction; whole ones are 8. King moves have 20 links, orthogonal ones
//! 12, drawn ones 16. On a torus of 3×3 each of the 12 runs is closed: after its last cell comes its first.

use morpion_lookup::Board;

/// A grid, perhaps with holes, perhaps with sides that meet.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    pub board: Board,
    pub rows: u8,
    pub columns: u8,
    /// Whether the left and the right end of every row meet.
    pub wraps_rows: bool,
    /// Whether the upper and the lower end of every column meet.
    pub wraps_columns: bool,
}

/// Cells one after the other in one direction, as many as there are.
pub(super) struct Run {
    pub cells: Vec<u8>,
    /// Whether the first comes after the last.
    pub closed: bool,
}

/// Down and right: a step, or where a square stands.
type Step = (i32, i32);

/// Along a row, a column, and the diagonals. A step back is not needed.
const STEPS: [Step; 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

impl Grid {
    /// The cell of a square, which may lie beyond the ends that meet.
    fn at(&self, row: i32, column: i32) -> Option<u8> {
        let inside = |place: i32, length: u8, wraps: bool| {
            let length = i32::from(length);
            let place = if wraps { place.rem_euclid(length) } else { place };
            (0..length).contains(&place).then_some(place as u8)
        };
        let row = inside(row, self.rows, self.wraps_columns)?;
        self.board.cell(row, inside(column, self.columns, self.wraps_rows)?)
    }

    fn square(&self, cell: u8) -> (i32, i32) {
        self.board.square(cell).map_or((0, 0), |(row, column)| (row.into(), column.into()))
    }

    fn neighbour(&self, cell: u8, (down, right): Step) -> Option<u8> {
        let (row, column) = self.square(cell);
        self.at(row + down, column + right)
    }

    fn cells(&self) -> std::ops::Range<u8> {
        0..self.board.cells() as u8
    }

    /// The runs in all directions; `full`: of whole rows, whole columns and, on a square, the diagonals that are as long.
    pub fn runs(&self, full: bool) -> Vec<Run> {
        let mut runs = Vec::new();
        for step @ (down, right) in STEPS {
            let back = (-down, -right);
            let mut seen = 0u64;
            let mut follow = |first: u8| {
                let mut run = Run { cells: Vec::new(), closed: false };
                let mut next = Some(first);
                while let Some(cell) = next {
                    if seen >> cell & 1 == 1 {
                        run.closed = true;
                        break;
                    }
                    seen |= 1 << cell;
                    run.cells.push(cell);
                    next = self.neighbour(cell, step);
                }
                (!run.cells.is_empty()).then_some(run)
            };
            let begins = self.cells().filter(|&cell| self.neighbour(cell, back).is_none());
            let open: Vec<Run> = begins.filter_map(&mut follow).collect();
            let closed: Vec<Run> =
                self.cells().filter_map(|cell| follow(cell).filter(|run| run.closed)).collect();
            let whole = match step {
                (0, _) => self.columns,
                (_, 0) => self.rows,
                _ if self.rows == self.columns => self.rows,
                _ => 0,
            };
            let is_kept = |run: &Run| !full || run.cells.len() == usize::from(whole);
            runs.extend(open.into_iter().chain(closed).filter(is_kept));
        }
        runs
    }

    /// The links between neighbouring cells for which `keep(down, right, even)` holds; `even` is whether row plus column of
    /// the cell is.
    pub fn links(&self, keep: fn(i32, i32, bool) -> bool) -> Vec<(u8, u8)> {
        let of = |cell: u8| {
            let (row, column) = self.square(cell);
            let even = (row + column) % 2 == 0;
            let steps = STEPS.into_iter().filter(move |step| keep(step.0, step.1, even));
            steps.filter_map(move |step| Some((cell, self.neighbour(cell, step)?)))
        };
        self.cells().flat_map(of).filter(|link| link.0 != link.1).collect()
    }

    /// The sets of cells on which a shape lies, in every place, turned and mirrored in every way. A shape is the squares it
    /// covers, as rows and columns.
    pub fn places(&self, shape: &[Step]) -> Vec<u64> {
        let turns: [fn(Step) -> Step; 8] = [
            |(row, column)| (row, column),
            |(row, column)| (row, -column),
            |(row, column)| (-row, column),
            |(row, column)| (-row, -column),
            |(row, column)| (column, row),
            |(row, column)| (column, -row),
            |(row, column)| (-column, row),
            |(row, column)| (-column, -row),
        ];
        let mut places = Vec::new();
        for turn in turns {
            let turned: Vec<Step> = shape.iter().copied().map(turn).collect();
            let (first_row, first_column) = turned.first().copied().unwrap_or_default();
            for cell in self.cells() {
                let (row, column) = self.square(cell);
                let cells = turned.iter().map(|square| {
                    self.at(row + square.0 - first_row, column + square.1 - first_column)
                });
                // Around a small torus a shape may meet itself.
                places.extend(cells.into_iter().try_fold(0u64, |set, cell| {
                    let bit = 1u64 << cell?;
                    (set & bit == 0).then_some(set | bit)
                }));
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

impl Run {
    /// Every `length` consecutive cells, each with the cells before and after them.
    pub fn windows(&self, length: usize) -> Vec<(u64, u64)> {
        let count = self.cells.len();
        let bit = |index: usize| 1u64 << self.cells[index % count];
        let window = |start: usize| (start..start + length).map(bit).fold(0, |set, bit| set | bit);
        if self.closed && length == count {
            return vec![(window(0), 0)];
        }
        let starts = match self.closed {
            true if length < count => count,
            true => 0,
            false => (count + 1).saturating_sub(length),
        };
        let around = |start: usize| {
            let before = (self.closed || start > 0).then(|| bit(start + count - 1));
            let after = (self.closed || start + length < count).then(|| bit(start + length));
            before.unwrap_or(0) | after.unwrap_or(0)
        };
        (0..starts).map(|start| (window(start), around(start))).collect()
    }
}
