//! Which splits are marked for a block of heaps, and how the others with rare heaps are looked through.
//!
//! Most splits have a value that many others have, too; the telling ones have values that few have. So heaps are sorted by what the splits with them
//! tell. Of the rare heaps only those in front are marked. That leaves few common values below the mex unmarked, and for the least of them the
//! splits with the other rare heaps are looked through, all heaps of a block side by side: a comparison in a register instead of a store for each.
//! Of the common heaps, whose splits are witnesses of rare values, as many are marked as spare the search for such values one by one.

use super::lanes::{LANES, Lanes, Pivot};
use super::marks::{Marks, unmarked};
use super::mask::Classes;
use super::state::State;
use super::value::Value;
use morpion_machine::isa::{Isa, Kernel, dispatch};
use std::cmp::Reverse;

/// So many values are sought for each heap: as many as registers hold.
const SOUGHT: usize = 8;
/// So many heaps tell which splits are telling.
const SAMPLES: usize = 16;
/// Heaps from one of them to the next.
const STRIDE: usize = 17;
/// With fewer rare heaps the splits with all of them are marked.
const FEW: usize = 128;
/// From so many common heaps, times the size of the values, those to mark are taken; from [`POOL`] at most.
const CHOICE: usize = 16;
const POOL: usize = 1 << 14;
/// To look at one split in the sorting costs so much work, all in all.
const SORTED: usize = 24;
/// Heaps are sorted anew when those worked since have cost so many times as much as that.
const WORTH: usize = 64;
/// To look for one rare value costs as much as so many marks.
const SEARCH: usize = 192;

/// The heaps whose splits are marked or looked through for a block at once.
pub(super) struct Sieve<V> {
    /// Rare heaps, each below the block by more than is taken.
    rares: Vec<Pivot<V>>,
    /// How many of them are marked.
    front: usize,
    /// The common heaps that are marked.
    commons: Vec<Pivot<V>>,
    /// Heaps of which too few were marked.
    missed: usize,
    /// The work after which to sort anew.
    again: usize,
}

impl<V: Value> Sieve<V> {
    /// Without any heaps.
    pub fn new() -> Self {
        Self { rares: vec![], front: 0, commons: vec![], missed: 0, again: 0 }
    }

    /// How many rare heaps there are.
    pub fn len(&self) -> usize {
        self.rares.len()
    }

    /// The rare and the common heaps whose splits are marked.
    pub fn marked(&self) -> [&[Pivot<V>]; 2] {
        [&self.rares[..self.front], &self.commons]
    }

    /// The rare heaps whose splits are looked through.
    pub fn rest(&self) -> &[Pivot<V>] {
        &self.rares[self.front..]
    }

    /// What was marked did not do for a heap: the splits with the rest had to be marked, too.
    pub fn miss(&mut self) {
        self.missed += 1;
    }

    /// Begins a block, with more rare heaps, each less than `next` − t.
    pub fn begin(&mut self, more: &[Pivot<V>], state: &State<V>, classes: &Classes) {
        self.rares.extend_from_slice(more);
        self.front += self.missed * (1 + self.front / 32);
        self.missed = 0;
        if state.work >= self.again {
            self.sort(state, classes);
        }
        self.front =
            if self.marks_all(state) { usize::MAX } else { self.front }.min(self.rares.len());
    }

    /// Whether to look through splits would cost more than to mark them all: rare heaps are few, or marks are in registers.
    fn marks_all(&self, state: &State<V>) -> bool {
        self.rares.len() < FEW || state.words() == 1
    }

    /// Looks through the splits with the rest, for the heaps from `start` on, one for each lane; `None` where nothing is left to look through.
    pub fn sift(
        &self,
        lanes: &mut impl Lanes<V>,
        state: &mut State<V>,
        start: usize,
        classes: &Classes,
    ) -> Option<[Sifted<V>; LANES]> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let mut sought = [[V::default(); LANES]; SOUGHT];
        let mut sure = [usize::MAX; LANES];
        for i in 0..LANES {
            let common = classes.common(start + i);
            let marks = lanes.lane(i, common.len());
            let mut values = unmarked(&marks, common.iter().copied());
            for sought in &mut sought {
                // Where there are no more, 0 does no harm: some split has it or none, as it may be.
                let value = values.next();
                sought[i] = V::new(value.unwrap_or(0));
                sure[i] = value.map_or(usize::MAX, |value| value + 1);
            }
        }
        state.work += 6 * state.moves.two.len() * rest.len();
        let found = dispatch(Isa::detect(), Sift { state, start, rest, sought: &sought });
        Some(std::array::from_fn(|i| Sifted {
            sought: sought.map(|lanes| lanes[i]),
            found: (0..SOUGHT).map(|k| u32::from(found[k][i]) << k).sum(),
            sure: sure[i],
        }))
    }

    fn sort(&mut self, state: &State<V>, classes: &Classes) {
        let is_common = |n: &usize| classes.is_common(*n, state.g[*n].index());
        // The value of a common heap is the least common value that none of its splits has.
        let samples = (1..=4 * SAMPLES).map(|i| state.next.saturating_sub(i * STRIDE));
        let last = state.moves.last;
        let samples: Vec<usize> =
            samples.filter(|n| *n > last && is_common(n)).take(2 * SAMPLES).collect();
        // Some to sort by, and others to judge the order: it suits best what it was made by.
        let (judges, samples) = samples.split_at(samples.len() / 2);

        if !self.marks_all(state) {
            sort(state, samples, &mut self.rares);
            let needed = judges.iter().map(|n| needed(state, *n, &self.rares, classes));
            self.front = needed.max().unwrap_or(usize::MAX);
        }

        let step = state.next / 2 / POOL.min(CHOICE * state.size);
        let pool = (LANES..state.next / 2).step_by(step.max(1)).filter(is_common);
        self.commons = pool.map(|n| (n as u32, state.g[n])).collect();
        // That is no work of the heaps at hand, and not counted as theirs.
        let splits = samples.len().max(1) * (self.rares.len() + self.commons.len());
        self.again = state.work + WORTH * SORTED * splits * state.moves.two.len();
        sort(state, samples, &mut self.commons);
        let marked = worth_marking(state, judges, &self.commons, classes);
        self.commons.truncate(marked);
    }
}

