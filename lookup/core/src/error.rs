//! Errors of positions, tables and answers, and the codes of their kinds, which all languages share.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::error::Error;
use core::fmt::Display;
#[cfg(feature = "std")]
use std::path::{Path, PathBuf};

/// A position, a text or a move that the game does not have. [`PositionError::kind`] gives the reason, and the message says what was
/// found and expected.
#[derive(Clone, PartialEq, Eq)]
pub struct PositionError(Reason);

#[derive(Clone, PartialEq, Eq)]
enum Reason {
    /// A position that is not one of the game, and the numbers of the message. Nothing is allocated, because some answers make this
    /// error and discard it.
    Position(ErrorKind, [u8; 2]),
    /// A text or a move that is not one of the game, with the whole message.
    Text(Box<(ErrorKind, String)>),
}

impl PositionError {
    /// An error of this kind, with the description of the fault.
    #[doc(hidden)]
    pub fn new(kind: ErrorKind, message: impl Display) -> PositionError {
        PositionError(Reason::Text(Box::new((kind, message.to_string()))))
    }

    /// The error of a position that is not one of the game. `numbers` are the numbers in the message, which depend on the kind.
    pub(crate) const fn of_position(kind: ErrorKind, numbers: [u8; 2]) -> PositionError {
        PositionError(Reason::Position(kind, numbers))
    }

    /// Kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match &self.0 {
            Reason::Position(kind, _) => *kind,
            Reason::Text(text) => text.0,
        }
    }
}

error!(PositionError, |error, f| match &error.0 {
    Reason::Text(text) => f.write_str(&text.1),
    Reason::Position(ErrorKind::OffTheBoard, [cells, _]) => {
        write!(f, "a piece is off the board, which has {cells} cells")
    }
    Reason::Position(ErrorKind::Overlap, [cell, _]) => {
        write!(f, "both sides have a piece on cell {cell}")
    }
    Reason::Position(ErrorKind::MoverLine, _) => {
        f.write_str("the side to move already has a line: the game was over a move earlier")
    }
    Reason::Position(ErrorKind::BothLines, _) => {
        f.write_str("both sides have a line: the game was over earlier")
    }
    Reason::Position(_, [mover, waiter]) => write!(
        f,
        "the side to move has {mover} pieces and the side waiting {waiter}, which never happens in this game"
    ),
});

/// The reason why a table cannot be opened or read: its bytes cannot be read, are not a table or not the expected table, or no table has
/// the name. Converted from a `std::io::Error` if the feature `std` is on.
// In a box, so that the error is one word long: a larger error would make the result of every probe larger.
pub struct TableError(Box<Failure>);

struct Failure {
    kind: ErrorKind,
    #[cfg(feature = "std")]
    path: Option<PathBuf>,
    error: Box<dyn Error + Send + Sync>,
}

error!(TableError, |error, f| {
    #[cfg(feature = "std")]
    if let Some(path) = error.path() {
        for character in path.display().to_string().chars() {
            // A path may contain control characters, which must not reach a terminal.
            match character.is_control() {
                true => write!(f, "{}", character.escape_default())?,
                false => write!(f, "{character}")?,
            }
        }
        f.write_str(": ")?;
    }
    error.0.error.fmt(f)
});

/// Constructors for the crates of this project.
#[doc(hidden)]
impl TableError {
    /// An error of this kind, with the description of the fault.
    pub fn new(kind: ErrorKind, message: impl Display) -> TableError {
        TableError::of(kind, message.to_string().into())
    }

    /// A header that contradicts itself.
    pub fn header(message: impl Display) -> TableError {
        TableError::new(ErrorKind::Header, format_args!("header: {message}"))
    }

    /// A wrong checksum of a part of a file.
    pub fn checksum(part: impl Display, found: u64, expected: u64) -> TableError {
        let message = format_args!("checksum of {part} is {found:016x}, expected {expected:016x}");
        TableError::new(ErrorKind::Checksum, message)
    }

    /// A file whose length is not the one that its header implies.
    pub fn length(found: u64, expected: u64) -> TableError {
        TableError::new(ErrorKind::Length, format_args!("{found} bytes, expected {expected}"))
    }

    /// The end of a file of `found` bytes before its length field; `least` is a lower bound of the length.
    pub(crate) fn cut(found: u64, least: u64) -> TableError {
        let message = format_args!("cut short: {found} bytes, expected at least {least}");
        TableError::new(ErrorKind::Length, message)
    }
}

