//! The shape of a board: how its cells are numbered, named, and written in rows.
//!
//! Converts between cells and squares. A grid may have holes: on 3 rows of 5 with the middle square blocked the cells are 0 to
//! 13, c2 is not a cell, and d2 is cell 7.

/// The largest number of squares of a grid with holes.
pub const MAX_SQUARES: u8 = 128;

/// The largest number of columns if columns are letters.
pub const MAX_COLUMNS: u8 = 26;

/// The shape of the board. It fixes how positions and moves are written, not how the game is played.
///
/// Any numbers can be stored here: [`Game::new`](crate::Game::new) refuses a board that is out of range. The order of the variants is the
/// file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Board {
    /// A grid; a cell is written as column letter and row number from the top.
    Grid {
        /// At least 1.
        rows: u8,
        /// 1 to 26 if the cells have no names of their own.
        columns: u8,
    },
    /// Cells that do not form a grid; a cell is written as its number.
    Plain {
        /// 1 to [`MAX_CELLS`](crate::MAX_CELLS).
        cells: u8,
    },
    /// A grid of at most 128 squares, some of which are holes. Cells are numbered row by row without the holes, and written as on a grid.
    Holed {
        /// As of a grid.
        rows: u8,
        /// As of a grid.
        columns: u8,
        /// A bit for each square that is a cell: `row × columns + column`.
        open: u128,
    },
}

choices!(Board { Grid { rows, columns }, Plain { cells }, Holed { rows, columns, open } });

/// Functions for programs that read and write boards.
#[doc(hidden)]
impl Board {
    /// Returns true if positions and cells can be written. Needs at most 26 columns, unless cells are `named`. A [`Board::Holed`] needs a
    /// hole, at most 128 squares, and no cell outside them.
    pub fn is_valid(self, named: bool) -> bool {
        let (rows, columns) = self.shape();
        let is_holed = |open: u128| {
            u32::from(rows) * u32::from(columns) <= MAX_SQUARES.into()
                && open & !all_squares(rows, columns) == 0
                && open != all_squares(rows, columns)
        };
        match self {
            Board::Plain { .. } => true,
            Board::Grid { .. } => columns <= MAX_COLUMNS || named,
            Board::Holed { open, .. } => (columns <= MAX_COLUMNS || named) && is_holed(open),
        }
    }

    /// The grid, with or without holes, whose cells are the squares in `open`: bit `row × columns + column`, at most 128 squares.
    pub fn of_squares(rows: u8, columns: u8, open: u128) -> Board {
        match open == all_squares(rows, columns) {
            true => Board::Grid { rows, columns },
            false => Board::Holed { rows, columns, open },
        }
    }

    /// Rows and columns of squares. A board that is not a grid is one row.
    pub fn shape(self) -> (u8, u8) {
        match self {
            Board::Grid { rows, columns } | Board::Holed { rows, columns, .. } => (rows, columns),
            Board::Plain { cells } => (1, cells),
        }
    }

    /// The squares that are cells: bit `row × columns + column`.
    pub fn open(self) -> u128 {
        let (rows, columns) = self.shape();
        if let Board::Holed { open, .. } = self { open } else { all_squares(rows, columns) }
    }
}

impl Board {
    /// Number of cells. Before the rules are checked it may exceed [`MAX_CELLS`](crate::MAX_CELLS).
    pub fn cells(self) -> u32 {
        let (rows, columns) = self.shape();
        match self {
            Board::Holed { open, .. } => open.count_ones(),
            _ => u32::from(rows) * u32::from(columns),
        }
    }

    /// Rows and columns; `None` if the cells do not form a grid.
    pub fn grid(self) -> Option<(u8, u8)> {
        (!matches!(self, Board::Plain { .. })).then(|| self.shape())
    }

    /// Row and column of a cell, counted from 0 at the top left; `None` for a cell off the board, and on a board that is not a grid.
    pub fn square(self, cell: u8) -> Option<(u8, u8)> {
        let ((_, columns), mut open) = (self.grid()?, self.open());
        (0..cell).for_each(|_| open &= open.wrapping_sub(1));
        let square = (open != 0).then(|| open.trailing_zeros() as u8)?;
        Some((square.checked_div(columns)?, square % columns))
    }

    /// The cell in this row and column, counted from 0; `None` if there is none.
    pub fn cell(self, row: u8, column: u8) -> Option<u8> {
        let ((rows, columns), open) = (self.grid()?, self.open());
        let square = u32::from(row) * u32::from(columns) + u32::from(column);
        let bit = 1u128.checked_shl(square).filter(|bit| open & bit != 0)?;
        (row < rows && column < columns).then(|| (open & (bit - 1)).count_ones() as u8)
    }
}

/// The squares of a grid; all 128 bits if it has more squares.
fn all_squares(rows: u8, columns: u8) -> u128 {
    let squares = u32::from(rows) * u32::from(columns);
    u128::MAX.checked_shr(u128::BITS.saturating_sub(squares)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_squares_of_a_grid_with_a_hole() {
        let board = Board::of_squares(3, 5, 0b11111_11011_11111);
        assert_eq!((board.cells(), board.grid()), (14, Some((3, 5))));
        assert_eq!(
            (board.square(6), board.square(7), board.square(14)),
            (Some((1, 1)), Some((1, 3)), None)
        );
        assert_eq!((board.cell(1, 2), board.cell(1, 3), board.cell(3, 0)), (None, Some(7), None));
        for cell in 0..14 {
            let (row, column) = board.square(cell).unwrap();
            assert_eq!(board.cell(row, column), Some(cell));
        }
        assert_eq!(Board::of_squares(1, 3, 0b111), Board::Grid { rows: 1, columns: 3 });
    }
}
