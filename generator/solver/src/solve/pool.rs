//! Scratch that threads take and give back, so that it is allocated once a thread.

use std::sync::{Mutex, PoisonError};

/// The scratch that is not in use.
pub struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool(Mutex::default())
    }
}

impl<T: Default> Pool<T> {
    /// Calls `work` with scratch that is not in use, or new where all is.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unused = lock().pop();
        let mut scratch = unused.unwrap_or_default();
        let result = work(&mut scratch);
        lock().push(scratch);
        result
    }
}
