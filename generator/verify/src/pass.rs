//! Computes the two sums of each layer in one pass over the rows.
//!
//! While a row of layer (a, b) is in memory, it is used up to three times. First, its stored values are added to the
//! sum of its layer. Second and third, its entries are the children of positions whose waiter is its representative, in
//! a placement layer and in the movement layer.

use super::field::{Field, Lanes};
use super::halves::{Halves, Ranks};
use super::hash::Hash;
use super::keys::{EntryIndex, Keys, bytes};
use super::places::{Place, Places};
use super::report::{Collector, Unfinished, words};
use super::required::{Best, LANES, Moves, Number, Prepared};
use super::sample;
use super::scale::Scale;
use morpion_games::rows::Row;
use morpion_lookup::raw::Encoding;
use morpion_lookup::raw::rank::{self, binomial, cells};
use morpion_lookup::{Over, ReadError};
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of products that are added before the sum is reduced. Each is below 2¹²³, and 32 of them fit into 128 bits.
const TILE: usize = 32;

/// A table, with the data needed for every row.
pub(crate) struct Pass<'a, const E: u32> {
    pub keys: &'a Keys<'a>,
    pub scale: &'a Scale,
    pub hash: &'a Hash<E>,
    pub collector: &'a Collector,
    pub progress: &'a dyn Progress,
}

/// The task of a pass over the rows of a layer.
pub(crate) struct Wanted {
    /// The layer whose rows are read.
    pub rows: usize,
    /// True if the stored values of that layer are summed, and compared inside each row.
    pub stored: bool,
    /// The layers whose required values are summed. Their children are in the rows of `rows`.
    pub required: Vec<usize>,
    /// Number of rows, if the sums of the one layer are split by row; else 0.
    pub buckets: u64,
}

/// The layer with the children of layer `index`; `None` if all its positions are finished.
pub(crate) fn children_of(keys: &Keys, index: usize) -> Option<usize> {
    keys.table.game().graph().layers[index].next.map(usize::from)
}

/// The stored values of a layer.
struct Stored {
    index: usize,
    halves: Halves,
    ranks: Ranks,
    /// The factor of each code.
    values: Vec<Lanes>,
}

/// The required values of a layer.
struct Required<'a> {
    index: usize,
    moves: Moves<'a>,
    halves: Halves,
    places: Places,
    /// The factor of the position's code, for each preference of the best child.
    values: Vec<Lanes>,
    /// The factor of positions whose waiter owns a line.
    line: [Lanes; 1],
    /// The factor of arrangements whose mover owns a line.
    none: Lanes,
}

/// The rows of a layer that the threads share, and the sums to compute.
struct Task<'a> {
    wanted: &'a Wanted,
    stored: Option<Stored>,
    required: Vec<Required<'a>>,
    /// The next row of which no thread has taken the block yet.
    next: AtomicU64,
    /// The end of the rows.
    end: u64,
}

/// The sums of one thread.
pub(crate) struct Found {
    /// Number of entries read.
    pub entries: u64,
    pub stored: Lanes,
    pub required: Vec<Lanes>,
    /// For each code, its number of arrangements, and the row and column of its first entry.
    pub counts: Vec<(u64, (u64, u64))>,
    /// The required sum minus the stored sum, for each row.
    pub by_row: Vec<Lanes>,
}

/// The buffers of one thread.
#[derive(Default)]
struct Buffers<P> {
    codes: Vec<u16>,
    children: Vec<Best<P>>,
    prepared: Prepared<P>,
    factors: Vec<Lanes>,
    images: Vec<Vec<u64>>,
    lanes: Vec<Lane>,
}

/// The row of one waiter among the rows of a block.
#[derive(Default)]
struct Lane {
    orbit: u64,
    has_line: bool,
    /// The factor of the least image of the waiter's set, for each coset.
    factors: Vec<Lanes>,
    /// The share of each cell in the rank of the mover's set, by the number of cells up to it.
    weights: Vec<[u32; 37]>,
    /// The share of each set of lower cells in the rank of the mover's set.
    ranks: Vec<u32>,
    sum: Lanes,
}

/// Neighbouring rows and their bytes.
struct Block<'t> {
    first: u64,
    rows: usize,
    bytes: Cow<'t, [u8]>,
    /// Offset in bits of the first entry in the first byte.
    bit: u64,
}

