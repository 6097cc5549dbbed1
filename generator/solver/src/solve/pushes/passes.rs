//! The passes over a layer group that has its first codes, distance by distance.

use crate::error::SolveError;
use crate::solve::code::{AtomicCode, Code};
use crate::solve::pushes::links::Links;
use crate::solve::pushes::marks::{clear, is_set, prefetch_row, set};
use crate::solve::pushes::{GroupLayer, Pushes};
use crate::solve::transposition::Location;
use morpion_core::{Score, rank::cells};
use morpion_machine::isa::{Kernel, dispatch};
use morpion_machine::memory::prefetch;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The codes of wins and losses in one distance; `None` if the distance does not fit.
#[derive(Clone, Copy)]
struct At<E> {
    win: Option<E>,
    loss: Option<E>,
    /// The greatest code of a win that is at most this far.
    last_win: E,
}

/// The last distance in which all positions that may be lost are touched without sending the wins. So early, most positions have a won
/// child, and sending the wins would take longer.
const DENSE: u16 = 1;

impl<E: Code> At<E> {
    fn new(plies: u16) -> At<E> {
        let last_win = E::last_win(plies);
        let plies = Some(plies);
        At { win: E::of(Score::Win { plies }), loss: E::of(Score::Loss { plies }), last_win }
    }
}

impl<E: Code> Pushes<'_, E> {
    /// Solves distance by distance, and then finds the draws that end.
    pub fn values(&mut self, progress: &dyn Progress) -> Result<(), SolveError> {
        for plies in 0.. {
            let (now, next) = (At::new(plies), At::new(plies.saturating_add(1)));
            let touches_all = plies <= DENSE;
            let left = self.left.load(Relaxed);
            for number in 0..self.layers.len() {
                let mut codes = std::mem::take(&mut self.codes[number]);
                let columns = self.layers[number].shape.columns;
                let this = &*self;
                threads::each_chunk(&mut codes, columns, &|row, codes| {
                    if !progress.stop() {
                        dispatch(Send { group: this, number, row, codes, now, next, touches_all });
                    }
                });
                self.codes[number] = codes;
            }
            progress.advance(left - self.left.load(Relaxed));
            if touches_all {
                self.layers.iter().for_each(|layer| layer.touched.add(&layer.losable));
            }
            let is_any = self.decide(now, next, progress)?;
            progress.distance(plies);
            if !is_any && plies >= self.deepest.load(Relaxed) {
                break;
            }
        }
        // Draws that end count as won now.
        let ends = At { win: None, loss: Some(E::draw_end()), last_win: E::draw_end() };
        let mut is_any = self.has_ends.load(Relaxed);
        while is_any {
            self.layers.iter().for_each(|layer| layer.touched.add(&layer.open));
            is_any = self.decide(ends, ends, progress)?;
        }
        Ok(())
    }

    /// Decides the marked positions of all layers. Returns true if a code was written.
    fn decide(&self, now: At<E>, next: At<E>, progress: &dyn Progress) -> Result<bool, SolveError> {
        let is_any = AtomicBool::new(false);
        for number in 0..self.layers.len() {
            threads::each(self.layers[number].shape.source_rows, &|row| {
                let decide = Decide { group: self, number, row, now, next };
                if !progress.stop() && dispatch(decide) {
                    is_any.store(true, Relaxed);
                }
            });
        }
        self.checked(progress)?;
        Ok(is_any.into_inner())
    }

    /// Returns true if all children of a mover's set inside the layer group have codes that `is_fine` accepts.
    #[inline(always)]
    fn all_children(
        &self,
        layer: &GroupLayer,
        links: &Links,
        mover: u32,
        is_fine: impl Fn(E) -> bool,
    ) -> bool {
        let codes = &self.codes[layer.peer];
        let (columns, ranker) = (layer.columns.words.len(), &layer.columns.ranker);
        links.all().iter().enumerate().all(|(number, link)| {
            let column = || ranker.rank(links.image(number, mover).into()) as usize;
            mover >> link.number & 1 == 0 || is_fine(codes[link.row * columns + column()].get())
        })
    }
}

