//! A placement layer of two bits an entry, from the layer after it: values without distances.

use crate::isa::{Isa, Kernel, dispatch};
use crate::memory::{filled, prefetch};
use crate::ranker::Ranker;
use crate::solver::frame::Frame;
use crate::solver::operator::supersets::Supersets;
use crate::solver::operator::{Operator, Scene, sliced};
use crate::solver::planes::{Bits, LANES};
use crate::solver::transpose::transpose;
use crate::solver::turn::{Pull, Scratch, Source, TILE, Turn, Visit};
use crate::solver::{Fault, Shape, Watch};
use morpion_lookup::rank::{cells, subsets};
use morpion_lookup::{Counts, Over, Value};
use rayon::prelude::*;

const DRAW: u64 = 0;
const WIN: u64 = 1;
const LOSS: u64 = 2;
const NONE: u64 = 3;

/// The values in the waiter's rows: for each block of rows and each column, for each 64 rows, the lanes that are won and
/// those that are drawn; the others are lost.
struct Operated {
    /// `[won, drawn]` by block, column and 64 rows.
    lanes: Vec<[u64; 2]>,
    columns: usize,
}

impl Operated {
    /// Where the 64 rows around a source stand.
    #[inline(always)]
    fn index(&self, source: &Source) -> usize {
        let (row, column) = (source.row as usize, source.column as usize);
        (row / LANES * self.columns + column) * (LANES / 64) + row % LANES / 64
    }

    #[inline(always)]
    fn code(&self, source: &Source) -> u64 {
        let row = source.row;
        let [won, drawn] = self.lanes[self.index(source)];
        let (won, drawn) = (won >> (row % 64) & 1, drawn >> (row % 64) & 1);
        won | ((won | drawn) ^ 1) << 1
    }
}

/// The entries of the last layer of a game: lines, or a full board. Two bits an entry, the first in the lowest bits.
pub fn last(frame: &Frame, counts: Counts) -> Vec<u8> {
    let shape = Shape::of(frame, counts);
    let game = frame.game();
    let line = if game.rules().misere { WIN } else { LOSS };
    let mut packed = vec![0; shape.entries().div_ceil(4)];
    let movers = frame.orbits(counts.mover).representatives.par_chunks(TILE);
    packed.par_chunks_mut(shape.columns * TILE / 4).zip(movers).for_each(|(out, movers)| {
        let mut packer = Packer::default();
        for &mover in movers {
            if game.has_line(mover) {
                packer.fill(NONE, shape.columns);
                continue;
            }
            for waiter in shape.waiters(mover) {
                packer.push(if game.has_line(waiter) { line } else { DRAW });
            }
        }
        packer.finish();
        for (out, word) in out.chunks_mut(8).zip(&packer.words) {
            out.copy_from_slice(&word.to_le_bytes()[..out.len()]);
        }
    });
    packed
}

/// The entries of the layer `counts`, given those of the layer after it, which are freed as soon as they are read.
///
/// # Errors
/// Where the watcher says stop.
pub fn solve(
    frame: &Frame,
    counts: Counts,
    children: Vec<u8>,
    operator: Operator,
    watch: &dyn Watch,
) -> Result<Vec<u8>, Fault> {
    let operated = operate(frame, counts, &children, operator, watch)?;
    drop(children);
    let turn = Turn::new(frame, counts);
    let shape = Shape::of(frame, counts);
    let mut packed = filled(shape.entries().div_ceil(4), 0);
    let isa = Isa::detect();
    let chunks = packed
        .par_chunks_mut(shape.columns * TILE / 4)
        .zip(frame.dead(counts.mover).par_chunks(TILE));
    let start = || (Scratch::default(), vec![Packer::default(); TILE]);
    chunks.enumerate().try_for_each_init(start, |(scratch, rows), (chunk, (out, dead))| {
        watch.check()?;
        let range = chunk * TILE..chunk * TILE + dead.len();
        let pack = Pack { operated: &operated, rows: &mut *rows };
        dispatch(isa, Pull { turn: &turn, rows: range, dead, scratch, visitor: pack });
        // The rows of a tile were filled side by side; in the table they stand one behind the other, bit by bit.
        let mut all = Packer::default();
        let mut out = out.chunks_mut(8);
        for (row, &dead) in rows.iter_mut().zip(dead) {
            if dead {
                row.fill(NONE, shape.columns);
            }
            row.finish();
            all.append(row, shape.columns);
            for word in all.words.drain(..) {
                if let Some(out) = out.next() {
                    out.copy_from_slice(&word.to_le_bytes()[..out.len()]);
                }
            }
            row.words.clear();
        }
        all.finish();
        if let (Some(word), Some(out)) = (all.words.first(), out.next()) {
            out.copy_from_slice(&word.to_le_bytes()[..out.len()]);
        }
        watch.advance((shape.columns * dead.len()) as u64);
        Ok::<(), Fault>(())
    })?;
    Ok(packed)
}