impl<const E: u32> Pass<'_, E> {
    /// Reads rows of one layer in order and computes the wanted sums.
    pub fn over(&self, wanted: &Wanted, rows: Range<u64>) -> Result<Found, Unfinished> {
        let mut required = Vec::new();
        for &index in &wanted.required {
            required.push(self.required(index));
        }
        let task = Task {
            wanted,
            stored: wanted.stored.then(|| self.stored(wanted.rows)),
            required,
            next: AtomicU64::new(rows.start),
            end: rows.end,
        };
        let shares = threads::map(threads::count(), &|_| match self.scale.encoding {
            Encoding::Plies16 => self.share::<u16>(&task),
            Encoding::Plies8 | Encoding::Wdl => self.share::<u8>(&task),
        });
        let mut found = Found::new(wanted, self.scale.encoding);
        for share in shares {
            found = found.merge::<E>(share?);
        }
        if self.progress.stop() { Err(Unfinished::Stopped) } else { Ok(found) }
    }

    /// Sums blocks of rows until none is left.
    fn share<P: Number>(&self, task: &Task) -> Result<Found, ReadError> {
        let mut found = Found::new(task.wanted, self.scale.encoding);
        let mut buffers = Buffers::<P>::default();
        let columns = self.keys.table.raw().header().layers[task.wanted.rows].columns;
        while !self.progress.stop() {
            let first = task.next.fetch_add(LANES as u64, Ordering::Relaxed);
            if first >= task.end {
                break;
            }
            let block = self.read(task.wanted.rows, first..task.end.min(first + LANES as u64));
            // After an error, the other threads need not read the rest.
            let block = block.inspect_err(|_| task.next.store(task.end, Ordering::Relaxed))?;
            self.block(&block, task, &mut found, &mut buffers);
            let entries = block.rows as u64 * columns;
            found.entries += entries;
            if task.wanted.buckets == 0 {
                self.progress.advance(entries);
            }
        }
        Ok(found)
    }

    fn stored(&self, index: usize) -> Stored {
        let game = self.keys.table.game();
        let counts = self.keys.table.raw().header().layers[index].counts;
        let left = u32::from(game.cells() - counts.mover);
        let values =
            (0..=self.scale.encoding.no_position()).map(|code| self.hash.of_value(Some(code)));
        Stored {
            index,
            halves: Halves::new(left, counts.waiter.into()),
            ranks: Ranks::new(left, counts.waiter.into()),
            values: values.collect(),
        }
    }

    fn required(&self, index: usize) -> Required<'_> {
        let game = self.keys.table.game();
        let counts = self.keys.table.raw().header().layers[index].counts;
        let left = u32::from(game.cells() - counts.waiter);
        let blocked = self.scale.of(game.final_score(game.graph().blocked_reason));
        let value = |preference| match preference {
            // Preference 0 means that there is no move.
            0 => self.hash.of_value(blocked),
            preference => self.hash.of_value(self.scale.code(preference)),
        };
        Required {
            index,
            moves: Moves::new(game, index),
            halves: Halves::new(left, counts.mover.into()),
            places: Places::new(self.keys, counts.mover, self.hash),
            values: (0..=self.scale.greatest()).map(value).collect(),
            line: [self.hash.of_value(self.scale.of(game.final_score(Over::Line)))],
            none: self.hash.of_value(Some(self.scale.encoding.no_position())),
        }
    }

    fn read(&self, index: usize, rows: Range<u64>) -> Result<Block<'_>, ReadError> {
        let layer = self.keys.table.raw().header().layers[index];
        let bits = u64::from(self.scale.encoding.bits());
        let [start, end] = [rows.start, rows.end].map(|row| row * layer.columns * bits);
        let length = end.div_ceil(8) - start / 8;
        let bytes = bytes(self.keys.table.source(), layer.offset + start / 8, length)?;
        Ok(Block {
            first: rows.start,
            rows: (rows.end - rows.start) as usize,
            bytes,
            bit: start % 8,
        })
    }

    fn block<P: Number>(
        &self,
        block: &Block,
        task: &Task,
        found: &mut Found,
        buffers: &mut Buffers<P>,
    ) {
        let layer = self.keys.table.raw().header().layers[task.wanted.rows];
        let columns = layer.columns as usize;
        let mut codes = std::mem::take(&mut buffers.codes);
        decode(self.scale.encoding, block, block.rows * columns, &mut codes);
        if let Some(stored) = &task.stored {
            for (row, codes) in (block.first..).zip(codes.chunks_exact(columns)) {
                let Buffers { factors, images, .. } = buffers;
                let sum = self.row(stored, row, codes, found, factors, images);
                let orbit = self.keys.rows(layer.counts.mover)[row as usize].orbit;
                let sum = Field::<E>::mul(
                    Field::<E>::times(sum, orbit),
                    self.hash.of_mover(self.keys.representative(layer.counts.mover, row)),
                );
                found.stored = Field::<E>::add(found.stored, sum);
                if let Some(bucket) = found.by_row.get_mut(row as usize) {
                    *bucket =
                        Field::<E>::add(*bucket, Field::<E>::times(sum, Field::<E>::PRIME - 1));
                }
            }
        }
        if !task.required.is_empty() {
            self.transpose(&codes, columns, &mut buffers.children);
        }
        for (number, required) in task.required.iter().enumerate() {
            self.rows(required, number, block, found, buffers);
        }
        buffers.codes = codes;
    }

    /// Converts the rows of a block to lanes of preferences, a group of columns at a time.
    fn transpose<P: Number>(&self, codes: &[u16], columns: usize, children: &mut Vec<Best<P>>) {
        const STRETCH: usize = 1 << 10;
        children.resize(columns, [P::default(); LANES]);
        for start in (0..columns).step_by(STRETCH) {
            let stretch = start..columns.min(start + STRETCH);
            for (lane, row) in codes.chunks_exact(columns).enumerate() {
                for (child, code) in children[stretch.clone()].iter_mut().zip(&row[stretch.clone()])
                {
                    child[lane] = P::of(self.scale.preference(*code));
                }
            }
        }
    }

    /// Sums the stored values of a row, without the factor of the row. Counts its codes, and makes all checks that need
    /// only this row.
    fn row(
        &self,
        stored: &Stored,
        row: u64,
        codes: &[u16],
        found: &mut Found,
        factors: &mut Vec<Lanes>,
        tables: &mut Vec<Vec<u64>>,
    ) -> Lanes {
        let counts = self.keys.table.raw().header().layers[stored.index].counts;
        let game = self.keys.table.game();
        let Row { representative, orbit } = self.keys.rows(counts.mover)[row as usize];
        let left = game.board() & !representative;
        let mut numbers = [0; 36];
        numbers.iter_mut().zip(cells(left)).for_each(|(number, cell)| *number = cell);
        stored.halves.fill(factors, [1, 1], |product, cell, _| {
            Field::<E>::mul(product, self.hash.of_cell(numbers[cell as usize]))
        });
        for (column, code) in codes.iter().enumerate() {
            let (count, first) = &mut found.counts[usize::from(*code)];
            if *count == 0 {
                *first = (row, column as u64);
            }
            *count += orbit;
        }
        if children_of(self.keys, stored.index).is_none() {
            self.check_finished(stored, row, codes);
        }
        let number = self.keys.stabiliser(counts.mover, row);
        let mut images: Vec<[u8; 36]> = Vec::new();
        for symmetry in self.keys.cosets.members(number).skip(1) {
            let mut image = [0; 36];
            for (image, &cell) in image.iter_mut().zip(&numbers[..left.count_ones() as usize]) {
                *image = (left & ((1 << symmetry.image(cell)) - 1)).count_ones() as u8;
            }
            images.push(image);
        }
        tables.resize_with(images.len().max(tables.len()), Vec::new);
        for (table, image) in tables.iter_mut().zip(&images) {
            stored.halves.fill(table, 0, |set, cell, _| set | 1 << image[cell as usize]);
        }
        let mut sum = [0, 0];
        for run in &stored.halves.runs {
            let factors = &factors[run.start..][..run.length];
            let codes_of_run = &codes[run.rank..][..run.length];
            let of_run = if images.is_empty() {
                self.run_without_symmetry(stored, factors, codes_of_run)
            } else {
                let upper = |image: &[u8; 36]| {
                    cells(run.upper).fold(0u64, |set, cell| set | 1 << image[usize::from(cell)])
                };
                let uppers: Vec<u64> = images.iter().map(upper).collect();
                let mut of_run = [0u128; 2];
                for (at, (factor, code)) in factors.iter().zip(codes_of_run).enumerate() {
                    let own = stored.halves.lower[run.start + at] | run.upper;
                    let (mut least, mut same) = (own, 1);
                    for (upper, table) in uppers.iter().zip(&*tables) {
                        let image = upper | table[run.start + at];
                        least = least.min(image);
                        same += u64::from(image == own);
                    }
                    if least == own {
                        // The number of entries of the row in the same class.
                        let class = (images.len() as u64 + 1) / same;
                        let value = &stored.values[usize::from(*code)];
                        for lane in 0..2 {
                            let product = Field::<E>::fold(factor[lane], value[lane]);
                            of_run[lane] += u128::from(product) * u128::from(class);
                        }
                    } else {
                        let twin = stored.ranks.of(least);
                        if codes[twin] != *code {
                            for column in [run.rank + at, twin] {
                                self.check_one((stored.index, row, column as u64));
                            }
                        }
                    }
                }
                of_run.map(Field::<E>::reduce)
            };
            let upper = cells(run.upper).fold(of_run, |product, cell| {
                Field::<E>::mul(product, self.hash.of_cell(numbers[usize::from(cell)]))
            });
            sum = Field::<E>::add(sum, upper);
        }
        sum
    }

    #[inline]
    fn run_without_symmetry(&self, stored: &Stored, factors: &[Lanes], codes: &[u16]) -> Lanes {
        let mut total = [0u128; 2];
        for (factors, codes) in factors.chunks(TILE).zip(codes.chunks(TILE)) {
            let mut sum = [0u128; 2];
            for (factor, code) in factors.iter().zip(codes) {
                let value = &stored.values[usize::from(*code)];
                for lane in 0..2 {
                    sum[lane] += u128::from(factor[lane]) * u128::from(value[lane]);
                }
            }
            for lane in 0..2 {
                total[lane] += u128::from(Field::<E>::reduce(sum[lane]));
            }
        }
        total.map(Field::<E>::reduce)
    }

    /// Checks a row of a layer in which all positions are finished.
    fn check_finished(&self, stored: &Stored, row: u64, codes: &[u16]) {
        let game = self.keys.table.game();
        let encoding = self.scale.encoding;
        let counts = self.keys.table.raw().header().layers[stored.index].counts;
        let mover = self.keys.representative(counts.mover, row);
        let left = game.board() & !mover;
        let [line, full] = [Over::Line, game.graph().blocked_reason]
            .map(|over| self.scale.of(game.final_score(over)));
        let is_none = game.has_line(mover);
        for run in &stored.halves.runs {
            let lower = &stored.halves.lower[run.start..][..run.length];
            for (at, lower) in lower.iter().enumerate() {
                let expected = if is_none {
                    Some(encoding.no_position())
                } else if game.has_line(rank::expand(run.upper | lower, left)) {
                    line
                } else {
                    full
                };
                let code = codes[run.rank + at];
                if Some(code) != expected {
                    let place = (stored.index, row, (run.rank + at) as u64);
                    self.collector.add(
                        place,
                        words(encoding, Some(code)),
                        words(encoding, expected),
                    );
                }
            }
        }
    }

    pub fn check_one(&self, place: EntryIndex) {
        sample::check_one(self.keys, self.scale, place, self.collector);
    }

    /// Prepares the lanes of some rows for the positions whose waiter is the representative of the row.
    fn prepare_lanes(&self, required: &Required, rows: &[Row], lanes: &mut Vec<Lane>) {
        let game = self.keys.table.game();
        let symmetries = &self.keys.table.raw().header().symmetries;
        lanes.resize_with(rows.len(), Lane::default);
        let mut images = Vec::new();
        for (lane, row) in lanes.iter_mut().zip(rows) {
            lane.orbit = row.orbit;
            lane.has_line = game.has_line(row.representative);
            lane.sum = [0, 0];
            images.clear();
            images.extend(symmetries.iter().map(|symmetry| symmetry.apply(row.representative)));
            required.places.least_images(self.hash, &images, &mut lane.factors);
            lane.weights.clear();
            for cell in cells(game.board() & !row.representative) {
                let mut weights = [0; 37];
                for (weight, at) in weights.iter_mut().zip(0..) {
                    *weight = binomial(cell.into(), at) as u32;
                }
                lane.weights.push(weights);
            }
            let weights = &lane.weights;
            required.halves.fill(&mut lane.ranks, 0, |rank, cell, at| {
                rank + weights[cell as usize][at as usize]
            });
        }
    }

    /// Sums the required values of all positions whose waiter is the representative of a row of the block.
    fn rows<P: Number>(
        &self,
        required: &Required,
        number: usize,
        block: &Block,
        found: &mut Found,
        buffers: &mut Buffers<P>,
    ) {
        let counts = self.keys.table.raw().header().layers[required.index].counts;
        let rows = &self.keys.rows(counts.waiter)[block.first as usize..][..block.rows];
        let Buffers { lanes, children, prepared, .. } = buffers;
        self.prepare_lanes(required, rows, lanes);
        let mut waiters = [0; LANES];
        waiters.iter_mut().zip(rows).for_each(|(waiter, row)| *waiter = row.representative);
        required.moves.prepare(&waiters[..rows.len()], children, prepared);
        let mut tile = [[P::default(); LANES]; TILE];
        for run in &required.halves.runs {
            let mut bases = [0; LANES];
            let below = usize::from(counts.mover) - run.upper.count_ones() as usize;
            for (base, lane) in bases.iter_mut().zip(lanes.iter()) {
                let upper = cells(run.upper).zip(below + 1..);
                *base = upper.map(|(cell, at)| lane.weights[usize::from(cell)][at]).sum();
            }
            for start in (run.start..run.start + run.length).step_by(TILE) {
                let part = start..(start + TILE).min(run.start + run.length);
                for (best, lower) in tile.iter_mut().zip(&required.halves.lower[part.clone()]) {
                    *best = required.moves.best(lower | run.upper, children, prepared);
                }
                for (number, lane) in lanes.iter_mut().enumerate() {
                    let ranks = &lane.ranks[part.clone()];
                    let part = Part { tile: &tile, lane: number, base: bases[number], ranks };
                    let (values, mask) = match lane.has_line {
                        true => (&required.line[..], P::default()),
                        false => (&required.values[..], P::ALL),
                    };
                    let each = part.each(required, values, mask);
                    if found.by_row.is_empty() {
                        let mut sum = [0u128; 2];
                        for (place, value) in each {
                            let row = &required.places.factors[place.row as usize];
                            let class = &lane.factors[place.coset()];
                            for at in 0..2 {
                                let class = Field::<E>::fold(row[at], class[at]);
                                sum[at] += u128::from(class) * u128::from(value[at]);
                            }
                        }
                        lane.sum = Field::<E>::add(lane.sum, sum.map(Field::<E>::reduce));
                    } else {
                        for (place, value) in each {
                            let row = required.places.factors[place.row as usize];
                            let class = Field::<E>::mul(row, lane.factors[place.coset()]);
                            let sum = Field::<E>::times(Field::<E>::mul(class, *value), lane.orbit);
                            let bucket = &mut found.by_row[place.row as usize];
                            *bucket = Field::<E>::add(*bucket, sum);
                        }
                    }
                }
            }
        }
        for lane in lanes {
            let sum = Field::<E>::times(lane.sum, lane.orbit);
            found.required[number] = Field::<E>::add(found.required[number], sum);
        }
    }
}

