//! Solves the layers of one group.

use crate::error::SolveError;
use crate::solve::entry::{Codes, Entry, Shared};
use crate::solve::groups::moves::{Moves, final_code};
use crate::solve::groups::parents::Inner;
use crate::solve::groups::places::{LayerPlaces, Places};
use crate::solve::groups::row::Row;
use morpion_lookup::Score;
use morpion_lookup::raw::Position;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

/// A group that is being solved.
pub struct Group<'a, E: Entry> {
    places: &'a Places<'a>,
    /// The solved layers to which moves of the group lead.
    solved: &'a [Option<Codes<E>>],
    members: Vec<Member<'a, E>>,
    /// True if moves stay in the group.
    is_cyclic: bool,
    /// True if moves push, and so change the pieces of both sides.
    pushes: bool,
    /// True if lines take. Then [`Row`] finds moves.
    takes: bool,
    /// Units of one move.
    unit: u16,
    /// The greatest distance of a child outside.
    deepest: AtomicU16,
    /// True if a distance did not fit.
    too_deep: AtomicBool,
}

/// A layer of a group, with what is known about the positions of the layer before it. Each of these has the row and column that it would
/// have after a pass.
struct Member<'a, E: Entry> {
    layer: usize,
    codes: Codes<E>,
    /// The moves from the layer before, and the number of its member.
    inner: Inner<'a>,
    before: usize,
    /// The places of the positions before.
    turned: LayerPlaces,
    /// Units of the moves of each position before whose child may still be other than won, or [`DECIDED`]. A child outside is one more
    /// move.
    open: Vec<AtomicU16>,
    /// The best children outside of the positions before, for each row that has some.
    outside: Vec<Option<Outside<E>>>,
    /// By the last bit of a distance, then by block: true if some entries in this distance are not sent yet.
    fresh: [Vec<AtomicBool>; 2],
}

/// Number of entries of a block: those that are not sent yet are found block by block.
const BLOCK: usize = 128;

/// The best children outside of a row of positions.
struct Outside<E> {
    /// Their preferences; 0 for a position without one.
    best: Box<[E]>,
    /// For each block of columns, a bit for each distance modulo 64 of a child that is won or lost.
    distances: Box<[u64]>,
}

/// What the entries of a row share when they are sent to their parents.
struct Sender<'g> {
    /// The images of the mover's word.
    images: Vec<u64>,
    /// The moves before, if lines take.
    steps: Option<Row<'g>>,
}

/// The mark of a position whose code is known.
const DECIDED: u16 = 1 << 15;

impl<'a, E: Entry> Group<'a, E> {
    /// A group of these layers. The layers to which their moves lead are solved.
    pub fn new(
        places: &'a Places<'a>,
        layers: Range<usize>,
        solved: &'a [Option<Codes<E>>],
    ) -> Self {
        let (game, graph) = (places.game(), places.game().graph());
        let is_cyclic = game.is_cyclic(layers.start);
        let pushes = graph.phases.iter().flatten().any(|step| step.path != 0);
        let member = |layer: usize| {
            let is_before = |&before: &usize| graph.layers[before].next == Some(layer as u16);
            let before = layers.clone().find(is_before).unwrap_or(layer);
            let turned = places.turned(before).unwrap_or(*places.layer(before));
            let open = if is_cyclic { turned.entries() } else { 0 };
            let entries = places.layer(layer).entries();
            Member {
                layer,
                codes: std::iter::repeat_with(E::Shared::default).take(entries).collect(),
                inner: Inner::new(game, before),
                before: before - layers.start,
                turned,
                open: std::iter::repeat_with(AtomicU16::default).take(open).collect(),
                outside: Vec::new(),
                fresh: [0, 1].map(|_| {
                    let blocks = if is_cyclic { entries.div_ceil(BLOCK) } else { 0 };
                    std::iter::repeat_with(AtomicBool::default).take(blocks).collect()
                }),
            }
        };
        Group {
            places,
            solved,
            members: layers.clone().map(member).collect(),
            is_cyclic,
            pushes,
            takes: Row::fits(game),
            // A grid has at most 8 symmetries that keep its pushes, and 60 pushes.
            unit: if pushes { places.symmetries() as u16 } else { 1 },
            deepest: AtomicU16::new(0),
            too_deep: AtomicBool::new(false),
        }
    }

