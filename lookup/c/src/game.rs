//! The game of a table: its name and board, positions and moves as text, the position after a move.

use crate::data::*;
use crate::open::MorpionTable;
use crate::pointers::{answer, given, put, read_text, write};
use std::ffi::c_char;
use std::mem::MaybeUninit;

/// Writes the name of the game to `buffer`, and returns its length.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_name(
    table: Option<&MorpionTable>,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller guarantees the capacity of the buffer.
    table.map_or(0, |table| unsafe { write(table.0.game().name(), buffer, capacity) })
}

/// The number of cells of the board, at most 36. Cells are numbered from 0, row by row from the top.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_cells(table: Option<&MorpionTable>) -> u32 {
    table.map_or(0, |table| table.0.game().cells().into())
}

/// The number of rows of the board; 0 if it is not a grid.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_rows(table: Option<&MorpionTable>) -> u32 {
    grid(table).0
}

/// The number of columns of the board; 0 if it is not a grid.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_columns(table: Option<&MorpionTable>) -> u32 {
    grid(table).1
}

/// Rows and columns of the board; 0 and 0 if it is not a grid or `table` is NULL.
fn grid(table: Option<&MorpionTable>) -> (u32, u32) {
    let grid = table.and_then(|table| table.0.game().board_shape().grid());
    grid.map_or((0, 0), |(rows, columns)| (rows.into(), columns.into()))
}

/// The position at the start of the game.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_start(
    table: Option<&MorpionTable>,
    out: Option<&mut MaybeUninit<MorpionPosition>>,
) -> i32 {
    answer(|| put(out, c_position(given(table)?.0.game().start())))
}

/// Reads a position: rows from the top, `X` `O` `.`, `/` between rows, a space and the side to move, as in "X../.O./..X o". The
/// side may be omitted if the number of pieces determines it. Pieces in hand of X and O follow as in "... x 3/2", pieces that age as
/// in "... x c1,a2/b2", the oldest first. Forms of notebooks are read too: `1` and `2` for the sides, `0` `_`
/// `-` for empty cells, lower case, "(1,0,0,0,2,0,0,0,0)".
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_parse(
    table: Option<&MorpionTable>,
    text: *const c_char,
    out: Option<&mut MaybeUninit<MorpionPosition>>,
) -> i32 {
    answer(|| {
        let game = given(table)?.0.game();
        // SAFETY: the caller guarantees that the text ends with a zero byte.
        put(out, c_position(game.parse_position(unsafe { read_text(text)? })?))
    })
}

/// Writes a position to `buffer` as morpion_parse reads it, and returns the length of its text; 0 if its side is neither 'x' nor 'o'.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_format(
    table: Option<&MorpionTable>,
    position: Option<&MorpionPosition>,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    let (Some(table), Some(position)) = (table, position) else { return 0 };
    let Ok(position) = on_board(table.0.game(), position) else { return 0 };
    // SAFETY: the caller guarantees the capacity of the buffer.
    unsafe { write(&table.0.game().format_position(position), buffer, capacity) }
}

/// Reads a move in upper or lower case: "b2" places a piece, "a1-b3" moves one, "b2xc3" and "a1-b3xc3" take one too, "b2xa3xc3" two,
/// "a1>a5" pushes, "pass" passes. Does not check that the move is legal; morpion_moves lists the legal moves. The score becomes zero.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_parse_move(
    table: Option<&MorpionTable>,
    text: *const c_char,
    out: Option<&mut MaybeUninit<MorpionMove>>,
) -> i32 {
    answer(|| {
        let game = given(table)?.0.game();
        // SAFETY: the caller guarantees that the text ends with a zero byte.
        put(out, c_move_alone(game.parse_move(unsafe { read_text(text)? })?))
    })
}

/// Writes a move to `buffer` as morpion_parse_move reads it, and returns the length of its text.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_format_move(
    table: Option<&MorpionTable>,
    mv: Option<&MorpionMove>,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    let (Some(table), Some(mv)) = (table, mv) else { return 0 };
    // SAFETY: the caller guarantees the capacity of the buffer.
    unsafe { write(&table.0.game().format_move(move_of(mv)), buffer, capacity) }
}

/// The position after a move, with the other side to move. The move must be legal in the position. `out` may be `position`.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_after(
    table: Option<&MorpionTable>,
    position: *const MorpionPosition,
    mv: Option<&MorpionMove>,
    out: *mut MorpionPosition,
) -> i32 {
    answer(|| {
        let game = given(table)?.0.game();
        // SAFETY: the caller guarantees the position, which is read before `out` is written.
        let position = *given(unsafe { position.as_ref() })?;
        let after = game.after(on_board(game, &position)?, move_of(given(mv)?));
        // SAFETY: the caller guarantees that the array has this room.
        put(unsafe { out.cast::<MaybeUninit<_>>().as_mut() }, c_position(after))
    })
}
