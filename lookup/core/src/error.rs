//! Errors of rules, positions, tables and answers.

use crate::error_kind::ErrorKind;
use crate::position::Counts;
use crate::source::ReadError;
use alloc::string::String;
use core::fmt;
use thiserror::Error;

/// Invalid rules: the key, the value found, and the values that are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}: {found}, expected {expected}")]
pub struct RulesError {
    /// The key, by the name it has in a rule file.
    pub key: &'static str,
    /// The value found.
    pub found: String,
    /// The value that is allowed.
    pub expected: &'static str,
}

/// A position that no table of the game contains. [`PositionError::kind`] gives the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(transparent)]
pub struct PositionError(#[from] pub(crate) PositionFault);

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum PositionFault {
    /// Bits that are not cells.
    #[error("a piece is off the board, which has {cells} cells")]
    OffTheBoard {
        /// Number of cells.
        cells: u8,
    },
    /// A cell that both sides claim.
    #[error("both sides have a piece on cell {cell}")]
    Overlap {
        /// The lowest such cell.
        cell: u8,
    },
    /// Piece counts that the game never has.
    #[error(
        "the side to move has {} pieces and the side waiting {}, which never happens in this game",
        .0.mover,
        .0.waiter
    )]
    Counts(Counts),
    /// The side to move owns a line, so the game was over before.
    #[error("the side to move already has a line: the game was over a move earlier")]
    MoverLine,
    /// Both sides own a line.
    #[error("both sides have a line: the game was over earlier")]
    BothLines,
}

/// A source that is not a table, or not one that can be read here.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The bytes cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A wrong checksum.
    #[error("checksum of {part} is {found:016x}, expected {expected:016x}")]
    Checksum {
        /// The part of the file.
        part: String,
        /// The sum of the bytes.
        found: u64,
        /// The sum in the file.
        expected: u64,
    },
    /// A header whose rules are invalid.
    #[error("header: {0}")]
    Rules(#[from] RulesError),
    /// Bytes that are not a table or not the expected one, or no table of this name.
    #[error("{message}")]
    Invalid {
        /// Kind of the error.
        kind: ErrorKind,
        /// Description of the fault, with the expected value.
        message: String,
    },
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

    /// An error of this kind, with the description of the fault.
    pub fn new(kind: ErrorKind, message: impl fmt::Display) -> TableError {
        TableError::Invalid { kind, message: alloc::format!("{message}") }
    }

    /// A header that contradicts itself.
    pub(crate) fn header(message: impl fmt::Display) -> TableError {
        TableError::new(ErrorKind::Header, format_args!("header: {message}"))
    }

    /// The end of a file of `found` bytes before its length field; `least` is a lower bound of the length.
    pub(crate) fn cut(found: u64, least: u64) -> TableError {
        let message = format_args!("cut short: {found} bytes, expected at least {least}");
        TableError::new(ErrorKind::Length, message)
    }
}

/// Reason why a table gives no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The question is not a position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The table contradicts itself here: it is damaged (`morpion verify` says where).
    #[error("the table is damaged: {0}")]
    Damaged(Damage),
    /// The source did not give the bytes of the answer.
    #[error(transparent)]
    Read(#[from] ReadError),
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Damage {
    /// The map of sets of this size is missing or too short.
    #[error("a map is too short")]
    Map,
    /// A map names a row that its layers do not have.
    #[error("a map names a row that does not exist")]
    Row,
    /// A map names a symmetry that the group does not have.
    #[error("a map names a symmetry that does not exist")]
    Symmetry,
    /// The layer of a position is not there, or it is too short.
    #[error("a layer is missing")]
    Layer,
    /// An entry says that there is no such position where there is one.
    #[error("a position has no entry")]
    Entry,
}
