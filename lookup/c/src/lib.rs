//! C interface of the lookup library: opaque handles, error codes with messages, no state.
//!
//! The header `include/morpion.h` is generated from this file.

use morpion_lookup::{
    DrawKind, Move, Over, Position, ProbeError, RankedMove, Score, Side, Table, TableError,
    TextError, Value, builtin,
};
use std::ffi::{CStr, c_char};
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

/// An open table.
pub struct MorpionTable(Table<'static>);

/// A position: bit c of a set stands for cell c. `side` is 'x' or 'o', the colour of the mover; only texts need it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MorpionPosition {
    /// Cells of the side to move.
    pub mover: u64,
    /// Cells of the side waiting.
    pub waiter: u64,
    /// 'x' or 'o'.
    pub side: c_char,
}

/// What a position is worth to the side to move.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MorpionScore {
    /// MORPION_WIN, MORPION_DRAW or MORPION_LOSS.
    pub value: i32,
    /// Half-moves to the end; -1 for a draw and from a table without distances.
    pub plies: i32,
    /// MORPION_DRAW_ENDS or MORPION_DRAW_CYCLES; 0 where the value is no draw.
    pub draw: i32,
}

/// A move and what it is worth to the side that makes it, counted from the position before.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MorpionMove {
    /// The cell the piece comes from, MORPION_PLACE or MORPION_PASS.
    pub from: u8,
    /// The cell the piece goes to, or MORPION_PASS.
    pub to: u8,
    /// Its worth.
    pub score: MorpionScore,
}

/// A code with the text that belongs to it.
type Fault = (i32, String);

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

fn of_table(error: TableError) -> Fault {
    fault(error.kind(), &error)
}

fn of_text(error: TextError) -> Fault {
    fault(error.kind(), &error)
}

fn of_probe(error: ProbeError) -> Fault {
    fault(error.kind(), &error)
}

fn argument(what: &str) -> Fault {
    (MORPION_ERROR_ARGUMENT, what.into())
}

/// Copies as much of `text` as fits, whole characters only, and a zero byte; gives the length of the whole text.
///
/// # Safety
/// `buffer` is NULL or has room for `capacity` bytes.
unsafe fn write(text: &str, buffer: *mut c_char, capacity: usize) -> usize {
    if !buffer.is_null() && capacity > 0 {
        let length = text.floor_char_boundary_at_most(capacity - 1);
        // SAFETY: `length` < `capacity`, and the caller answers for the buffer.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), buffer, length);
            *buffer.add(length) = 0;
        }
    }
    text.len()
}

trait Boundary {
    fn floor_char_boundary_at_most(&self, limit: usize) -> usize;
}

impl Boundary for str {
    fn floor_char_boundary_at_most(&self, limit: usize) -> usize {
        let mut end = limit.min(self.len());
        while !self.is_char_boundary(end) {
            end -= 1;
        }
        end
    }
}

/// Runs `work` and turns its fault into a code and a message.
///
/// # Safety
/// As [`write`].
unsafe fn answer(
    message: *mut c_char,
    capacity: usize,
    work: impl FnOnce() -> Result<(), Fault>,
) -> i32 {
    match work() {
        Ok(()) => MORPION_OK,
        Err((code, text)) => {
            // SAFETY: the caller answers for the buffer.
            unsafe { write(&text, message, capacity) };
            code
        }
    }
}

/// # Safety
/// `text` is NULL or ends with a zero byte.
unsafe fn read_text<'a>(text: *const c_char) -> Result<&'a str, Fault> {
    if text.is_null() {
        return Err(argument("a text is NULL"));
    }
    // SAFETY: the caller answers for the zero byte.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| argument("a text is not UTF-8"))
}

/// # Safety
/// `pointer` is NULL or points to a `T` that lives as long as the answer.
unsafe fn given<'a, T>(pointer: *const T) -> Result<&'a T, Fault> {
    // SAFETY: the caller answers for it.
    unsafe { pointer.as_ref() }.ok_or_else(|| argument("a pointer is NULL"))
}

