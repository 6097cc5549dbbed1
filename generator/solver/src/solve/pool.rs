//! Buffers that threads borrow and return, so that each thread allocates them only once.

use std::sync::{Mutex, PoisonError};

/// The buffers that are not in use.
pub struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool(Mutex::default())
    }
}

impl<T: Default> Pool<T> {
    /// Calls `work` with a buffer that is not in use, or with a new one.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unused = lock().pop();
        let mut scratch = unused.unwrap_or_default();
        let result = work(&mut scratch);
        lock().push(scratch);
        result
    }
}