/// One lane of a tile.
struct Part<'a, P> {
    tile: &'a [Best<P>; TILE],
    lane: usize,
    /// The share of the upper cells in the rank.
    base: u32,
    ranks: &'a [u32],
}

impl<'a, P: Number> Part<'a, P> {
    /// Visits the place of each mover's set, and the factor of the value that the position must have.
    #[inline(always)]
    fn each(
        self,
        required: &'a Required,
        values: &'a [Lanes],
        mask: P,
    ) -> impl Iterator<Item = (Place, &'a Lanes)> {
        self.tile.iter().zip(self.ranks).map(move |(best, rank)| {
            let place = required.places.of[(self.base + rank) as usize];
            let value = &values[best[self.lane].and(mask).index()];
            (place, if place.has_line() { &required.none } else { value })
        })
    }
}

impl Found {
    fn new(wanted: &Wanted, encoding: Encoding) -> Found {
        Found {
            entries: 0,
            stored: [0, 0],
            required: vec![[0, 0]; wanted.required.len()],
            counts: vec![(0, (0, 0)); usize::from(encoding.no_position()) + 1],
            by_row: vec![[0, 0]; wanted.buckets as usize],
        }
    }

    /// Adds the results of another thread or pass.
    pub fn merge<const E: u32>(mut self, other: Found) -> Found {
        self.entries += other.entries;
        self.stored = Field::<E>::add(self.stored, other.stored);
        for (sums, others) in
            [(&mut self.required, &other.required), (&mut self.by_row, &other.by_row)]
        {
            for (sum, &other) in sums.iter_mut().zip(others) {
                *sum = Field::<E>::add(*sum, other);
            }
        }
        for (count, other) in self.counts.iter_mut().zip(&other.counts) {
            if other.0 > 0 {
                count.1 = if count.0 == 0 { other.1 } else { count.1.min(other.1) };
                count.0 += other.0;
            }
        }
        self
    }
}

fn decode(encoding: Encoding, block: &Block, count: usize, codes: &mut Vec<u16>) {
    codes.clear();
    match encoding {
        Encoding::Plies8 => codes.extend(block.bytes.iter().map(|&code| u16::from(code))),
        Encoding::Plies16 => {
            codes.extend(block.bytes.as_chunks().0.iter().map(|&code| u16::from_le_bytes(code)));
        }
        Encoding::Wdl => {
            let first = block.bit / 2;
            codes.extend(
                (first..first + count as u64).map(|entry| {
                    u16::from(block.bytes[(entry / 4) as usize] >> (entry % 4 * 2) & 3)
                }),
            );
        }
    }
}
