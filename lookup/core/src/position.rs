//! Positions and moves as sets of cells and numbers of pieces.
//!
//! A position is two words, one for each side. The numbers of pieces identify the layer.

/// The largest number of cells of a board.
pub const MAX_CELLS: u8 = 36;

/// One of the two players; X starts the game.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first player.
    X,
    /// The second player.
    O,
}

variants!(Side);

impl Side {
    /// Both sides.
    #[doc(hidden)]
    pub const ALL: [Side; 2] = [Side::X, Side::O];

    /// The other side.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::X => Side::O,
            Side::O => Side::X,
        }
    }

    /// `x` or `o`.
    pub fn letter(self) -> char {
        match self {
            Side::X => 'x',
            Side::O => 'o',
        }
    }
}

/// The bits of a word that are cells.
pub const CELLS: u64 = (1 << SHIFT) - 1;

/// The lowest bit of a word above the cells.
pub const SHIFT: u32 = MAX_CELLS as u32;

/// The bit that marks a word in which the bits above the cells are the order of pieces that age.
pub const AGED: u64 = 1 << 52;

/// A position as the table knows it, without board and colours: a word for the side to move and one for the side waiting. For batches
/// and loops over many positions. `morpion_lookup::Position` has the board and the side too.
///
/// A word has bit `c` for a piece on cell `c`. The bits from 36 on contain what the board does not show: the number of pieces in hand, or,
/// with bit 52, the order of pieces that age. In most games these bits are 0, and a word is a set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The word of the side to move.
    pub mover: u64,
    /// The word of the side waiting.
    pub waiter: u64,
}

fields!(Position { mover, waiter });

impl Position {
    /// The position with these words of X and of O and `side` to move.
    pub(crate) fn of_sides(x: u64, o: u64, side: Side) -> Position {
        let (mover, waiter) = Position { mover: x, waiter: o }.sides(side);
        Position { mover, waiter }
    }

    /// The words of X and of O, given who is to move.
    #[doc(hidden)]
    pub fn sides(self, side: Side) -> (u64, u64) {
        match side {
            Side::X => (self.mover, self.waiter),
            Side::O => (self.waiter, self.mover),
        }
    }

    /// The cells of both sides.
    #[inline]
    pub const fn cells(self) -> Position {
        Position { mover: self.mover & CELLS, waiter: self.waiter & CELLS }
    }

    /// Number of pieces of each side on the board.
    #[inline]
    pub fn counts(self) -> Counts {
        let count = |word: u64| (word & CELLS).count_ones() as u8;
        Counts { mover: count(self.mover), waiter: count(self.waiter) }
    }

    /// Number of pieces in hand of each side; 0 if words do not contain this number.
    #[inline]
    pub fn hands(self) -> Counts {
        let hand = |word: u64| if word & AGED == 0 { (word >> SHIFT).min(255) as u8 } else { 0 };
        Counts { mover: hand(self.mover), waiter: hand(self.waiter) }
    }
}

/// A move of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A new piece on an empty cell.
    Place {
        /// The cell.
        to: u8,
    },
    /// A piece of the mover to an empty cell.
    Shift {
        /// The cell that the piece leaves.
        from: u8,
        /// The cell that it goes to.
        to: u8,
    },
    /// A piece that is placed or moved, makes a line, and so takes one or two pieces of the other side.
    Take {
        /// The cell that the piece leaves; `None` for a new piece.
        from: Option<u8>,
        /// The cell that it goes to.
        to: u8,
        /// The cell whose piece is taken.
        take: u8,
        /// A higher cell whose piece is taken too, if two lines take two pieces.
        also: Option<u8>,
    },
    /// A piece, own or new, that is taken from the border and pushed in at another end of its row or column.
    Push {
        /// The cell from which it is taken.
        from: u8,
        /// The cell at which it is pushed in.
        to: u8,
    },
    /// A pass: chosen, by putting a lifted piece back, or forced, if the side is blocked and the rules say that it passes.
    Pass,
}

impl Move {
    /// The cell on which the move puts a piece; `None` for a pass.
    #[doc(hidden)]
    pub fn target(self) -> Option<u8> {
        match self {
            Move::Place { to }
            | Move::Shift { to, .. }
            | Move::Take { to, .. }
            | Move::Push { to, .. } => Some(to),
            Move::Pass => None,
        }
    }
}

/// The most moves that a position can have if pieces neither take nor push: 9 pieces with 18 free cells of 36, and the pass. With p pieces
/// of each side n − 2p of n cells are free, and p (n − 2p) is greatest at p = n / 4.
pub const MAX_MOVES: usize = MAX_CELLS as usize / 4 * (MAX_CELLS as usize / 2) + 1;

/// Numbers of pieces: `mover` of the side to move and `waiter` of the side waiting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counts {
    /// Pieces of the side to move.
    pub mover: u8,
    /// Pieces of the side waiting.
    pub waiter: u8,
}

fields!(Counts { mover, waiter });
