//! Errors of positions, tables and answers.

use crate::error_kind::ErrorKind;
use crate::position::Counts;
use crate::source::ReadError;
use alloc::string::String;
use core::fmt;

/// A position that no table of the game contains. [`PositionError::kind`] gives the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionError(pub(crate) PositionFault);

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

/// Fault of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PositionFault {
    /// Bits that are not cells of the board, which has so many.
    OffTheBoard { cells: u8 },
    /// The lowest cell that both sides claim.
    Overlap { cell: u8 },
    /// Piece counts that the game never has.
    Counts(Counts),
    /// The side to move owns a line, so the game was over before.
    MoverLine,
    /// Both sides own a line.
    BothLines,
}

error!(PositionError, |error, f| match error.0 {
    PositionFault::OffTheBoard { cells } =>
        write!(f, "a piece is off the board, which has {cells} cells"),
    PositionFault::Overlap { cell } => write!(f, "both sides have a piece on cell {cell}"),
    PositionFault::Counts(Counts { mover, waiter }) => write!(
        f,
        "the side to move has {mover} pieces and the side waiting {waiter}, which never happens in this game"
    ),
    PositionFault::MoverLine =>
        f.write_str("the side to move already has a line: the game was over a move earlier"),
    PositionFault::BothLines => f.write_str("both sides have a line: the game was over earlier"),
});

impl From<PositionFault> for PositionError {
    fn from(fault: PositionFault) -> PositionError {
        PositionError(fault)
    }
}

/// A source that is not a table, or not one that can be read here.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableError {
    /// The bytes cannot be read.
    Read(ReadError),
    /// A wrong checksum.
    Checksum {
        /// The part of the file.
        part: String,
        /// The sum of the bytes.
        found: u64,
        /// The sum in the file.
        expected: u64,
    },
    /// Bytes that are not a table or not the expected one, or no table of this name.
    Invalid {
        /// Kind of the error.
        kind: ErrorKind,
        /// Description of the fault, with the expected value.
        message: String,
    },
}

error!(TableError, |error, f| match error {
    TableError::Read(error) => error.fmt(f),
    TableError::Checksum { part, found, expected } =>
        write!(f, "checksum of {part} is {found:016x}, expected {expected:016x}"),
    TableError::Invalid { message, .. } => f.write_str(message),
});

impl From<ReadError> for TableError {
    fn from(error: ReadError) -> TableError {
        TableError::Read(error)
    }
}

impl TableError {
    /// Kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            TableError::Read(error) => error.kind(),
            TableError::Checksum { .. } => ErrorKind::Checksum,
            TableError::Invalid { kind, .. } => *kind,
        }
    }

    /// An error of this kind, with the description of the fault.
    pub fn new(kind: ErrorKind, message: impl fmt::Display) -> TableError {
        TableError::Invalid { kind, message: alloc::format!("{message}") }
    }

    /// A header that contradicts itself.
    pub fn header(message: impl fmt::Display) -> TableError {
        TableError::new(ErrorKind::Header, format_args!("header: {message}"))
    }

    /// The end of a file of `found` bytes before its length field; `least` is a lower bound of the length.
    pub(crate) fn cut(found: u64, least: u64) -> TableError {
        let message = format_args!("cut short: {found} bytes, expected at least {least}");
        TableError::new(ErrorKind::Length, message)
    }
}

/// Reason why a table gives no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProbeError {
    /// The question is not a position of the game.
    Position(PositionError),
    /// The table contradicts itself here: it is damaged (`morpion verify` says where).
    Damaged(Damage),
    /// The source did not give the bytes of the answer.
    Read(ReadError),
}

error!(ProbeError, |error, f| match error {
    ProbeError::Position(error) => error.fmt(f),
    ProbeError::Damaged(damage) => write!(f, "the table is damaged: {}", damage.name()),
    ProbeError::Read(error) => error.fmt(f),
});

impl From<PositionError> for ProbeError {
    fn from(error: PositionError) -> ProbeError {
        ProbeError::Position(error)
    }
}

impl From<ReadError> for ProbeError {
    fn from(error: ReadError) -> ProbeError {
        ProbeError::Read(error)
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

/// Contradictions in a damaged table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// The map of sets of this size is missing or too short.
    Map,
    /// A map names a row that its layers do not have.
    Row,
    /// A map names a symmetry that the group does not have.
    Symmetry,
    /// The layer of a position is not there, or it is too short.
    Layer,
    /// An entry says that there is no such position where there is one.
    Entry,
}

names!(Damage {
    Map = "a map is too short",
    Row = "a map names a row that does not exist",
    Symmetry = "a map names a symmetry that does not exist",
    Layer = "a layer is missing",
    Entry = "a position has no entry"
});
