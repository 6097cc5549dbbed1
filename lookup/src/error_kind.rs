//! Error codes shared by all languages.
//!
//! Gives each error its kind, with a short name that is the same in every language.

use crate::error::{PositionError, PositionFault, ProbeError, TableError, TextError, TextFault};
#[cfg(feature = "packed")]
use crate::packed::PackedFault;
use crate::source::ReadError;

/// Kind of an error, without the particulars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes could not be read.
    Io,
    /// A packed table without a valid seek table, or with a damaged frame.
    Packed,
    /// Not a table.
    Magic,
    /// A table of a format that this library does not know.
    Version,
    /// Fewer or more bytes than the header says.
    Length,
    /// A checksum that does not fit.
    Checksum,
    /// A header that contradicts itself.
    Header,
    /// A header whose rules are invalid.
    Rules,
    /// A table of other rules than those expected.
    OtherRules,
    /// No table of this name.
    Name,
    /// A character that is not a cell.
    Character,
    /// Too many or too few cells.
    Size,
    /// A row of the wrong length.
    Row,
    /// Piece counts that the game never has.
    Counts,
    /// The side in the text is not the one to move.
    Side,
    /// All pieces are placed and the text does not say who is to move.
    SideMissing,
    /// A text that is not a move.
    Move,
    /// A piece off the board.
    OffTheBoard,
    /// A cell that both sides hold.
    Overlap,
    /// The side to move owns a line.
    MoverLine,
    /// Both sides own a line.
    BothLines,
    /// The table contradicts itself.
    Damaged,
}

impl ErrorKind {
    /// A number, the same in every language. 0 means success, and 1 an invalid argument outside this crate.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            ErrorKind::Io => 2,
            ErrorKind::Magic => 3,
            ErrorKind::Version => 4,
            ErrorKind::Length => 5,
            ErrorKind::Checksum => 6,
            ErrorKind::Header => 7,
            ErrorKind::Name => 8,
            ErrorKind::Packed => 9,
            ErrorKind::Rules => 10,
            ErrorKind::OtherRules => 11,
            ErrorKind::Character => 20,
            ErrorKind::Size => 21,
            ErrorKind::Row => 22,
            ErrorKind::Counts => 23,
            ErrorKind::Side => 24,
            ErrorKind::SideMissing => 25,
            ErrorKind::Move => 26,
            ErrorKind::OffTheBoard => 30,
            ErrorKind::Overlap => 31,
            ErrorKind::MoverLine => 32,
            ErrorKind::BothLines => 33,
            ErrorKind::Damaged => 40,
        }
    }

    /// A short name, the same in every language that this library is used from.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Io => "io",
            ErrorKind::Packed => "packed",
            ErrorKind::Magic => "magic",
            ErrorKind::Version => "version",
            ErrorKind::Length => "length",
            ErrorKind::Checksum => "checksum",
            ErrorKind::Header => "header",
            ErrorKind::Rules => "rules",
            ErrorKind::OtherRules => "other-rules",
            ErrorKind::Name => "name",
            ErrorKind::Character => "character",
            ErrorKind::Size => "size",
            ErrorKind::Row => "row",
            ErrorKind::Counts => "counts",
            ErrorKind::Side => "side",
            ErrorKind::SideMissing => "side-missing",
            ErrorKind::Move => "move",
            ErrorKind::OffTheBoard => "off-the-board",
            ErrorKind::Overlap => "overlap",
            ErrorKind::MoverLine => "mover-line",
            ErrorKind::BothLines => "both-lines",
            ErrorKind::Damaged => "damaged",
        }
    }
}

impl PositionError {
    /// Kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self.0 {
            PositionFault::OffTheBoard { .. } => ErrorKind::OffTheBoard,
            PositionFault::Overlap { .. } => ErrorKind::Overlap,
            PositionFault::Counts(_) => ErrorKind::Counts,
            PositionFault::MoverLine => ErrorKind::MoverLine,
            PositionFault::BothLines => ErrorKind::BothLines,
        }
    }
}

impl TextError {
    /// Kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match &self.0 {
            TextFault::Character { .. } | TextFault::Hole { .. } => ErrorKind::Character,
            TextFault::Size { .. } => ErrorKind::Size,
            TextFault::Row { .. } => ErrorKind::Row,
            TextFault::Counts { .. } => ErrorKind::Counts,
            TextFault::Side { .. } => ErrorKind::Side,
            TextFault::SideMissing => ErrorKind::SideMissing,
            TextFault::Position(error) => error.kind(),
            TextFault::Move { .. } => ErrorKind::Move,
        }
    }
}

impl ProbeError {
    /// Kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            ProbeError::Position(error) => error.kind(),
            ProbeError::Damaged(_) => ErrorKind::Damaged,
            ProbeError::Read(error) => error.kind(),
        }
    }
}

impl TableError {
    /// Kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            TableError::Read(error) => error.kind(),
            TableError::Checksum { .. } => ErrorKind::Checksum,
            TableError::Rules(_) => ErrorKind::Rules,
            TableError::Invalid { kind, .. } => *kind,
        }
    }
}

impl ReadError {
    /// Kind of the error: [`ErrorKind::Io`], unless a packed table is damaged.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        #[cfg(feature = "packed")]
        if self.is::<PackedFault>() {
            return ErrorKind::Packed;
        }
        ErrorKind::Io
    }
}