    /// Solves all layers of the group. Returns their codes.
    pub fn solve(mut self, progress: &dyn Progress) -> Result<Vec<Codes<E>>, SolveError> {
        for number in 0..self.members.len() {
            let rows = self.members[number].turned.rows;
            let outside = threads::map(rows, &|row| match progress.stop() {
                true => None,
                false => self.begin(number, row, progress),
            });
            self.checked(progress)?;
            self.members[number].outside = outside;
        }
        if self.is_cyclic {
            self.values(progress)?;
            self.ends(progress)?;
        }
        Ok(self.members.into_iter().map(|member| member.codes).collect())
    }

    /// Reports a stop, or a distance that does not fit.
    fn checked(&self, progress: &dyn Progress) -> Result<(), SolveError> {
        progress.check()?;
        if self.too_deep.load(Relaxed) { Err(SolveError::TooDeep) } else { Ok(()) }
    }

    /// Begins a row of positions before: finds those that are over, and the children outside. Returns the best children outside.
    fn begin(&self, number: usize, row: usize, progress: &dyn Progress) -> Option<Outside<E>> {
        let Member { inner, turned, .. } = &self.members[number];
        let word = self.places.mover(turned, row);
        progress.advance(turned.columns as u64);
        if self.takes && turned.is_turned {
            return self.begin_row(number, row, &Row::new(self.places, inner.from, word));
        }
        let images = self.places.images(word);
        let mut moves = Moves::new(self.places, self.solved, inner.from);
        let mut outside: Option<Box<[E]>> = None;
        self.places.each_column(turned, row, |column, other| {
            let position = match turned.is_turned {
                true => Position { mover: other, waiter: word },
                false => Position { mover: word, waiter: other },
            };
            let (inside, best) = self.children(&mut moves, position);
            let key = row * turned.columns + column;
            let Some(code) = self.begin_entry(number, key, inside as u16, best, || position) else {
                if best != E::default() {
                    let none = || vec![E::default(); turned.columns].into();
                    outside.get_or_insert_with(none)[column] = best;
                }
                return;
            };
            match turned.is_turned {
                true => self.write(number, other, |symmetry| images[symmetry], code),
                false => {
                    self.write(number, word, |symmetry| self.places.image(symmetry, other), code)
                }
            }
        });
        self.outside(outside?)
    }

    /// Begins a row of positions before in a game with lines that take.
    fn begin_row(&self, number: usize, row: usize, moves: &Row) -> Option<Outside<E>> {
        let turned = &self.members[number].turned;
        let waiter = self.places.mover(turned, row);
        let images = self.places.images(waiter);
        let (inside, mut best) = moves.children(self.solved);
        for (column, &set) in moves.sets(turned.other_size).iter().enumerate() {
            let mover = || moves.expand(set) | turned.above.waiter;
            let position = || Position { mover: mover(), waiter };
            let key = row * turned.columns + column;
            let code = self.begin_entry(number, key, inside[column], best[column], position);
            if let Some(code) = code {
                self.write(number, mover(), |symmetry| images[symmetry], code);
                best[column] = E::default();
            }
        }
        if self.is_cyclic { self.outside(best.into()) } else { None }
    }

    /// Begins a position before: returns its code if no move stays in the group, and counts its moves otherwise.
    #[inline]
    fn begin_entry(
        &self,
        number: usize,
        key: usize,
        inside: u16,
        best: E,
        position: impl Fn() -> Position,
    ) -> Option<E> {
        let has_outside = best != E::default();
        let (code, count) = match inside {
            0 if !has_outside => (Some(self.over(position())), DECIDED),
            _ if !self.is_cyclic => (Some(self.fitting(best.parent())), DECIDED),
            _ => (None, (inside + u16::from(has_outside)) * self.unit),
        };
        if self.is_cyclic {
            self.members[number].open[key].store(count, Relaxed);
        }
        code
    }

