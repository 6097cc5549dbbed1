//! The passes over a group that is begun, distance by distance.

use crate::error::SolveError;
use crate::solve::entry::{Entry, Shared};
use crate::solve::groups::pushes::links::{Link, Links};
use crate::solve::groups::pushes::marks::{clear, is_set, set};
use crate::solve::groups::pushes::{Member, Pushes};
use morpion_lookup::Score;
use morpion_machine::isa::{Kernel, dispatch};
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The codes of wins and losses in one distance; `None` if it does not fit.
#[derive(Clone, Copy)]
struct At<E> {
    win: Option<E>,
    loss: Option<E>,
}

impl<E: Entry> At<E> {
    fn new(plies: u16) -> At<E> {
        let plies = Some(plies);
        At { win: E::of(Score::Win { plies }), loss: E::of(Score::Loss { plies }) }
    }
}

impl<E: Entry> Pushes<'_, E> {
    /// Solves distance by distance.
    pub fn values(&mut self, progress: &dyn Progress) -> Result<(), SolveError> {
        for plies in 0.. {
            let (now, next) = (At::new(plies), At::new(plies.saturating_add(1)));
            for number in 0..self.members.len() {
                let mut codes = std::mem::take(&mut self.codes[number]);
                let columns = self.places.layer(self.members[number].layer).columns;
                let this = &*self;
                threads::each_chunk(&mut codes, columns, &|row, codes| {
                    if !progress.stop() {
                        dispatch(Send { of: this, number, row, codes, now, next });
                    }
                });
                self.codes[number] = codes;
            }
            let is_any = AtomicBool::new(false);
            for number in 0..self.members.len() {
                let this = &*self;
                threads::each(this.members[number].waiters.rows(), &|row| {
                    let decide = Decide { of: this, number, row, now, next };
                    if !progress.stop() && dispatch(decide) {
                        is_any.store(true, Relaxed);
                    }
                });
            }
            self.checked(progress)?;
            progress.distance(plies);
            if !is_any.into_inner() && plies >= self.deepest.load(Relaxed) {
                break;
            }
        }
        Ok(())
    }

    /// The rows in which the children of a row are.
    #[inline(always)]
    pub(super) fn children<'s>(
        &'s self,
        member: &Member<'s>,
        row: usize,
        has_many: bool,
    ) -> Links<'s> {
        let mut links = Links::new(self.sets, member.waiters, row, has_many);
        let waiter = member.waiters.representatives[row];
        for push in self.pushes.iter().filter(|push| waiter >> push.from & 1 == 0) {
            links.add(push.from, &push.images);
        }
        links
    }

    /// Returns true if all children of a mover's set inside the group have codes that `is_fine` accepts.
    #[inline(always)]
    pub(super) fn all_children(
        &self,
        member: &Member,
        links: &Links,
        mover: u32,
        is_fine: impl Fn(E) -> bool,
    ) -> bool {
        let codes = &self.codes[member.peer];
        let columns = member.columns.count;
        links.all().iter().enumerate().all(|(index, link)| {
            mover >> link.number & 1 == 0 || {
                let image = links.image(index, mover);
                let column = member.columns.ranks.rank(image.into()) as usize;
                is_fine(codes[link.row * columns + column].get())
            }
        })
    }
}

/// Sends a row of entries to their parents.
struct Send<'s, 'a, E: Entry> {
    of: &'s Pushes<'a, E>,
    number: usize,
    row: usize,
    codes: &'s mut [E::Shared],
    now: At<E>,
    next: At<E>,
}

/// The mover's sets of entries that are sent.
#[derive(Default)]
struct Sent {
    losses: Vec<u32>,
    wins: Vec<u32>,
}

/// The fewest sets for which the images of all lower and upper numbers are computed.
const MANY: usize = 40;

/// Number of entries that are compared at once.
const RUN: usize = 64;

impl<E: Entry> Kernel for Send<'_, '_, E> {
    type Output = ();
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(mut self) {
        let Sent { losses, wins } = self.find::<BITS>();
        if losses.is_empty() && wins.is_empty() {
            return;
        }
        let Send { of, number, row, .. } = self;
        let member = &of.members[number];
        let before = &of.members[member.peer];
        let mover = member.movers.representatives[row];
        let has_many = losses.len() + wins.len() >= MANY;
        let mut links = Links::new(of.sets, member.movers, row, has_many);
        for push in of.pushes.iter().filter(|push| mover >> push.to & 1 == 0) {
            links.clear();
            links.add(push.to, &push.back);
            let Link { number, row, .. } = links.all()[0];
            let [open, won] = [&before.open, &before.won].map(|marks| marks.row(row));
            let [losable, touched] = [&before.losable, &before.touched].map(|marks| marks.row(row));
            for (sets, possible, marked) in [(&losses, open, won), (&wins, losable, touched)] {
                for &waiter in sets.iter().filter(|&waiter| waiter >> number & 1 == 1) {
                    let column = before.columns.ranks.rank(links.image(0, waiter).into()) as usize;
                    if is_set(possible, column) {
                        set(marked, column);
                    }
                }
            }
        }
    }
}

