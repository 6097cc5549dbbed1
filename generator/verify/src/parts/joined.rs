//! Adds up the parts of a proof.
//!
//! Parts come from files and are not trusted: each part is compared with the others and with the header in it. The parts are added only if
//! together they have read every byte of one file.

use super::part::Part;
use super::partial::{PartialProof, units_read};
use crate::fault::Unfinished;
use crate::file::digest::{self, Digest, UNIT};
use crate::report::{Certainty, Method, Report};
use crate::sums::field::{EXPONENT, Field};
use crate::sums::layer_sums::LayerSums;
use crate::{census, derived};
use morpion_core::{Census, Header, deserialise};
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// Reason why parts do not form one proof.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct SumError(String);

fn fault<T>(what: String) -> Result<T, SumError> {
    Err(SumError(what))
}

/// Adds up all parts of a proof.
///
/// # Errors
/// If parts are missing, occur twice, contradict themselves, or belong to different tables or proofs.
pub fn sum(mut parts: Vec<PartialProof>) -> Result<Report, SumError> {
    parts.sort_by_key(|part| part.part);
    let Some(first) = parts.first() else { return fault("no part of a proof".into()) };
    check_one_proof(&parts, first)?;
    let Some(header) = header_of(first) else {
        return fault("the header of the table is invalid".into());
    };
    if !header.game.has_children_in_one_row() {
        return fault(format!("the table of {} {}", header.game.name(), Unfinished::Undivided));
    }
    let Ok(census) = deserialise::<Census>(&first.census.0) else {
        return fault("the census of the table is invalid".into());
    };
    let size = header.file_length(first.census.0.len() as u64);
    for part in &parts {
        check_part(part, &header, &census, size)?;
    }
    let mut report = Report::new(&header, Method::Sums);
    let summed = parts.iter().filter(|part| !part.layers.is_empty());
    report.checked = summed.map(|part| own(part).entries(&header.layers)).sum();
    report.faults = parts.iter().map(|part| part.faults).fold(0, u64::saturating_add);
    report.first = parts.iter().flat_map(|part| part.first.clone()).collect();
    report.certainty = Some(Certainty::new(&header, first.key, true));
    report.blake3 = Some(digest_of(&parts, size)?);
    let mut layers = first.layers.clone();
    for part in &parts[1..] {
        layers.iter_mut().zip(&part.layers).for_each(|(sum, part)| sum.add::<EXPONENT>(part));
    }
    layers.iter().filter(|layer| !layer.is_right()).for_each(|layer| report.add_sums(layer));
    census::compare(&header, &census, &layers, &mut report);
    Ok(report)
}

/// Checks that the parts are complete and belong to one proof of one table.
fn check_one_proof(parts: &[PartialProof], first: &PartialProof) -> Result<(), SumError> {
    for part in parts {
        for (what, differs) in [
            ("key", part.key != first.key),
            ("number of parts", part.of != first.of),
            ("header", part.header != first.header),
            ("census", part.census != first.census),
        ] {
            if differs {
                let (a, b) = (first.part, part.part);
                return fault(format!(
                    "parts {a} and {b} differ in the {what}: prove the same file with the same key"
                ));
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
    Ok(())
}

/// Reads the header in a part. Returns `None` if the header is invalid or does not follow from its rule text.
fn header_of(part: &PartialProof) -> Option<Header> {
    let header = Header::from_bytes(&part.header.0).ok()?;
    derived::difference(&header).is_none().then_some(header)
}

fn own(part: &PartialProof) -> Part {
    Part { number: part.part, of: part.of }
}

/// Checks that a part has the data that follow from its header, its number and its census. The table has `size` bytes.
fn check_part(
    part: &PartialProof,
    header: &Header,
    census: &Census,
    size: u64,
) -> Result<(), SumError> {
    let wrong = |what: &str| fault(format!("part {} {what}: prove it again", part.part));
    // The set of units is built only if the part has a digest for every unit. So a false header cannot make the set larger than the part.
    let units = || units_read(header, census, own(part), size);
    let has_all = units().all(|unit| part.digests.contains_key(&unit));
    if !has_all || units().collect::<BTreeSet<u64>>().len() != part.digests.len() {
        return wrong("does not have the digests of the bytes that it has to read");
    }
    if (part.faults == 0) != part.first.is_empty() {
        return wrong("has a number of faults that differs from its list of faults");
    }
    let shape = |layer: &LayerSums| (layer.mover, layer.waiter, layer.required.is_some());
    let layers = header.layers.iter().zip(&header.game.graph().layers);
    let expected =
        layers.map(|(layer, node)| (layer.counts.mover, layer.counts.waiter, node.next.is_some()));
    let could_not_be_summed = part.layers.is_empty() && part.faults > 0;
    if !could_not_be_summed && !part.layers.iter().map(shape).eq(expected) {
        return wrong("does not have the layers of the game");
    }
    let mut elements =
        part.layers.iter().flat_map(|layer| [layer.stored, layer.required.unwrap_or_default()]);
    if elements.any(|sums| sums.iter().any(|&sum| sum >= Field::<EXPONENT>::PRIME)) {
        return wrong("has sums that are too large");
    }
    Ok(())
}

/// The BLAKE3 hash of the file that all parts together have read.
fn digest_of(parts: &[PartialProof], size: u64) -> Result<Digest, SumError> {
    let mut units = BTreeMap::new();
    for part in parts {
        for (&number, digest) in &part.digests {
            let &mut (other, known) = units.entry(number).or_insert((part.part, digest));
            if known != digest {
                return fault(format!(
                    "parts {other} and {} have read other bytes in MiB {number} of the table: prove the same file",
                    part.part
                ));
            }
        }
    }
    let is_whole = units.keys().copied().eq(0..size.div_ceil(UNIT));
    let file = digest::of_file(units.into_values().map(|(_, digest)| digest)).filter(|_| is_whole);
    file.map_or_else(|| fault("the parts have not read the whole table".into()), Ok)
}
