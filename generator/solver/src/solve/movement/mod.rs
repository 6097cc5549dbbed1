//! Solves a movement layer. Its moves stay inside it, so it is solved by retrograde analysis, distance by distance.
//!
//! A pass writes the entries sent to a block to its rows. An operator compares the planes of the block's children
//! before and after, finds the newly decided parents, and sends them on. So only the rows have to be kept between two
//! distances. If rows are in memory, planes are kept as well, which saves time.
//!
//! A code contains its distance, so rows that are ahead of a checkpoint can be reset to it. Entries that are never
//! decided are draws by cycle. Draws that end are found by the same kind of passes, in which known draws that end count
//! as won.

mod difference;
mod steps;

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::entry::Entry;
use crate::solve::exchange::{Arrived, Inbox, Outbox, Places};
use crate::solve::finished::Finished;
use crate::solve::movement::difference::{Difference, Find, Planes, Remembered};
use crate::solve::movement::steps::{StepBack, Steps};
use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::operator::sliced::{LOADED_TILE, LaneMoves, Moves};
use crate::solve::planes::{BLOCK_ROWS, Bits, STRIP_ROWS, STRIPS};
use crate::solve::pool::Pool;
use crate::solve::rows::Rows;
use crate::solve::shape::Shape;
use crate::solve::transposition::Transposition;
use morpion_lookup::{Counts, Score};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The task of one pass over all blocks.
pub struct Pass<E> {
    /// Codes of the entries that the pass finds: wins and losses at this distance, or draws that end.
    codes: [Option<E>; 2],
    /// Upper ends of the codes from 1 that count as won: before the batches are written, and after.
    won: [E; 2],
    /// The start distance of the first pass. It resets entries beyond this distance, and treats entries at this
    /// distance as newly decided.
    start: Option<u16>,
}

impl<E: Entry> Pass<E> {
    /// A pass that finds wins and losses in `distance` + 1. They follow from entries in `distance` that were sent or,
    /// in the first pass, are in the rows.
    pub fn values(distance: u16, is_first: bool) -> Pass<E> {
        let plies = Some(distance.saturating_add(1));
        Pass {
            codes: [Score::Win { plies }, Score::Loss { plies }].map(E::of),
            won: [E::draw_end(); 2],
            start: is_first.then_some(distance),
        }
    }

    /// A pass that finds draws that end.
    pub fn ends(is_first: bool) -> Pass<E> {
        let settled = E::new(E::draw_end().code() + 1);
        let before = if is_first { E::draw_end() } else { settled };
        Pass { codes: [Some(E::draw_end()); 2], won: [before, settled], start: None }
    }

    /// Returns true if the pass finds wins and losses.
    fn is_of_values(&self) -> bool {
        self.won[1] == E::draw_end()
    }

    /// Returns true if blocks that received nothing have to be visited too.
    fn is_whole(&self) -> bool {
        self.start.is_some() || self.won[0] != self.won[1]
    }
}

/// State that all passes of a layer share.
pub struct Movement<'f, E> {
    sets: &'f FoldedSets,
    shape: Shape,
    transposition: Transposition<'f>,
    steps: Steps,
    /// The positions that are over.
    pub finished: Finished<'f, E>,
    scratch: Pool<Scratch>,
    /// Planes that each block remembers of the last pass, if the rows are in memory; otherwise empty.
    remembered: Vec<Mutex<Remembered>>,
    /// True if a distance did not fit.
    pub too_deep: AtomicBool,
    /// Number of entries of own blocks that were decided. The caller may reset it.
    pub decided: AtomicU64,
}

/// Buffers of a pass over a block.
#[derive(Default)]
struct Scratch {
    difference: Difference,
    images: Vec<u64>,
    /// For each tile of columns, `true` if the pass wrote to it in the strip.
    stale: Vec<bool>,
    /// Entries of a strip that were just decided.
    decided: Vec<usize>,
}