impl TableError {
    /// The failure of a source.
    pub fn io(error: impl Into<Box<dyn Error + Send + Sync>>) -> TableError {
        TableError::of(ErrorKind::Io, error.into())
    }

    fn of(kind: ErrorKind, error: Box<dyn Error + Send + Sync>) -> TableError {
        TableError(Box::new(Failure {
            kind,
            #[cfg(feature = "std")]
            path: None,
            error,
        }))
    }

    /// Kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The error that was passed to [`TableError::io`], such as a `std::io::Error`, or the description of the fault.
    pub fn into_inner(self) -> Box<dyn Error + Send + Sync> {
        self.0.error
    }

    /// Adds the path of the file, with which the message then begins.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn at(mut self, path: impl Into<PathBuf>) -> TableError {
        self.0.path = Some(path.into());
        self
    }

    /// The file in which the error was found, if [`TableError::at`] has set it.
    #[cfg(feature = "std")]
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }
}

#[cfg(feature = "std")]
impl From<std::io::Error> for TableError {
    fn from(error: std::io::Error) -> TableError {
        TableError::io(error)
    }
}

/// Reason why a table gives no answer.
#[non_exhaustive]
pub enum ProbeError {
    /// The question is not a position of the game.
    Position(PositionError),
    /// The table contradicts itself here: it is damaged (`morpion verify` says where).
    Damaged(Damage),
    /// The source did not give the bytes of the answer.
    Read(TableError),
}

error!(ProbeError, |error, f| match error {
    ProbeError::Position(fault) => fault.fmt(f),
    ProbeError::Damaged(damage) => write!(f, "the table is damaged: {}", damage.name()),
    ProbeError::Read(error) => error.fmt(f),
});

macro_rules! causes {
    ($($variant:ident($cause:ty)),*) => {$(
        impl From<$cause> for ProbeError {
            fn from(cause: $cause) -> ProbeError {
                ProbeError::$variant(cause)
            }
        }
    )*};
}

causes!(Position(PositionError), Damaged(Damage), Read(TableError));

impl ProbeError {
    /// Kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            ProbeError::Position(fault) => fault.kind(),
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
    /// The layer of a position is missing or too short.
    Layer,
    /// An entry says that its position does not exist, but the game has the position.
    Entry,
}

names!(Damage {
    Map = "a map is too short",
    Row = "a map names a row that does not exist",
    Symmetry = "a map names a symmetry that does not exist",
    Layer = "a layer is missing",
    Entry = "a position has no entry"
});

/// Kind of an error, without the particulars. `kind as u8` is a number, the same in every language. 0 means success, and 1 an
/// invalid argument outside this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum ErrorKind {
    /// The bytes could not be read.
    Io = 2,
    /// A packed table without a valid seek table, or with a damaged frame.
    Packed = 9,
    /// Not a table.
    Magic = 3,
    /// A table of a format that this library does not know.
    Version = 4,
    /// Fewer or more bytes than the header says.
    Length = 5,
    /// A checksum that does not fit.
    Checksum = 6,
    /// A header that contradicts itself.
    Header = 7,
    /// A header whose rules are invalid.
    Rules = 10,
    /// A table of other rules than those expected.
    OtherRules = 11,
    /// No table of this name.
    Name = 8,
    /// A character that is not a cell.
    Character = 20,
    /// Too many or too few cells.
    Size = 21,
    /// A row of the wrong length.
    Row = 22,
    /// Piece counts that the game never has.
    Counts = 23,
    /// The side in the text is not the one to move.
    Side = 24,
    /// All pieces are placed and the text does not say who is to move.
    SideMissing = 25,
    /// Pieces in hand or ages of pieces that are missing in a text, or do not fit its board.
    Beside = 27,
    /// A text that is not a move.
    Move = 26,
    /// A piece off the board.
    OffTheBoard = 30,
    /// A cell that both sides hold.
    Overlap = 31,
    /// The side to move owns a line.
    MoverLine = 32,
    /// Both sides own a line.
    BothLines = 33,
    /// The table contradicts itself.
    Damaged = 40,
}

names!(ErrorKind {
    Io = "io", Packed = "packed", Magic = "magic", Version = "version", Length = "length",
    Checksum = "checksum", Header = "header", Rules = "rules", OtherRules = "other-rules",
    Name = "name", Character = "character", Size = "size", Row = "row", Counts = "counts",
    Side = "side", SideMissing = "side-missing", Beside = "beside", Move = "move",
    OffTheBoard = "off-the-board", Overlap = "overlap", MoverLine = "mover-line",
    BothLines = "both-lines", Damaged = "damaged"
});
