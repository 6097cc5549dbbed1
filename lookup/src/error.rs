//! Errors of texts and of files. The core has the others.

#[cfg(feature = "std")]
use crate::TableError;
use crate::{ErrorKind, PositionError};
use alloc::string::String;
#[cfg(feature = "std")]
use alloc::vec::Vec;
use thiserror::Error;

/// A text, sets of cells or a move that are not a position or a legal move of the game. [`TextError::kind`] gives the reason, and the
/// message says what was found and expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(transparent)]
pub struct TextError(#[from] pub(crate) TextFault);

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
            TextFault::Beside { .. } => ErrorKind::Beside,
            TextFault::Position(error) => error.kind(),
            TextFault::Move { .. } | TextFault::Illegal { .. } => ErrorKind::Move,
        }
    }
}

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
    /// An end of a text, beside the board, that the game does not have.
    #[error("{found} after the side, expected {expected}")]
    Beside {
        /// The end in quotes, or `nothing`.
        found: String,
        /// The form of the end that is expected.
        expected: &'static str,
    },
    /// A position that is written correctly, but that no table contains.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move that is not legal in the position.
    #[error("{found:?} is not a legal move here")]
    Illegal {
        /// The move as text.
        found: String,
    },
    /// A text that is not a move.
    #[error("{found:?} is not a move: expected {expected}")]
    Move {
        /// The text.
        found: String,
        /// The form in which moves of this game are written.
        expected: &'static str,
    },
}

/// No folder has a table of this name.
#[cfg(feature = "std")]
pub(crate) fn not_found(searched: &[std::path::PathBuf]) -> TableError {
    TableError::new(ErrorKind::Name, format_args!("no such table{}", in_folders(searched)))
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