/// # Safety
/// `out` is NULL or has room for a `T`.
unsafe fn put<T>(out: *mut T, value: T) -> Result<(), Fault> {
    if out.is_null() {
        return Err(argument("a pointer to write to is NULL"));
    }
    // SAFETY: the caller answers for the room. What stands there is not dropped: it is plain data.
    unsafe { out.write(value) };
    Ok(())
}

/// # Safety
/// As [`put`].
unsafe fn put_table(
    out: *mut *mut MorpionTable,
    table: Result<Table<'static>, Fault>,
) -> Result<(), Fault> {
    if out.is_null() {
        return Err(argument("a pointer to write to is NULL"));
    }
    let table = Box::new(MorpionTable(table?));
    // SAFETY: the caller answers for the room.
    unsafe { put(out, Box::into_raw(table)) }
}

/// Reads a table file into memory. `*out` is to be closed with morpion_close.
///
/// # Safety
/// `path` ends with a zero byte; `out` has room for a pointer; `message` is NULL or has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_read(
    path: *const c_char,
    out: *mut *mut MorpionTable,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        answer(message, capacity, || {
            let path = read_text(path)?;
            put_table(out, Table::read(path).map_err(of_table))
        })
    }
}

/// Maps a table file into memory: nothing is read before it is asked for, and processes share it. Nobody may change or
/// truncate the file until the table is closed. `*out` is to be closed with morpion_close.
///
/// # Safety
/// As morpion_read, and the file stays as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_map(
    path: *const c_char,
    out: *mut *mut MorpionTable,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers and for the file.
    unsafe {
        answer(message, capacity, || {
            let path = read_text(path)?;
            put_table(out, Table::map(path).map_err(of_table))
        })
    }
}

/// Opens a table from `length` bytes, which are copied. `*out` is to be closed with morpion_close.
///
/// # Safety
/// `bytes` has `length` bytes; for the rest as morpion_read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_from_bytes(
    bytes: *const u8,
    length: usize,
    out: *mut *mut MorpionTable,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        answer(message, capacity, || {
            let bytes = match bytes.is_null() {
                true => return Err(argument("the bytes are NULL")),
                false => std::slice::from_raw_parts(bytes, length).to_vec(),
            };
            put_table(out, Table::from_vec(bytes).map_err(of_table))
        })
    }
}

/// Opens the built-in table of this name: "classic", "swap", … `*out` is to be closed with morpion_close.
///
/// # Safety
/// As morpion_read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_builtin(
    name: *const c_char,
    out: *mut *mut MorpionTable,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        answer(message, capacity, || {
            let name = read_text(name)?;
            let unknown = || (MORPION_ERROR_NAME, format!("{name:?} is no built-in table"));
            put_table(out, builtin(name).ok_or_else(unknown))
        })
    }
}

/// Closes a table; NULL is left alone.
///
/// # Safety
/// `table` is NULL or comes from this library, is not closed yet, and nobody uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_close(table: *mut MorpionTable) {
    if !table.is_null() {
        // SAFETY: it was made by `Box::into_raw`, and the caller gives it back.
        drop(unsafe { Box::from_raw(table) });
    }
}

/// Writes the name of the game, as much of it as fits, with a zero byte. Returns the length of the whole name, 0 where
/// `table` is NULL.
///
/// # Safety
/// `table` is open; `buffer` is NULL or has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_name(
    table: *const MorpionTable,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller answers for the pointers.
    unsafe { given(table).map_or(0, |table| write(&table.0.game().rules().name, buffer, capacity)) }
}

/// Checks the sums of all bytes of the table; reads all of it.
///
/// # Safety
/// `table` is open; `message` is NULL or has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_check_sums(
    table: *const MorpionTable,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe { answer(message, capacity, || given(table)?.0.check_sums().map_err(of_table)) }
}

/// The position the game begins with.
///
/// # Safety
/// `table` is open and `out` has room for a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_start(
    table: *const MorpionTable,
    out: *mut MorpionPosition,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        answer(std::ptr::null_mut(), 0, || {
            let (position, side) = given(table)?.0.game().start();
            put(out, with_side(position, side))
        })
    }
}

