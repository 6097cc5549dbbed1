//! The check of a whole table, or of a sample of its entries.

use super::{census, derived, ends, sample};
use crate::fault::{Fault, Unfinished};
use crate::file::digest::{self, Digest, UNIT};
use crate::file::units::Units;
use crate::parts::part::Part;
use crate::proof::{Proof, keep_frames};
use crate::report::{Certainty, Extent, Method, Report};
use crate::sums::Pass;
use crate::sums::field::EXPONENT;
use crate::sums::hash::{Hash, Key};
use crate::sums::layer_sums::LayerSums;
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;

/// Checks a table. The key has to be drawn at random after the table was complete. A sample does not use it.
///
/// Checksums, game, group and maps come first. If the game, the group or a map is wrong, the entries cannot be interpreted, and the
/// report ends there. Takes two sequential reads of the file, one of them for the checksums, on all threads of the
/// pool. Memory is needed for the maps and for 48 rows of the longest layer per thread; if a turn may change the pieces of both sides,
/// for a layer and the layers of its children, which are read again for other layers. If a movement layer has draws
/// that end, one bit per entry is added. A sample of a packed table reads only the maps, and the frames with its
/// entries and their children.
///
/// # Errors
/// If the observer requested a stop, the table cannot be read, or the table has values alone of
/// a game with cycles: such a table is proved only as the values of a proved table, but its checksums, group and maps are checked.
pub fn verify(
    table: &Table,
    extent: Extent,
    key: Key,
    progress: &dyn Progress,
) -> Result<Report, Unfinished> {
    keep_frames(table);
    let mut report = report_of(table, extent);
    // Each frame of a packed table has its own checksum, which is checked when it is read. A sample does not read the
    // other frames.
    let is_partly_read = extent != Extent::Whole && table.source().packed().is_some();
    if !is_partly_read {
        let digest = check_units(table, progress, &mut report)?;
        report.blake3 = digest.filter(|_| extent == Extent::Whole);
    }
    if !derived::check(table, &mut report) {
        return Ok(report);
    }
    let Some(proof) = Proof::begin(table, progress, &mut report)? else { return Ok(report) };
    if extent == Extent::Whole && !table.ends_wins() {
        return if report.is_right() { Err(Unfinished::NoDistances) } else { Ok(report) };
    }
    report.checked = match extent {
        Extent::Sample { entries, seed } => {
            sample::check(&proof, entries, seed)?;
            entries
        }
        Extent::Whole => check_all(&proof, key, &mut report)?,
    };
    report.take(&proof.keys, proof.collector);
    Ok(report)
}

/// Checks the checksums of all bytes of a table, on all threads of the pool. Returns the first faults.
///
/// # Errors
/// If the observer requested a stop, or the table cannot be read.
pub fn verify_checksums(table: &Table, progress: &dyn Progress) -> Result<Vec<Fault>, Unfinished> {
    let mut report = report_of(table, Extent::Whole);
    check_units(table, progress, &mut report)?;
    Ok(report.first)
}

fn report_of(table: &Table, extent: Extent) -> Report {
    let method = match extent {
        Extent::Sample { .. } => Method::Sample,
        Extent::Whole if table.game().has_children_in_one_row() => Method::Sums,
        Extent::Whole => Method::Direct,
    };
    Report::new(table.game(), table.raw().header(), method)
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
        proof.check_layer(index, |(layer, row, column)| table.raw().code(layer, row, column))?;
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
