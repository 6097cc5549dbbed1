//! The memory of a solution, known before it begins: the lengths of all arrays follow from the shapes of the layers.
//!
//! A change of an array changes a line here; `tests/memory.rs` compares these sums with the allocations of the solver.

use crate::ages::Ages;
use crate::sets::FoldedSets;
use crate::solve::distances::{needed, rows_of_process};
use crate::solve::exchange::{Inbox, Outbox};
use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::operator::lines::have_effect;
use crate::solve::operator::sliced::LOADED_TILE;
use crate::solve::planes::{BLOCK_ROWS, Bits, STRIP_ROWS};
use crate::solve::pushes;
use crate::solve::shape::Shape;
use crate::solve::store::Budget;
use morpion_core::{Encoding, Header};
use morpion_games::reach::groups::{groups, layers_after};
use morpion_machine::threads;
use std::ops::Range;

/// Bytes of memory for solving, in addition to the folded sets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs {
    /// Memory that all threads share, without rows.
    pub shared: u64,
    /// Memory of each thread.
    pub own: u64,
    /// Memory of each thread if rows are stored.
    pub stored: u64,
    /// Memory that all threads share if rows are stored: the index of pending entries.
    pub index: u64,
    /// The rows of a layer and of the next layer, with their pending entries and remembered planes.
    pub rows: u64,
    /// The part of `rows` for pending entries.
    pub waiting: u64,
}

impl Needs {
    /// The memory of this number of threads with all rows in files, without pending entries.
    fn in_files(&self, threads: u64) -> u64 {
        self.shared + threads * self.stored + self.index
    }

    /// Adds the memory of a thread that sends a whole layer: the images of a row, lanes, and the bytes of a column of a strip.
    fn send_all(&mut self, shape: &Shape, images: u64, lanes: u64, strip: u64) {
        let rest = STRIP_ROWS as u64 * images + Outbox::memory(shape.strips(), MOST_CODES);
        self.own = self.own.max(lanes + rest);
        // A packed strip of the layer and its pending entries are in memory only after the lanes.
        let packed = 6 * shape.columns as u64 * strip;
        self.stored = self.stored.max(lanes.max(packed) + rest);
    }
}

/// The memory that each of `parts` processes needs for each layer group that is solved together.
pub fn of_groups(layout: &Header, parts: usize) -> impl Iterator<Item = Needs> + use<'_> {
    groups(&layout.game).into_iter().map(move |group| match layout.encoding {
        _ if pushes::are_moves(&layout.game) => of_pushes(layout, group),
        Encoding::Wdl | Encoding::WdlCycle => of_values(layout, &Shape::of(layout, group.start)),
        Encoding::Plies8 | Encoding::Plies16 => of_distances(layout, &group, parts),
    })
}

/// The least memory of a build by this number of threads with all rows in files. Returns `None` for entries of two bits, whose rows are never in
/// files, because they are small, and for games that push.
pub fn least(layout: &Header, threads: u64) -> Option<u64> {
    let has_files = layout.encoding.has_distances() && !pushes::are_moves(&layout.game);
    let of_group = |needs: Needs| needs.in_files(threads) + least_waiting(&needs);
    let most = of_groups(layout, 1).map(of_group).max().unwrap_or(0);
    has_files.then(|| program(threads) + FoldedSets::memory(layout) + most)
}

/// The greatest number of this pool's threads whose memory is at most `most` with all rows in files; at least 1.
pub fn threads_within(layout: &Header, most: u64) -> u64 {
    let fits = |threads: &u64| least(layout, *threads).is_some_and(|least| least <= most);
    (1..=threads::count() as u64).rev().find(fits).unwrap_or(1)
}

/// The least memory for pending entries.
fn least_waiting(needs: &Needs) -> u64 {
    needs.waiting.min(1 << 20)
}

