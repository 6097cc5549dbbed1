//! Parts of a proof, computed by several machines and added.

use super::field::EXPONENT;
use super::hash::{Hash, Key, from_hex, to_hex};
use super::layer_sums::LayerSums;
use super::opening::{keep_frames, proved_keys};
use super::part::Part;
use super::pass::Pass;
use super::report::{Certainty, Collector, Extent, Fault, Report, Unfinished};
use super::scale::Scale;
use super::whole::check_bytes;
use super::{census, ends};
use morpion_format::WriteHeader;
use morpion_games::catalogue::Table;
use morpion_lookup::raw::{Census, Header};
use morpion_lookup::{Game, ReadError, Source};
use morpion_machine::progress::Progress;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The result of one part of a proof. [`sum`] adds parts of the same table with the same key.
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
    /// The checksum of the table's checksums, which identifies the file.
    pub file: String,
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
    /// The version of the table's format.
    pub version: u32,
    /// The header of the table in hexadecimal digits.
    pub header: String,
    /// The stored census of the table.
    pub census: Option<Census>,
}

/// Reason why parts do not form one proof.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct SumError(String);

/// Checks one part of a table with the key that all parts share. The first part also checks the checksums and the draws that end.
///
/// # Errors
/// If [`verify`](crate::verify) would fail.
pub fn verify_part(
    table: &Table,
    part: Part,
    key: Key,
    progress: &dyn Progress,
) -> Result<PartialProof, Unfinished> {
    keep_frames(table);
    let mut report = Report::new(table, Extent::Whole);
    let is_first = part.number == 1;
    if is_first {
        check_bytes(table, &mut report)?;
    }
    let stored = table.raw().census();
    if let Err(error) = &stored {
        report.add_part("census", error.to_string(), "counts that can be read");
    }
    let census = stored.ok();
    let mut layers = Vec::new();
    if let Some(keys) = proved_keys(table, progress, &mut report)? {
        let scale = Scale::new(table.raw().header().encoding);
        let (hash, collector) = (Hash::<EXPONENT>::new(key), Collector::default());
        let pass =
            Pass { keys: &keys, scale: &scale, hash: &hash, collector: &collector, progress };
        progress.whole(report.entries / u64::from(part.of));
        (layers, report.checked) = pass.sums(part)?;
        if let Some(census) = census.as_ref().filter(|_| is_first) {
            ends::check(&keys, census, progress, &collector)?;
        }
        report.take(&keys, collector);
    }
    let header = table.raw().header().to_bytes().map_err(ReadError::new)?;
    let mut file = [0; 8];
    table.source().read_at(table.size() - 8, &mut file)?;
    Ok(PartialProof {
        game: table.game().rules().name.clone(),
        part: part.number,
        of: part.of,
        key: key.to_string(),
        file: format!("{:016x}", u64::from_le_bytes(file)),
        entries: report.entries,
        checked: report.checked,
        faults: report.faults,
        first: report.first,
        layers,
        version: table.raw().header().version(),
        header: to_hex(&header),
        census,
    })
}

/// Adds up all parts of a proof.
///
/// # Errors
/// If parts are missing, occur twice, or belong to different proofs.
pub fn sum(mut parts: Vec<PartialProof>) -> Result<Report, SumError> {
    let fault = |what: String| Err(SumError(what));
    parts.sort_by_key(|part| part.part);
    let Some(first) = parts.first() else { return fault("no part of a proof".into()) };
    let Ok(key) = first.key.parse::<Key>() else {
        return fault(format!("{:?} is not a key", first.key));
    };
    for part in &parts {
        for (what, differs) in [
            ("game", part.game != first.game),
            ("key", part.key != first.key),
            ("number of parts", part.of != first.of),
            ("table", part.file != first.file || part.entries != first.entries),
            ("header", (part.version, &part.header) != (first.version, &first.header)),
            ("census", part.census != first.census),
        ] {
            if differs {
                let (a, b) = (first.part, part.part);
                return fault(format!("parts {a} and {b} differ in the {what}"));
            }
        }
    }
    for number in 1..=first.of {
        match parts.iter().filter(|part| part.part == number).count() {
            1 => {}
            0 => return fault(format!("part {number} of {} is missing", first.of)),
            _ => return fault(format!("part {number} of {} occurs twice", first.of)),
        }
    }
    if parts.len() != first.of as usize {
        return fault(format!("a part is not one of 1 to {}", first.of));
    }
    let header = from_hex(&first.header)
        .and_then(|bytes| Header::from_bytes(first.version, &bytes).ok())
        .and_then(|header| Some((header.encoding, Game::new(header.rules).ok()?)));
    let Some((encoding, game)) = header else {
        return fault("the header of the table cannot be read".into());
    };
    let mut report = Report {
        entries: first.entries,
        checked: parts.iter().map(|part| part.checked).sum(),
        extent: Extent::Whole,
        faults: parts.iter().map(|part| part.faults).sum(),
        first: parts.iter().flat_map(|part| part.first.clone()).collect(),
        certainty: Some(Certainty::new(game.cells(), encoding, key)),
    };
    let mut layers = first.layers.clone();
    for part in &parts {
        let shape = |layers: &[LayerSums]| -> Vec<_> {
            let of = |layer: &LayerSums| (layer.mover, layer.waiter, layer.required.is_some());
            layers.iter().map(of).collect()
        };
        if part.faults == 0 && (part.layers.is_empty() || shape(&part.layers) != shape(&layers)) {
            return fault(format!("part {} does not have the layers of the game", part.part));
        }
        if part.part > 1 {
            layers.iter_mut().zip(&part.layers).for_each(|(sum, part)| sum.add::<EXPONENT>(part));
        }
    }
    layers.iter().filter(|layer| !layer.is_right()).for_each(|layer| report.add_sums(layer));
    if let Some(census) = &first.census {
        census::compare(&game, encoding, census, &layers, &mut report);
    }
    if report.is_right() && report.checked != report.entries {
        return fault(format!(
            "the parts have {} entries, the table has {}",
            report.checked, report.entries
        ));
    }
    Ok(report)
}
