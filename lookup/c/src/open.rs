//! Opens tables: by the name of a game, from files, from memory, from callbacks.

use crate::codes::*;
use crate::folders;
use crate::origin::{MorpionSource, bytes_of};
use crate::pointers::{answer, given, items, read_path, read_text, write};
use morpion_lookup::{Bytes, ErrorKind, Table, TableError};
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::path::Path;

/// An open table.
pub struct MorpionTable(pub(crate) Table);

/// Opens the table of a game by its name or alias: NAME.morpion or NAME.morpion.zst in the first folder that has it, else the
/// built-in table. The folders are, in this order: those listed in the variable MORPION_TABLES; "morpion" in $XDG_DATA_HOME
/// (~/.local/share), which the program builds tables into; "morpion" in each of $XDG_DATA_DIRS (/usr/local/share and
/// /usr/share); and ../share/morpion next to the folder of this library, which `make install-tables` installs tables into. A file
/// is opened as by morpion_map. MORPION_ERROR_NAME if there is no such table; the message names every folder that was searched.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_open_game(
    name: *const c_char,
    cache: usize,
    out: Option<&mut MaybeUninit<*mut MorpionTable>>,
) -> i32 {
    put_table(out, || {
        // SAFETY: the caller guarantees that the text ends with a zero byte.
        let name = unsafe { read_text(name)? };
        // SAFETY: the caller guarantees that the file does not change.
        let open = |file: &Path| open_file(file, unsafe { Bytes::map(file) }, cache);
        folders::tables().open_by(name, open).map_err(|error| {
            let mut fault = Fault::from(error);
            if fault.code == ErrorKind::Name as i32 {
                fault.text += ", which `make install-tables` installs";
            }
            fault
        })
    })
}

/// Opens the built-in table of this name: "classic", "swap", …; morpion_builtin_name lists them.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_builtin(
    name: *const c_char,
    out: Option<&mut MaybeUninit<*mut MorpionTable>>,
) -> i32 {
    put_table(out, || {
        // SAFETY: the caller guarantees that the text ends with a zero byte.
        let name = unsafe { read_text(name)? };
        let unknown = "morpion_builtin_name lists the names";
        let text = || format!("no built-in table {name:?}: {unknown}");
        Table::builtin(name).map_err(|_| Fault { code: ErrorKind::Name as i32, text: text() })
    })
}

/// Writes the name of the built-in table number `index`, counted from 0, to `buffer`, and returns its length; 0 if there are
/// fewer tables.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_builtin_name(
    index: usize,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller guarantees the capacity of the buffer.
    Table::builtin_names().nth(index).map_or(0, |name| unsafe { write(name, buffer, capacity) })
}

/// Opens a table file, plain or packed, which its first bytes determine. A file of at most 64 MiB is read into memory; in a
/// larger one, each answer reads the bytes that it needs. `cache` is how many bytes of a packed table are kept unpacked, usually
/// MORPION_CACHE: a table that fits is unpacked at once, and of a larger one the frames used last are kept.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_open(
    path: *const c_char,
    cache: usize,
    out: Option<&mut MaybeUninit<*mut MorpionTable>>,
) -> i32 {
    put_table(out, || {
        // SAFETY: the caller guarantees that the path ends with a zero byte.
        let path = unsafe { read_path(path)? };
        Ok(open_file(path, Bytes::open(path), cache)?)
    })
}

/// Opens a table file, plain or packed, by mapping it into memory: nothing is read before an answer needs it, and processes
/// share the memory. `cache` as in morpion_open. Nobody may change or truncate the file until the table is closed, but another
/// file may be renamed over it.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_map(
    path: *const c_char,
    cache: usize,
    out: Option<&mut MaybeUninit<*mut MorpionTable>>,
) -> i32 {
    put_table(out, || {
        // SAFETY: the caller guarantees that the path ends with a zero byte and that the file does not change.
        let (path, bytes) = unsafe { (read_path(path)?, Bytes::map(read_path(path)?)) };
        Ok(open_file(path, bytes, cache)?)
    })
}

/// Opens a table from `length` bytes, plain or packed, which are copied. `cache` as in morpion_open.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_from_bytes(
    bytes: *const u8,
    length: usize,
    cache: usize,
    out: Option<&mut MaybeUninit<*mut MorpionTable>>,
) -> i32 {
    put_table(out, || {
        // SAFETY: the caller guarantees `length` bytes.
        let bytes = unsafe { items(bytes, length)? };
        let bytes = Bytes::detect(Bytes::from(bytes.to_vec()));
        Ok(with_cache(bytes?, cache)?)
    })
}

/// Opens a plain or packed table that a callback reads: of the table only the parts that answers need. `*source` is copied. Of a
/// packed table, up to `cache` bytes of unpacked frames are kept, at least the last one.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_open_source(
    source: Option<&MorpionSource>,
    cache: usize,
    out: Option<&mut MaybeUninit<*mut MorpionTable>>,
) -> i32 {
    put_table(out, || {
        let table = Table::from_source(bytes_of(*given(source)?)?)?;
        table.source().packed().into_iter().for_each(|packed| packed.set_cache(cache));
        Ok(table)
    })
}

/// Reads the whole table and checks its checksums. MORPION_ERROR_CHECKSUM, or for a packed table MORPION_ERROR_PACKED, if it is
/// damaged.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_check_sums(table: Option<&MorpionTable>) -> i32 {
    answer(|| Ok(given(table)?.0.check_sums()?))
}

/// Closes a table, which nobody may use any more. NULL is allowed and does nothing.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn morpion_close(table: *mut MorpionTable) {
    if !table.is_null() {
        // SAFETY: `put_table` made the pointer by `Box::into_raw`, and the caller does not use it any more.
        drop(unsafe { Box::from_raw(table) });
    }
}

/// Opens the table in the bytes of a file. An error has the path.
fn open_file(
    path: &Path,
    bytes: Result<Bytes, TableError>,
    cache: usize,
) -> Result<Table, TableError> {
    bytes.and_then(|bytes| with_cache(bytes, cache)).map_err(|error| error.at(path))
}

/// Opens the table in these bytes. A packed table is unpacked if it fits in `cache` bytes; otherwise this is the size of its cache.
fn with_cache(bytes: Bytes, cache: usize) -> Result<Table, TableError> {
    let table = Table::from_source(bytes)?;
    match table.source().packed() {
        Some(_) if table.size() <= cache as u64 => return table.loaded(),
        Some(packed) => packed.set_cache(cache),
        None => {}
    }
    Ok(table)
}

/// Opens a table and writes it to `out`, or NULL if that fails.
fn put_table(
    out: Option<&mut MaybeUninit<*mut MorpionTable>>,
    open: impl FnOnce() -> Result<Table, Fault>,
) -> i32 {
    answer(|| {
        let out = given(out)?.write(std::ptr::null_mut());
        *out = Box::into_raw(Box::new(MorpionTable(open()?)));
        Ok(())
    })
}