/// The limits for rows and pending entries of each layer that keep a build by this number of threads within `most` bytes.
pub fn budgets(layout: &Header, threads: u64, most: u64) -> Vec<Budget> {
    let (game, groups) = (&layout.game, groups(&layout.game));
    let fixed = program(threads) + FoldedSets::memory(layout);
    let budget = |(group, needs): (&Range<usize>, Needs)| {
        let own = fixed + needs.in_files(threads);
        // Reserves 2 %, because memory is allocated in whole pages.
        let all = most.saturating_sub(own) / 50 * 49;
        let passing = if game.graph().is_cyclic(group.start) { needs.waiting } else { 0 };
        let rest = (all + passing).saturating_sub(needs.rows);
        let waiting = rest.max(all / 8).max(least_waiting(&needs)).min(needs.waiting);
        let rows = all.saturating_sub(waiting);
        // Each layer of a group has two inboxes: one for entries to write, and one for entries just found.
        Budget { rows, group: rows, pending: (waiting / (2 * group.len() as u64)) as usize }
    };
    let of_group: Vec<Budget> = groups.iter().zip(of_groups(layout, 1)).map(budget).collect();
    let mut budgets = vec![of_group[0]; game.graph().layers.len()];
    for (group, budget) in groups.iter().zip(&of_group) {
        budgets[group.clone()].fill(*budget);
    }
    for (group, budget) in groups.iter().zip(&of_group) {
        for layer in needed(game, group) {
            budgets[layer].rows = budgets[layer].rows.min(budget.rows);
        }
    }
    budgets
}

/// The peak memory of a solution in memory by this number of threads, without its table.
pub fn in_memory(layout: &Header, threads: u64) -> u64 {
    let of_layer = |needs: Needs| needs.shared + threads * needs.own + needs.rows;
    let layers = of_groups(layout, 1).map(of_layer).max().unwrap_or(0);
    // Adds 4 %, for whole pages and for buffers of threads.
    program(threads) + FoldedSets::memory(layout) + layers + layers / 25
}

/// Memory of a build without layers, as measured: 11 MiB of the program and up to 1.4 MiB of each thread, mostly for packing.
pub fn program(threads: u64) -> u64 {
    (12 << 20) + threads * (3 << 19)
}

/// Bytes of an entry with distances.
fn width(layout: &Header) -> u64 {
    u64::from(layout.encoding.bits() / 8)
}

/// Bytes of the supersets of all columns.
fn supersets(shape: &Shape) -> u64 {
    let degree = shape.cells_left.saturating_sub(shape.counts.mover.into());
    5 * shape.source_columns as u64 * u64::from(degree)
}

/// Bytes of one word for each row of the table.
fn rests(shape: &Shape) -> u64 {
    8 * shape.rows as u64
}

/// The number of children after takes in a layer, and the bytes of the index of their inboxes.
fn taken(layout: &Header, rules: &LayerRules, shape: &Shape, parts: usize) -> [u64; 2] {
    let moved = if rules.moves.origins != 0 { shape.source_columns } else { 0 };
    let placed = if rules.placed() != 0 { shape.child_columns } else { 0 };
    let takes = layout.game.graph().takes.map_or(0, |takes| u64::from(takes.most()));
    let kinds = (u64::from(moved > 0) + u64::from(placed > 0)) * takes;
    let rows = rows_of_process(shape.source_rows, parts);
    let index = Inbox::index(rows.div_ceil(STRIP_ROWS), MOST_CODES);
    [rows as u64 * (moved + placed) as u64 * takes, kinds * index]
}

/// The number of codes that the pending entries of a strip are assumed to have.
const MOST_CODES: usize = 1 << 8;

