//! C interface of the lookup library: opaque handles, error codes with messages, no state.
//!
//! In come handles and positions as C has them, out go error codes, scores and moves. The header `include/morpion.h` is
//! generated from these files. All functions stand in this one, in the order in which a program calls them, because the
//! header takes their order from here; what they share is in the other files.

mod codes;
mod data;
mod origin;
mod pointers;

pub use codes::*;
pub use data::*;
use morpion_lookup::{Bytes, FileError, Over, Position, Table, TableFile, builtin, builtin_names};
pub use origin::MorpionSource;
use origin::{Origin, open_source};
use pointers::{answer, given, put, put_table, read_path, read_text, write};
use std::ffi::c_char;
use std::path::Path;

/// An open table.
pub struct MorpionTable(Table<Origin>);

/// Opens a table file, plain or packed, which its first bytes tell: reads it into memory, a packed one as it is. `*out` is
/// to be closed with morpion_close; it is NULL after a failure, here and below.
///
/// # Safety
/// `path` ends with a zero byte; `out` has room for a pointer; `message` is NULL or has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_open(
    path: *const c_char,
    out: *mut *mut MorpionTable,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        put_table(out, message, capacity, || {
            let path = read_path(path)?;
            open_file(path, TableFile::read(path))
        })
    }
}

/// Maps a table file, plain or packed, into memory: nothing is read before it is asked for, and processes share it. Nobody may
/// change or truncate the file until the table is closed. `*out` is to be closed with morpion_close.
///
/// # Safety
/// As morpion_open, and the file stays as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_map(
    path: *const c_char,
    out: *mut *mut MorpionTable,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers and for the file.
    unsafe {
        put_table(out, message, capacity, || {
            let path = read_path(path)?;
            open_file(path, TableFile::map(path))
        })
    }
}

fn open_file(path: &Path, file: Result<TableFile, FileError>) -> Result<Table<Origin>, Fault> {
    let open = |file| Table::open(Origin::File(file)).map_err(|error| FileError::new(path, error));
    file.and_then(open).map_err(of_file)
}

/// Opens a table from `length` bytes, plain or packed, which are copied. `*out` is to be closed with morpion_close.
///
/// # Safety
/// `bytes` has `length` bytes; for the rest as morpion_open.
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
        put_table(out, message, capacity, || {
            let bytes = match bytes.is_null() {
                true => return Err(argument("the bytes are NULL")),
                false => std::slice::from_raw_parts(bytes, length).to_vec(),
            };
            let file = TableFile::new(Bytes::from(bytes)).map_err(of_packed)?;
            Table::open(Origin::File(file)).map_err(of_table)
        })
    }
}

/// Opens a plain or packed table that is read by a callback, only what an answer needs. `*source` is copied. Of a packed
/// table up to `cache` bytes of unpacked frames are kept, at least the last one. `*out` is to be closed with morpion_close.
///
/// # Safety
/// `source` points to a source whose `read_at` does as MorpionSource says until the table is closed; for the rest as
/// morpion_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_open_source(
    source: *const MorpionSource,
    cache: usize,
    out: *mut *mut MorpionTable,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe { put_table(out, message, capacity, || open_source(*given(source)?, cache)) }
}

/// Opens the built-in table of this name: "classic", "swap", … `*out` is to be closed with morpion_close.
///
/// # Safety
/// As morpion_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_builtin(
    name: *const c_char,
    out: *mut *mut MorpionTable,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        put_table(out, message, capacity, || {
            let name = read_text(name)?;
            let unknown = || (MORPION_ERROR_NAME, format!("{name:?} is no built-in table"));
            let table = Box::new(builtin(name).ok_or_else(unknown)?);
            Table::open(Origin::BuiltIn(table)).map_err(of_table)
        })
    }
}

/// Writes the name of the built-in table `index`, as much of it as fits, with a zero byte. Returns the length of the whole
/// name, 0 where there are not as many.
///
/// # Safety
/// `buffer` is NULL or has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_builtin_name(
    index: usize,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller answers for the buffer.
    builtin_names().nth(index).map_or(0, |name| unsafe { write(name, buffer, capacity) })
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
/// is NULL or the side of the position neither 'x' nor 'o'.
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
        let Ok(side) = side_of(position) else { return 0 };
        let text = table.0.game().format_position(position_of(position), side);
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

/// Reads a move, in either case: "b2", "a1-b3", "pass". It need not be legal anywhere; morpion_moves lists those that are. Its
/// score is all zero.
///
/// # Safety
/// `table` is open, `text` ends with a zero byte, `out` has room for a move, `message` is NULL or has room for `capacity`
/// bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_parse_move(
    table: *const MorpionTable,
    text: *const c_char,
    out: *mut MorpionMove,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        answer(message, capacity, || {
            let mv = given(table)?.0.game().parse_move(read_text(text)?).map_err(of_text)?;
            put(out, c_move_alone(mv))
        })
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
            let moves =
                given(table)?.0.ranked_moves(position_of(*given(position)?)).map_err(of_probe)?;
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
            let side = side_of(before)?;
            put(out, with_side(position_of(before).after(mv), side.other()))
        })
    }
}
