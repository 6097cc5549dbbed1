//! Solves the layers of one group.

use crate::error::SolveError;
use crate::solve::entry::{Entry, Shared};
use crate::solve::groups::count::Count;
use crate::solve::groups::moves::{self, RowMoves};
use crate::solve::groups::parents::Inner;
use crate::solve::groups::places::Places;
use morpion_lookup::Score;
use morpion_lookup::raw::Position;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering::Relaxed};

/// The codes of a layer, row by row.
pub type Codes<E> = Vec<<E as Entry>::Shared>;

/// A group that is being solved.
pub struct Group<'a, E: Entry, C> {
    places: &'a Places<'a>,
    /// The solved layers to which moves of the group lead.
    solved: &'a [Option<Codes<E>>],
    members: Vec<Member<'a, E, C>>,
    /// True if moves stay in the group.
    is_cyclic: bool,
    /// Units of one move: the number of symmetries.
    unit: u32,
    /// The greatest distance of a child outside.
    deepest: AtomicU16,
    /// True if a distance did not fit.
    too_deep: AtomicBool,
}

/// A layer of a group.
struct Member<'a, E: Entry, C> {
    layer: usize,
    /// The moves that lead to this layer from the group, and the number of the member from which they come.
    inner: Inner<'a>,
    before: usize,
    codes: Codes<E>,
    /// Moves whose child may still be other than won, in units. A child outside is one more move.
    open: Vec<C>,
    /// The best children outside, for each row that has some; [`Entry::none`] for a position without one.
    outside: Vec<Option<Box<[E]>>>,
}

impl<'a, E: Entry, C: Count> Group<'a, E, C> {
    /// A group of these layers. The layers to which their moves lead are solved.
    pub fn new(
        places: &'a Places<'a>,
        layers: Range<usize>,
        solved: &'a [Option<Codes<E>>],
    ) -> Self {
        let graph = places.game().graph();
        let is_cyclic = graph.is_cyclic(layers.start);
        let member = |layer: usize| {
            let entries = places.layer(layer).entries();
            let before =
                layers.clone().find(|&before| graph.layers[before].next == Some(layer as u16));
            let before = before.unwrap_or(layer);
            Member {
                layer,
                inner: Inner::new(places.game(), before),
                before: before - layers.start,
                codes: std::iter::repeat_with(E::Shared::default).take(entries).collect(),
                open: std::iter::repeat_with(C::default)
                    .take(if is_cyclic { entries } else { 0 })
                    .collect(),
                outside: Vec::new(),
            }
        };
        Group {
            places,
            members: layers.clone().map(member).collect(),
            solved,
            is_cyclic,
            unit: places.symmetries() as u32,
            deepest: AtomicU16::new(0),
            too_deep: AtomicBool::new(false),
        }
    }