impl<'f, E: Entry> Movement<'f, E> {
    /// Prepares the movement layer of a game. `remembered` is the number of blocks that remember planes.
    pub fn new(sets: &'f FoldedSets, counts: Counts, remembered: usize) -> Movement<'f, E> {
        let shape = Shape::of(sets, counts);
        Movement {
            sets,
            shape,
            transposition: Transposition::new(sets, counts),
            steps: Steps::new(&LayerRules::new(sets.game(), counts)),
            finished: Finished::new(sets, counts),
            scratch: Pool::default(),
            remembered: std::iter::repeat_with(Mutex::default).take(remembered).collect(),
            too_deep: AtomicBool::new(false),
            decided: AtomicU64::new(0),
        }
    }

    /// Bytes of memory that all threads share, and bytes of each thread.
    pub fn memory(shape: &Shape, order: usize) -> [u64; 2] {
        let moves = Moves::memory(shape);
        let shared =
            moves + shape.source_columns as u64 * 8 + Transposition::memory(shape.rows as u64);
        // Three planes, before and after, and one more if a blocked side passes.
        let planes = 7 * shape.source_columns * size_of::<Bits>();
        let strip = shape.columns * STRIP_ROWS * E::BYTES;
        // One raw strip, two packed copies (three on the first pass), and its pending entries.
        let own = planes + 6 * strip + BLOCK_ROWS * order * 8;
        [shared, own as u64]
    }

    /// Performs the pass over one block.
    pub fn pass(
        &self,
        rows: &Rows<E>,
        block: usize,
        pass: &Pass<E>,
        inbox: &Inbox,
        outbox: &mut Outbox,
    ) -> Result<(), SolveError> {
        // `true` if the planes of lost children change, and `true` if the planes of children that are not won change.
        let mut changes = [true; 2];
        if !pass.is_whole() {
            let waiting = inbox.waiting(self.shape.strips_of(block));
            if waiting.is_empty() {
                return Ok(());
            }
            if pass.is_of_values() {
                let entries = BLOCK_ROWS * self.shape.columns;
                let count = waiting.iter().map(|(_, entries)| entries).sum();
                if self.steps.are_cheaper(count, entries) {
                    return self.step_back(rows, block, pass, inbox, outbox);
                }
                let has = |is_win| waiting.iter().any(|&(code, _)| E::new(code).is_win() == is_win);
                changes = [has(false), has(true)];
            }
        }
        let mut scratch = self.scratch.take();
        let is_recalled = !pass.is_whole() && self.recall(block, &mut scratch.difference);
        if !is_recalled {
            // Remembered planes must be complete.
            changes = if self.remembered.is_empty() { changes } else { [true; 2] };
            scratch.difference.resize(self.shape.columns, changes);
        }
        scratch.stale.resize(self.shape.columns.div_ceil(LOADED_TILE), false);
        rows.change(block, &mut |strip, codes| {
            let (word, arrived) = (strip % STRIPS, inbox.take(strip)?);
            let mut is_changed = !arrived.is_empty();
            if !is_recalled {
                is_changed |= self.load_before(pass, codes, word, &mut scratch.difference.before);
                scratch.difference.copy(word);
            }
            scratch.stale.fill(pass.is_whole());
            for arrived in &arrived {
                self.write_and_mark(arrived, codes, &mut scratch.stale)?;
            }
            let after = &mut scratch.difference.after;
            self.load(codes, word, pass.won[1], Some(&scratch.stale), after);
            Ok(is_changed)
        })?;
        if !is_recalled {
            scratch.difference.clear_from(self.shape.strips_of(block).len());
        }
        self.find(block, pass, is_recalled, changes, &mut scratch, outbox);
        self.remember(block, &mut scratch.difference);
        self.scratch.put(scratch);
        Ok(())
    }

    /// Performs the pass over a block that received few entries, entry by entry.
    fn step_back(
        &self,
        rows: &Rows<E>,
        block: usize,
        pass: &Pass<E>,
        inbox: &Inbox,
        outbox: &mut Outbox,
    ) -> Result<(), SolveError> {
        if let Some(mut remembered) = self.remembered(block) {
            *remembered = Remembered::default();
        }
        let lane_moves = self.lane_moves(block);
        let codes = pass.codes.map(|code| code.unwrap_or(E::none()).code());
        let mut scratch = self.scratch.take();
        let Scratch { images, decided, .. } = &mut scratch;
        let rows_of_block = self.shape.source_rows_of(block);
        self.transposition.waiter_images(rows_of_block.clone(), images);
        let has_line = self.sets.has_line(self.shape.counts.waiter);
        rows.change(block, &mut |strip, entries| {
            decided.clear();
            for arrived in &inbox.take(strip)? {
                self.write(arrived, entries, |key| decided.push(key as usize))?;
            }
            StepBack {
                steps: &self.steps,
                links: &lane_moves.links,
                has_line: &has_line[rows_of_block.clone()],
                first: strip % STRIPS * STRIP_ROWS,
                columns: self.shape.columns,
                entries,
                decided,
                codes,
                places: self.places(rows_of_block.start, images, outbox),
            }
            .run();
            Ok(!decided.is_empty())
        })?;
        self.scratch.put(scratch);
        Ok(())
    }

    /// The planes that a block remembers, if rows are in memory. Poisoning is harmless, because a panic ends the build.
    fn remembered(&self, block: usize) -> Option<MutexGuard<'_, Remembered>> {
        Some(self.remembered.get(block)?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Remembers the planes of this pass over a block.
    fn remember(&self, block: usize, difference: &mut Difference) {
        if let Some(mut remembered) = self.remembered(block) {
            remembered.children = std::mem::take(&mut difference.after);
            remembered.decided = std::mem::take(&mut difference.decided);
        }
    }

    /// Recalls the planes of the last pass over a block. Returns false if there are none.
    fn recall(&self, block: usize, difference: &mut Difference) -> bool {
        let remembered = self.remembered(block).filter(|planes| !planes.decided.is_empty());
        let Some(mut remembered) = remembered else { return false };
        std::mem::swap(&mut difference.after, &mut remembered.children);
        std::mem::swap(&mut difference.decided, &mut remembered.decided);
        true
    }

    /// Loads the planes of a strip before this pass. Returns true if an entry was reset.
    fn load_before(
        &self,
        pass: &Pass<E>,
        codes: &mut [E],
        word: usize,
        planes: &mut Planes,
    ) -> bool {
        let Some(distance) = pass.start else {
            self.load(codes, word, pass.won[0], None, planes);
            return false;
        };
        self.take_back(codes, distance, word, planes)
    }

    /// Resets the entries of a strip beyond `distance`, and loads the planes of the entries decided before. Returns
    /// true if an entry was reset.
    fn take_back(&self, codes: &mut [E], distance: u16, word: usize, planes: &mut Planes) -> bool {
        let is_from = |code: E, least: u16| code.plies().is_some_and(|plies| plies >= least);
        let before = |&code: &E| if is_from(code, distance) { E::default() } else { code };
        let before: Vec<E> = codes.iter().map(before).collect();
        self.load(&before, word, E::draw_end(), None, planes);
        let mut is_changed = false;
        for code in codes.iter_mut().filter(|code| is_from(**code, distance.saturating_add(1))) {
            *code = E::default();
            is_changed = true;
        }
        is_changed
    }

    /// Writes the entries that arrived at a strip, if they are undecided, and visits each newly decided entry.
    #[inline(always)]
    fn write(
        &self,
        arrived: &Arrived,
        codes: &mut [E],
        mut visit: impl FnMut(u32),
    ) -> io::Result<()> {
        let (code, mut decided) = (E::new(arrived.code), 0);
        arrived.each(codes, |key, entry| {
            if *entry != E::default() {
                return;
            }
            if code == E::none() {
                self.too_deep.store(true, Ordering::Relaxed);
                return;
            }
            *entry = code;
            visit(key);
            decided += 1;
        })?;
        self.decided.fetch_add(decided, Ordering::Relaxed);
        Ok(())
    }

    /// Writes the entries that arrived at a strip, and marks the tiles of columns that it writes to as stale.
    #[inline(always)]
    fn write_and_mark(
        &self,
        arrived: &Arrived,
        codes: &mut [E],
        stale: &mut [bool],
    ) -> io::Result<()> {
        let columns = self.shape.columns as u32;
        // Most keys ascend, so most are in the same row as the key before, or in the next row.
        let mut row = 0;
        self.write(arrived, codes, |key| {
            if key < row || key - row >= 2 * columns {
                row = key / columns * columns;
            } else if key - row >= columns {
                row += columns;
            }
            stale[(key - row) as usize / LOADED_TILE] = true;
        })
    }

    /// Loads the planes of a strip: all tiles of columns, or only stale tiles.
    fn load(&self, codes: &[E], word: usize, won: E, stale: Option<&[bool]>, planes: &mut Planes) {
        difference::load(codes, self.shape.columns, won, word, stale, planes);
    }

    fn rules(&self) -> LayerRules<'f> {
        LayerRules::new(self.sets.game(), self.shape.counts)
    }

    /// Creates a sender of positions in rows from `first` on, whose waiters have these images.
    fn places<'a, 'o, 's>(
        &'a self,
        first: usize,
        images: &'a [u64],
        outbox: &'o mut Outbox<'s>,
    ) -> Places<'a, 'f, 'o, 's> {
        let (transposition, movers) = (&self.transposition, &self.steps.movers);
        Places::new(transposition, self.shape.columns, movers, first, images, outbox)
    }

