//! Counts of the open moves of an entry, which several threads decrease: two bytes, or four in games with many symmetries.

use std::sync::atomic::{AtomicU16, AtomicU32, Ordering::Relaxed};

/// A count, or one of the marks above all counts.
pub trait Count: Default + Send + Sync {
    /// The greatest count.
    const MOST: u32;

    /// Reads the number.
    fn get(&self) -> u32;
    /// Writes a number of at most `MOST` + 3.
    fn set(&self, number: u32);
    /// Subtracts `units`. Returns the number before.
    fn subtract(&self, units: u32) -> u32;
}

impl Count for AtomicU16 {
    const MOST: u32 = u16::MAX as u32 - 3;

    #[inline(always)]
    fn get(&self) -> u32 {
        self.load(Relaxed).into()
    }

    #[inline(always)]
    fn set(&self, number: u32) {
        self.store(number as u16, Relaxed);
    }

    #[inline(always)]
    fn subtract(&self, units: u32) -> u32 {
        self.fetch_sub(units as u16, Relaxed).into()
    }
}

impl Count for AtomicU32 {
    const MOST: u32 = u32::MAX - 3;

    #[inline(always)]
    fn get(&self) -> u32 {
        self.load(Relaxed)
    }

    #[inline(always)]
    fn set(&self, number: u32) {
        self.store(number, Relaxed);
    }

    #[inline(always)]
    fn subtract(&self, units: u32) -> u32 {
        self.fetch_sub(units, Relaxed)
    }
}
