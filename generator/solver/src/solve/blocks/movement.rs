//! A movement layer in blocks: distance by distance, each block read once a distance.
//!
//! What was sent to a block is written to its rows. With the planes of its children before and after that an operator tells
//! which parents are decided now and were not before, and only these are sent on. So nothing has to be kept between two
//! distances but the rows; and since a code tells its distance, rows that are ahead of a checkpoint are taken back to it.

use crate::sets::FoldedSets;
use crate::solve::blocks::batch::{Batch, Outbox};
use crate::solve::blocks::inbox::Inbox;
use crate::solve::blocks::places::Places;
use crate::solve::blocks::pool::Pool;
use crate::solve::blocks::store::Store;
use crate::solve::entry::Entry;
use crate::solve::finished::Finished;
use crate::solve::operator::LayerRules;
use crate::solve::operator::sliced::{self, LOADED_TILE, Moves, Passes};
use crate::solve::planes::{BLOCK_ROWS, Bits, STRIP_ROWS, STRIPS};
use crate::solve::transposition::Transposition;
use crate::solve::{Shape, SolveError};
use morpion_lookup::raw::rank::subsets;
use morpion_lookup::{Counts, Score};
use morpion_machine::isa::{Isa, Kernel, dispatch, expand};
use morpion_machine::memory::prefetch;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What one pass over all blocks does.
pub struct Pass<E> {
    /// What the entries of the pass are: wins and losses in this distance, or draws that end.
    codes: [Option<E>; 2],
    /// An entry is won that is at least 1 and less than this: before what was sent is written, and after.
    won: [E; 2],
    /// Where the pass is the first one, after a start at this distance: what is beyond it is taken back, and what is at it
    /// counts as just decided.
    start: Option<u16>,
}

impl<E: Entry> Pass<E> {
    /// Finds wins and losses in `distance` + 1 from those in `distance` that were sent; `is_first` where none were, since
    /// the rows have them.
    pub fn values(distance: u16, is_first: bool) -> Pass<E> {
        let plies = Some(distance.saturating_add(1));
        Pass {
            codes: [Score::Win { plies }, Score::Loss { plies }].map(E::of),
            won: [E::draw_end(); 2],
            start: is_first.then_some(distance),
        }
    }

    /// Finds draws that end.
    pub fn ends(is_first: bool) -> Pass<E> {
        let settled = E::new(E::draw_end().code() + 1);
        let before = if is_first { E::draw_end() } else { settled };
        Pass { codes: [Some(E::draw_end()); 2], won: [before, settled], start: None }
    }

    /// Whether blocks have to be visited to which nothing was sent.
    fn is_whole(&self) -> bool {
        self.start.is_some() || self.won[0] != self.won[1]
    }
}

/// What all passes of a layer share.
pub struct Movement<'f, E> {
    sets: &'f FoldedSets,
    counts: Counts,
    shape: Shape,
    transposition: Transposition<'f>,
    moves: Moves,
    /// The mover's sets by column, of the cells that a waiter leaves.
    movers: Vec<u64>,
    finished: Finished<'f, E>,
    scratch: Pool<Scratch>,
    too_deep: AtomicBool,
    isa: Isa,
}

/// The planes of a block, before and after.
#[derive(Default)]
struct Scratch {
    lost: [Vec<Bits>; 2],
    unwon: [Vec<Bits>; 2],
    parents: [Vec<Bits>; 2],
    images: Vec<u64>,
}