/// Sends a row of entries to their parents.
struct Send<'s, 'a, E: Code> {
    group: &'s Pushes<'a, E>,
    number: usize,
    row: usize,
    codes: &'s mut [E::Atomic],
    now: At<E>,
    next: At<E>,
    touches_all: bool,
}

/// The least number of sets for which the images of all lower and upper numbers are computed.
const MANY: usize = 40;

/// Number of entries that are compared at once.
const RUN: usize = 64;

impl<E: Code> Kernel for Send<'_, '_, E> {
    type Output = ();
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(mut self) {
        let sent = self.find::<BITS>();
        if sent.iter().all(Vec::is_empty) {
            return;
        }
        let Send { group, number, row, .. } = self;
        let layer = &group.layers[number];
        let before = &group.layers[layer.peer];
        let has_many = sent[0].len() + sent[1].len() >= MANY;
        let numbers = sent.iter().flatten().fold(0, |all, set| all | set);
        let movers = layer.transposition.movers;
        let links = Links::new(group.sets, movers, row, &group.pulls, numbers, has_many);
        let ranker = &before.columns.ranker;
        let (mut last, mut pushed) = (None, [Vec::new(), Vec::new()]);
        for (index, link) in links.all().iter().enumerate() {
            if last != Some(link.number) {
                for (pushed, sent) in pushed.iter_mut().zip(&sent) {
                    pushed.clone_from(sent);
                    keep_with(pushed, link.number);
                }
                last = Some(link.number);
            }
            let [open, won] = [&before.open, &before.won].map(|marks| marks.row(link.row));
            let [losable, touched] =
                [&before.losable, &before.touched].map(|marks| marks.row(link.row));
            if has_many {
                prefetch_row(if pushed[0].is_empty() { losable } else { open });
            }
            let kinds = pushed.iter().zip([(open, won), (losable, touched)]);
            for (sets, (possible, marked)) in kinds {
                for &waiter in sets {
                    let column = ranker.rank(links.image(index, waiter).into()) as usize;
                    if is_set(possible, column) {
                        set(marked, column);
                    }
                }
            }
        }
    }
}

/// Keeps the sets that contain `number`. Has no branches: about half of the sets contain it, so the processor could not predict them.
#[inline(always)]
fn keep_with(sets: &mut Vec<u32>, number: u32) {
    let mut kept = 0;
    for index in 0..sets.len() {
        let set = sets[index];
        sets[kept] = set;
        kept += (set >> number & 1) as usize;
    }
    sets.truncate(kept);
}

impl<E: Code> Send<'_, '_, E> {
    /// Finds the waiter's sets of the losses and the wins in the distance of the pass. Losses of the next distance become unknown.
    #[inline(always)]
    fn find<const BITS: bool>(&mut self) -> [Vec<u32>; 2] {
        let Send { group, number, row, ref mut codes, now, next, touches_all, .. } = *self;
        let layer = &group.layers[number];
        let columns = &group.layers[layer.peer].columns;
        let (mut losses, mut wins, mut unconfirmed) = (Vec::new(), Vec::new(), Vec::new());
        let mut kept = 0;
        for (part, codes) in codes.chunks_mut(RUN).enumerate() {
            let is_any = codes.iter_mut().fold(false, |any, code| {
                let code = Some(code.read());
                any | (code == now.win) | (code == now.loss) | (code == next.loss)
            });
            if !is_any {
                continue;
            }
            for (column, code) in (part * RUN..).zip(codes) {
                let found = Some(code.read());
                if found == now.win {
                    if touches_all {
                        kept += 1;
                        continue;
                    }
                    wins.push(columns.words[column] as u32);
                } else if found == now.loss {
                    losses.push(columns.words[column] as u32);
                } else if found == next.loss {
                    code.set(E::none());
                    unconfirmed.push((columns.words[column] as u32, ()));
                }
            }
        }
        if !unconfirmed.is_empty() {
            group.touch::<BITS>(number, row, &unconfirmed);
        }
        group.left.fetch_sub((kept + wins.len() + losses.len()) as u64, Relaxed);
        [losses, wins]
    }
}