fn of_distances(layout: &Header, group: &Range<usize>, parts: usize) -> Needs {
    let (game, width) = (&layout.game, width(layout));
    let images = 8 * layout.symmetries.len() as u64;
    let shape = |layer: usize| Shape::of(layout, layer);
    let entries = |shape: &Shape| (rows_of_process(shape.rows, parts) * shape.columns) as u64;
    let after = needed(game, group).into_iter().map(|layer| entries(&shape(layer)) * width);
    let mut needs = Needs { rows: after.sum(), ..Needs::default() };
    // Children after the takes of one layer, in the waiter's rows (`arriving`), then planes and inboxes in their place (`passing`).
    let (mut arriving, mut passing) = (0, 0);
    for shape in group.clone().map(shape) {
        let (rules, count) = (LayerRules::new(game, shape.layer), entries(&shape));
        let (strips, strip) =
            (rows_of_process(shape.rows, parts).div_ceil(STRIP_ROWS), STRIP_ROWS as u64 * width);
        let [columns, children] = [shape.source_columns as u64, shape.child_columns as u64];
        let (supersets, rests) = (supersets(&shape), rests(&shape));
        let outside = supersets + 16 * columns + 8 * children;
        // The children and parents of a strip, packed and as lanes.
        let lanes = (4 * children + columns) * strip;
        needs.rows += count * width;
        let placed = if rules.placed() != 0 { children } else { 0 };
        let [taken, index] = taken(layout, &rules, &shape, parts);
        arriving = arriving.max(taken * width);
        needs.index = needs.index.max(index);
        if game.graph().is_cyclic(shape.layer) {
            // A column is a child of each column with one of its pieces lifted. A word takes 8 bytes, and a superset 5 or 9 bytes.
            let (size, plane) = (u64::from(shape.counts.mover), columns * size_of::<Bits>() as u64);
            needs.shared += columns * (8 + 13 * size) + supersets / 4 + rests;
            // A plane of children and one of parents.
            let own = BLOCK_ROWS as u64 * images + Outbox::memory(shape.strips(), 2) + 2 * plane;
            // Three remembered planes. In addition, one raw strip, a packed copy, and the mapped file of the block, whose log has up to
            // seven eighths of the bytes of the entries; or, at another time, pending entries and records.
            let stored = own + 3 * plane + 9 * columns * strip;
            (needs.own, needs.stored) = (needs.own.max(own), needs.stored.max(stored));
            // Two planes are remembered. One inbox has the entries to write, and one the entries just found; both have wins and losses.
            let waiting = 2 * Inbox::memory(count, strips, 2);
            needs.waiting += waiting;
            needs.index = needs.index.max(4 * Inbox::index(strips, 2));
            passing += 2 * count.div_ceil(8) + waiting;
            if have_effect(&rules) {
                // The codes of the children outside, two planes, and the distances of each tile.
                needs.rows += count * width;
                passing += 2 * count.div_ceil(8);
                let tiles = (shape.strips() * shape.columns.div_ceil(LOADED_TILE)) as u64;
                needs.shared += 16 * tiles + outside;
                // If pieces may be placed, a strip of the layer after a placement is copied.
                let finding = lanes + placed * strip;
                needs.own = needs.own.max(finding);
                needs.stored = (needs.stored + 2 * plane).max(finding);
            }
        } else if !game.graph().steps(shape.layer).is_empty() {
            needs.shared = needs.shared.max(outside + rests);
            needs.waiting += count / 2;
            needs.index = needs.index.max(index + Inbox::index(strips, MOST_CODES));
            needs.send_all(&shape, images, lanes, strip);
        }
    }
    needs.rows += arriving.max(passing);
    needs.shared += Ages::memory(layout);
    needs
}

fn of_values(layout: &Header, shape: &Shape) -> Needs {
    let bytes = |entries: usize| entries.div_ceil(4) as u64;
    let entries = bytes(shape.entries());
    if layout.game.graph().steps(shape.layer).is_empty() {
        return Needs { rows: entries, ..Needs::default() };
    }
    let children = bytes(shape.source_rows * shape.child_columns);
    // At most three planes each for children and parents.
    let planes = (shape.child_columns + shape.source_columns) * 3 * size_of::<Bits>();
    let shared = supersets(shape) + 8 * shape.source_columns as u64 + rests(shape);
    // Pending writes take a quarter of the entries.
    Needs { shared, own: planes as u64, rows: children + entries + entries / 4, ..Needs::default() }
}

fn of_pushes(layout: &Header, group: Range<usize>) -> Needs {
    let (game, width) = (&layout.game, width(layout));
    let bytes = |layer: usize| layout.layers[layer].bytes;
    let marks = |layer: usize| {
        let shape = Shape::of(layout, layer);
        let words = shape.source_rows * shape.source_columns.div_ceil(64);
        if game.graph().is_cyclic(layer) { 8 * words as u64 } else { 0 }
    };
    let outside = |layer: usize| {
        let after = layers_after(game, layer).into_iter();
        after.filter(|&after| after >= group.end).map(bytes).sum::<u64>()
    };
    // While the children outside of one layer are in memory, each position needs two bits. Later, without these children, it needs four
    // bits.
    let marks: u64 = group.clone().map(marks).sum();
    let outside = group.clone().map(outside).max().unwrap_or(0);
    let rows = group.clone().map(bytes).sum::<u64>() + 2 * marks + outside.max(2 * marks);
    // The ranks of both sides in each layer, and of the two kinds of children outside.
    let ranks = (8 << game.cells().div_ceil(2)) * (2 * group.len() as u64 + 2);
    let words = group.clone().map(|layer| 8 * Shape::of(layout, layer).source_columns as u64);
    let words = words.sum::<u64>();
    let rests: u64 = layout.maps.iter().map(|map| 10 * map.rows).sum();
    // A strip is copied as it is written. Each thread has the codes of a row twice.
    let columns = layout.layers.iter().map(|layer| layer.columns).max().unwrap_or(0);
    let strip = columns * STRIP_ROWS as u64 * width;
    Needs {
        shared: ranks + words + rests + strip,
        own: 2 * columns * width,
        rows,
        ..Needs::default()
    }
}