/// The values in the waiter's rows.
fn operate(
    frame: &Frame,
    counts: Counts,
    children: &[u8],
    operator: Operator,
    watch: &dyn Watch,
) -> Result<Operated, Fault> {
    let shape = Shape::of(frame, counts);
    let scene = Scene { game: frame.game(), counts };
    let columns = shape.source_columns;
    let supersets = Supersets::new(scene.cells_left(), u32::from(counts.mover));
    let no_move = frame.game().final_score(Over::Full).value();
    debug_assert_eq!(no_move, Value::Draw);
    let line = frame.game().final_score(Over::Line).value();
    let isa = Isa::detect();
    let waiters = frame.orbits(counts.waiter).representatives.par_chunks(LANES);
    let waiters = waiters.zip(frame.dead(counts.waiter).par_chunks(LANES));
    let blocks = shape.source_rows.div_ceil(LANES);
    const WORDS: usize = LANES / 64;
    let mut operated = Operated { lanes: filled(blocks * columns * WORDS, [0; 2]), columns };
    operated.lanes.par_chunks_mut(columns * WORDS).zip(waiters).enumerate().try_for_each(
        |(block, (out, (waiters, dead)))| {
            watch.check()?;
            let mut planes =
                Planes::load(isa, children, block * LANES, waiters.len(), shape.child_columns);
            let parents = match operator {
                Operator::Row => place_by_rows(&scene, waiters, &planes),
                Operator::Sliced => {
                    let allowed =
                        scene.is_restricted().then(|| sliced::allowed_lanes(&scene, waiters));
                    planes.any.clear();
                    if allowed.is_some() {
                        planes.any.resize(shape.child_columns, Bits::ALL);
                    }
                    dispatch(
                        isa,
                        Place {
                            supersets: &supersets,
                            allowed: allowed.as_deref(),
                            planes: &planes,
                            columns,
                        },
                    )
                }
            };
            let mut lines = Bits::NONE;
            dead.iter()
                .enumerate()
                .filter(|(_, dead)| **dead)
                .for_each(|(lane, _)| lines.set(lane));
            for (column, out) in out.chunks_exact_mut(WORDS).enumerate() {
                let mut won = parents.lost[column];
                // Where nothing can be placed the board is full, which is drawn.
                let full = parents.any.get(column).map_or(Bits::NONE, |any| !*any);
                let full = if supersets.degree == 0 { Bits::ALL } else { full };
                let mut drawn = (parents.drawn[column] | full) & !won;
                won = if line == Value::Win { won | lines } else { won & !lines };
                drawn = drawn & !lines;
                out.copy_from_slice(&std::array::from_fn::<_, WORDS, _>(|word| {
                    [won.0[word], drawn.0[word]]
                }));
            }
            Ok::<(), Fault>(())
        },
    )?;
    Ok(operated)
}

/// Planes of one block: of children, or of the parents that have such a child.
struct Planes {
    lost: Vec<Bits>,
    drawn: Vec<Bits>,
    /// Whether there is a child at all; empty where every position has one, or none has.
    any: Vec<Bits>,
}

impl Planes {
    /// Loads the lanes of `rows` rows from `first` on; others are left empty.
    fn load(isa: Isa, packed: &[u8], first: usize, rows: usize, columns: usize) -> Planes {
        let mut planes = Planes {
            lost: vec![Bits::NONE; columns],
            drawn: vec![Bits::NONE; columns],
            any: Vec::new(),
        };
        dispatch(isa, Load { packed, first, rows, columns, planes: &mut planes });
        planes
    }
}

struct Load<'a> {
    packed: &'a [u8],
    first: usize,
    rows: usize,
    columns: usize,
    planes: &'a mut Planes,
}

impl Kernel for Load<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Load { packed, first, rows, columns, planes } = self;
        for word in 0..rows.div_ceil(64) {
            for start in (0..columns).step_by(64) {
                let width = (columns - start).min(64);
                let (mut lost, mut drawn) = ([0u64; 64], [0u64; 64]);
                for lane in 0..(rows - word * 64).min(64) {
                    let key = (first + word * 64 + lane) * columns + start;
                    let (low, high) =
                        (halves::<BITS>(packed, key), halves::<BITS>(packed, key + 32));
                    lost[lane] = !low[0] & low[1] & 0xFFFF_FFFF | (!high[0] & high[1]) << 32;
                    drawn[lane] = !low[0] & !low[1] & 0xFFFF_FFFF | (!high[0] & !high[1]) << 32;
                }
                transpose(&mut lost);
                transpose(&mut drawn);
                for column in 0..width {
                    planes.lost[start + column].0[word] = lost[column];
                    planes.drawn[start + column].0[word] = drawn[column];
                }
            }
        }
    }
}