    /// The moves of a block's rows.
    fn lane_moves(&self, block: usize) -> LaneMoves {
        let waiters = &self.sets.orbits(self.shape.counts.waiter).representatives;
        LaneMoves::new(&self.rules(), &self.steps.moves, &waiters[self.shape.source_rows_of(block)])
    }

    /// Finds and sends the newly decided parents. If nothing was recalled, `before` determines the parents that were
    /// decided before. `changes` marks the changed planes.
    fn find(
        &self,
        block: usize,
        pass: &Pass<E>,
        is_recalled: bool,
        changes: [bool; 2],
        scratch: &mut Scratch,
        outbox: &mut Outbox,
    ) {
        let (rows, lane_moves) = (self.shape.source_rows_of(block), self.lane_moves(block));
        let mut lanes = Bits::NONE;
        let has_line = &self.sets.has_line(self.shape.counts.waiter)[rows.clone()];
        has_line.iter().enumerate().filter(|row| !*row.1).for_each(|(lane, _)| lanes.set(lane));
        let Scratch { difference, images, .. } = scratch;
        let Difference { before, after, parents, decided } = difference;
        let is_remembered = !self.remembered.is_empty();
        if !is_recalled {
            decided.clear();
            decided.resize(if is_remembered { self.shape.columns } else { 0 }, Bits::NONE);
        }
        self.transposition.waiter_images(rows.clone(), images);
        let children = before.iter().zip(&*after);
        for ((is_win, (before, after)), (code, has_changed)) in
            [true, false].into_iter().zip(children).zip(pass.codes.into_iter().zip(changes))
        {
            if !has_changed || !is_remembered && before == after {
                continue;
            }
            let code = code.unwrap_or(E::none()).code();
            let places = self.places(rows.start, images, outbox);
            Find {
                steps: &self.steps,
                lane_moves: &lane_moves,
                is_win,
                before: (!is_recalled).then_some(&before[..]),
                after,
                parents,
                decided,
                lanes,
                code,
                places,
            }
            .run();
        }
    }
}
