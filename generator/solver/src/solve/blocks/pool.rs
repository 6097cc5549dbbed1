//! What a thread needs for a while and allocates once.

use std::sync::{Mutex, PoisonError};

/// Things that are not in use.
pub struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool(Mutex::default())
    }
}

impl<T: Default> Pool<T> {
    /// Calls `work` with one of them, a new one where all are in use.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unused = lock().pop();
        let mut thing = unused.unwrap_or_default();
        let result = work(&mut thing);
        lock().push(thing);
        result
    }
}