/// The low and the high bits of the 32 entries from `key` on; zeros beyond the end.
#[inline(always)]
fn halves<const BITS: bool>(packed: &[u8], key: usize) -> [u64; 2] {
    const LOW: u64 = 0x5555_5555_5555_5555;
    let byte = key / 4;
    let word = match packed.get(byte..byte + 16) {
        Some(bytes) => u128::from_le_bytes(bytes.try_into().unwrap_or_default()),
        None => {
            let mut bytes = [0; 16];
            let rest = packed.get(byte..).unwrap_or_default();
            bytes[..rest.len().min(16)].copy_from_slice(&rest[..rest.len().min(16)]);
            u128::from_le_bytes(bytes)
        }
    };
    let word = (word >> (key % 4 * 2)) as u64;
    [crate::isa::compress::<BITS>(word, LOW), crate::isa::compress::<BITS>(word, LOW << 1)]
}

struct Place<'a> {
    supersets: &'a Supersets,
    allowed: Option<&'a [Bits]>,
    planes: &'a Planes,
    columns: usize,
}

impl Kernel for Place<'_> {
    type Output = Planes;

    #[inline(always)]
    fn run<const BITS: bool>(self) -> Planes {
        let Place { supersets, allowed, planes, columns } = self;
        let place = |children: &[Bits]| {
            let mut parents = vec![Bits::NONE; if children.is_empty() { 0 } else { columns }];
            sliced::exists_placed(supersets, allowed, children, &mut parents);
            parents
        };
        Planes { lost: place(&planes.lost), drawn: place(&planes.drawn), any: place(&planes.any) }
    }
}

/// The same, position by position.
fn place_by_rows(scene: &Scene, waiters: &[u64], children: &Planes) -> Planes {
    let mover = u32::from(scene.counts.mover);
    let ranker = Ranker::new(scene.cells_left(), mover + 1);
    let movers: Vec<u64> = subsets(scene.cells_left(), mover).collect();
    let empty = || vec![Bits::NONE; movers.len()];
    let mut parents = Planes { lost: empty(), drawn: empty(), any: empty() };
    for (lane, &waiter) in waiters.iter().enumerate() {
        let allowed = scene.allowed(waiter);
        for (column, &mover) in movers.iter().enumerate() {
            for cell in cells(allowed & !mover) {
                let child = ranker.rank(mover | 1 << cell) as usize;
                parents.any[column].set(lane);
                if children.lost[child].get(lane) {
                    parents.lost[column].set(lane);
                }
                if children.drawn[child].get(lane) {
                    parents.drawn[column].set(lane);
                }
            }
        }
    }
    parents
}

/// Packs values from the waiter's rows.
struct Pack<'a> {
    operated: &'a Operated,
    rows: &'a mut [Packer],
}

impl Visit for Pack<'_> {
    #[inline(always)]
    fn visit(&mut self, row: usize, sources: &[Source]) {
        let packer = &mut self.rows[row];
        for source in sources {
            packer.push(self.operated.code(source));
        }
    }

    #[inline(always)]
    fn call(&self, source: &Source) {
        prefetch(&self.operated.lanes, self.operated.index(source));
    }
}

/// Two-bit entries one behind the other.
#[derive(Clone, Debug, Default)]
struct Packer {
    words: Vec<u64>,
    word: u64,
    filled: u32,
}

impl Packer {
    #[inline(always)]
    fn push(&mut self, code: u64) {
        self.word |= code << self.filled;
        self.filled += 2;
        if self.filled == 64 {
            self.words.push(self.word);
            (self.word, self.filled) = (0, 0);
        }
    }

    fn fill(&mut self, code: u64, count: usize) {
        for _ in 0..count {
            self.push(code);
        }
    }

    /// Closes the word under way.
    fn finish(&mut self) {
        if self.filled > 0 {
            self.words.push(self.word);
            (self.word, self.filled) = (0, 0);
        }
    }

    /// Appends the `count` entries of a packer that is finished.
    fn append(&mut self, row: &Packer, count: usize) {
        let mut left = count as u32 * 2;
        for &word in &row.words {
            let bits = left.min(64);
            self.word |= word << self.filled;
            if self.filled + bits >= 64 {
                self.words.push(self.word);
                // What did not fit; nothing where the words lie on each other.
                self.word = word.checked_shr(64 - self.filled).unwrap_or(0);
                self.filled = self.filled + bits - 64;
            } else {
                self.filled += bits;
            }
            left -= bits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_packed_behind_each_other() {
        for columns in [1usize, 3, 16, 31, 32, 33, 100] {
            let code = |key: usize| (key as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 62;
            let (mut all, mut plain) = (Packer::default(), Packer::default());
            for row in 0..5 {
                let mut packer = Packer::default();
                for column in 0..columns {
                    packer.push(code(row * columns + column));
                    plain.push(code(row * columns + column));
                }
                packer.finish();
                all.append(&packer, columns);
            }
            all.finish();
            plain.finish();
            assert_eq!(all.words, plain.words, "{columns} columns");
        }
    }
}