impl<E: Entry> Send<'_, '_, E> {
    /// Finds the entries in the distance of the pass. Losses of the next distance become unknown.
    #[inline(always)]
    fn find<const BITS: bool>(&mut self) -> Sent {
        let Send { of, number, row, ref mut codes, now, next } = *self;
        let member = &of.members[number];
        let columns = &of.members[member.peer].columns;
        let (mut sent, mut run) = (Sent::default(), 0);
        for (part, codes) in codes.chunks_mut(RUN).enumerate() {
            let is_any = codes.iter_mut().fold(false, |any, code| {
                let code = Some(*code.get_mut());
                any | (code == now.win) | (code == now.loss) | (code == next.loss)
            });
            if !is_any {
                continue;
            }
            for (column, code) in (part * RUN..).zip(codes) {
                let found = Some(*code.get_mut());
                if found == now.win {
                    sent.wins.push(columns.set(column, &mut run));
                } else if found == now.loss {
                    sent.losses.push(columns.set(column, &mut run));
                } else if found == next.loss {
                    *code.get_mut() = E::none();
                    of.touch::<BITS>(number, row, columns.set(column, &mut run));
                }
            }
        }
        sent
    }
}

impl<E: Entry> Pushes<'_, E> {
    /// Marks the position of an entry as touched.
    #[inline(always)]
    fn touch<const BITS: bool>(&self, number: usize, row: usize, waiter: u32) {
        let member = &self.members[number];
        let mover = member.movers.representatives[row];
        let waiter = self.expand::<BITS>(waiter, mover);
        let orbits = member.waiters;
        let (row, symmetry) = orbits.split(orbits.map[orbits.ranker.rank(waiter) as usize]);
        let left = self.board & !orbits.representatives[row];
        let mover = self.sets.images().get(symmetry, mover).unwrap_or_default();
        let mover = morpion_machine::isa::compress::<BITS>(mover, left);
        set(member.touched.row(row), member.columns.ranks.rank(mover) as usize);
    }
}

/// Decides the marked positions of a row. Returns true if there are some.
struct Decide<'d, 'a, E: Entry> {
    of: &'d Pushes<'a, E>,
    number: usize,
    row: usize,
    now: At<E>,
    next: At<E>,
}

impl<E: Entry> Kernel for Decide<'_, '_, E> {
    type Output = bool;
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(self) -> bool {
        let Decide { of, number, row, .. } = self;
        let member = &of.members[number];
        let [won, touched] = [&member.won, &member.touched].map(|marks| marks.row(row));
        let count = |bits: &[std::sync::atomic::AtomicU64]| {
            bits.iter().map(|word| word.load(Relaxed).count_ones() as usize).sum::<usize>()
        };
        let counts = [count(won), count(touched)];
        if counts == [0, 0] {
            return false;
        }
        let images = of.images(member.waiters.representatives[row]);
        let mut is_any = false;
        if counts[0] != 0 {
            self.each(won, |column, set| is_any |= self.win::<BITS>(column, set, &images));
        }
        if counts[1] != 0 {
            let links = of.children(member, row, counts[1] >= MANY);
            self.each(touched, |column, set| {
                is_any |= self.lose::<BITS>(column, set, &links, &images);
            });
        }
        is_any
    }
}

impl<E: Entry> Decide<'_, '_, E> {
    /// Visits the marked columns of a row, with the mover's set, and takes the marks away.
    #[inline(always)]
    fn each(&self, marks: &[std::sync::atomic::AtomicU64], mut visit: impl FnMut(usize, u32)) {
        let columns = &self.of.members[self.number].columns;
        let mut run = 0;
        for (index, word) in marks.iter().enumerate() {
            let mut bits = word.load(Relaxed);
            if bits == 0 {
                continue;
            }
            word.store(0, Relaxed);
            while bits != 0 {
                let column = index * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                visit(column, columns.set(column, &mut run));
            }
        }
    }

    /// Writes a win, unless the position is won sooner. Returns true if it is not.
    #[inline(always)]
    fn win<const BITS: bool>(&self, column: usize, set: u32, images: &[u64]) -> bool {
        let Decide { of, number, row, next, .. } = *self;
        let (member, codes) = (&of.members[number], &of.codes[number]);
        for marks in [&member.open, &member.losable] {
            clear(marks.row(row), column);
        }
        let mover = of.expand::<BITS>(set, member.waiters.representatives[row]);
        let key = of.key::<BITS>(member, mover, images);
        let found = codes[key[0]].get();
        if found.is_win() && next.win.is_none_or(|win| found <= win) {
            return false;
        }
        let code = of.fitting(next.win);
        of.each_key::<BITS>(member, key, images, |key| codes[key].set(code));
        true
    }

    /// Writes a loss if all children are won. Returns true if they are.
    #[inline(always)]
    fn lose<const BITS: bool>(
        &self,
        column: usize,
        set: u32,
        links: &Links,
        images: &[u64],
    ) -> bool {
        let Decide { of, number, row, now, next } = *self;
        let (member, codes) = (&of.members[number], &of.codes[number]);
        let is_won = |code: E| code.is_win() && now.win.is_none_or(|win| code <= win);
        if !of.all_children(member, links, set, is_won) {
            return false;
        }
        let mover = of.expand::<BITS>(set, member.waiters.representatives[row]);
        let key = of.key::<BITS>(member, mover, images);
        // A child outside may be won later.
        if codes[key[0]].get() != E::none() {
            return false;
        }
        for marks in [&member.open, &member.losable] {
            clear(marks.row(row), column);
        }
        let code = of.fitting(next.loss);
        of.each_key::<BITS>(member, key, images, |key| codes[key].set(code));
        true
    }
}
