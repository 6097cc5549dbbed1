//! Checks a whole table, a sample of its entries, or its checksums.

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

/// Checks a whole table. The key must be drawn at random after the table is complete.
///
/// Checksums, game, group and maps come first. If the game, the group or a map is wrong, the entries cannot be interpreted, and the report
/// ends there. Reads the file twice in sequence, once for the checksums, on all threads of the pool. Memory is needed for the maps and for
/// 48 rows of the longest layer per thread. If a turn may change the pieces of both sides, memory is needed for a layer and the layers of
/// its children, and layers are read several times. Layers with draws that end, inside which play can continue forever, need one bit more
/// per entry.
///
/// # Errors
/// If the observer requested a stop, if the table cannot be read, or if the table has no distances and its game has cycles. Of such a table
/// only checksums, group and maps are checked; its values can be compared with a proved table with distances.
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
    // Each frame of a packed table has its own checksum, which is checked when it is read. A sample does not read frames that it does not
    // need.
    let units = all_units(table).filter(|_| table.source().packed().is_none());
    let check_entries = |proof: &Proof, _: &mut Report| sample::check(proof, entries, seed);
    Ok(check(table, Method::Sample, units, progress, check_entries)?.0)
}

/// Checks the checksums of all bytes of a table, on all threads of the pool. Returns the first faults.
///
/// # Errors
/// If the observer requested a stop, or the table cannot be read.
pub fn verify_checksums(table: &Table, progress: &dyn Progress) -> Result<Vec<Fault>, Unfinished> {
    let mut report = Report::new(table.raw().header(), Method::Sums);
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
    match table.raw().census() {
        Ok(stored) => {
            ends::check(proof, &stored)?;
            census::compare(table.raw().header(), &stored, &sums, report);
        }
        Err(error) => {
            report.add(Fault::of_part("census", error.to_string(), "counts that can be read"));
        }
    }
    Ok(())
}

/// Checks all entries by sums with this key. Returns the sums of the layers.
fn check_sums(proof: &Proof, key: Key, report: &mut Report) -> Result<Vec<LayerSums>, Unfinished> {
    let table = proof.keys.table;
    report.certainty = Some(Certainty::new(table.raw().header(), key, false));
    let pass = Pass { proof, hash: Hash::<EXPONENT>::new(key) };
    let sums = pass.sums(Part::WHOLE)?;
    let wrong: Vec<usize> = (0..sums.len()).filter(|&index| !sums[index].is_right()).collect();
    for &index in &wrong {
        pass.find_faults(index)?;
    }
    for index in wrong {
        // The sums also differ if entries among the children that are images of each other differ, so a fault in the layer of the children
        // explains them too.
        let layers = [Some(index), proof.keys.children_of(index)];
        if !layers.into_iter().flatten().any(|layer| proof.collector.has_layer(layer)) {
            report.add_sums(&sums[index]);
        }
    }
    Ok(sums)
}
