//! Preparations of every check: the cache of a packed table, the proof of the keys, and what all checks of entries share.

use crate::fault::Unfinished;
use crate::keys::{EntryIndex, Keys, Unproved};
use crate::report::{Collector, Report, words};
use crate::scale::Scale;
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;

/// Number of unpacked frames that are cached, and their least size. Neighbouring rows share frames, and the children of
/// one sampled entry are in several frames.
const KEPT_FRAMES: u64 = 16;
const KEPT_BYTES: u64 = 16 << 20;

/// Makes the cache of a packed table large enough for the frames of neighbouring reads.
pub(super) fn keep_frames(table: &Table) {
    if let Some(packed) = table.source().packed() {
        let frame = table.size() / (packed.frame_count() as u64).max(1);
        packed.set_cache(KEPT_BYTES.max(KEPT_FRAMES * frame) as usize);
    }
}

/// A table with proved keys, and the faults of its entries.
pub(super) struct Proof<'t> {
    pub keys: Keys<'t>,
    pub scale: Scale,
    pub collector: Collector,
    pub progress: &'t dyn Progress,
}

impl<'t> Proof<'t> {
    /// Proves the keys. If they are wrong, adds the fault to the report and returns `None`.
    pub fn begin(
        table: &'t Table,
        progress: &'t dyn Progress,
        report: &mut Report,
    ) -> Result<Option<Proof<'t>>, Unfinished> {
        match Keys::new(table, progress) {
            Ok(keys) => {
                let scale = Scale::new(table.raw().header().encoding);
                Ok(Some(Proof { keys, scale, collector: Collector::default(), progress }))
            }
            Err(Unproved::Unfinished(unfinished)) => Err(unfinished),
            Err(Unproved::Fault(fault)) => {
                report.add(fault);
                Ok(None)
            }
        }
    }

    /// Adds an entry with another code than the one that it must have; `None` if the encoding cannot represent its score.
    pub fn add(&self, place: EntryIndex, found: u16, expected: Option<u16>) {
        let [found, expected] =
            [Some(found), expected].map(|code| words(self.scale.encoding, code));
        self.collector.add(place, found, expected);
    }
}
