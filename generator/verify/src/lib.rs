//! Proof of a table by forward moves: every entry against its children.
//!
//! Nothing here is shared with the solver but the rules, the search for the group, the key and the reading of entries. What is
//! checked, and why it is a proof:
//!
//! - the symmetries are a group that keeps the rules, and all that a table of the game is folded by; the maps send every
//!   set to the least set of its orbit (`keys`); entries that are images of each other are equal (`stabiliser`);
//! - an entry is "no such position" exactly where the mover owns a line, and finished positions have the value that the
//!   rules give them;
//! - a win in d has a lost child at d − 1 and none lost sooner, a loss in d has only won children, the longest at d − 1:
//!   distances fall with every move, so each win leads step by step to a finished game, and none rests on a cycle
//!   (`layer`);
//! - a draw has a drawing child and no lost one, so neither side can be made to leave the draws; a draw by cycle has a
//!   child that is one too;
//! - the draws that end are found once more, from the finished ones on, until nothing changes: a cycle of draws marked as
//!   ending is found out (`ends`);
//! - the census is counted once more (`census`).

mod census;
mod ends;
mod keys;
mod layer;
mod report;
mod sample;
mod scale;
mod stabiliser;

pub use report::{Extent, Fault, Report};

use keys::{Keys, Unproved};
use morpion_games::catalogue::Table;
use morpion_games::progress::Progress;
use morpion_lookup::TableError;
use report::Collector;
use scale::Scale;

/// Frames of a packed table that are kept unpacked beside its maps, and the least bytes of them: the children of an entry are
/// in several.
const KEPT_FRAMES: u64 = 16;
const KEPT_BYTES: u64 = 16 << 20;

/// Checks a table. `None` where the observer asked for a stop.
///
/// Checksums, group and maps come first; where group or maps are wrong, nothing else can be read, and the report ends
/// there. Costs one read of every child of every entry, on all threads of the pool; memory for the maps and, where there
/// are draws that end in a movement layer, one bit an entry. Of a packed table a sample reads the maps, and the frames in
/// which its entries and their children are, nothing else.
pub fn verify(table: &Table, extent: Extent, progress: &dyn Progress) -> Option<Report> {
    let mut report = Report::new(table, extent);
    if let Some(packed) = table.source().packed() {
        // The maps, which come before all layers, are read in no order.
        let maps = table.raw().header().layers.iter().map(|layer| layer.offset).min();
        let frame = table.size() / (packed.frame_count() as u64).max(1);
        packed.set_cache((maps.unwrap_or_default() + KEPT_BYTES.max(KEPT_FRAMES * frame)) as usize);
    }
    // Each frame of a packed table is checked against a sum of its own when it is read, and the others are not read for a sample.
    let is_partly_read = extent != Extent::Whole && table.source().packed().is_some();
    if !is_partly_read {
        match table.check_sums() {
            Ok(()) => {}
            Err(TableError::Checksum { part, found, expected }) => {
                let found = format!("{found:016x} of {part}");
                report.add_part("checksums", found, format!("{expected:016x}"));
            }
            Err(error) => report.add_part("checksums", error.to_string(), "sums of the file"),
        }
    }
    let keys = match Keys::new(table, progress) {
        Ok(keys) => keys,
        Err(Unproved::Stopped) => return None,
        Err(Unproved::Fault(part, found, expected)) => {
            report.add_part(part, found, expected);
            return Some(report);
        }
    };
    let scale = Scale::new(table.raw().header().encoding);
    let collector = Collector::default();
    match extent {
        Extent::Sample { entries, seed } => {
            report.checked = sample::check(&keys, &scale, entries, seed, progress, &collector)?;
        }
        Extent::Whole => {
            progress.whole(report.entries);
            for index in (0..table.raw().header().layers.len()).rev() {
                let section = table.raw().header().layers[index];
                progress.layer(section.counts, section.entries());
                layer::check(&keys, &scale, index, progress, &collector)?;
                stabiliser::check(&keys, &scale, index, progress, &collector)?;
                ends::check(&keys, index, progress, &collector)?;
                report.checked += section.entries();
            }
            census::check(&keys, progress, &mut report)?;
        }
    }
    report.take(&keys, collector);
    Some(report)
}
