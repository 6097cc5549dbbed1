//! The check of a whole table, or of a sample of its entries.

use super::{census, derived, ends, sample};
use crate::fault::{Fault, Unfinished};
use crate::file::digest::{self, Digest, UNIT};
use crate::file::units::Units;
use crate::parts::part::Part;
use crate::proof::{Proof, keep_frames};
use crate::report::{Certainty, Method, Report};
use crate::sums::Pass;
use crate::sums::field::EXPONENT;
use crate::sums::hash::{Hash, Key};
use crate::sums::layer_sums::LayerSums;
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;

/// Checks a table. The key has to be drawn at random after the table was complete.
///
/// Checksums, game, group and maps come first. If the game, the group or a map is wrong, the entries cannot be interpreted, and the
/// report ends there. Takes two sequential reads of the file, one of them for the checksums, on all threads of the
/// pool. Memory is needed for the maps and for 48 rows of the longest layer per thread; if a turn may change the pieces of both sides,
/// for a layer and the layers of its children, which are read again for other layers. If a movement layer has draws
/// that end, one bit per entry is added.
///
/// # Errors
/// If the observer requested a stop, the table cannot be read, or the table has values alone of
/// a game with cycles: such a table is proved only as the values of a proved table, but its checksums, group and maps are checked.
pub fn verify(table: &Table, key: Key, progress: &dyn Progress) -> Result<Report, Unfinished> {
    let is_plain = table.game().has_children_in_one_row();
    let method = if is_plain { Method::Sums } else { Method::Direct };
    check(table, method, progress, |proof, report| {
        if !table.ends_wins() {
            return if report.is_right() { Err(Unfinished::NoDistances) } else { Ok(0) };
        }
        check_all(proof, key, report)
    })
}

/// Checks the structure, the checksums and a sample of the entries, which the seed chooses. An entry may be chosen twice. This is not a
/// proof. A packed table is read only in part: its maps, and the frames with the chosen entries and their children.
///
/// # Errors
/// If the observer requested a stop, or the table cannot be read.
pub fn verify_sample(
    table: &Table,
    entries: u64,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Report, Unfinished> {
    check(table, Method::Sample, progress, |proof, _| {
        sample::check(proof, entries, seed)?;
        Ok(entries)
    })
}

/// Checks everything but the entries, and then the entries by `check_entries`, which returns the number of checked entries.
fn check(
    table: &Table,
    method: Method,
    progress: &dyn Progress,
    check_entries: impl FnOnce(&Proof, &mut Report) -> Result<u64, Unfinished>,
) -> Result<Report, Unfinished> {
    keep_frames(table);
    let mut report = Report::new(table.game(), table.raw().header(), method);
    // Each frame of a packed table has its own checksum, which is checked when it is read. A sample does not read the
    // other frames.
    if method != Method::Sample || table.source().packed().is_none() {
        let digest = check_units(table, progress, &mut report)?;
        report.blake3 = digest.filter(|_| method != Method::Sample);
    }
    if !derived::check(table, &mut report) {
        return Ok(report);
    }
    let Some(proof) = Proof::begin(table, progress, &mut report)? else { return Ok(report) };
    report.checked = check_entries(&proof, &mut report)?;
    report.take(&proof.keys, proof.collector);
    Ok(report)
}

/// Checks the checksums of all bytes of a table, on all threads of the pool. Returns the first faults.
///
/// # Errors
/// If the observer requested a stop, or the table cannot be read.
pub fn verify_checksums(table: &Table, progress: &dyn Progress) -> Result<Vec<Fault>, Unfinished> {
    let mut report = Report::new(table.game(), table.raw().header(), Method::Sums);
    check_units(table, progress, &mut report)?;
    Ok(report.first)
}

/// Checks the checksums of all bytes of a table. Returns the BLAKE3 hash of the file.
fn check_units(
    table: &Table,
    progress: &dyn Progress,
    report: &mut Report,
) -> Result<Option<Digest>, Unfinished> {
    let units = Units::new(table)?;
    units.check_list(report);
    let all = units.check(0..table.size().div_ceil(UNIT), progress, report)?;
    Ok(digest::of_file(&all))
}

/// Checks all entries, the draws that end, and the census. Returns the number of checked entries.
fn check_all(proof: &Proof, key: Key, report: &mut Report) -> Result<u64, Unfinished> {
    proof.progress.whole(report.entries);
    let table = proof.keys.table;
    let (sums, checked) = match report.method {
        Method::Direct => proof.check_directly()?,
        Method::Sums | Method::Sample => check_sums(proof, key, report)?,
    };
    if let Some(stored) = report.census(table) {
        ends::check(proof, &stored)?;
        census::compare(table.game(), proof.scale.encoding, &stored, &sums, report);
    }
    Ok(checked)
}

/// Checks all entries by sums with this key. Returns the sums of the layers and the number of checked entries.
fn check_sums(
    proof: &Proof,
    key: Key,
    report: &mut Report,
) -> Result<(Vec<LayerSums>, u64), Unfinished> {
    let table = proof.keys.table;
    let cells = table.game().cells();
    report.certainty = Some(Certainty::new(cells, proof.scale.encoding, key, false));
    let pass = Pass { proof, hash: Hash::<EXPONENT>::new(key) };
    let (sums, checked) = pass.sums(Part::WHOLE)?;
    let wrong: Vec<usize> = (0..sums.len()).filter(|&index| !sums[index].is_right()).collect();
    for &index in &wrong {
        pass.find_faults(index)?;
    }
    for index in wrong {
        // If images of an entry among the children differ, the sums differ too.
        let layers = [Some(index), proof.keys.children_of(index)];
        if !layers.into_iter().flatten().any(|layer| proof.collector.has_layer(layer)) {
            report.add_sums(&sums[index]);
        }
    }
    Ok((sums, checked))
}
