//! The layers of one group while they are solved, and their beginning: positions that are over, and children outside.

use crate::error::SolveError;
use crate::solve::entry::{Codes, Entry, Shared};
use crate::solve::groups::moves::{Moves, final_code};
use crate::solve::groups::parents::Inner;
use crate::solve::groups::places::{LayerPlaces, Places};
use crate::solve::groups::row::Row;
use crate::solve::groups::sharing::{BLOCK, OwnRows};
use morpion_lookup::Game;
use morpion_lookup::raw::{Oldest, Position};
use morpion_machine::array::Array;
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

/// A group that is being solved.
pub struct Group<'a, E: Entry> {
    pub places: &'a Places<'a>,
    /// The solved layers to which moves of the group lead.
    solved: &'a [Option<Codes<E>>],
    /// The folder of arrays in files.
    pub folder: Option<&'a Path>,
    /// The rows on which this member of the team works.
    pub own_rows: OwnRows,
    pub members: Vec<Member<'a, E>>,
    /// True if moves stay in the group.
    pub is_cyclic: bool,
    /// True if [`Row`] finds the moves.
    pub by_rows: bool,
    /// The greatest distance of a child outside.
    pub deepest: AtomicU16,
    /// Number of entries that are not decided yet, as far as the progress shows.
    pub left: AtomicU64,
    /// True if a distance did not fit.
    pub too_deep: AtomicBool,
}

/// A layer of a group, with what is known about the positions of the layer before it. Each of these has the row and column that it would
/// have after a pass.
pub struct Member<'a, E: Entry> {
    pub layer: usize,
    pub codes: Codes<E>,
    /// The moves from the layer before, and the number of its member.
    pub inner: Inner<'a>,
    pub before: usize,
    /// The places of the positions before.
    pub turned: LayerPlaces,
    /// Number of moves of each position before whose child may still be other than won, or [`DECIDED`]. A child outside is one more
    /// move.
    pub open: Array<AtomicU16>,
    /// The best children outside of the positions before.
    pub outside: Outside<E>,
    /// By the last bit of a distance, then by block: true if some entries in this distance are not sent yet.
    pub fresh: [Array<AtomicBool>; 2],
}

/// The best children outside of some positions.
pub struct Outside<E> {
    /// Their preferences, row by row; 0 for a position without one. Empty if no position can have one.
    pub best: Array<E>,
    /// For each row, a bit for each distance modulo 64 of those that are won or lost.
    pub rows: Array<AtomicU64>,
    /// For each block of columns of each row, a bit for each of these distances in the block.
    pub blocks: Array<AtomicU64>,
}

/// The mark of a position whose code is known.
pub const DECIDED: u16 = 1 << 15;

impl<'a, E: Entry> Group<'a, E> {
    /// A group of these layers. The layers to which their moves lead are solved. Its arrays are in memory, or in files in this
    /// folder.
    ///
    /// # Errors
    /// If a file cannot be made.
    pub fn new(
        places: &'a Places<'a>,
        layers: Range<usize>,
        solved: &'a [Option<Codes<E>>],
        folder: Option<&'a Path>,
        own_rows: OwnRows,
    ) -> io::Result<Self> {
        let (game, graph) = (places.game(), places.game().graph());
        let is_cyclic = game.is_cyclic(layers.start);
        let member = |layer: usize| {
            let is_before = |&before: &usize| graph.layers[before].next == Some(layer as u16);
            let before = layers.clone().find(is_before).unwrap_or(layer);
            let turned = places.turned(before).unwrap_or(*places.layer(before));
            let open = if is_cyclic { turned.entries() } else { 0 };
            let rows = if is_cyclic && may_leave(game) { turned.rows } else { 0 };
            let entries = places.layer(layer).entries();
            let fresh = || {
                let blocks = if is_cyclic { entries.div_ceil(BLOCK) } else { 0 };
                Ok::<_, io::Error>(Array::filled(folder, blocks, false)?.share())
            };
            Ok(Member {
                layer,
                codes: Array::filled(folder, entries, E::default())?.share(),
                inner: Inner::new(game, before),
                before: before - layers.start,
                turned,
                open: Array::filled(folder, open, 0u16)?.share(),
                outside: Outside {
                    best: Array::filled(folder, rows * turned.columns, E::default())?,
                    rows: Array::filled(None, rows, 0u64)?.share(),
                    blocks: Array::filled(folder, rows * turned.columns.div_ceil(BLOCK), 0u64)?
                        .share(),
                },
                fresh: [fresh()?, fresh()?],
            })
        };
        Ok(Group {
            places,
            solved,
            folder,
            own_rows,
            members: layers.clone().map(member).collect::<io::Result<_>>()?,
            is_cyclic,
            by_rows: Row::fits(game),
            deepest: AtomicU16::new(0),
            left: AtomicU64::new(layers.map(|layer| places.layer(layer).entries() as u64).sum()),
            too_deep: AtomicBool::new(false),
        })
    }