impl<'f, E: Entry> Movement<'f, E> {
    /// The movement layer of a game.
    pub fn new(sets: &'f FoldedSets, counts: Counts) -> Movement<'f, E> {
        let shape = Shape::of(sets, counts);
        Movement {
            sets,
            counts,
            shape,
            transposition: Transposition::new(sets, counts),
            moves: Moves::new(&LayerRules { game: sets.game(), counts }),
            movers: subsets(shape.cells_left, u32::from(counts.mover)).collect(),
            finished: Finished::new(sets, counts),
            scratch: Pool::default(),
            too_deep: AtomicBool::new(false),
            isa: Isa::detect(),
        }
    }

    /// Bytes of memory that all threads share, and what each has of its own.
    pub fn memory(shape: &Shape, order: usize) -> [u64; 2] {
        let moves = Moves::memory(shape);
        let shared =
            moves + shape.source_columns as u64 * 8 + Transposition::memory(shape.rows as u64);
        // Before and after of three, and where a blocked side passes, one more.
        let planes = 7 * shape.source_columns * size_of::<Bits>();
        let strip = shape.columns * STRIP_ROWS * E::BYTES;
        // A strip, the same packed twice and once more where a pass starts, and what is sent to it.
        let own = planes + 6 * strip + BLOCK_ROWS * order * 8;
        [shared, own as u64]
    }

    /// Makes a block with its finished positions.
    ///
    /// # Errors
    /// Those of the store.
    pub fn make(&self, store: &Store<E>, block: usize) -> Result<(), SolveError> {
        store.make(block, |strip, codes| {
            self.finished.fill(strip, codes);
            Ok(())
        })
    }

    /// Whether there can be draws that end.
    pub fn can_end(&self) -> bool {
        self.finished.can_be_stuck_in_a_draw()
    }

    /// Whether a distance did not fit.
    pub fn is_too_deep(&self) -> bool {
        self.too_deep.load(Ordering::Relaxed)
    }

    /// The pass over one block.
    ///
    /// # Errors
    /// Those of the store and the inbox.
    pub fn pass(
        &self,
        store: &Store<E>,
        block: usize,
        pass: &Pass<E>,
        inbox: &Mutex<Inbox>,
        outbox: &mut Outbox,
    ) -> Result<(), SolveError> {
        let inbox = || inbox.lock().unwrap_or_else(PoisonError::into_inner);
        if !pass.is_whole() && inbox().is_empty(store.strips_of(block)) {
            return Ok(());
        }
        let columns = self.shape.columns;
        self.scratch.with(|scratch| {
            let planes = scratch.lost.iter_mut().chain(&mut scratch.unwon);
            planes.for_each(|plane| plane.resize(columns, Bits::NONE));
            store.change(block, |strip, codes| {
                let word = strip % STRIPS;
                let batches = inbox().take(strip)?;
                let mut is_changed = !batches.is_empty();
                match pass.start {
                    None => self.load(codes, word, pass.won[0], scratch, 0),
                    Some(distance) => {
                        let is_beyond =
                            |code: E, than: u16| code.plies().is_some_and(|plies| plies >= than);
                        let before =
                            |&code: &E| if is_beyond(code, distance) { E::default() } else { code };
                        let before: Vec<E> = codes.iter().map(before).collect();
                        self.load(&before, word, pass.won[0], scratch, 0);
                        for code in codes
                            .iter_mut()
                            .filter(|code| is_beyond(**code, distance.saturating_add(1)))
                        {
                            *code = E::default();
                            is_changed = true;
                        }
                    }
                }
                for batch in &batches {
                    self.write(batch, codes)?;
                }
                if is_changed || pass.is_whole() {
                    self.load(codes, word, pass.won[1], scratch, 1);
                } else {
                    scratch.copy(word);
                }
                Ok(is_changed)
            })?;
            scratch.clear_from(store.strips_of(block).len());
            self.find(block, pass, scratch, outbox);
            Ok(())
        })
    }

    /// Writes what was sent to a strip, where it is undecided.
    fn write(&self, batch: &Batch, codes: &mut [E]) -> io::Result<()> {
        const AHEAD: usize = 16;
        let code = E::new(batch.code);
        for (index, &key) in batch.keys.iter().enumerate() {
            if let Some(&ahead) = batch.keys.get(index + AHEAD) {
                prefetch(codes, ahead as usize);
            }
            let entry = codes.get_mut(key as usize).ok_or_else(|| beyond(batch, key))?;
            if *entry == E::default() {
                if code == E::none() {
                    self.too_deep.store(true, Ordering::Relaxed);
                } else {
                    *entry = code;
                }
            }
        }
        Ok(())
    }

    fn load(&self, codes: &[E], word: usize, won: E, scratch: &mut Scratch, time: usize) {
        let planes = [&mut scratch.lost[time][..], &mut scratch.unwon[time][..]];
        dispatch(self.isa, Load { codes, columns: self.shape.columns, won, word, planes });
    }

    /// Finds what is decided now and was not before, and sends it.
    fn find(&self, block: usize, pass: &Pass<E>, scratch: &mut Scratch, outbox: &mut Outbox) {
        let rules = LayerRules { game: self.sets.game(), counts: self.counts };
        let rows = block * BLOCK_ROWS..self.shape.source_rows.min((block + 1) * BLOCK_ROWS);
        let waiters = &self.sets.orbits(self.counts.waiter).representatives[rows.clone()];
        let links = match &self.moves {
            Moves::Free(_) => Vec::new(),
            Moves::Linked(_) => sliced::link_lanes(&rules, waiters),
        };
        let blocked = match rules.blocked_pass() {
            true => sliced::blocked_lanes(&rules, &sliced::link_lanes(&rules, waiters)),
            false => Vec::new(),
        };
        let passes = Passes::of(&rules, &blocked);
        let mut lanes = Bits::NONE;
        let has_line = &self.sets.has_line(self.counts.waiter)[rows.clone()];
        has_line.iter().enumerate().filter(|row| !*row.1).for_each(|(lane, _)| lanes.set(lane));
        let Scratch { lost, unwon, parents, images } = scratch;
        images.clear();
        rows.clone().for_each(|row| images.extend(self.transposition.waiter_images(row)));
        for (is_win, children, code) in
            [(true, &*lost, pass.codes[0]), (false, &*unwon, pass.codes[1])]
        {
            if children[0] == children[1] {
                continue;
            }
            let code = code.unwrap_or(E::none()).code();
            let places = Places::new(&self.transposition, self.shape.columns, images, outbox);
            let (moves, movers) = (&self.moves, &self.movers);
            let first = rows.start;
            dispatch(
                self.isa,
                Find {
                    moves,
                    links: &links,
                    passes,
                    is_win,
                    children,
                    parents,
                    lanes,
                    movers,
                    first,
                    code,
                    places,
                    transposition: &self.transposition,
                },
            );
        }
    }
}

fn beyond(batch: &Batch, key: u32) -> io::Error {
    let fault = format!("entry {key} of strip {}, which has fewer", batch.strip);
    io::Error::new(io::ErrorKind::InvalidData, fault)
}

impl Scratch {
    /// Nothing has changed in a strip.
    fn copy(&mut self, word: usize) {
        for [before, after] in [&mut self.lost, &mut self.unwon] {
            before.iter().zip(after).for_each(|(before, after)| after.0[word] = before.0[word]);
        }
    }

