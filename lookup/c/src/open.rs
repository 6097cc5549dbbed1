//! Opening tables: by the name of a game, from files, from memory, from callbacks.

use crate::codes::*;
use crate::origin::{MorpionSource, Origin, open_source};
use crate::pointers::{answer, given, put, read_path, read_text, write};
use morpion_lookup::{Bytes, FileError, Table, Tables};
use std::ffi::c_char;
use std::path::PathBuf;

/// An open table.
pub struct MorpionTable(pub(crate) Table<Origin>);

/// Opens the table of a game by its name: NAME.morpion or NAME.morpion.zst in the first folder that has it, else the built-in
/// one. The folders are those in the variable MORPION_TABLES, then "morpion" in $XDG_DATA_HOME (~/.local/share), where the
/// program builds tables, and in each of $XDG_DATA_DIRS (/usr/local/share and /usr/share), where packages install them. A file
/// is opened as by morpion_map. MORPION_ERROR_NAME where there is none; the message says where it was looked for.
// SAFETY: no other symbol has this name, whose prefix is the library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_open_game(
    name: *const c_char,
    out: *mut *mut MorpionTable,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers and for the file.
    unsafe {
        put_table(out, message, capacity, || {
            let name = read_text(name)?;
            let tables = Tables::standard();
            let Some(file) = tables.find(name) else {
                let own = Table::builtin(name);
                return own.map_or_else(|| Err(not_found(name, tables.folders())), open_own);
            };
            let table = Table::map(&file).and_then(|table| {
                let named = table.expect_name(name);
                named.map_err(|error| FileError { path: file, error }).map(|()| table)
            });
            open_own(table.map_err(of_file)?)
        })
    }
}

/// Opens the built-in table of this name: "classic", "swap", …; morpion_builtin_name lists them.
// SAFETY: as above.
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
            open_own(Table::builtin(name).ok_or_else(unknown)?)
        })
    }
}

/// Writes the name of the built-in table number `index`, from 0, to `buffer`, and returns its length; 0 where there are not
/// that many.
// SAFETY: as above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_builtin_name(
    index: usize,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller answers for the buffer.
    Table::builtin_names().nth(index).map_or(0, |name| unsafe { write(name, buffer, capacity) })
}

/// Opens a table file, plain or packed, which its first bytes tell. A table of at most 64 MiB is in memory afterwards, unpacked;
/// of a larger one each answer reads what it needs.
// SAFETY: as above.
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
            open_own(Table::open(path).map_err(of_file)?)
        })
    }
}

/// Opens a table file, plain or packed, by mapping it into memory: nothing is read before it is asked for, and processes share
/// it. A packed table of at most 64 MiB is unpacked into memory. Nobody may change or truncate the file until the table is
/// closed; another may be renamed over it.
// SAFETY: as above.
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
            open_own(Table::map(path).map_err(of_file)?)
        })
    }
}

/// Opens a table from `length` bytes, plain or packed, which are copied.
// SAFETY: as above.
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
            let bytes = Bytes::detect(Bytes::from(bytes)).map_err(of_packed)?;
            open_own(Table::from_source(bytes).map_err(of_table)?)
        })
    }
}

/// Opens a plain or packed table that is read by a callback, only what an answer needs. `*source` is copied. Of a packed
/// table up to `cache` bytes of unpacked frames are kept, at least the last one.
// SAFETY: as above.
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

/// Checks the sums of all bytes of the table, and so reads all of it. MORPION_ERROR_CHECKSUM, or for a packed table
/// MORPION_ERROR_PACKED, if it is damaged.
// SAFETY: as above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_check_sums(
    table: *const MorpionTable,
    message: *mut c_char,
    capacity: usize,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe { answer(message, capacity, || given(table)?.0.check_sums().map_err(of_table)) }
}

/// Closes a table, which nobody may use any more; NULL is left alone.
// SAFETY: as above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_close(table: *mut MorpionTable) {
    if !table.is_null() {
        // SAFETY: it was made by `Box::into_raw`, and the caller gives it back.
        drop(unsafe { Box::from_raw(table) });
    }
}

fn open_own(table: Table) -> Result<Table<Origin>, Fault> {
    Table::from_source(Origin::Own(Box::new(table))).map_err(of_table)
}

fn not_found(name: &str, folders: &[PathBuf]) -> Fault {
    let folders: Vec<String> =
        folders.iter().map(|folder| folder.display().to_string() + ", ").collect();
    let name = name.chars().take(64).collect::<String>();
    let text = format!(
        "no {name}.morpion or {name}.morpion.zst in {}and no built-in table of this name",
        folders.concat()
    );
    (MORPION_ERROR_NAME, text)
}

/// Opens a table and writes it to `out`, NULL where that fails.
///
/// # Safety
/// As [`put`] and [`write`].
unsafe fn put_table(
    out: *mut *mut MorpionTable,
    message: *mut c_char,
    capacity: usize,
    open: impl FnOnce() -> Result<Table<Origin>, Fault>,
) -> i32 {
    // SAFETY: the caller answers for the pointers.
    unsafe {
        answer(message, capacity, || {
            put(out, std::ptr::null_mut())?;
            put(out, Box::into_raw(Box::new(MorpionTable(open()?))))
        })
    }
}
