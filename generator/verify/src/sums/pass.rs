//! A table with everything that the passes over its rows need.

use super::hash::Hash;
use crate::keys::{EntryIndex, Keys};
use crate::report::Collector;
use crate::sample;
use crate::scale::Scale;
use morpion_machine::progress::Progress;

/// A table, with the data needed for every row.
pub(crate) struct Pass<'a, const E: u32> {
    pub keys: &'a Keys<'a>,
    pub scale: &'a Scale,
    pub hash: &'a Hash<E>,
    pub collector: &'a Collector,
    pub progress: &'a dyn Progress,
}

impl<const E: u32> Pass<'_, E> {
    /// Compares one entry with its children.
    pub fn check_one(&self, place: EntryIndex) {
        sample::check_one(self.keys, self.scale, place, self.collector);
    }
}
