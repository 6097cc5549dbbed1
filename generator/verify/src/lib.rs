//! Proof of a table by forward moves, in one pass over its rows.
//!
//! The proof shares only the rules, the search for the group and the reading of entries with the solver. It has its own
//! code for ranks, moves and values, so that an error in one of them is found by the other.
//!
//! # What is proved
//!
//! - The symmetries are a group that keeps the rules, and are the group that the format prescribes. The maps send every
//!   set to the least set of its orbit, by the first symmetry that leads there (`keys`).
//! - Every entry has the value that the entries of its children require (`required`). The entries of finished positions
//!   have the value that the rules give them. An entry is "no position" if and only if the mover owns a line.
//! - Draws that end are traced to finished games (`ends`), because a cycle of draws must not be marked as ending.
//! - The census is counted again (`census`).
//!
//! It follows that all values are right. A win in d plies has a child that is lost in d − 1. A loss in d has only won
//! children, and the longest of these wins takes d − 1. Distances fall with every move, so each win leads to a finished
//! game, and no win depends on a cycle. A draw has a drawing child and no lost child, so neither side can be forced to
//! leave the draws.
//!
//! # Why one pass is enough
//!
//! Write a position as (A, B): A is the set of the mover's cells, and B the set of the waiter's cells. A *class* is an orbit of
//! positions under the group G. A *representative* is the least set of an orbit of sets. The table has a row for every
//! representative A, and the row has an entry for every B.
//!
//! A move keeps the cells of the waiter, who moves next. So the children of all positions (A, B) with the same B are
//! positions whose mover has the cells B. If B is a representative, the entries of all these children are one row of
//! the table, and they require a value r(A, B) for each A. The stored value s(A, B) lies in another row if A is not B.
//! The proof does not look it up. Instead it compares two sums over the layer, for a random function h of classes and
//! values, which the next section defines:
//!
//! - **required**: over all positions (A, B) whose B is a representative, the sum of |orbit of B| · h(class of (A, B), r(A, B));
//! - **stored**: over all entries (A, B), whose A is a representative, the sum of |orbit of A| · h(class of (A, B), s(A, B)).
//!
//! If two entries of one row are images of each other under the stabiliser of its representative, they are compared
//! directly. If all such entries are equal, then s depends only on the class. So does r, because a symmetry maps
//! children to children. Take a class C with n positions. G permutes the orbit of B transitively, so each set of this
//! orbit is the waiter in the same number of positions of C. Hence n / |orbit of B| positions of C have the
//! representative as their waiter, and C adds n · h(C, r(C)) to the required sum. In the same way it adds n · h(C,
//! s(C)) to the stored sum. The difference is
//! > D = ∑ n(C) · (h(C, r(C)) − h(C, s(C))), over all classes C of the layer.
//!
//! If all entries are right, D is zero for every h.
//!
//! # The bound on the error
//!
//! This is a fingerprint of a multiset, as in Blum, Evans, Gemmell, Kannan and Naor: *Checking the correctness of
//! memories*, Algorithmica 12, 1994. This section shows why a wrong layer is found, with the numbers of this program.
//!
//! Let p = 2⁶¹ − 1, which is prime. For each cell c draw two elements of the field of p elements, x(c) and y(c). For
//! each bit i of a value draw an element z(i). All are uniform and independent. One more element z is for values that
//! the encoding cannot represent. The class of (A, B) has the name (A', B'): A' is the least set of the orbit of A, and
//! B' is the least image of B under the symmetries that map A to A'. Different classes have different names. Define
//!
//! > h((A', B'), v) = ∏ x(c) over c in A' · ∏ y(c) over c in B' · ∏ z(i) over the bits i that are 1 in v.
//!
//! Seen as a polynomial in these elements, each h(C, v) is one monomial with coefficient 1, and different pairs (C, v) have
//! different monomials. So D is a polynomial, and if r(C) and s(C) differ, its coefficient at the monomial of (C, r(C)) is
//! n(C). No other term can cancel it. As 0 < n(C) ≤ |G| < p, the coefficient is not zero in the field, and D is not the zero
//! polynomial. Its degree is at most d, the number of cells plus the bits of an entry. By the lemma of Schwartz and Zippel, a
//! polynomial of degree d that is not zero vanishes at a random point with a probability of at most d / p.
//!
//! Two lanes do this with independent elements, and both must agree. So **a wrong layer has equal sums with a probability of at
//! most (d / p)²**. For 36 cells and entries of two bytes that is (52 / (2⁶¹ − 1))² < 2⁻¹¹⁰. A table with several wrong layers
//! passes only if all of them have equal sums, so the bound holds for the whole table.
//!
//! A prime modulus matters. Modulo 2⁶⁴ a coefficient n(C) = 2ᵏ would lose k bits, and the orders of most groups are even.
//!
//! The statement has two conditions. The table must be fixed before the key is drawn, which a fresh key for every run
//! ensures ([`Key::fresh`], 256 bits from the operating system). The elements are the output of ChaCha20 for the key,
//! so the bound holds if this output cannot be distinguished from random numbers.
//!
//! # If the sums differ
//!
//! A second pass splits the sums of the layer by row. The entries of rows with different sums are checked one by one
//! against their children (`sample`), and reported with their positions. If no wrong entry is found in the layer or
//! among its children, the sums themselves are reported. A table whose sums differ is never called right.

