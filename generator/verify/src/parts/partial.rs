//! One part of a divided proof.

use super::part::Part;
use crate::fault::{Fault, Unfinished};
use crate::file::digest::{Digest, UNIT};
use crate::file::units::Units;
use crate::proof::{Proof, keep_frames};
use crate::report::{Extent, Report};
use crate::sums::Pass;
use crate::sums::field::EXPONENT;
use crate::sums::hash::{Hash, Key, from_hex, to_hex};
use crate::sums::layer_sums::LayerSums;
use crate::turns::Turns;
use crate::{derived, ends};
use morpion_core::{Census, Game, Header, rank::binomial, serialise};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The result of one part of a proof. [`sum`](crate::sum) adds parts of the same table with the same key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartialProof {
    /// Name of the game.
    pub game: String,
    /// Number of this part, from 1.
    pub part: u32,
    /// Number of parts.
    pub of: u32,
    /// The key in hexadecimal digits.
    pub key: String,
    /// BLAKE3 of the header and of the list of checksums, in hexadecimal digits. It identifies the table.
    pub file: String,
    /// Length of the table in bytes.
    pub bytes: u64,
    /// Number of entries of the table.
    pub entries: u64,
    /// Number of checked entries of this part.
    pub checked: u64,
    /// Number of faults other than differing sums. From 100,000 on it is a lower bound.
    pub faults: u64,
    /// The first faults.
    pub first: Vec<Fault>,
    /// The sums of the layers in the order of play; empty if they could not be computed.
    pub layers: Vec<LayerSums>,
    /// The header of the table in hexadecimal digits.
    pub header: String,
    /// The stored census of the table in hexadecimal digits; `None` if it could not be read.
    pub census: Option<String>,
    /// Digests of all bytes that this part read, in the order of the file.
    pub digests: Vec<Digests>,
}

/// Digests of consecutive MiB of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digests {
    /// Number of the first MiB, from 0.
    pub first: u64,
    /// The chaining value of each MiB in the BLAKE3 tree of the file, in hexadecimal digits.
    pub digests: Vec<String>,
}

impl Digests {
    fn new(first: u64, digests: &[Digest]) -> Digests {
        Digests { first, digests: digests.iter().map(|digest| to_hex(digest)).collect() }
    }

    /// The numbers of the MiB.
    pub(super) fn numbers(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.digests.len() as u64)
    }

    /// Reads the digests. A digest that cannot be read is `None`.
    pub(super) fn read(&self) -> impl Iterator<Item = (u64, Option<Digest>)> {
        let read = |digest: &String| from_hex(digest)?.try_into().ok();
        self.numbers().zip(self.digests.iter().map(read))
    }
}

/// Checks one part of a table with the key that all parts share.
///
/// Each MiB that the part reads is compared with the table's list of checksums and hashed. The first part also checks
/// the draws that end. The file must not change meanwhile.
///
/// # Errors
/// If the game is not plain, the table has values alone of a game with cycles, or [`verify`](crate::verify) would fail.
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
    keep_frames(table);
    let mut report = Report::new(table, Extent::Whole);
    let (game, header) = (table.game(), table.raw().header());
    let census = report.census(table);
    let units = Units::new(table)?;
    units.check_list(&mut report);
    let mut digests = Vec::new();
    let is_derived = derived::check(table, &mut report);
    let units_of_part = || units_read(game, header, census.as_ref(), part, table.size());
    for numbers in if is_derived { units_of_part() } else { Vec::new() } {
        let of = units.check(numbers.clone(), progress, &mut report)?;
        digests.push(Digests::new(numbers.start, &of));
    }
    let mut layers = Vec::new();
    let proof = if is_derived { Proof::begin(table, progress, &mut report)? } else { None };
    if let Some(proof) = proof {
        let pass = Pass { proof: &proof, hash: Hash::<EXPONENT>::new(key) };
        progress.whole(report.entries / u64::from(part.of));
        (layers, report.checked) = pass.sums(part)?;
        if let Some(census) = census.as_ref().filter(|_| part.number == 1) {
            ends::check(&proof, census)?;
        }
        report.take(&proof.keys, proof.collector);
    }
    Ok(PartialProof {
        game: game.name().to_owned(),
        part: part.number,
        of: part.of,
        key: key.to_string(),
        file: to_hex(&units.identity()?),
        bytes: table.size(),
        entries: report.entries,
        checked: report.checked,
        faults: report.faults,
        first: report.first,
        layers,
        header: to_hex(&table.raw().full_header().to_bytes()?),
        census: census.as_ref().map(serialise).transpose()?.map(|bytes| to_hex(&bytes)),
        digests,
    })
}

/// The numbers of the MiB that a part reads of a table of `size` bytes, as ascending ranges with gaps between them.
/// Every part reads the header, the maps, the census and the list of checksums.
pub(super) fn units_read(
    game: &Game,
    header: &Header,
    census: Option<&Census>,
    part: Part,
    size: u64,
) -> Vec<Range<u64>> {
    let cells = u32::from(game.cells());
    let body = header.maps.first().map_or(header.census, |map| map.offset);
    let mut read = vec![0..body, header.census..size];
    for map in &header.maps {
        read.push(map.offset..map.offset + 4 * binomial(cells, map.size.into()));
    }
    for (rows, layer) in part.rows(&header.layers).into_iter().zip(&header.layers) {
        let bit = |row: u64| row * layer.columns * u64::from(header.encoding.bits());
        read.push(layer.offset + bit(rows.start) / 8..layer.offset + bit(rows.end).div_ceil(8));
    }
    let census = census.filter(|_| part.number == 1);
    let traced = census.map_or(Vec::new(), |census| ends::traced(&Turns::new(game), census));
    for layer in traced.into_iter().flatten().map(|index| header.layers[index]) {
        read.push(layer.offset..layer.offset + layer.bytes);
    }
    read.retain(|bytes| !bytes.is_empty());
    read.sort_by_key(|bytes| bytes.start);
    let mut units: Vec<Range<u64>> = Vec::new();
    for bytes in read {
        let next = bytes.start / UNIT..bytes.end.div_ceil(UNIT);
        match units.last_mut().filter(|last| next.start <= last.end) {
            Some(last) => last.end = last.end.max(next.end),
            None => units.push(next),
        }
    }
    units
}
