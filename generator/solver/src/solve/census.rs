//! Counts a layer while it is in memory.
//!
//! Counts the arrangements of a layer by value and distance. Each entry counts once for every set of its row's orbit.
//! Also finds the first of the longest wins and losses in key order.

use crate::sets::FoldedSets;
use crate::solve::code::Code;
use crate::solve::planes::word;
use crate::solve::shape::Shape;
use morpion_core::{Census, Deepest, LayerCensus, Score, fields};
use morpion_machine::threads;

/// The counts of a layer, and its first longest win and loss in key order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    /// The counts.
    pub census: LayerCensus,
    /// The longest win.
    pub win: Option<Deepest>,
    /// The longest loss.
    pub loss: Option<Deepest>,
}

fields!(Counted { census, win, loss });

/// Counts rows of a layer with distances, from row `first` on, and finds their longest win and loss. Adds to the counts of earlier rows.
pub fn count_rows<E: Code>(
    sets: &FoldedSets,
    shape: &Shape,
    first: usize,
    codes: &[E],
    counted: &mut Counted,
) {
    let lengths = &sets.orbits(shape.counts.mover).lengths;
    let (columns, orders) = (shape.columns, shape.words.orders.mover as usize);
    let rows = codes.len() / columns;
    let share = rows.div_ceil(threads::count()).max(16);
    let shares = threads::map(rows.div_ceil(share), &|number| {
        let mut histogram = vec![0u64; usize::from(E::ENCODING.no_position()) + 1];
        for row in number * share..rows.min((number + 1) * share) {
            let length = lengths[(first + row) / orders].into();
            for run in codes[row * columns..][..columns].chunks(RUN) {
                count_run(run, length, &mut histogram);
            }
        }
        histogram
    });
    let [win, loss] = add_histograms::<E>(&shares, &mut counted.census);
    for (slot, found) in [(&mut counted.win, win), (&mut counted.loss, loss)] {
        let Some((plies, code)) = found else { continue };
        if slot.is_none_or(|deepest| plies > deepest.plies) {
            let key = codes.iter().position(|entry| entry.code() == code);
            let position = |key| shape.position(sets, first + key / columns, key % columns);
            *slot = key.map(|key| Deepest { plies, position: position(key) });
        }
    }
}

/// Adds `histograms`, which have the number of arrangements of each code, to a census. Returns the longest win and loss, with their codes.
fn add_histograms<E: Code>(
    histograms: &[Vec<u64>],
    census: &mut LayerCensus,
) -> [Option<(u16, u16)>; 2] {
    let mut found: [Option<(u16, u16)>; 2] = [None, None];
    for code in 0..=E::ENCODING.no_position() {
        let count = histograms.iter().map(|histogram| histogram[usize::from(code)]).sum();
        if count == 0 {
            continue;
        }
        let score = E::new(code).score();
        census.add(score, count);
        match score {
            Some(Score::Win { plies: Some(plies) }) => found[0] = Some((plies, code)),
            Some(Score::Loss { plies: Some(plies) }) => found[1] = Some((plies, code)),
            _ => {}
        }
    }
    found
}

/// Number of entries that are compared at once, because entries are often equal. Counted one by one, equal entries would wait for each
/// other's stores.
const RUN: usize = 64;

/// Counts entries that represent `length` arrangements each.
fn count_run<E: Code>(run: &[E], length: u64, histogram: &mut [u64]) {
    let first = run[0];
    if run.iter().fold(true, |same, &code| same & (code == first)) {
        histogram[usize::from(first.code())] += run.len() as u64 * length;
        return;
    }
    for code in run {
        histogram[usize::from(code.code())] += length;
    }
}

/// Counts a layer with two bits per entry.
pub fn of_values(sets: &FoldedSets, layer: usize, packed: &[u8]) -> Counted {
    let shape = Shape::of(&sets.layout, layer);
    let lengths = &sets.orbits(shape.counts.mover).lengths;
    let share = lengths.len().div_ceil(threads::count());
    let shares = threads::map(threads::count(), &|number| {
        let mut counted = [0; 4];
        for (row, &length) in lengths.iter().enumerate().skip(number * share).take(share) {
            let counts = count_row(packed, row, shape.columns);
            for (counted, count) in counted.iter_mut().zip(counts) {
                *counted += count * u64::from(length);
            }
        }
        counted
    });
    let [draws, wins, losses, none] =
        [0, 1, 2, 3].map(|code| shares.iter().map(|counted: &[u64; 4]| counted[code]).sum());
    let (wins, losses) = (vec![wins], vec![losses]);
    let census = LayerCensus { none, wins, losses, draws_end: draws, draws_cycle: 0 };
    Counted { census, ..Counted::default() }
}

/// Number of entries of each code in a row of `columns` entries of two bits.
fn count_row(packed: &[u8], row: usize, columns: usize) -> [u64; 4] {
    const LOW: u64 = 0x5555_5555_5555_5555;
    let (mut counted, end) = ([0; 4], (row + 1) * columns);
    for key in (row * columns..end).step_by(32) {
        // Counts 32 entries at once: masks separate the two bits of an entry.
        let count = (end - key).min(32) as u64;
        let word = word(packed, key) & u64::MAX >> (64 - 2 * count);
        let bits = [word & LOW, word >> 1 & LOW, word & word >> 1 & LOW];
        let [low, high, both] = bits.map(|bits| u64::from(bits.count_ones()));
        let of_codes = [count + both - low - high, low - both, high - both, both];
        counted.iter_mut().zip(of_codes).for_each(|(counted, count)| *counted += count);
    }
    counted
}

/// Combines the counts of the layers, which are in the order from the last layer to the first.
pub fn assemble(mut counted: Vec<Counted>) -> Census {
    counted.reverse();
    let mut census = Census::default();
    for Counted { census: layer, win, loss } in counted {
        census.layers.push(layer);
        // Of equally long wins or losses, the one in the earlier layer counts.
        for (slot, found) in [(&mut census.longest_win, win), (&mut census.longest_loss, loss)] {
            if found.is_some_and(|found| slot.is_none_or(|deepest| found.plies > deepest.plies)) {
                *slot = found;
            }
        }
    }
    census
}
