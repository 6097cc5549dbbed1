//! The report of a check: the number of checked entries, and the faults.

use crate::fault::Fault;
use crate::file::digest::Digest;
use crate::keys::{EntryIndex, Keys};
use crate::sums::field::{EXPONENT, Field, Lanes};
use crate::sums::hash::{Key, degree};
use crate::sums::layer_sums::LayerSums;
use morpion_core::{DrawKind, Encoding, Game, Header, Score};
use morpion_games::catalogue::standard_game;
use morpion_machine::threads::lock;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Maximum number of faulty positions in a report.
const SHOWN: usize = 10;

/// Maximum number of faulty positions that are counted; if it is reached, the count is a lower bound.
const COUNTED: usize = 100_000;

/// The way in which entries are compared with their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Two keyed sums of each layer are compared. [`Certainty`] has the bound on the error.
    #[serde(rename = "keyed sums")]
    Sums,
    /// Every entry is compared with each of its children. This is exact.
    Direct,
    /// Some entries are compared with each of their children. This is not a proof.
    Sample,
}

/// The result of a check. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The name of the game.
    pub game: String,
    /// Fingerprint of the rules, in hexadecimal digits.
    pub fingerprint: String,
    /// Fingerprint of the standard game of this name, if the rules of the table differ from its rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard: Option<String>,
    /// BLAKE3 of the unpacked table, if all of it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blake3: Option<Digest>,
    /// Entries of the table.
    pub entries: u64,
    /// Entries that were checked.
    pub checked: u64,
    /// Number of faulty parts and entries; from 100,000 on a lower bound.
    pub faults: u64,
    /// The first faults: parts of the table, then at most ten positions in the order of play and of the keys.
    pub first: Vec<Fault>,
    /// The method of the check.
    pub method: Method,
    /// The uncertainty of the answer if all entries were checked by [`Method::Sums`].
    #[serde(flatten)]
    pub certainty: Option<Certainty>,
}

/// The condition under which the bound on the error holds, if the caller chose the key.
pub const CONDITION: &str =
    "the bound on the error holds only if the key was drawn after the table was complete";

/// The key of a proof, and the probability that a wrong table has equal sums.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Certainty {
    /// The key of the sums.
    pub key: Key,
    /// An upper bound on the probability, which the crate documentation derives.
    pub error_bound: f64,
    /// The [`CONDITION`] of the bound, if the caller chose the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<&'static str>,
}

impl Certainty {
    pub(super) fn new(header: &Header, key: Key, is_given: bool) -> Certainty {
        let degree = f64::from(degree(header.game.cells(), header.encoding));
        let of_lane = degree / Field::<EXPONENT>::PRIME as f64;
        let condition = is_given.then_some(CONDITION);
        Certainty { key, error_bound: of_lane.powi(2), condition }
    }
}

impl Report {
    pub(super) fn new(header: &Header, method: Method) -> Report {
        let game = &header.game;
        let fingerprint = |game: &Game| format!("{:016x}", game.fingerprint());
        let own = fingerprint(game);
        let standard = standard_game(game.name()).map(|standard| fingerprint(&standard));
        Report {
            game: game.name().to_owned(),
            standard: standard.filter(|standard| *standard != own),
            fingerprint: own,
            blake3: None,
            entries: header.entries(),
            checked: 0,
            faults: 0,
            first: Vec::new(),
            method,
            certainty: None,
        }
    }

    /// Returns true if nothing is wrong.
    pub fn is_right(&self) -> bool {
        self.faults == 0
    }

    /// Returns true if nothing is wrong and all entries were checked.
    pub fn is_proof(&self) -> bool {
        self.is_right() && self.method != Method::Sample
    }

    pub(super) fn add(&mut self, fault: Fault) {
        self.faults += 1;
        self.first.push(fault);
    }

    /// Adds the sums of a layer as a fault, for sums that differ although every entry seems right.
    pub(super) fn add_sums(&mut self, layer: &LayerSums) {
        let part = format!("sums of layer ({}, {})", layer.mover, layer.waiter);
        let in_words = |[a, b]: Lanes| format!("{a:016x} {b:016x}");
        let required = in_words(layer.required.unwrap_or_default());
        self.add(Fault::of_part(part, in_words(layer.stored), required));
    }

    pub(super) fn take(&mut self, keys: &Keys, collector: Collector) {
        let faults = std::mem::take(&mut *lock(&collector.faults));
        self.faults += faults.len() as u64;
        for (place, (found, expected)) in faults.into_iter().take(SHOWN) {
            let raw = keys.position(place);
            let game = keys.table.game();
            let at = game.format_position(game.situation(raw, None));
            self.first.push(Fault { at, is_position: true, found, expected });
        }
    }
}

/// The faulty entries that all threads have found, each once; only the first 100,000 in the order of places are kept.
#[derive(Default)]
pub(super) struct Collector {
    faults: Mutex<BTreeMap<EntryIndex, (String, String)>>,
}

impl Collector {
    /// Returns true if there are so many faults that further ones are not counted.
    pub fn is_full(&self) -> bool {
        lock(&self.faults).len() >= COUNTED
    }

    /// Returns true if a faulty entry of this layer is known.
    pub fn has_layer(&self, index: usize) -> bool {
        lock(&self.faults).range((index, 0, 0)..(index + 1, 0, 0)).next().is_some()
    }

    /// Adds a faulty entry. If an entry has two faults, the first is kept.
    pub fn add(&self, place: EntryIndex, found: String, expected: String) {
        let mut faults = lock(&self.faults);
        faults.entry(place).or_insert((found, expected));
        if faults.len() > COUNTED {
            faults.pop_last();
        }
    }
}

/// A code in words; `None` is a score that the encoding cannot represent.
pub(super) fn words(encoding: Encoding, code: Option<u16>) -> String {
    let Some(code) = code else { return "a distance that does not fit the entries".into() };
    match encoding.decode(code) {
        None => "invalid".into(),
        Some(Score::Draw { kind: DrawKind::End }) => "draw that ends".into(),
        Some(score) => score.to_string(),
    }
}