/// In front those whose splits have values that few others have.
fn sort<V: Value>(state: &State<V>, samples: &[usize], pivots: &mut Vec<Pivot<V>>) {
    let mut weights = vec![0_u32; pivots.len()];
    for n in samples {
        let mut counts = vec![0_u32; state.size];
        splits(state, *n, pivots).for_each(|(_, value)| counts[value] += 1);
        for (at, value) in splits(state, *n, pivots) {
            weights[at] += (1 << 16) / counts[value];
        }
    }
    let mut order: Vec<usize> = (0..pivots.len()).collect();
    order.sort_by_key(|at| Reverse(weights[*at]));
    *pivots = order.into_iter().map(|at| pivots[at]).collect();
}

/// How many rare heaps have to be marked, so that of heap `n` no more common values are left unmarked than can be sought.
fn needed<V: Value>(state: &State<V>, n: usize, rares: &[Pivot<V>], classes: &Classes) -> usize {
    let mut firsts = firsts(state, n, rares, |value| classes.is_common(n, value));
    firsts.sort_by_key(|at| Reverse(*at));
    // One of the values sought is the heap's own, and one is for what heaps beyond the sieve may add.
    firsts.get(SOUGHT - 2).map_or(0, |at| at + 1)
}

/// How many common heaps it pays to mark, so that rare values need no search.
fn worth_marking<V: Value>(
    state: &State<V>,
    samples: &[usize],
    commons: &[Pivot<V>],
    classes: &Classes,
) -> usize {
    let firsts = |n: &usize| firsts(state, *n, commons, |value| !classes.is_common(*n, value));
    let mut firsts: Vec<usize> = samples.iter().flat_map(firsts).collect();
    firsts.sort_unstable();
    // Where `marked` heaps are marked, the values from `at` on are sought: their first split lies behind.
    let cost = |at: usize, marked: usize| marked * samples.len() + (firsts.len() - at) * SEARCH;
    let ends = firsts.iter().enumerate().map(|(at, first)| (at + 1, first + 1));
    let choices = ends.chain([(0, 0)]).map(|(at, marked)| (cost(at, marked), marked));
    choices.min().map_or(0, |(_, marked)| marked)
}

/// For each value below that of heap `n` the place of the first with which a split has it, behind all where none has.
fn firsts<V: Value>(
    state: &State<V>,
    n: usize,
    pivots: &[Pivot<V>],
    wanted: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut firsts = vec![pivots.len(); state.g[n].index()];
    for (at, value) in splits(state, n, pivots) {
        firsts[value] = firsts[value].min(at);
    }
    let firsts = firsts.into_iter().enumerate();
    firsts.filter(|(value, _)| wanted(*value)).map(|(_, first)| first).collect()
}

/// The splits of heap `n` with some heaps that have a value below that of `n`: the place of the heap, and the value.
fn splits<V: Value>(
    state: &State<V>,
    n: usize,
    pivots: &[Pivot<V>],
) -> impl Iterator<Item = (usize, usize)> {
    let limit = state.g[n].index();
    state.moves.two.iter().flat_map(move |t| {
        let others = &state.g[..n - t];
        pivots.iter().enumerate().filter_map(move |(at, (heap, value))| {
            let other = others.len().checked_sub(*heap as usize).filter(|other| *other > 0)?;
            Some((at, others[other].index() ^ value.index())).filter(|(_, value)| *value < limit)
        })
    })
}

/// What was found for a heap.
pub(super) struct Sifted<V> {
    sought: [V; SOUGHT],
    /// Which of the values sought a split has, as bits.
    found: u32,
    /// Of the common values below it, all that some split with a rare heap of the sieve has are marked or found.
    sure: usize,
}

impl<V: Value> Sifted<V> {
    /// Marks what was found. Gives the value below which no common value is left that a split with a rare heap of the sieve has.
    pub fn mark(&self, marks: &mut impl Marks) -> usize {
        for (k, value) in self.sought.iter().enumerate() {
            if self.found >> k & 1 == 1 {
                marks.mark(value.index());
            }
        }
        self.sure
    }
}

struct Sift<'a, V> {
    state: &'a State<V>,
    start: usize,
    rest: &'a [Pivot<V>],
    sought: &'a [[V; LANES]; SOUGHT],
}

impl<V: Value> Kernel for Sift<'_, V> {
    type Output = [[bool; LANES]; SOUGHT];

    #[inline(always)]
    fn run<const BITS: bool>(self) -> Self::Output {
        let Self { state, start, rest, sought } = self;
        // The least distance to each value sought: 0 exactly where a split has it.
        let mut least = [[V::MAX; LANES]; SOUGHT];
        for t in &state.moves.two {
            for (heap, value) in rest {
                let others: &[V; LANES] = state.g[start - t - *heap as usize..]
                    .first_chunk()
                    .expect("the values before the block");
                for k in 0..SOUGHT {
                    for i in 0..LANES {
                        least[k][i] = least[k][i].min(others[i] ^ *value ^ sought[k][i]);
                    }
                }
            }
        }
        least.map(|lanes| lanes.map(|least| least == V::default()))
    }
}