    /// Finds the positions that are over, and the children outside.
    pub fn begin(&mut self, progress: &dyn Progress) -> Result<(), SolveError> {
        for number in 0..self.members.len() {
            let LayerPlaces { rows, columns, .. } = self.members[number].turned;
            let mut best = std::mem::take(&mut self.members[number].outside.best);
            let begin = |row: usize, best: &mut [E]| {
                if self.own_rows.has(row) && !progress.stop() {
                    self.begin_row(number, row, best);
                }
            };
            match best.is_empty() {
                true => threads::each(rows, &|row| begin(row, &mut [])),
                false => threads::each_chunk(&mut best, columns, &begin),
            }
            self.members[number].outside.best = best;
            progress.check()?;
        }
        Ok(())
    }

    /// Begins a row of positions before: finds those that are over, and the preferences of the best children outside, if positions can
    /// have some.
    fn begin_row(&self, number: usize, row: usize, outside: &mut [E]) {
        let Member { inner, turned, .. } = &self.members[number];
        let word = self.places.mover(turned, row);
        if self.by_rows && turned.is_turned {
            let moves = Row::new(self.places, inner.from, word);
            return self.begin_taking(number, row, &moves, outside);
        }
        let images = self.places.images(word);
        let mut moves = Moves::new(self.places, self.solved, inner.from);
        self.places.each_column(turned, row, |column, other| {
            let position = match turned.is_turned {
                true => Position { mover: other, waiter: word },
                false => Position { mover: word, waiter: other },
            };
            let (inside, best) = self.children(&mut moves, position);
            let key = row * turned.columns + column;
            let Some(code) = self.begin_entry(number, key, inside, best, || position) else {
                if best != E::default() {
                    outside[column] = best;
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
        self.note_distances(number, row, outside);
    }

    /// Begins a row of positions before in a game with lines that take.
    fn begin_taking(&self, number: usize, row: usize, moves: &Row, outside: &mut [E]) {
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
        if self.is_cyclic {
            outside.copy_from_slice(&best);
            self.note_distances(number, row, outside);
        }
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
            _ => (None, inside + u16::from(has_outside)),
        };
        if self.is_cyclic {
            self.members[number].open[key].store(count, Relaxed);
        }
        code
    }

    /// Notes the distances of the best children outside of a row.
    fn note_distances(&self, number: usize, row: usize, best: &[E]) {
        let Outside { rows, blocks, .. } = &self.members[number].outside;
        let (mut of_row, mut greatest) = (0, 0);
        let first = row * best.len().div_ceil(BLOCK);
        for (block, best) in (first..).zip(best.chunks(BLOCK)) {
            let distances = best.iter().filter_map(|best| best.preferred().plies());
            let of_block = distances.fold(0, |all, plies| {
                greatest = greatest.max(plies);
                all | 1 << (plies % 64)
            });
            blocks[block].store(of_block, Relaxed);
            of_row |= of_block;
        }
        if of_row != 0 {
            rows[row].store(of_row, Relaxed);
            self.deepest.fetch_max(greatest, Relaxed);
        }
    }

    /// Number of moves that stay in the group, and the preference of the best child outside. Both are nothing if a line ends the game.
    fn children(&self, moves: &mut Moves<E>, position: Position) -> (u16, E) {
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
    pub fn write(&self, number: usize, mover: u64, waiter: impl Fn(usize) -> u64, code: E) {
        let member = &self.members[self.members[number].before];
        let layer = self.places.layer(member.layer);
        self.places.each_key(layer, mover, waiter, |key| self.set(member, key, code));
    }

    /// Sets the code of an entry.
    #[inline(always)]
    pub fn set(&self, Member { codes, fresh, .. }: &Member<E>, key: usize, code: E) {
        codes[key].set(code);
        if let Some(plies) = code.plies().filter(|_| self.is_cyclic) {
            fresh[usize::from(plies) % 2][key / BLOCK].store(true, Relaxed);
        }
    }

    /// A code, or the note that it does not fit.
    pub fn fitting(&self, code: Option<E>) -> E {
        code.unwrap_or_else(|| {
            self.too_deep.store(true, Relaxed);
            E::none()
        })
    }
}

/// Returns true if moves may leave a group in which others stay. They cannot if every move of a full side takes its oldest piece away
/// before lines are made.
pub fn may_leave(game: &Game) -> bool {
    let mut steps = game.graph().phases.iter().flatten();
    !steps.any(|step| matches!(step.oldest, Some(Oldest::First | Oldest::BeforeLines)))
}
