//! Errors of rules, positions, texts, tables, files and answers.

use crate::counts::Counts;
use crate::error_kind::ErrorKind;
use crate::source::ReadError;
use alloc::string::String;
#[cfg(feature = "std")]
use alloc::vec::Vec;
use core::fmt;
use thiserror::Error;

/// Invalid rules: the key, the value found, and the values that are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}: {found}, expected {expected}")]
#[non_exhaustive]
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

/// A text that is not a position or a move of the game. [`TextError::kind`] gives the reason, and the message says what was found and
/// expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(transparent)]
pub struct TextError(#[from] pub(crate) TextFault);

/// Fault of a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum TextFault {
    /// A character that is not a cell.
    #[error("character {character:?} at place {place} is not a cell: expected X, O or .")]
    Character {
        /// The character.
        character: char,
        /// Its place, counted from 1.
        place: usize,
    },
    /// A piece or an empty cell where the board has a hole, or a hole where it has a cell.
    #[error(
        "character {character:?} at place {place}: expected # at every hole of the board and nowhere else"
    )]
    Hole {
        /// The character.
        character: char,
        /// Its place, counted from 1.
        place: usize,
    },
    /// Too many or too few cells.
    #[error("{found} cells, expected {expected}")]
    Size {
        /// Cells in the text.
        found: usize,
        /// Cells of the board.
        expected: usize,
    },
    /// A row of the wrong length.
    #[error("row {row} has {found} cells, expected {expected}")]
    Row {
        /// The row, counted from 1.
        row: usize,
        /// Cells in it.
        found: usize,
        /// Columns of the board.
        expected: usize,
    },
    /// Piece counts that the game never has, by colours.
    #[error("{x} X and {o} O, which never happens in this game: expected {expected}")]
    Counts {
        /// Pieces of X.
        x: u32,
        /// Pieces of O.
        o: u32,
        /// The piece counts that the game allows.
        expected: String,
    },
    /// The side in the text is not the one to move.
    #[error(
        "{found} to move, expected {expected}: with {x} X and {o} O it is the turn of {expected}"
    )]
    Side {
        /// The side named.
        found: char,
        /// The side whose turn it is.
        expected: char,
        /// Pieces of X.
        x: u32,
        /// Pieces of O.
        o: u32,
    },
    /// All pieces are placed, so either side may be to move.
    #[error("the side to move is missing: add x or o after the board, since all pieces are placed")]
    SideMissing,
    /// A position that is written correctly, but that no table contains.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A text that is not a move.
    #[error("{found:?} is not a move: expected {expected}")]
    Move {
        /// The text.
        found: String,
        /// The form in which moves of this game are written.
        expected: &'static str,
    },
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
    /// A header that contradicts itself.
    pub fn header(message: impl fmt::Display) -> TableError {
        TableError::invalid(ErrorKind::Header, format_args!("header: {message}"))
    }

    pub(crate) fn invalid(kind: ErrorKind, message: impl fmt::Display) -> TableError {
        TableError::Invalid { kind, message: alloc::format!("{message}") }
    }

    pub(crate) fn length(found: u64, expected: u64) -> TableError {
        TableError::invalid(ErrorKind::Length, format_args!("{found} bytes, expected {expected}"))
    }

    /// The end of a file of `found` bytes before its length field; `least` is a lower bound of the length.
    pub(crate) fn cut(found: u64, least: u64) -> TableError {
        let message = format_args!("cut short: {found} bytes, expected at least {least}");
        TableError::invalid(ErrorKind::Length, message)
    }

    /// No folder has a table of this name.
    #[cfg(feature = "std")]
    pub(crate) fn not_found(searched: &[std::path::PathBuf]) -> TableError {
        let message = format_args!("no such table{}", in_folders(searched));
        TableError::invalid(ErrorKind::Name, message)
    }
}

/// The end of a sentence: the folders that were searched.
#[cfg(feature = "std")]
fn in_folders(searched: &[std::path::PathBuf]) -> String {
    let folders: Vec<String> = searched.iter().map(|folder| escaped(folder)).collect();
    match folders.is_empty() {
        true => String::new(),
        false => alloc::format!(" in {}", folders.join(", ")),
    }
}

/// A file that is not a table: its path, and the reason.
#[cfg(feature = "std")]
#[derive(Debug, Error)]
#[error("{}: {error}", escaped(path))]
pub struct FileError {
    /// The file.
    pub path: std::path::PathBuf,
    /// The fault. If the file could not be opened or read: [`TableError::Read`] with the [`std::io::Error`].
    pub error: TableError,
}

/// A path as text, whose control characters do nothing to a terminal.
#[cfg(feature = "std")]
fn escaped(path: &std::path::Path) -> String {
    let mut text = String::new();
    for character in path.display().to_string().chars() {
        match character.is_control() {
            true => text.extend(character.escape_default()),
            false => text.push(character),
        }
    }
    text
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