    /// The best children outside of a row; `None` if there are none.
    fn outside(&self, best: Box<[E]>) -> Option<Outside<E>> {
        if best.iter().all(|&best| best == E::default()) {
            return None;
        }
        let mut deepest = 0;
        let distances = best.chunks(BLOCK).map(|block| {
            let distances = block.iter().filter_map(|best| best.preferred().plies());
            distances.fold(0, |all, plies| {
                deepest = deepest.max(plies);
                all | 1 << (plies % 64)
            })
        });
        let distances = distances.collect();
        self.deepest.fetch_max(deepest, Relaxed);
        Some(Outside { best, distances })
    }

    /// Number of moves that stay in the group, and the preference of the best child outside. Both are nothing if a line ends the game.
    fn children(&self, moves: &mut Moves<E>, position: Position) -> (u32, E) {
        let game = self.places.game();
        let is_line = |word| game.graph().takes.is_none() && game.has_line(word);
        match is_line(position.mover) || is_line(position.waiter) {
            true => (0, E::default()),
            false => moves.children(position),
        }
    }

    /// The code of a position without a move, or that is none, because its mover has made a line before.
    fn over(&self, position: Position) -> E {
        let game = self.places.game();
        match game.graph().lines_end() && game.has_line(position.mover) {
            true => E::none(),
            false => final_code(game, position),
        }
    }

    /// Writes the code of a position before to all of its entries, given the mover's word and the images of the waiter's.
    fn write(&self, number: usize, mover: u64, waiter: impl Fn(usize) -> u64, code: E) {
        let Member { layer, codes, fresh, .. } = &self.members[self.members[number].before];
        let layer = self.places.layer(*layer);
        let distance = code.plies().filter(|_| self.is_cyclic);
        self.places.each_key(layer, mover, waiter, |key| {
            codes[key].set(code);
            if let Some(plies) = distance {
                fresh[usize::from(plies) % 2][key / BLOCK].store(true, Relaxed);
            }
        });
    }

    /// A code, or the note that it does not fit.
    fn fitting(&self, code: Option<E>) -> E {
        code.unwrap_or_else(|| {
            self.too_deep.store(true, Relaxed);
            E::none()
        })
    }

    /// Solves distance by distance.
    fn values(&self, progress: &dyn Progress) -> Result<(), SolveError> {
        for plies in 0.. {
            let codes = |plies: u16| {
                let plies = Some(plies);
                [Score::Win { plies }, Score::Loss { plies }].map(E::of)
            };
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
            self.checked(progress)?;
            progress.distance(plies);
            if !is_decided && plies >= self.deepest.load(Relaxed) {
                break;
            }
        }
        Ok(())
    }

