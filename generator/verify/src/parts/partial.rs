//! One part of a divided proof.

use super::part::Part;
use crate::ends;
use crate::fault::{Fault, Unfinished};
use crate::file::digest::UNIT;
use crate::file::units::Digests;
use crate::hex::Hex;
use crate::proof::check;
use crate::report::Method;
use crate::sums::Pass;
use crate::sums::field::EXPONENT;
use crate::sums::hash::{Hash, Key};
use crate::sums::layer_sums::LayerSums;
use crate::turns::Turns;
use morpion_core::{Census, Header, serialise};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The result of one part of a proof. [`sum`](crate::sum) adds parts of the same table with the same key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartialProof {
    /// Number of this part, from 1.
    pub part: u32,
    /// Number of parts.
    pub of: u32,
    /// The key that all parts share.
    pub key: Key,
    /// Number of faults, without differing sums. From 100,000 on, the number is a lower bound.
    pub faults: u64,
    /// The first faults.
    pub first: Vec<Fault>,
    /// The sums of the layers in the order of play; empty if they could not be computed.
    pub layers: Vec<LayerSums>,
    /// The header of the table.
    pub header: Hex<Vec<u8>>,
    /// The stored census of the table.
    pub census: Hex<Vec<u8>>,
    /// Digests of all MiB that this part read.
    pub digests: Digests,
}

/// Checks one part of a table with the key that all parts share.
///
/// Each MiB that the part reads is compared with the table's list of checksums and hashed. The first part also checks
/// the draws that end. The file must not change meanwhile.
///
/// # Errors
/// If the game is not plain, if the table has no distances and the game has cycles, if the census cannot be read, or if
/// [`verify`](crate::verify) would fail.
pub fn verify_part(
    table: &Table,
    part: Part,
    key: Key,
    progress: &dyn Progress,
) -> Result<PartialProof, Unfinished> {
    if !table.ends_wins() {
        return Err(Unfinished::NoDistances);
    }
    if !table.game().has_children_in_one_row() {
        return Err(Unfinished::Undivided);
    }
    let header = table.raw().header();
    let census = table.raw().census()?;
    let units = units_read(header, &census, part, table.size());
    let units: BTreeSet<u64> = units.collect();
    let mut layers = Vec::new();
    let (report, digests) =
        check(table, Method::Sums, units.into_iter(), progress, |proof, report| {
            progress.whole(report.entries / u64::from(part.of));
            layers = Pass { proof, hash: Hash::<EXPONENT>::new(key) }.sums(part)?;
            if part.number == 1 { ends::check(proof, &census) } else { Ok(()) }
        })?;
    Ok(PartialProof {
        part: part.number,
        of: part.of,
        key,
        faults: report.faults,
        first: report.first,
        layers,
        header: Hex(header.to_bytes()?),
        census: Hex(serialise(&census)?),
        digests,
    })
}

/// The numbers of the MiB of a table of `size` bytes that a part reads. Some numbers occur more than once. Every part reads the header, the
/// maps, the census and the list of checksums.
pub(super) fn units_read(
    header: &Header,
    census: &Census,
    part: Part,
    size: u64,
) -> impl Iterator<Item = u64> {
    let body = header.maps.first().map_or(header.census, |map| map.offset);
    let mut read = vec![0..body, header.census..size];
    for map in &header.maps {
        read.push(map.range(header.game.cells()));
    }
    for (rows, layer) in part.rows(&header.layers).into_iter().zip(&header.layers) {
        let bit = |row: u64| row * layer.columns * u64::from(header.encoding.bits());
        read.push(layer.offset + bit(rows.start) / 8..layer.offset + bit(rows.end).div_ceil(8));
    }
    if part.number == 1 {
        let traced = ends::traced(&Turns::new(&header.game), census).into_iter().flatten();
        let traced = traced.map(|index| header.layers[index]);
        read.extend(traced.map(|layer| layer.offset..layer.offset + layer.bytes));
    }
    read.retain(|bytes| !bytes.is_empty());
    read.into_iter().flat_map(|bytes| bytes.start / UNIT..bytes.end.div_ceil(UNIT))
}
