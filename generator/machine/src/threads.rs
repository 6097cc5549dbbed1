//! Shares work among the threads of this pool. Except in [`share`], `work` is a trait object, not a type parameter, so that functions are
//! compiled only once. WebAssembly has one thread.

use crate::progress::Progress;
#[cfg(not(target_arch = "wasm32"))]
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Number of threads of this pool.
pub fn count() -> usize {
    #[cfg(not(target_arch = "wasm32"))]
    return rayon::current_num_threads();
    #[cfg(target_arch = "wasm32")]
    1
}

/// Calls `work` with every number below `count`, in any order.
pub fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    map(count, work);
}

/// Calls `work` with every chunk of `length` items and its number. The last chunk may be shorter. Returns the results in order.
pub fn each_chunk<T: Send, R: Send>(
    items: &mut [T],
    length: usize,
    work: &(dyn Fn(usize, &mut [T]) -> R + Sync),
) -> Vec<R> {
    #[cfg(not(target_arch = "wasm32"))]
    let chunks = items.par_chunks_mut(length);
    #[cfg(target_arch = "wasm32")]
    let chunks = items.chunks_mut(length);
    chunks.enumerate().map(|(number, chunk)| work(number, chunk)).collect()
}

/// Calls `work` with every number below `count`. Returns the results in order. A single call stays on this thread, so that no other
/// thread allocates buffers of its own.
pub fn map<T: Send>(count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    if count == 1 {
        return vec![work(0)];
    }
    #[cfg(not(target_arch = "wasm32"))]
    let numbers = (0..count).into_par_iter();
    #[cfg(target_arch = "wasm32")]
    let numbers = 0..count;
    numbers.map(work).collect()
}

/// Calls `work` on all threads with `step` numbers of `all` at a time, until no number is left or the observer requests a stop. Each thread
/// has one result, made by `new` and changed by `work`. Returns these results.
///
/// # Errors
/// An error of `new` or `work`. After an error, the remaining numbers are not taken.
pub fn share<T: Send, E: Send>(
    all: Range<u64>,
    step: u64,
    progress: &dyn Progress,
    new: impl Fn() -> Result<T, E> + Sync,
    work: impl Fn(&mut T, Range<u64>) -> Result<(), E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicU64::new(all.start);
    let shares = map(count(), &|_| {
        let mut result = new()?;
        loop {
            let first = next.fetch_add(step, Ordering::Relaxed);
            if first >= all.end || progress.stop() {
                return Ok(result);
            }
            work(&mut result, first..all.end.min(first + step)).inspect_err(|_| {
                next.fetch_max(all.end, Ordering::Relaxed);
            })?;
        }
    });
    shares.into_iter().collect()
}

/// Locks a mutex, also after a panic of another thread, which ends the computation anyway.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Buffers that threads borrow and return, so that each thread allocates them only once.
pub struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool(Mutex::default())
    }
}

impl<T: Default> Pool<T> {
    /// Takes a buffer that is not in use, or a new one.
    pub fn take(&self) -> T {
        lock(&self.0).pop().unwrap_or_default()
    }

    /// Returns a buffer.
    pub fn put(&self, buffer: T) {
        lock(&self.0).push(buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_shared_once_until_an_error_or_a_stop() {
        use crate::progress::{Stopped, Unobserved};
        let add = |sum: &mut u64, taken: Range<u64>| -> Result<(), Stopped> {
            *sum += taken.sum::<u64>();
            Ok(())
        };
        let sums = share(3..1000, 7, &Unobserved, || Ok(0), add);
        assert_eq!(sums.unwrap().iter().sum::<u64>(), (3..1000).sum());
        let fail =
            |_: &mut (), taken: Range<u64>| if taken.contains(&500) { Err(500) } else { Ok(()) };
        // Ends only if the remaining numbers are not taken.
        assert_eq!(share(0..1 << 60, 7, &Unobserved, || Ok(()), fail), Err(500));
        struct Stop;
        impl Progress for Stop {
            fn stop(&self) -> bool {
                true
            }
        }
        assert!(share(0..1000, 7, &Stop, || Ok(0), add).unwrap().iter().all(|&sum| sum == 0));
    }

    #[test]
    fn every_piece_is_worked_on_once() {
        assert_eq!(map(1000, &|number| number * number)[999], 999 * 999);
        let mut bytes = [0u8; 10];
        each_chunk(&mut bytes, 4, &|number, chunk| {
            chunk.iter_mut().for_each(|byte| *byte += number as u8 + 1);
        });
        assert_eq!(bytes, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
    }
}