    /// Works on all rows, by number of the member and of the row. Returns true if the work on one of them returns it.
    fn each_row(&self, progress: &dyn Progress, work: impl Fn([usize; 2]) -> bool + Sync) -> bool {
        let is_any = AtomicBool::new(false);
        for (number, member) in self.members.iter().enumerate() {
            threads::each(member.turned.rows, &|row| {
                if !progress.stop() && work([number, row]) {
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
        let Some(Outside { best, distances }) = &outside[row] else { return false };
        let mut is_decided = false;
        let bit = sent[0].and_then(E::plies).map_or(!0, |plies| 1 << (plies % 64));
        let [win, loss] = sent.map(|code| code.map(E::preference));
        for block in (0..distances.len()).filter(|&block| distances[block] & bit != 0) {
            for (column, &preference) in
                (block * BLOCK..).zip(best.chunks(BLOCK).nth(block).unwrap_or_default())
            {
                let preference = Some(preference);
                if preference != win && preference != loss {
                    continue;
                }
                let is_won = preference == loss;
                if self.decide(number, row * turned.columns + column, is_won, self.unit) {
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
        }
        is_decided
    }

    /// What the entries of a row share when they are sent, computed once.
    fn sender<'s>(
        &self,
        sender: &'s mut Option<Sender<'a>>,
        [number, row]: [usize; 2],
    ) -> &'s Sender<'a> {
        sender.get_or_insert_with(|| {
            let Member { inner, turned, .. } = &self.members[number];
            let word = self.places.mover(turned, row);
            let steps = self.takes.then(|| Row::new(self.places, inner.from, word));
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
        let mut is_decided = false;
        let keys = row * turned.columns..(row + 1) * turned.columns;
        let blocks = keys.start / BLOCK..keys.end.div_ceil(BLOCK);
        for block in blocks.filter(|&block| fresh[block].load(Relaxed)) {
            for key in keys.start.max(block * BLOCK)..keys.end.min((block + 1) * BLOCK) {
                let code = Some(codes[key].get());
                if code == win || code == loss {
                    let is_won = code == loss;
                    let parent = found[usize::from(!is_won)];
                    let (sender, column) = (self.sender(sender, [number, row]), key - keys.start);
                    is_decided |=
                        self.send([number, row, column], sender, is_won, || self.fitting(parent));
                }
            }
        }
        is_decided
    }

    /// Takes units of a position before away if its child is won. Returns true if this decides the position: its child is lost, or no
    /// unit is left.
    fn decide(&self, number: usize, key: usize, is_won: bool, units: u16) -> bool {
        let open = &self.members[number].open[key];
        let left = open.load(Relaxed);
        if left & DECIDED != 0 {
            false
        } else if self.pushes {
            match is_won {
                true => open.fetch_or(DECIDED, Relaxed) & DECIDED == 0,
                false => open.fetch_sub(units, Relaxed) == units,
            }
        } else {
            // Only the thread that has the row comes here. Locked instructions would wait for all codes that it has written: twice the
            // time.
            open.store(if is_won { DECIDED } else { left - units }, Relaxed);
            is_won || left == units
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
                if self.decide(number, row * turned.columns + column, is_won, self.unit) {
                    let mover = steps.expand(before) | turned.above.waiter;
                    self.write(number, mover, |symmetry| images[symmetry], code());
                    is_any = true;
                }
            });
            return is_any;
        }
        let after = self.places.position(turned, row, column);
        inner.each_parent(after, |mover, waiter| {
            let image = |symmetry: usize| match waiter == after.mover {
                true => images[symmetry],
                false => self.places.image(symmetry, waiter),
            };
            let mut is_decided = false;
            if self.pushes {
                let length = self.places.length(turned, row) as u16;
                let mover = |symmetry| self.places.image(symmetry, mover);
                self.places.each_key(turned, waiter, mover, |key| {
                    is_decided |= self.decide(number, key, is_won, length);
                });
            } else {
                let before = Position { mover: waiter, waiter: mover };
                let key = row * turned.columns + turned.column(before);
                is_decided = self.decide(number, key, is_won, self.unit);
            }
            if is_decided {
                self.write(number, mover, image, code());
                is_any = true;
            }
        });
        is_any
    }

    /// Finds the draws that end: all children are won, or are draws that end.
    fn ends(&self, progress: &dyn Progress) -> Result<(), SolveError> {
        self.each_row(progress, |row| {
            let sent = [Some(E::draw_end()), None];
            self.pass_outside(row, &mut None, sent, [None, Some(E::draw_end())])
        });
        let words = |member: &Member<E>| member.codes.len().div_ceil(64);
        let none = |words| std::iter::repeat_with(AtomicU64::default).take(words).collect();
        let sent: Vec<Vec<AtomicU64>> = self.members.iter().map(words).map(none).collect();
        while self.each_row(progress, |row| self.send_ends(row, &sent)) {}
        Ok(progress.check()?)
    }

    /// Sends the draws of a row that end and are not sent yet. Returns true if there is one.
    fn send_ends(&self, [number, row]: [usize; 2], sent: &[Vec<AtomicU64>]) -> bool {
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
