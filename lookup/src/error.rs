//! Errors of texts and of files. The core has the others.

#[cfg(feature = "std")]
use crate::TableError;
use crate::{ErrorKind, PositionError};
use alloc::string::String;
#[cfg(feature = "std")]
use alloc::vec::Vec;
use morpion_core::error;

/// A text, sets of cells or a move that are not a position or a legal move of the game. [`TextError::kind`] gives the reason, and the
/// message says what was found and expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError(pub(crate) TextFault);

error!(TextError, |error, f| error.0.fmt(f));

impl From<TextFault> for TextError {
    fn from(fault: TextFault) -> TextError {
        TextError(fault)
    }
}

impl TextError {
    /// Kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match &self.0 {
            TextFault::Character { .. } | TextFault::Mixed { .. } | TextFault::Hole { .. } => {
                ErrorKind::Character
            }
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

/// Marks that are accepted too, instead of X, O and `.`.
const OTHERS: &str = "(or 1, 2, 0; W, B; _ and - for .; in lists -1 for O and b for .)";

/// Fault of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextFault {
    /// A character that is not a cell, and its place, counted from 1.
    Character { character: char, place: usize },
    /// A mark that means something else beside another one, and its place.
    Mixed { character: char, place: usize, beside: char },
    /// A piece or an empty cell where the board has a hole, or a hole where it has a cell.
    Hole { character: char, place: usize },
    /// Too many or too few cells.
    Size { found: usize, expected: usize },
    /// A row, counted from 1, of the wrong length.
    Row { row: usize, found: usize, expected: usize },
    /// Piece counts that the game never has, by colours, and those that it allows.
    Counts { x: u32, o: u32, expected: String },
    /// The side in the text is not the one to move with so many pieces of X and of O.
    Side { found: char, expected: char, x: u32, o: u32 },
    /// Either side may be to move.
    SideMissing,
    /// An end of a text, beside the board, that the game does not have: in quotes, or `nothing`.
    Beside { found: String, expected: &'static str },
    /// A position that is written correctly, but that no table contains.
    Position(PositionError),
    /// A move that is not legal in the position.
    Illegal { found: String },
    /// A text that is not a move, and the form in which moves of this game are written.
    Move { found: String, expected: &'static str },
}

error!(TextFault, |fault, f| match fault {
    TextFault::Character { character, place } => {
        write!(
            f,
            "character {character:?} at place {place} is not a cell: expected X, O or . {OTHERS}"
        )
    }
    TextFault::Mixed { character, place, beside } => write!(
        f,
        "character {character:?} at place {place} has two meanings beside {beside:?}: write X, O and . {OTHERS}"
    ),
    TextFault::Hole { character, place } => write!(
        f,
        "character {character:?} at place {place}: expected # at every hole of the board and nowhere else"
    ),
    TextFault::Size { found, expected } => write!(f, "{found} cells, expected {expected}"),
    TextFault::Row { row, found, expected } => {
        write!(f, "row {row} has {found} cells, expected {expected}")
    }
    TextFault::Counts { x, o, expected } => {
        let began = if o > x { "; if O began, exchange the letters" } else { "" };
        write!(f, "{x} X and {o} O, which never happens in this game: expected {expected}{began}")
    }
    TextFault::Side { found, expected, x, o } => write!(
        f,
        "{found} to move, expected {expected}: with {x} X and {o} O it is the turn of {expected}"
    ),
    TextFault::SideMissing => f.write_str(
        "the side to move is missing: add x or o after the board, since either side may be to move"
    ),
    TextFault::Beside { found, expected } => {
        write!(f, "{found} after the side, expected {expected}")
    }
    TextFault::Position(error) => error.fmt(f),
    TextFault::Illegal { found } => write!(f, "{found:?} is not a legal move here"),
    TextFault::Move { found, expected } => {
        write!(f, "{found:?} is not a move: expected {expected}")
    }
});

impl From<PositionError> for TextFault {
    fn from(error: PositionError) -> TextFault {
        TextFault::Position(error)
    }
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
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: std::path::PathBuf,
    /// The fault. If the file could not be opened or read: [`TableError::Read`] with the [`std::io::Error`].
    pub error: TableError,
}

#[cfg(feature = "std")]
error!(FileError, |error, f| write!(f, "{}: {}", escaped(&error.path), error.error));

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
