//! Preparations of every check: the cache of a packed table, and the proof of the keys.

use crate::keys::{Keys, Unproved};
use crate::report::{Report, Unfinished};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;

/// Number of unpacked frames that are cached, and their least size. Neighbouring rows share frames, and the children of
/// one sampled entry are in several frames.
const KEPT_FRAMES: u64 = 16;
const KEPT_BYTES: u64 = 16 << 20;

/// Caches as many frames of a packed table as neighbouring reads need.
pub(super) fn keep_frames(table: &Table) {
    if let Some(packed) = table.source().packed() {
        let frame = table.size() / (packed.frame_count() as u64).max(1);
        packed.set_cache(KEPT_BYTES.max(KEPT_FRAMES * frame) as usize);
    }
}

/// Proves the keys. If they are wrong, adds the fault to the report and returns `None`.
pub(super) fn proved_keys<'t>(
    table: &'t Table,
    progress: &dyn Progress,
    report: &mut Report,
) -> Result<Option<Keys<'t>>, Unfinished> {
    match Keys::new(table, progress) {
        Ok(keys) => Ok(Some(keys)),
        Err(Unproved::Stopped) => Err(Unfinished::Stopped),
        Err(Unproved::Read(error)) => Err(Unfinished::Read(error)),
        Err(Unproved::Fault(part, found, expected)) => {
            report.add_part(part, found, expected);
            Ok(None)
        }
    }
}