    /// Clears the lanes of the strips that a block has not got.
    fn clear_from(&mut self, word: usize) {
        for plane in self.lost.iter_mut().chain(&mut self.unwon) {
            if word < STRIPS {
                plane.iter_mut().for_each(|bits| bits.0[word..].fill(0));
            }
        }
    }
}

/// Loads the planes of one strip.
struct Load<'a, E> {
    codes: &'a [E],
    columns: usize,
    won: E,
    word: usize,
    planes: [&'a mut [Bits]; 2],
}

impl<E: Entry> Kernel for Load<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Load { codes, columns, won, word, planes: [lost, unwon] } = self;
        for start in (0..columns).step_by(LOADED_TILE) {
            let next = (start + LOADED_TILE).min(columns - 1);
            sliced::load(codes, columns, [start, next], won, word, [&mut *lost, &mut *unwon]);
        }
    }
}

/// Finds and sends the wins or the losses of a block.
struct Find<'a, 'f, 'o, 's> {
    moves: &'a Moves,
    links: &'a [Bits],
    passes: Passes<'a>,
    is_win: bool,
    /// Those that are lost, or those that are not won, before and after.
    children: &'a [Vec<Bits>; 2],
    /// For the positions that have such a child.
    parents: &'a mut [Vec<Bits>; 2],
    /// The rows whose waiter has no line.
    lanes: Bits,
    movers: &'a [u64],
    /// The first row.
    first: usize,
    code: u16,
    transposition: &'a Transposition<'f>,
    places: Places<'a, 'f, 'o, 's>,
}

impl Kernel for Find<'_, '_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Find {
            moves,
            links,
            passes,
            is_win,
            children,
            parents,
            lanes,
            movers,
            first,
            code,
            transposition,
            mut places,
        } = self;
        for (children, parents) in children.iter().zip(&mut *parents) {
            parents.clear();
            parents.resize(children.len(), Bits::NONE);
            sliced::exists(moves, links, passes, children, parents);
        }
        let [before, after] = parents;
        for ((before, after), &mover) in before.iter().zip(after).zip(movers) {
            // A position is won that has a lost child, and lost that has no child which is not won.
            let decided = if is_win { *after & !*before } else { !*after & *before };
            let decided = decided & lanes;
            for (word, &bits) in decided.0.iter().enumerate() {
                let mut rest = bits;
                while rest != 0 {
                    let lane = word * 64 + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let left = transposition.cells_left(first + lane);
                    places.send::<BITS>(expand::<BITS>(mover, left), lane, code);
                }
            }
        }
        places.flush::<BITS>();
    }
}