fn with_side(Position { mover, waiter }: Position, side: Side) -> MorpionPosition {
    MorpionPosition { mover, waiter, side: side.letter() as c_char }
}

fn position_of(position: MorpionPosition) -> Position {
    Position { mover: position.mover, waiter: position.waiter }
}

fn side_of(position: MorpionPosition) -> Side {
    if position.side == b'o' as c_char { Side::O } else { Side::X }
}

/// Reads a position: "X../.O./..X o", or one of the forms of notebooks.
///
/// # Safety
/// `table` is open, `text` ends with a zero byte, `out` has room for a position, `message` is NULL or has room for
/// `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_parse(
    table: *const MorpionTable,
    text: *const c_char,
    out: *mut MorpionPosition,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        answer(message, capacity, || {
            let table = &given(table)?.0;
            let (position, side) =
                table.game().parse_position(read_text(text)?).map_err(of_text)?;
            put(out, with_side(position, side))
        })
    }
}

/// Writes a position, as much of it as fits, with a zero byte. Returns the length of the whole text, 0 where a pointer
/// is NULL.
///
/// # Safety
/// `table` is open, `position` points to one, `buffer` is NULL or has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_format(
    table: *const MorpionTable,
    position: *const MorpionPosition,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        let (Ok(table), Ok(&position)) = (given(table), given(position)) else { return 0 };
        let text = table.0.game().format_position(position_of(position), side_of(position));
        write(&text, buffer, capacity)
    }
}

/// Writes a move, as morpion_format a position: "b2", "a1-b3", "pass".
///
/// # Safety
/// `table` is open, `mv` points to a move, `buffer` is NULL or has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_format_move(
    table: *const MorpionTable,
    mv: *const MorpionMove,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        let (Ok(table), Ok(mv)) = (given(table), given(mv)) else { return 0 };
        write(&table.0.game().format_move(move_of(mv)), buffer, capacity)
    }
}

fn move_of(mv: &MorpionMove) -> Move {
    match (mv.from, mv.to) {
        (MORPION_PASS, _) => Move::Pass,
        (MORPION_PLACE, to) => Move::Place { to },
        (from, to) => Move::Shift { from, to },
    }
}

fn c_move(RankedMove { mv, score }: &RankedMove) -> MorpionMove {
    let (from, to) = match *mv {
        Move::Place { to } => (MORPION_PLACE, to),
        Move::Shift { from, to } => (from, to),
        Move::Pass => (MORPION_PASS, MORPION_PASS),
    };
    MorpionMove { from, to, score: c_score(*score) }
}

fn c_score(score: Score) -> MorpionScore {
    MorpionScore {
        value: match score.value() {
            Value::Win => MORPION_WIN,
            Value::Draw => MORPION_DRAW,
            Value::Loss => MORPION_LOSS,
        },
        plies: score.plies().map_or(-1, i32::from),
        draw: match score.draw() {
            Some(DrawKind::End) => MORPION_DRAW_ENDS,
            Some(DrawKind::Cycle) => MORPION_DRAW_CYCLES,
            None => 0,
        },
    }
}

/// Value and distance of a position.
///
/// # Safety
/// `table` is open, `position` points to one, `out` has room for a score, `message` is NULL or has room for `capacity`
/// bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_probe(
    table: *const MorpionTable,
    position: *const MorpionPosition,
    out: *mut MorpionScore,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        answer(message, capacity, || {
            let score = given(table)?.0.probe(position_of(*given(position)?));
            put(out, c_score(score.map_err(of_probe)?))
        })
    }
}

