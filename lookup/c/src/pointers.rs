//! Texts, pointers and buffers of callers. Reads and writes through them are in this file.

use crate::codes::*;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::path::Path;

/// Copies the whole characters of `text` that fit, and a zero byte. Returns the length of the whole text.
///
/// # Safety
/// `buffer` is NULL or has room for `capacity` bytes.
pub(crate) unsafe fn write(text: &str, buffer: *mut c_char, capacity: usize) -> usize {
    if !buffer.is_null() && capacity > 0 {
        let mut length = text.len().min(capacity - 1);
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        // SAFETY: `length` < `capacity`, and the caller answers for the buffer.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast(), buffer, length);
            *buffer.add(length) = 0;
        }
    }
    text.len()
}

thread_local! {
    /// The message of the thread's last error.
    static LAST_MESSAGE: RefCell<CString> = RefCell::default();
}

/// Runs `work` and turns its fault into a code and the last message of the thread.
pub(crate) fn answer(work: impl FnOnce() -> Result<(), Fault>) -> i32 {
    match work() {
        Ok(()) => MORPION_OK,
        Err((code, text)) => {
            let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
            LAST_MESSAGE.set(text);
            code
        }
    }
}

/// The text of the last error of a function that this thread called, or an empty text. It is valid until the next error of this thread.
// SAFETY: no other symbol has this name, whose prefix is the library's.
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
    // SAFETY: the caller answers for the zero byte.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| argument("a text is not UTF-8"))
}

/// A path: any bytes on Unix, else UTF-8.
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
        // SAFETY: the caller answers for the zero byte.
        let path = unsafe { CStr::from_ptr(path) };
        Ok(Path::new(OsStr::from_bytes(path.to_bytes())))
    }
    #[cfg(not(unix))]
    // SAFETY: the caller answers for the zero byte.
    unsafe { read_text(path) }.map(Path::new)
}

/// # Safety
/// `pointer` is NULL or points to a `T` that lives as long as the answer.
pub(crate) unsafe fn given<'a, T>(pointer: *const T) -> Result<&'a T, Fault> {
    // SAFETY: the caller guarantees that the pointer is NULL or valid.
    unsafe { pointer.as_ref() }.ok_or_else(|| argument("a pointer is NULL"))
}

/// # Safety
/// `out` is NULL or has room for a `T`.
pub(crate) unsafe fn put<T>(out: *mut T, value: T) -> Result<(), Fault> {
    if out.is_null() {
        return Err(argument("a pointer to write to is NULL"));
    }
    // SAFETY: the caller answers for the room. The old value is plain data and needs no drop.
    unsafe { out.write(value) };
    Ok(())
}

/// Writes the first `room` of the items.
///
/// # Safety
/// `out` has room for as many.
pub(crate) unsafe fn put_all<T>(
    items: impl Iterator<Item = T>,
    out: *mut T,
    room: usize,
) -> Result<(), Fault> {
    if out.is_null() && room > 0 {
        return Err(argument("a pointer to write to is NULL"));
    }
    for (index, item) in items.take(room).enumerate() {
        // SAFETY: the caller answers for the room.
        unsafe { out.add(index).write(item) };
    }
    Ok(())
}
