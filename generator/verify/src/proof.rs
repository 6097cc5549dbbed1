//! The common steps of every check: checksums, structure and keys. [`Proof`] has the data that all checks of entries share.

use crate::derived;
use crate::fault::Unfinished;
use crate::file::units::{Digests, Units};
use crate::keys::{EntryIndex, Keys, Unproved};
use crate::report::{Collector, Method, Report, words};
use crate::scale::Scale;
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of unpacked frames that are cached, and minimum size of the cache in bytes. Neighbouring rows share frames, and the children of
/// one sampled entry are in several frames.
const KEPT_FRAMES: u64 = 16;
const KEPT_BYTES: u64 = 16 << 20;

/// Approximate number of entries that a thread checks before it takes the next rows and reports its progress.
pub(super) const STRETCH: u64 = 1 << 14;

/// Makes the cache of a packed table large enough for the frames of neighbouring reads.
fn keep_frames(table: &Table) {
    if let Some(packed) = table.source().packed() {
        let frame = table.size() / (packed.frame_count() as u64).max(1);
        packed.set_cache(KEPT_BYTES.max(KEPT_FRAMES * frame) as usize);
    }
}

/// Checks the MiB of a table with the numbers `units`, its structure, and its entries by `check_entries`. Also returns the digests of these
/// MiB. If the game, the group or a map is wrong, the entries are not checked, because they cannot be interpreted.
pub(super) fn check(
    table: &Table,
    method: Method,
    units: impl Iterator<Item = u64>,
    progress: &dyn Progress,
    check_entries: impl FnOnce(&Proof, &mut Report) -> Result<(), Unfinished>,
) -> Result<(Report, Digests), Unfinished> {
    keep_frames(table);
    let mut report = Report::new(table.raw().header(), method);
    let digests = Units::new(table)?.check(units, progress, &mut report)?;
    match Proof::begin(table, progress) {
        Ok(proof) => {
            check_entries(&proof, &mut report)?;
            report.checked = proof.checked.into_inner();
            report.take(&proof.keys, proof.collector);
        }
        Err(Unproved::Fault(fault)) => report.add(fault),
        Err(Unproved::Unfinished(unfinished)) => return Err(unfinished),
    }
    Ok((report, digests))
}

/// A table with proved keys, and the faults of its entries.
pub(super) struct Proof<'t> {
    pub keys: Keys<'t>,
    pub scale: Scale,
    pub collector: Collector,
    /// Number of checked entries.
    checked: AtomicU64,
    pub progress: &'t dyn Progress,
}

impl<'t> Proof<'t> {
    /// Proves the header and the keys of a table.
    pub fn begin(table: &'t Table, progress: &'t dyn Progress) -> Result<Proof<'t>, Unproved> {
        if let Some(fault) = derived::difference(table.raw().header()) {
            return Err(Unproved::Fault(fault));
        }
        let keys = Keys::new(table, progress)?;
        let scale = Scale::new(table.raw().header().encoding);
        let (collector, checked) = (Collector::default(), AtomicU64::new(0));
        Ok(Proof { keys, scale, collector, checked, progress })
    }

    /// Adds to the number of checked entries.
    pub fn count(&self, entries: u64) {
        self.checked.fetch_add(entries, Ordering::Relaxed);
    }

    /// Adds an entry with a wrong code. `expected` is `None` if the encoding cannot represent the score that the entry must have.
    pub fn add(&self, place: EntryIndex, found: u16, expected: Option<u16>) {
        let [found, expected] =
            [Some(found), expected].map(|code| words(self.scale.encoding, code));
        self.collector.add(place, found, expected);
    }
}