/// Values and distances of `count` positions, faster than one after the other. `codes[i]` becomes 0 or the error of
/// position i, whose `out[i]` is then left as it was; `codes` may be NULL. Returns 0, or the first error.
///
/// # Safety
/// `table` is open, `positions` has `count` positions, `out` has room for as many scores, `codes` is NULL or has room for
/// as many codes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_probe_many(
    table: *const MorpionTable,
    positions: *const MorpionPosition,
    count: usize,
    out: *mut MorpionScore,
    codes: *mut i32,
) -> i32 {
    if count == 0 {
        return MORPION_OK;
    }
    if table.is_null() || positions.is_null() || out.is_null() {
        return MORPION_ERROR_ARGUMENT;
    }
    let mut first = MORPION_OK;
    // SAFETY: the caller answers for the pointers, which are not NULL.
    unsafe {
        let table = &(*table).0;
        let positions = std::slice::from_raw_parts(positions, count);
        let mut unit = [Position { mover: 0, waiter: 0 }; 256];
        for (start, positions) in (0..).step_by(unit.len()).zip(positions.chunks(unit.len())) {
            for (slot, &position) in unit.iter_mut().zip(positions) {
                *slot = position_of(position);
            }
            table.probe_many(&unit[..positions.len()], |index, score| {
                let at = start + index;
                let code = match score {
                    Ok(score) => {
                        out.add(at).write(c_score(score));
                        MORPION_OK
                    }
                    Err(error) => of_probe(error).0,
                };
                if !codes.is_null() {
                    codes.add(at).write(code);
                }
                if first == MORPION_OK {
                    first = code;
                }
            });
        }
    }
    first
}

/// All moves with their worth, the best first; none where the game is over. `*count` becomes their number and, where
/// `perfect` is not NULL, `*perfect` how many of them, from the first, are perfect. No more than `room` moves are
/// written to `out`; MORPION_MAX_MOVES is always enough.
///
/// # Safety
/// `table` is open, `position` points to one, `out` has room for `room` moves, `count` and, unless NULL, `perfect` have room for
/// a number, `message` is NULL or has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_moves(
    table: *const MorpionTable,
    position: *const MorpionPosition,
    out: *mut MorpionMove,
    room: usize,
    count: *mut usize,
    perfect: *mut usize,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        answer(message, capacity, || {
            let moves = given(table)?.0.moves(position_of(*given(position)?)).map_err(of_probe)?;
            if out.is_null() && room > 0 {
                return Err(argument("there is no room for moves"));
            }
            for (index, mv) in moves.iter().take(room).enumerate() {
                out.add(index).write(c_move(mv));
            }
            if !perfect.is_null() {
                perfect.write(moves.best().len());
            }
            put(count, moves.len())
        })
    }
}

/// A perfect move. `*found` becomes 1, or 0 where the game is over and there is none.
///
/// # Safety
/// `table` is open, `position` points to one, `out` has room for a move, `found` for a number, `message` is NULL or has room
/// for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_best(
    table: *const MorpionTable,
    position: *const MorpionPosition,
    out: *mut MorpionMove,
    found: *mut i32,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        answer(message, capacity, || {
            let best = given(table)?.0.best(position_of(*given(position)?)).map_err(of_probe)?;
            if let Some(best) = &best {
                put(out, c_move(best))?;
            }
            put(found, best.is_some().into())
        })
    }
}

/// Whether the game is over: MORPION_NOT_OVER, MORPION_OVER_LINE, MORPION_OVER_FULL or MORPION_OVER_STUCK.
///
/// # Safety
/// `table` is open, `position` points to one, `out` has room for a number, `message` is NULL or has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_over(
    table: *const MorpionTable,
    position: *const MorpionPosition,
    out: *mut i32,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        answer(message, capacity, || {
            let over = given(table)?.0.over(position_of(*given(position)?));
            let over = match over.map_err(of_probe)? {
                None => MORPION_NOT_OVER,
                Some(Over::Line) => MORPION_OVER_LINE,
                Some(Over::Full) => MORPION_OVER_FULL,
                Some(Over::Stuck) => MORPION_OVER_STUCK,
            };
            put(out, over)
        })
    }
}

/// The position after a move, seen by the other side, which is then to move. The move has to be legal here.
///
/// # Safety
/// `position` and `mv` point to a position and a move; `out` has room for a position and may be `position`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_after(
    position: *const MorpionPosition,
    mv: *const MorpionMove,
    out: *mut MorpionPosition,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        answer(std::ptr::null_mut(), 0, || {
            let (before, mv) = (*given(position)?, move_of(given(mv)?));
            put(out, with_side(position_of(before).after(mv), side_of(before).other()))
        })
    }
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
