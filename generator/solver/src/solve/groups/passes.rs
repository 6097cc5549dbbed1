//! The passes over a group that is begun: entries are sent to the positions before them, distance by distance.

use crate::error::SolveError;
use crate::solve::entry::{Codes, Entry, Shared};
use crate::solve::groups::group::{DECIDED, Group, Member};
use crate::solve::groups::row::Row;
use crate::solve::groups::sharing::{BLOCK, Sharing};
use morpion_lookup::Score;
use morpion_lookup::raw::Position;
use morpion_machine::array::Array;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Data that the entries of a row share when they are sent to their parents.
struct Sender<'g> {
    /// The images of the mover's word.
    images: Vec<u64>,
    /// The moves before, if [`Row`] finds them.
    steps: Option<Row<'g>>,
}

impl<'a, E: Entry> Group<'a, E> {
    /// Solves all layers of the group. Returns their codes.
    pub fn solve(
        mut self,
        sharing: &mut Sharing,
        progress: &dyn Progress,
    ) -> Result<Vec<Codes<E>>, SolveError> {
        self.begin(progress)?;
        self.share(sharing, None, &|code| code != E::default())?;
        let deepest = self.deepest.load(Relaxed).into();
        let deepest = self.agreed(sharing, deepest)?;
        if self.is_cyclic {
            self.values(deepest, sharing, progress)?;
            self.ends(sharing, progress)?;
        }
        progress.advance(self.left.into_inner());
        Ok(self.members.into_iter().map(|member| member.codes).collect())
    }

    /// Exchanges the codes that are `found` with the rest of the team, in a distance if one is given.
    fn share(
        &self,
        sharing: &mut Sharing,
        distance: Option<u16>,
        found: &(dyn Fn(E) -> bool + Sync),
    ) -> Result<(), SolveError> {
        for layer in &self.members {
            let fresh = distance.map(|plies| &*layer.fresh[usize::from(plies) % 2]);
            sharing
                .exchange(&layer.codes, fresh, found, &|key, code| self.set(layer, key, code))?;
        }
        Ok(())
    }

    /// The greatest number of all members. Reports a distance that does not fit.
    fn agreed(&self, sharing: &mut Sharing, number: u64) -> Result<u64, SolveError> {
        let too_deep = self.too_deep.load(Relaxed);
        let [number, too_deep] = sharing.greatest([number, too_deep.into()])?;
        if too_deep == 0 { Ok(number) } else { Err(SolveError::TooDeep) }
    }

    /// Solves distance by distance, at least to the greatest distance of a child outside.
    fn values(
        &self,
        deepest: u64,
        sharing: &mut Sharing,
        progress: &dyn Progress,
    ) -> Result<(), SolveError> {
        for plies in 0.. {
            let codes = |plies: u16| {
                let plies = Some(plies);
                [Score::Win { plies }, Score::Loss { plies }].map(E::of)
            };
            let left = self.left.load(Relaxed);
            let (sent, found) = (codes(plies), codes(plies.saturating_add(1)));
            let is_decided = self.each_row(progress, |row| {
                let mut sender = None;
                self.pass_outside(row, &mut sender, sent, found)
                    | self.pass(row, &mut sender, plies, sent, found)
            });
            for member in &self.members {
                let fresh = &member.fresh[usize::from(plies) % 2];
                fresh.iter().for_each(|block| block.store(false, Relaxed));
            }
            progress.check()?;
            let is_decided = self.agreed(sharing, is_decided.into())? != 0;
            let next = Some(plies.saturating_add(1));
            self.share(sharing, next, &|code| found.contains(&Some(code)))?;
            progress.advance(left - self.left.load(Relaxed));
            progress.distance(plies);
            if !is_decided && u64::from(plies) >= deepest {
                break;
            }
        }
        Ok(())
    }

