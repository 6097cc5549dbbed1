//! The check of a whole table, or of a sample of its entries.

use super::{census, ends, sample};
use crate::fault::{Fault, Unfinished};
use crate::file::digest::{self, UNIT};
use crate::file::units::Units;
use crate::parts::part::Part;
use crate::proof::{Proof, check};
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
    let (mut report, digests) =
        check(table, method, all_units(table), progress, |proof, report| {
            match table.ends_wins() {
                true => check_all(proof, key, report),
                false if report.is_right() => Err(Unfinished::NoDistances),
                false => Ok(()),
            }
        })?;
    report.blake3 = digest::of_file(digests.values());
    Ok(report)
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
    // Each frame of a packed table has its own checksum, which is checked when it is read. A sample does not read the other frames.
    let units = all_units(table).filter(|_| table.source().packed().is_none());
    let check_entries = |proof: &Proof, _: &mut Report| sample::check(proof, entries, seed);
    Ok(check(table, Method::Sample, units, progress, check_entries)?.0)
}

/// Checks the checksums of all bytes of a table, on all threads of the pool. Returns the first faults.
///
/// # Errors
/// If the observer requested a stop, or the table cannot be read.
pub fn verify_checksums(table: &Table, progress: &dyn Progress) -> Result<Vec<Fault>, Unfinished> {
    let mut report = Report::new(table.game(), table.raw().header(), Method::Sums);
    Units::new(table)?.check(all_units(table), progress, &mut report)?;
    Ok(report.first)
}

/// The numbers of all MiB of a table.
fn all_units(table: &Table) -> impl Iterator<Item = u64> {
    0..table.size().div_ceil(UNIT)
}

/// Checks all entries, the draws that end, and the census.
fn check_all(proof: &Proof, key: Key, report: &mut Report) -> Result<(), Unfinished> {
    proof.progress.whole(report.entries);
    let table = proof.keys.table;
    let sums = match report.method {
        Method::Direct => proof.check_directly()?,
        Method::Sums | Method::Sample => check_sums(proof, key, report)?,
    };
    if let Some(stored) = report.census(table) {
        ends::check(proof, &stored)?;
        census::compare(table.game(), proof.scale.encoding, &stored, &sums, report);
    }
    Ok(())
}

/// Checks all entries by sums with this key. Returns the sums of the layers.
fn check_sums(proof: &Proof, key: Key, report: &mut Report) -> Result<Vec<LayerSums>, Unfinished> {
    let table = proof.keys.table;
    let cells = table.game().cells();
    report.certainty = Some(Certainty::new(cells, proof.scale.encoding, key, false));
    let pass = Pass { proof, hash: Hash::<EXPONENT>::new(key) };
    let sums = pass.sums(Part::WHOLE)?;
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
    Ok(sums)
}
