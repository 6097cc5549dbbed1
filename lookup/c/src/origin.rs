//! Callbacks as the source of the bytes of a table.

use crate::codes::{Fault, argument};
use morpion_lookup::{Bytes, Source, TableError};
use std::ffi::c_void;

/// Bytes that the library reads when it needs them, for example from a file or from a server with range requests.
///
/// `read_at` is called by the threads that open or use the table, during these calls. For a packed table one thread calls it at a
/// time, else several may. It must not use or close the same table, nor leave by longjmp or an exception.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MorpionSource {
    /// Passed to `read_at`. Must be valid until the table is closed.
    pub user: *mut c_void,
    /// Number of bytes.
    pub size: u64,
    /// Writes the `length` bytes at `offset` to `into`; they are never beyond `size`. Returns 0, or any other number if they cannot be
    /// read. Then the function that needs them fails with MORPION_ERROR_IO, and its message contains the number.
    pub read_at: Option<
        unsafe extern "C" fn(user: *mut c_void, offset: u64, into: *mut u8, length: usize) -> i32,
    >,
}

/// A [`MorpionSource`] whose `read_at` is not NULL.
struct Callbacks {
    user: *mut c_void,
    size: u64,
    read_at:
        unsafe extern "C" fn(user: *mut c_void, offset: u64, into: *mut u8, length: usize) -> i32,
}

// SAFETY: the caller promises that `read_at` may be called with `user` from several threads at once.
unsafe impl Send for Callbacks {}
// SAFETY: the same promise.
unsafe impl Sync for Callbacks {}

impl Source for Callbacks {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        let length = into.len();
        if offset.checked_add(length as u64).is_none_or(|end| end > self.size) {
            return Err(TableError::io(format!("{length} bytes at {offset} of {}", self.size)));
        }
        // SAFETY: the caller guarantees a valid callback, and `into` has room for `length` bytes.
        match unsafe { (self.read_at)(self.user, offset, into.as_mut_ptr(), length) } {
            0 => Ok(()),
            found => Err(TableError::io(format!(
                "read_at returned {found} for {length} bytes at {offset} of {}, expected 0",
                self.size
            ))),
        }
    }
}

/// Makes the bytes of a table, plain or packed, from callbacks.
pub(crate) fn bytes_of(source: MorpionSource) -> Result<Bytes, Fault> {
    let MorpionSource { user, size, read_at } = source;
    let read_at = read_at.ok_or_else(|| argument("read_at is NULL"))?;
    Ok(Bytes::detect(Bytes::from_source(Callbacks { user, size, read_at }))?)
}