    /// Works on all own rows, by number of the member and of the row. Returns true if the work on one of them returns it.
    fn each_row(&self, progress: &dyn Progress, work: impl Fn([usize; 2]) -> bool + Sync) -> bool {
        let is_any = AtomicBool::new(false);
        for (number, member) in self.members.iter().enumerate() {
            threads::each(member.turned.rows, &|row| {
                if self.own_rows.has(row) && !progress.stop() && work([number, row]) {
                    is_any.store(true, Relaxed);
                }
            });
        }
        is_any.into_inner()
    }

    /// Sends the children outside that are won or lost in the distance of the pass. Returns true if a parent is decided.
    fn pass_outside(
        &self,
        [number, row]: [usize; 2],
        sender: &mut Option<Sender<'a>>,
        sent: [Option<E>; 2],
        found: [Option<E>; 2],
    ) -> bool {
        let Member { outside, turned, .. } = &self.members[number];
        let plies = sent.into_iter().flatten().find_map(E::plies);
        let is_near = |distances: &AtomicU64| {
            plies.is_none_or(|plies| distances.load(Relaxed) >> (plies % 64) & 1 == 1)
        };
        if !outside.rows.get(row).is_some_and(is_near) {
            return false;
        }
        let mut is_decided = false;
        let [win, loss] = sent.map(|code| code.map(E::preference));
        let best = outside.best[row * turned.columns..][..turned.columns].chunks(BLOCK);
        let blocks = &outside.blocks[row * best.len()..];
        let blocks = (0..).step_by(BLOCK).zip(best).zip(blocks);
        // Many blocks have only another distance with the same bit. A loop without branches compares several entries at once.
        let has_any = |best: &[E]| {
            let is_sent = |&code: &E| (Some(code) == win) | (Some(code) == loss);
            best.iter().fold(false, |any, code| any | is_sent(code))
        };
        for ((first, best), _) in
            blocks.filter(|&((_, best), distances)| is_near(distances) && has_any(best))
        {
            for (column, &preference) in (first..).zip(best) {
                let is_won = Some(preference) == loss;
                if !is_won && Some(preference) != win
                    || !self.decide(number, row * turned.columns + column, is_won)
                {
                    continue;
                }
                let Sender { images, steps } = self.sender(sender, [number, row]);
                let mover = match steps {
                    Some(steps) => steps.word(turned, column),
                    None => self.places.position(turned, row, column).waiter,
                };
                let code = self.fitting(found[usize::from(!is_won)]);
                self.write(number, mover, |symmetry| images[symmetry], code);
                is_decided = true;
            }
        }
        is_decided
    }

