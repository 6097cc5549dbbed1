//! The numbers of the interface: errors, values, kinds.

use morpion_lookup::{FileError, ProbeError, TableError, TextError};
use std::ffi::c_char;
use std::fmt::Display;

/// Done.
pub const MORPION_OK: i32 = 0;
/// A pointer is NULL that may not be, or a text is not UTF-8.
pub const MORPION_ERROR_ARGUMENT: i32 = 1;
/// The file could not be read.
pub const MORPION_ERROR_IO: i32 = 2;
/// Not a table.
pub const MORPION_ERROR_MAGIC: i32 = 3;
/// A table of a format that this library does not know.
pub const MORPION_ERROR_VERSION: i32 = 4;
/// Fewer or more bytes than the header says.
pub const MORPION_ERROR_LENGTH: i32 = 5;
/// A checksum that does not fit.
pub const MORPION_ERROR_CHECKSUM: i32 = 6;
/// A header that contradicts itself or whose rules are unsound.
pub const MORPION_ERROR_HEADER: i32 = 7;
/// No built-in table has this name.
pub const MORPION_ERROR_NAME: i32 = 8;
/// A character that is no cell.
pub const MORPION_ERROR_CHARACTER: i32 = 20;
/// Too many or too few cells.
pub const MORPION_ERROR_SIZE: i32 = 21;
/// A row of the wrong length.
pub const MORPION_ERROR_ROW: i32 = 22;
/// Piece counts that the game never has.
pub const MORPION_ERROR_COUNTS: i32 = 23;
/// The side in the text is not the one to move.
pub const MORPION_ERROR_SIDE: i32 = 24;
/// All pieces are placed and the text does not say who is to move.
pub const MORPION_ERROR_SIDE_MISSING: i32 = 25;
/// A text that is no move.
pub const MORPION_ERROR_MOVE: i32 = 26;
/// A piece off the board.
pub const MORPION_ERROR_OFF_THE_BOARD: i32 = 30;
/// A cell that both sides hold.
pub const MORPION_ERROR_OVERLAP: i32 = 31;
/// The side to move owns a line.
pub const MORPION_ERROR_MOVER_LINE: i32 = 32;
/// Both sides own a line.
pub const MORPION_ERROR_BOTH_LINES: i32 = 33;
/// The table contradicts itself.
pub const MORPION_ERROR_DAMAGED: i32 = 40;
/// An error of a kind that this interface has no number for.
pub const MORPION_ERROR_OTHER: i32 = 99;

/// The mover wins.
pub const MORPION_WIN: i32 = 1;
/// Neither side can force a win.
pub const MORPION_DRAW: i32 = 0;
/// The mover loses.
pub const MORPION_LOSS: i32 = -1;

/// A draw whose every play that keeps it ends.
pub const MORPION_DRAW_ENDS: i32 = 1;
/// A draw that can go on for ever.
pub const MORPION_DRAW_CYCLES: i32 = 2;

/// The game goes on.
pub const MORPION_NOT_OVER: i32 = 0;
/// The side waiting has made a line.
pub const MORPION_OVER_LINE: i32 = 1;
/// Nothing can be placed any more.
pub const MORPION_OVER_FULL: i32 = 2;
/// The side to move has no legal move.
pub const MORPION_OVER_STUCK: i32 = 3;

/// In place of the cell a piece comes from: the piece is new.
pub const MORPION_PLACE: u8 = 254;
/// In place of both cells: a pass.
pub const MORPION_PASS: u8 = 255;

/// The most moves a position can have.
pub const MORPION_MAX_MOVES: usize = 163;

const _: () = assert!(MORPION_MAX_MOVES == morpion_lookup::MAX_MOVES);

/// A code with the text that belongs to it.
pub(crate) type Fault = (i32, String);

fn fault(kind: &str, error: &dyn Display) -> Fault {
    let code = match kind {
        "io" => MORPION_ERROR_IO,
        "magic" => MORPION_ERROR_MAGIC,
        "version" => MORPION_ERROR_VERSION,
        "length" => MORPION_ERROR_LENGTH,
        "checksum" => MORPION_ERROR_CHECKSUM,
        "header" | "rules" => MORPION_ERROR_HEADER,
        "character" => MORPION_ERROR_CHARACTER,
        "size" => MORPION_ERROR_SIZE,
        "row" => MORPION_ERROR_ROW,
        "counts" => MORPION_ERROR_COUNTS,
        "side" => MORPION_ERROR_SIDE,
        "side-missing" => MORPION_ERROR_SIDE_MISSING,
        "move" => MORPION_ERROR_MOVE,
        "off-the-board" => MORPION_ERROR_OFF_THE_BOARD,
        "overlap" => MORPION_ERROR_OVERLAP,
        "mover-line" => MORPION_ERROR_MOVER_LINE,
        "both-lines" => MORPION_ERROR_BOTH_LINES,
        "damaged" => MORPION_ERROR_DAMAGED,
        _ => MORPION_ERROR_OTHER,
    };
    (code, error.to_string())
}

pub(crate) fn of_table(error: TableError) -> Fault {
    fault(error.kind(), &error)
}

pub(crate) fn of_file(error: FileError) -> Fault {
    fault(error.error.kind(), &error)
}

pub(crate) fn of_text(error: TextError) -> Fault {
    fault(error.kind(), &error)
}

pub(crate) fn of_probe(error: ProbeError) -> Fault {
    fault(error.kind(), &error)
}

pub(crate) fn argument(what: &str) -> Fault {
    (MORPION_ERROR_ARGUMENT, what.into())
}

/// The short name of an error, the same in every language; "ok" for 0.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_error_name(code: i32) -> *const c_char {
    let name = match code {
        MORPION_OK => c"ok",
        MORPION_ERROR_ARGUMENT => c"argument",
        MORPION_ERROR_IO => c"io",
        MORPION_ERROR_MAGIC => c"magic",
        MORPION_ERROR_VERSION => c"version",
        MORPION_ERROR_LENGTH => c"length",
        MORPION_ERROR_CHECKSUM => c"checksum",
        MORPION_ERROR_HEADER => c"header",
        MORPION_ERROR_NAME => c"name",
        MORPION_ERROR_CHARACTER => c"character",
        MORPION_ERROR_SIZE => c"size",
        MORPION_ERROR_ROW => c"row",
        MORPION_ERROR_COUNTS => c"counts",
        MORPION_ERROR_SIDE => c"side",
        MORPION_ERROR_SIDE_MISSING => c"side-missing",
        MORPION_ERROR_MOVE => c"move",
        MORPION_ERROR_OFF_THE_BOARD => c"off-the-board",
        MORPION_ERROR_OVERLAP => c"overlap",
        MORPION_ERROR_MOVER_LINE => c"mover-line",
        MORPION_ERROR_BOTH_LINES => c"both-lines",
        MORPION_ERROR_DAMAGED => c"damaged",
        _ => c"other",
    };
    name.as_ptr()
}
