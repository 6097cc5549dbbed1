//! Buffers that threads borrow and return, so that each thread allocates them only once.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The buffers that are not in use.
pub struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool(Mutex::default())
    }
}

impl<T: Default> Pool<T> {
    /// Takes a buffer that is not in use, or a new one.
    pub fn take(&self) -> T {
        self.unused().pop().unwrap_or_default()
    }

    /// Returns a buffer.
    pub fn put(&self, buffer: T) {
        self.unused().push(buffer);
    }

    fn unused(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