    /// Returns the data that the entries of a row share, computed once.
    fn sender<'s>(
        &self,
        sender: &'s mut Option<Sender<'a>>,
        [number, row]: [usize; 2],
    ) -> &'s Sender<'a> {
        sender.get_or_insert_with(|| {
            let Member { inner, turned, .. } = &self.members[number];
            let word = self.places.mover(turned, row);
            let steps = self.by_rows.then(|| Row::new(self.places, inner.from, word));
            Sender { images: self.places.images(word), steps }
        })
    }

    /// Sends the entries of a row that are won or lost in the distance of the pass. Returns true if a parent is decided.
    fn pass(
        &self,
        [number, row]: [usize; 2],
        sender: &mut Option<Sender<'a>>,
        plies: u16,
        [win, loss]: [Option<E>; 2],
        found: [Option<E>; 2],
    ) -> bool {
        let Member { codes, turned, fresh, .. } = &self.members[number];
        let fresh = &fresh[usize::from(plies) % 2];
        let (mut is_decided, mut entries) = (false, 0);
        let keys = row * turned.columns..(row + 1) * turned.columns;
        let blocks = keys.start / BLOCK..keys.end.div_ceil(BLOCK);
        for block in blocks.filter(|&block| fresh[block].load(Relaxed)) {
            let block = keys.start.max(block * BLOCK)..keys.end.min((block + 1) * BLOCK);
            for (key, code) in block.clone().zip(&codes[block]) {
                let code = Some(code.get());
                if code == win || code == loss {
                    entries += 1;
                    let is_won = code == loss;
                    let parent = found[usize::from(!is_won)];
                    let (sender, column) = (self.sender(sender, [number, row]), key - keys.start);
                    is_decided |=
                        self.send([number, row, column], sender, is_won, || self.fitting(parent));
                }
            }
        }
        self.left.fetch_sub(entries, Relaxed);
        is_decided
    }

    /// Takes a move of a position before away if its child is won. Returns true if this decides the position: its child is lost, or no
    /// move is left.
    fn decide(&self, number: usize, key: usize, is_won: bool) -> bool {
        let open = &self.members[number].open[key];
        let left = open.load(Relaxed);
        if left & DECIDED != 0 {
            false
        } else {
            // Only the thread that has the row comes here. Locked instructions would wait for all codes that it has written.
            open.store(if is_won { DECIDED } else { left - 1 }, Relaxed);
            is_won || left == 1
        }
    }

    /// Sends an entry to its parents in the group, which are won, or lose a move. Returns true if it decides one, which then has the
    /// code.
    fn send(
        &self,
        [number, row, column]: [usize; 3],
        Sender { images, steps }: &Sender,
        is_won: bool,
        code: impl Fn() -> E,
    ) -> bool {
        let Member { inner, turned, .. } = &self.members[number];
        let mut is_any = false;
        if let Some(steps) = steps {
            steps.each_parent(steps.sets(turned.other_size)[column], |before| {
                let column = steps.column(before);
                if self.decide(number, row * turned.columns + column, is_won) {
                    let mover = steps.expand(before) | turned.above.waiter;
                    self.write(number, mover, |symmetry| images[symmetry], code());
                    is_any = true;
                }
            });
            return is_any;
        }
        let after = self.places.position(turned, row, column);
        inner.each_parent(after, |mover| {
            let before = Position { mover: after.mover, waiter: mover };
            let key = row * turned.columns + turned.column(before);
            if self.decide(number, key, is_won) {
                self.write(number, mover, |symmetry| images[symmetry], code());
                is_any = true;
            }
        });
        is_any
    }

    /// Finds the draws that end: all children are won, or are draws that end.
    fn ends(&self, sharing: &mut Sharing, progress: &dyn Progress) -> Result<(), SolveError> {
        self.each_row(progress, |row| {
            let sent = [Some(E::draw_end()), None];
            self.pass_outside(row, &mut None, sent, [None, Some(E::draw_end())])
        });
        let none = |member: &Member<E>| {
            let words = member.codes.len().div_ceil(64);
            Ok(Array::filled(self.folder, words, 0u64)?.share())
        };
        let sent = self.members.iter().map(none).collect::<Result<Vec<_>, SolveError>>()?;
        loop {
            self.share(sharing, None, &|code| code == E::draw_end())?;
            let is_any = self.each_row(progress, |row| self.send_ends(row, &sent));
            progress.check()?;
            if self.agreed(sharing, is_any.into())? == 0 {
                return Ok(());
            }
        }
    }

    /// Sends the draws of a row that end and are not sent yet. Returns true if there is one.
    fn send_ends(&self, [number, row]: [usize; 2], sent: &[Array<AtomicU64>]) -> bool {
        let Member { codes, turned, .. } = &self.members[number];
        let (mut is_any, mut sender) = (false, None);
        for column in 0..turned.columns {
            let key = row * turned.columns + column;
            let bit = 1 << (key % 64);
            if codes[key].get() == E::draw_end()
                && sent[number][key / 64].fetch_or(bit, Relaxed) & bit == 0
            {
                self.send(
                    [number, row, column],
                    self.sender(&mut sender, [number, row]),
                    false,
                    E::draw_end,
                );
                is_any = true;
            }
        }
        is_any
    }
}
