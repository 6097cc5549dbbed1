//! The report: the checked entries, and their faults.

use crate::fault::Fault;
use crate::keys::{EntryIndex, Keys};
use crate::sums::field::{EXPONENT, Field, Lanes};
use crate::sums::hash::{Key, degree};
use crate::sums::layer_sums::LayerSums;
use morpion_core::{Census, DrawKind, Encoding, Score, Side, Situation, TableError};
use morpion_games::catalogue::Table;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum number of faulty positions in a report.
const SHOWN: usize = 10;

/// Maximum number of faulty positions that are counted; beyond it the count is a lower bound.
const COUNTED: usize = 100_000;

/// Check every entry, or a random sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All entries: the answer is a proof.
    Whole,
    /// The structure, the checksums and some entries, chosen by a seed. This is not a proof.
    Sample {
        /// Number of entries; an entry may be chosen twice.
        entries: u64,
        /// The seed of the choice.
        seed: u64,
    },
}

/// The comparison of entries with their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Two keyed sums of each layer. The bound on the error is that of [`Certainty`].
    Sums,
    /// Every entry with each of its children. This is exact.
    Direct,
    /// Some entries with each of their children.
    Sample,
}

impl Method {
    /// `keyed sums`, `direct` or `sample`.
    pub fn name(self) -> &'static str {
        match self {
            Method::Sums => "keyed sums",
            Method::Direct => "direct",
            Method::Sample => "sample",
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Entries of the table.
    pub entries: u64,
    /// Entries that were checked.
    pub checked: u64,
    /// The extent of the check.
    pub extent: Extent,
    /// Number of faulty parts and entries; from 100,000 on a lower bound.
    pub faults: u64,
    /// The first faults: parts of the table, then at most ten positions in the order of play and of the keys.
    pub first: Vec<Fault>,
    /// The method of the check.
    pub method: Method,
    /// The uncertainty of the answer if all entries were checked by [`Method::Sums`].
    pub certainty: Option<Certainty>,
    /// Fingerprint of the rules.
    pub fingerprint: u64,
    /// BLAKE3 of the unpacked file in hexadecimal digits, if the whole file was read.
    pub digest: Option<String>,
}

/// The key of a proof, and the probability that a wrong table has equal sums.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certainty {
    /// The key of the sums.
    pub key: Key,
    /// True if the caller chose the key. Then the bound holds only if the table was complete before the key was drawn.
    pub key_is_given: bool,
    /// An upper bound on the probability; the crate documentation derives it.
    pub error_bound: f64,
}

impl Certainty {
    pub(super) fn new(cells: u8, encoding: Encoding, key: Key, key_is_given: bool) -> Certainty {
        let of_lane = f64::from(degree(cells, encoding)) / Field::<EXPONENT>::PRIME as f64;
        Certainty { key, key_is_given, error_bound: of_lane.powi(2) }
    }
}

impl Report {
    pub(super) fn new(table: &Table, extent: Extent) -> Report {
        let header = table.raw().header();
        Report {
            entries: header.entries(),
            checked: 0,
            extent,
            faults: 0,
            first: Vec::new(),
            method: match extent {
                Extent::Sample { .. } => Method::Sample,
                Extent::Whole if table.game().has_children_in_one_row() => Method::Sums,
                Extent::Whole => Method::Direct,
            },
            certainty: None,
            fingerprint: table.game().fingerprint(),
            digest: None,
        }
    }

    /// Returns true if nothing is wrong.
    pub fn is_right(&self) -> bool {
        self.faults == 0
    }

    pub(super) fn add(&mut self, fault: Fault) {
        self.faults += 1;
        self.first.push(fault);
    }

    /// Reads the census. If it cannot be read, adds the fault and returns `None`.
    pub(super) fn census(&mut self, table: &Table) -> Option<Census> {
        let fault = |error: TableError| {
            self.add(Fault::of_part("census", error.to_string(), "counts that can be read"));
        };
        table.raw().census().map_err(fault).ok()
    }

    /// Adds sums that differ although every entry of the layer seems right.
    pub(super) fn add_sums(&mut self, layer: &LayerSums) {
        let part = format!("sums of layer ({}, {})", layer.mover, layer.waiter);
        let in_words = |[a, b]: Lanes| format!("{a:016x} {b:016x}");
        let required = in_words(layer.required.unwrap_or_default());
        self.add(Fault::of_part(part, in_words(layer.stored), required));
    }

    pub(super) fn take(&mut self, keys: &Keys, collector: Collector) {
        let faults = collector.faults.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.faults += faults.len() as u64;
        for (place, (found, expected)) in faults.into_iter().take(SHOWN) {
            let raw = keys.position(place);
            let game = keys.table.game();
            let side = game.turn(raw).unwrap_or(Side::X);
            let at = game.format_position(Situation { board: game.board_shape(), raw, side });
            self.first.push(Fault { at, is_position: true, found, expected });
        }
    }
}

/// Faulty entries of all threads, each once. If there are too many, only the first ones.
#[derive(Default)]
pub(super) struct Collector {
    faults: Mutex<BTreeMap<EntryIndex, (String, String)>>,
}

impl Collector {
    fn known(&self) -> MutexGuard<'_, BTreeMap<EntryIndex, (String, String)>> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if further faults are not counted.
    pub fn is_full(&self) -> bool {
        self.known().len() >= COUNTED
    }

    /// Returns true if a faulty entry of this layer is known.
    pub fn has_layer(&self, index: usize) -> bool {
        self.known().range((index, 0, 0)..(index + 1, 0, 0)).next().is_some()
    }

    /// Adds a faulty entry. If an entry has two faults, the first is kept.
    pub fn add(&self, place: EntryIndex, found: String, expected: String) {
        let mut faults = self.known();
        faults.entry(place).or_insert((found, expected));
        if faults.len() > COUNTED {
            faults.pop_last();
        }
    }
}

/// A code in words; `None` is a score that the encoding cannot represent.
pub(super) fn words(encoding: Encoding, code: Option<u16>) -> String {
    let Some(code) = code else { return "a distance that does not fit the entries".into() };
    let distance = |plies: Option<u16>| plies.map_or(String::new(), |plies| format!(" in {plies}"));
    match encoding.decode(code) {
        None => "invalid".into(),
        Some(Score::Win { plies }) => format!("win{}", distance(plies)),
        Some(Score::Loss { plies }) => format!("loss{}", distance(plies)),
        Some(Score::Draw { kind: DrawKind::End }) => "draw that ends".into(),
        Some(Score::Draw { kind: DrawKind::Cycle }) => "draw by cycle".into(),
    }
}