mod census;
mod cosets;
mod ends;
mod field;
mod halves;
mod hash;
mod keys;
mod layer_sums;
mod part;
mod partial;
mod pass;
mod places;
mod report;
mod required;
mod sample;
mod scale;
mod sums;

pub use hash::Key;
pub use layer_sums::{CodeCount, LayerSums};
pub use part::Part;
pub use partial::{PartialProof, SumError, sum, verify_part};
pub use report::{Certainty, Extent, Fault, Report, Unfinished};

use hash::Hash;
use keys::{Keys, Unproved};
use morpion_games::catalogue::Table;
use morpion_lookup::raw::Encoding;
use morpion_lookup::{Source, TableError};
use morpion_machine::progress::Progress;
use pass::Pass;
use report::Collector;
use scale::Scale;

/// Number of unpacked frames that are cached, and their least size. Neighbouring rows share frames, and the children of
/// one sampled entry are in several frames.
const KEPT_FRAMES: u64 = 16;
const KEPT_BYTES: u64 = 16 << 20;

/// The exponent of the prime modulus 2⁶¹ − 1.
const EXPONENT: u32 = 61;

/// Checks a table, with a fresh key.
///
/// Checksums, group and maps come first. If the group or a map is wrong, the entries cannot be interpreted, and the
/// report ends there. Takes two sequential reads of the file, one of them for the checksums, on all threads of the
/// pool. Memory is needed for the maps and for 48 rows of the longest layer per thread. If a movement layer has draws
/// that end, one bit per entry is added. A sample of a packed table reads only the maps, and the frames with its
/// entries and their children.
///
/// # Errors
/// If the observer requested a stop, the table cannot be read, or the system has no source of randomness.
pub fn verify(
    table: &Table,
    extent: Extent,
    progress: &dyn Progress,
) -> Result<Report, Unfinished> {
    keep_frames(table);
    let mut report = Report::new(table, extent);
    // Each frame of a packed table has its own checksum, which is checked when it is read. A sample does not read the
    // other frames.
    let is_partly_read = extent != Extent::Whole && table.source().packed().is_some();
    if !is_partly_read {
        check_bytes(table, &mut report)?;
    }
    let Some(keys) = proved_keys(table, progress, &mut report)? else { return Ok(report) };
    let scale = Scale::new(table.raw().header().encoding);
    let collector = Collector::default();
    match extent {
        Extent::Sample { entries, seed } => {
            let checked = sample::check(&keys, &scale, entries, seed, progress, &collector);
            report.checked = checked.ok_or(Unfinished::Stopped)?;
        }
        Extent::Whole => {
            progress.whole(report.entries);
            let key = Key::fresh()?;
            let hash = Hash::<EXPONENT>::new(key);
            report.certainty = Some(Certainty::new(table.game().cells(), scale.encoding, key));
            let pass =
                Pass { keys: &keys, scale: &scale, hash: &hash, collector: &collector, progress };
            let (sums, checked) = pass.sums(Part::WHOLE)?;
            let wrong: Vec<usize> =
                (0..sums.len()).filter(|&index| !sums[index].is_right()).collect();
            for &index in &wrong {
                pass.find_faults(index)?;
            }
            for index in wrong {
                // If images of an entry among the children differ, the sums differ too.
                let layers = [Some(index), pass::children_of(&keys, index)];
                if !layers.into_iter().flatten().any(|layer| collector.has_layer(layer)) {
                    report.add_sums(&sums[index]);
                }
            }
            match table.raw().census() {
                Ok(stored) => {
                    ends::check(&keys, &stored, progress, &collector)?;
                    census::compare(table.game(), scale.encoding, &stored, &sums, &mut report);
                }
                Err(error) => {
                    report.add_part("census", error.to_string(), "counts that can be read");
                }
            }
            report.checked = checked;
        }
    }
    report.take(&keys, collector);
    Ok(report)
}

/// Caches as many frames of a packed table as neighbouring reads need.
fn keep_frames(table: &Table) {
    if let Some(packed) = table.source().packed() {
        let frame = table.size() / (packed.frame_count() as u64).max(1);
        packed.set_cache(KEPT_BYTES.max(KEPT_FRAMES * frame) as usize);
    }
}

/// Checks the checksums of all bytes, and that unused bits are zero.
fn check_bytes(table: &Table, report: &mut Report) -> Result<(), Unfinished> {
    match table.check_sums() {
        Ok(()) => {}
        Err(TableError::Read(error)) => return Err(Unfinished::Read(error)),
        Err(TableError::Checksum { part, found, expected }) => {
            let found = format!("{found:016x} of {part}");
            report.add_part("checksums", found, format!("{expected:016x}"));
        }
        Err(error) => report.add_part("checksums", error.to_string(), "sums of the file"),
    }
    let header = table.raw().header();
    if header.encoding == Encoding::Wdl {
        for layer in &header.layers {
            let used = layer.entries() * 2 % 8;
            let mut last = [0];
            table.source().read_at(layer.offset + layer.bytes - 1, &mut last)?;
            if used > 0 && last[0] >> used != 0 {
                let part = format!("layer ({}, {})", layer.counts.mover, layer.counts.waiter);
                let found = "bits after the last entry that are not zero".into();
                report.add_part(&part, found, "zeros after the last entry");
            }
        }
    }
    Ok(())
}

/// Proves the keys. If they are wrong, adds the fault to the report and returns `None`.
fn proved_keys<'t>(
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
