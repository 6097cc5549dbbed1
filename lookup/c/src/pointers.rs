//! Reads and writes through the pointers of callers, all of which are in this file, except for positions and handles.

use crate::codes::*;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::path::Path;

/// Copies as many whole characters of `text` as fit, and a zero byte. Returns the length of the whole text.
///
/// # Safety
/// `buffer` is NULL or has room for `capacity` bytes.
pub(crate) unsafe fn write(text: &str, buffer: *mut c_char, capacity: usize) -> usize {
    if !buffer.is_null() && capacity > 0 {
        let mut length = text.len().min(capacity - 1);
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        // SAFETY: `length` < `capacity`, and the caller guarantees the capacity of the buffer.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), buffer, length);
            *buffer.add(length) = 0;
        }
    }
    text.len()
}

thread_local! {
    /// The message of the last error in this thread.
    static LAST_MESSAGE: RefCell<CString> = RefCell::default();
}

/// Runs `work` and returns its error code, or 0. The message of an error becomes the last message of the thread.
pub(crate) fn answer(work: impl FnOnce() -> Result<(), Fault>) -> i32 {
    match work() {
        Ok(()) => MORPION_OK,
        Err(Fault { code, text }) => {
            let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
            LAST_MESSAGE.set(text);
            code
        }
    }
}

/// The text of the last error of a function that this thread called, or an empty text. It is valid until the next error of this thread.
// SAFETY: the prefix makes the name unique.
#[unsafe(no_mangle)]
pub extern "C" fn morpion_last_message() -> *const c_char {
    LAST_MESSAGE.with_borrow(|text| text.as_ptr())
}

/// # Safety
/// `text` is NULL or ends with a zero byte.
pub(crate) unsafe fn read_text<'a>(text: *const c_char) -> Result<&'a str, Fault> {
    if text.is_null() {
        return Err(argument("a text is NULL"));
    }
    // SAFETY: the caller guarantees the zero byte at the end.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| argument("a text is not UTF-8"))
}

/// Reads a path: any bytes on Unix, otherwise UTF-8.
///
/// # Safety
/// `path` is NULL or ends with a zero byte.
pub(crate) unsafe fn read_path<'a>(path: *const c_char) -> Result<&'a Path, Fault> {
    #[cfg(unix)]
    {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
        if path.is_null() {
            return Err(argument("a path is NULL"));
        }
        // SAFETY: the caller guarantees the zero byte at the end.
        let path = unsafe { CStr::from_ptr(path) };
        Ok(Path::new(OsStr::from_bytes(path.to_bytes())))
    }
    #[cfg(not(unix))]
    // SAFETY: the caller guarantees the zero byte at the end.
    unsafe { read_text(path) }.map(Path::new)
}

/// Returns the argument, or an error if it is NULL.
pub(crate) fn given<T>(pointer: Option<T>) -> Result<T, Fault> {
    pointer.ok_or_else(|| argument("a pointer is NULL"))
}

/// Writes a result to `out`, which must not be NULL.
pub(crate) fn put<T>(out: Option<&mut MaybeUninit<T>>, value: T) -> Result<(), Fault> {
    out.ok_or_else(|| argument("a pointer to write to is NULL"))?.write(value);
    Ok(())
}

/// Reads an array of a caller as a slice.
///
/// # Safety
/// `pointer` is NULL or points to `count` items that are valid as long as the returned slice is used.
pub(crate) unsafe fn items<'a, T>(pointer: *const T, count: usize) -> Result<&'a [T], Fault> {
    match pointer.is_null() {
        true => Err(argument("a pointer is NULL")),
        // SAFETY: the caller guarantees `count` items.
        false => Ok(unsafe { std::slice::from_raw_parts(pointer, count) }),
    }
}

/// Returns the room for an array of results as a slice. `out` may be NULL if `room` is 0.
///
/// # Safety
/// `out` is NULL or has room for `room` items.
pub(crate) unsafe fn room_for<'a, T>(
    out: *mut T,
    room: usize,
) -> Result<&'a mut [MaybeUninit<T>], Fault> {
    match out.is_null() {
        true if room > 0 => Err(argument("a pointer to write to is NULL")),
        true => Ok(&mut []),
        // SAFETY: the caller guarantees the room, and `MaybeUninit` items need no value.
        false => Ok(unsafe { std::slice::from_raw_parts_mut(out.cast(), room) }),
    }
}

/// Writes the first items, as many as `out` has room for.
pub(crate) fn put_all<T>(items: impl Iterator<Item = T>, out: &mut [MaybeUninit<T>]) {
    out.iter_mut().zip(items).for_each(|(slot, item)| _ = slot.write(item));
}