    /// Solves all layers of the group. Returns their codes.
    pub fn solve(mut self, progress: &dyn Progress) -> Result<Vec<Codes<E>>, SolveError> {
        for number in 0..self.members.len() {
            let rows = self.places.layer(self.members[number].layer).rows;
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

    /// Begins a row: finds the positions that are over, and the children outside. Returns the best children outside.
    fn begin(&self, number: usize, row: usize, progress: &dyn Progress) -> Option<Box<[E]>> {
        let (game, member) = (self.places.game(), &self.members[number]);
        let columns = self.places.layer(member.layer).columns;
        let mover = self.places.mover(member.layer, row);
        let codes = &member.codes[row * columns..][..columns];
        progress.advance(columns as u64);
        let graph = game.graph();
        let is_line = |word| graph.takes.is_none() && game.has_line(word);
        let own_line = is_line(mover);
        if own_line && graph.lines_end() {
            codes.iter().for_each(|code| code.set(E::none()));
            return None;
        }
        let mut outside: Option<Box<[E]>> = None;
        let mut moves = RowMoves::new(self.places, self.solved, member.layer, mover);
        self.places.each_column(member.layer, row, |column, waiter| {
            let position = Position { mover, waiter };
            let (inside, best) = match own_line || is_line(waiter) {
                true => (0, E::none()),
                false => moves.children(waiter),
            };
            if inside == 0 && best == E::none() {
                codes[column].set(moves::final_code(game, position));
                return;
            }
            if !self.is_cyclic {
                codes[column].set(self.fitting(best.preference().parent()));
                return;
            }
            let mut open = inside;
            if best != E::none() {
                open += 1;
                self.deepest.fetch_max(best.plies().unwrap_or(0), Relaxed);
                let outside = outside.get_or_insert_with(|| vec![E::none(); columns].into());
                outside[column] = best;
            }
            member.open[row * columns + column].set(open * self.unit);
        });
        outside
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
            let is_decided = AtomicBool::new(false);
            for (number, member) in self.members.iter().enumerate() {
                threads::each(self.places.layer(member.layer).rows, &|row| {
                    if !progress.stop() && self.pass(number, row, sent, found) {
                        is_decided.store(true, Relaxed);
                    }
                });
            }
            self.checked(progress)?;
            progress.distance(plies);
            if !is_decided.into_inner() && plies >= self.deepest.load(Relaxed) {
                break;
            }
        }
        Ok(())
    }

    /// Sends the entries of a row that are won or lost in the distance of the pass. Returns true if a parent is decided.
    fn pass(
        &self,
        number: usize,
        row: usize,
        [win, loss]: [Option<E>; 2],
        found: [Option<E>; 2],
    ) -> bool {
        let member = &self.members[number];
        let columns = self.places.layer(member.layer).columns;
        let keys = row * columns..(row + 1) * columns;
        let mut is_decided = false;
        let mut decide = |number: usize, key: usize, is_won: bool, units: u32| {
            if is_won || self.is_last(number, key, units) {
                let code = &self.members[number].codes[key];
                if code.get() == E::default() {
                    code.set(self.fitting(found[usize::from(!is_won)]));
                    is_decided = true;
                }
            }
        };
        if let Some(outside) = &member.outside[row] {
            for (key, &code) in keys.clone().zip(outside) {
                if Some(code) == win || Some(code) == loss {
                    decide(number, key, Some(code) == loss, self.unit);
                }
            }
        }
        let (length, mut images) = (self.places.length(member.layer, row), Vec::new());
        for key in keys.clone() {
            let code = Some(member.codes[key].get());
            if code == win || code == loss {
                self.each_parent([number, row, key - keys.start], &mut images, |number, key| {
                    decide(number, key, code == loss, length);
                });
            }
        }
        is_decided
    }

    /// Takes units of an entry away. Returns true if none is left.
    fn is_last(&self, number: usize, key: usize, units: u32) -> bool {
        self.members[number].open[key].subtract(units) == units
    }

    /// Visits the entries of the parents of an entry in the group. `images` has the images of the mover's word of the row, once they
    /// are computed.
    fn each_parent(
        &self,
        [number, row, column]: [usize; 3],
        images: &mut Vec<u64>,
        mut visit: impl FnMut(usize, usize),
    ) {
        let member = &self.members[number];
        let after = self.places.position(member.layer, row, column);
        if images.is_empty() {
            *images = self.places.images(after.mover);
        }
        let from = member.inner.from;
        member.inner.each_parent(after, |mover, waiter| {
            let visit = |key| visit(member.before, key);
            match waiter == after.mover {
                true => self.places.each_key(from, mover, |symmetry| images[symmetry], visit),
                false => {
                    let image = |symmetry| self.places.image(symmetry, waiter);
                    self.places.each_key(from, mover, image, visit);
                }
            }
        });
    }

    /// Finds the draws that end. Their counts are not needed any more, and become marks.
    fn ends(&self, progress: &dyn Progress) -> Result<(), SolveError> {
        for pass in 0.. {
            let is_found = AtomicBool::new(false);
            for (number, member) in self.members.iter().enumerate() {
                threads::each(self.places.layer(member.layer).rows, &|row| {
                    let find = if pass == 0 { Self::first_ends } else { Self::more_ends };
                    if !progress.stop() && find(self, [number, row], pass) {
                        is_found.store(true, Relaxed);
                    }
                });
            }
            progress.check()?;
            if !is_found.into_inner() {
                break;
            }
        }
        Ok(())
    }

    /// The mark of a draw that ends and is sent.
    const SENT: u32 = C::MOST + 3;

    /// The mark of a draw that pass number `pass` finds and the next one sends.
    fn found_in(pass: usize) -> u32 {
        C::MOST + 1 + (pass % 2) as u32
    }

    /// Finds draws that end without a look at other entries of the group: in pass 0. Returns true if there is one.
    fn first_ends(&self, [number, row]: [usize; 2], pass: usize) -> bool {
        let member = &self.members[number];
        let columns = self.places.layer(member.layer).columns;
        let outside = member.outside[row].as_deref();
        let mut is_found = false;
        for column in 0..columns {
            let key = row * columns + column;
            let code = member.codes[key].get();
            let best = outside.map_or(E::none(), |outside| outside[column]);
            let is_last = || best == E::draw_end() && self.is_last(number, key, self.unit);
            if code == E::draw_end() || code == E::default() && is_last() {
                member.open[key].set(Self::found_in(pass));
                member.codes[key].set(E::draw_end());
                is_found = true;
            }
        }
        is_found
    }

    /// Finds draws that end by the draws of a row that the pass before found. Returns true if there is one.
    fn more_ends(&self, [number, row]: [usize; 2], pass: usize) -> bool {
        let member = &self.members[number];
        let columns = self.places.layer(member.layer).columns;
        let (length, mut images) = (self.places.length(member.layer, row), Vec::new());
        let mut is_found = false;
        for column in 0..columns {
            let key = row * columns + column;
            let is_end = member.codes[key].get() == E::draw_end();
            if !is_end || member.open[key].get() != Self::found_in(pass - 1) {
                continue;
            }
            member.open[key].set(Self::SENT);
            self.each_parent([number, row, column], &mut images, |number, key| {
                let Member { codes, open, .. } = &self.members[number];
                if codes[key].get() == E::default() && self.is_last(number, key, length) {
                    open[key].set(Self::found_in(pass));
                    codes[key].set(E::draw_end());
                    is_found = true;
                }
            });
        }
        is_found
    }
}
