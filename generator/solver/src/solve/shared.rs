//! Entries that several threads write at once: the codes of a movement layer, seen as atomics while a step writes to them.

use crate::solve::entry::Entry;
use std::sync::atomic::{AtomicU8, AtomicU16, Ordering};

/// An entry that several threads may write at once, all of them the same code.
pub trait Shared: Entry {
    /// The atomic form.
    type Atomic: Sync;
    /// The same entries, to be written by several threads.
    fn share(entries: &mut [Self]) -> &[Self::Atomic];
    /// Reads one.
    fn load(entry: &Self::Atomic) -> Self;
    /// Writes one.
    fn store(entry: &Self::Atomic, code: Self);
}

macro_rules! shared {
    ($entry:ty, $atomic:ty) => {
        impl Shared for $entry {
            type Atomic = $atomic;

            fn share(entries: &mut [$entry]) -> &[$atomic] {
                // SAFETY: the atomic has the size and alignment of the integer, and the exclusive borrow lasts as long.
                unsafe { &*(std::ptr::from_mut(entries) as *const [$atomic]) }
            }

            #[inline(always)]
            fn load(entry: &$atomic) -> $entry {
                entry.load(Ordering::Relaxed)
            }

            #[inline(always)]
            fn store(entry: &$atomic, code: $entry) {
                entry.store(code, Ordering::Relaxed);
            }
        }
    };
}

shared!(u8, AtomicU8);
shared!(u16, AtomicU16);