impl<E: Code> Pushes<'_, E> {
    /// Marks the positions of some entries of a row as touched.
    #[inline(always)]
    fn touch<const BITS: bool>(&self, number: usize, row: usize, waiters: &[(u32, ())]) {
        let layer = &self.layers[number];
        // The peer has the same positions with the sides exchanged.
        let peer = &self.layers[layer.peer];
        let touched = |place: &Location| (layer.touched.row(place.row), place.column as usize);
        peer.each_place::<BITS, ()>(
            row,
            waiters,
            |place| {
                let (row, column) = touched(place);
                prefetch(row, column / 64);
            },
            |place, ()| {
                let (row, column) = touched(place);
                set(row, column);
            },
        );
    }
}

/// Decides the marked positions of a row. Returns true if a code was written.
struct Decide<'d, 'a, E: Code> {
    group: &'d Pushes<'a, E>,
    number: usize,
    row: usize,
    now: At<E>,
    next: At<E>,
}

impl<E: Code> Kernel for Decide<'_, '_, E> {
    type Output = bool;
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(self) -> bool {
        let Decide { group, number, row, .. } = self;
        let layer = &group.layers[number];
        let [won, touched] = [&layer.won, &layer.touched].map(|marks| marks.row(row));
        let count = |bits: &[AtomicU64]| {
            bits.iter().map(|word| word.load(Relaxed).count_ones() as usize).sum::<usize>()
        };
        let (won_count, touched_count) = (count(won), count(touched));
        let mut is_any = false;
        if won_count != 0 {
            is_any |= self.write::<BITS>(&self.take(won, won_count), self.next.win, true);
        }
        if touched_count != 0 {
            let is_won = |code: E| code != E::default() && code <= self.now.last_win;
            let (waiters, columns) = (layer.transposition.waiters, layer.columns.words.len());
            let has_many = touched_count >= MANY;
            let mut lost = self.take(touched, touched_count);
            let numbers = lost.iter().fold(0, |all, (set, _)| all | set);
            let links = Links::new(group.sets, waiters, row, &group.pushes, numbers, has_many);
            if touched_count * 16 >= columns {
                links.prefetch(&group.codes[layer.peer], columns);
            }
            lost.retain(|&(set, _)| group.all_children(layer, &links, set, is_won));
            is_any |= self.write::<BITS>(&lost, self.next.loss, false);
        }
        is_any
    }
}

impl<E: Code> Decide<'_, '_, E> {
    /// Clears the `count` marks of a row. Returns the mover's sets and the columns that were marked.
    #[inline(always)]
    fn take(&self, marks: &[AtomicU64], count: usize) -> Vec<(u32, u32)> {
        let columns = &self.group.layers[self.number].columns;
        let mut taken = Vec::with_capacity(count);
        for (index, word) in marks.iter().enumerate() {
            let bits = word.load(Relaxed);
            if bits == 0 {
                continue;
            }
            word.store(0, Relaxed);
            for column in cells(bits).map(|bit| index * 64 + usize::from(bit)) {
                taken.push((columns.words[column] as u32, column as u32));
            }
        }
        taken
    }

    /// Writes `code` to positions. Leaves a win that is not later than `code`, and does not write a loss if a child outside may win the
    /// position later. Returns true if a code was written.
    #[inline(always)]
    fn write<const BITS: bool>(&self, found: &[(u32, u32)], code: Option<E>, is_won: bool) -> bool {
        let Decide { group, number, row, next, .. } = *self;
        let (layer, codes) = (&group.layers[number], &group.codes[number]);
        let mut is_any = false;
        layer.each_place::<BITS, u32>(
            row,
            found,
            |place| prefetch(codes, layer.transposition.entry(place)),
            |place, column| {
                let found = codes[layer.transposition.entry(place)].get();
                let is_sooner = is_won && found.is_win() && found <= next.last_win;
                let is_later = !is_won && found != E::none();
                if !is_later {
                    for marks in [&layer.open, &layer.losable] {
                        clear(marks.row(row), column as usize);
                    }
                }
                if !is_sooner && !is_later {
                    layer.write::<BITS, E>(codes, place, group.fitting(code));
                    is_any = true;
                }
            },
        );
        is_any
    }
}
