//! Solves a layer group whose moves stay inside it, by retrograde analysis, distance by distance: the movement layer, or two layers
//! that lead to each other. A [`Movement`] takes the decided entries of one layer, the children, and finds those that they decide in
//! the layer before it, the parents. If these may have children outside, the best of them take part ([`Holds`]).
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
use crate::solve::ages::Ages;
use crate::solve::entry::Entry;
use crate::solve::exchange::{Arrived, Inbox, Outbox, Places};
use crate::solve::holds::{Holds, Until};
use crate::solve::movement::difference::{After, Difference, Find, Planes};
use crate::solve::movement::steps::{StepBack, Steps};
use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::operator::sliced::{LOADED_TILE, LaneMoves};
use crate::solve::planes::{BLOCK_ROWS, Bits, STRIP_ROWS, STRIPS};
use crate::solve::rows::Rows;
use crate::solve::shape::Shape;
use crate::solve::transposition::Transposition;
use morpion_lookup::Score;
use morpion_machine::threads::Pool;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A block has at least this number of entries for each entry that arrives, if its planes are changed entry by entry.
const SPARSE: u64 = 32;

/// The task of one pass over all blocks.
pub struct Pass<E> {
    /// Codes of the entries that the pass finds: wins and losses at this distance, or draws that end.
    codes: [Option<E>; 2],
    /// Upper ends of the codes from 1 that count as won: before the batches are written, and after.
    won: [E; 2],
    /// The start distance of the first pass. It resets entries beyond this distance, and treats entries at this
    /// distance as newly decided.
    start: Option<u16>,
    /// The codes of children outside that are known before, and after.
    until: [Until<E>; 2],
    /// The distance of the entries that the pass finds; `None` for draws.
    plies: Option<u16>,
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
            until: [distance, distance.saturating_add(1)].map(Until::new),
            plies,
        }
    }

    /// A pass that finds draws that end.
    pub fn ends(is_first: bool) -> Pass<E> {
        let settled = E::new(E::draw_end().code() + 1);
        let before = if is_first { E::draw_end() } else { settled };
        Pass {
            codes: [Some(E::draw_end()); 2],
            won: [before, settled],
            start: None,
            until: [!is_first, true].map(Until::all),
            plies: None,
        }
    }

    /// Returns true if the pass finds wins and losses.
    fn is_of_values(&self) -> bool {
        self.plies.is_some()
    }

    /// Returns true if blocks that received nothing have to be visited too.
    fn is_whole(&self) -> bool {
        self.start.is_some() || self.won[0] != self.won[1]
    }
}

/// State that all passes from one layer of a layer group to the layer before it share.
pub struct Movement<'f, E> {
    sets: &'f FoldedSets,
    /// The layer whose positions are found.
    parents: Shape,
    /// The layer after a move.
    children: Shape,
    transposition: Transposition<'f>,
    steps: Steps<'f>,
    /// The children outside of the parents; `None` if they have none.
    pub holds: Option<Holds<E>>,
    scratch: Pool<Scratch<E>>,
    /// Planes that each block remembers of the last pass, if the rows are in memory; otherwise empty.
    remembered: Vec<Mutex<After>>,
    /// The moves of each block, if planes are remembered.
    lane_moves: Vec<OnceLock<LaneMoves>>,
    /// True if a distance did not fit.
    pub too_deep: AtomicBool,
    /// Number of entries of own blocks that were decided. The caller may reset it.
    pub decided: AtomicU64,
}

/// The treatment of a block by a pass.
enum Work {
    /// Nothing arrived, and no child outside is due.
    Nothing,
    /// Few entries arrived: one step back from each. `due` is for each strip, as [`Movement::due`] returns it.
    StepBack { due: Vec<[Vec<usize>; 2]> },
    /// All entries, by planes. `changes` says if the planes of lost children change, and if the planes of children that are
    /// not won change; `is_sparse` says that few entries arrived.
    Planes { changes: [bool; 2], is_sparse: bool },
}

/// Buffers of a pass over a block.
struct Scratch<E> {
    difference: Difference,
    images: Vec<u64>,
    /// For each tile of columns, `true` if the pass wrote to it in the strip.
    stale: Vec<bool>,
    /// Entries of a strip that were just decided.
    decided: Vec<usize>,
    /// A copy of the children outside of a strip.
    holds: Vec<E>,
}

impl<E> Default for Scratch<E> {
    fn default() -> Self {
        let (difference, images, stale) = Default::default();
        Scratch { difference, images, stale, decided: Vec::new(), holds: Vec::new() }
    }
}

impl<'f, E: Entry> Movement<'f, E> {
    /// Prepares the passes from `children` to `parents`. `is_remembered` says that blocks remember planes.
    pub fn new(
        sets: &'f FoldedSets,
        ages: &'f Ages,
        [parents, children]: [Shape; 2],
        holds: Option<Holds<E>>,
        is_remembered: bool,
    ) -> Movement<'f, E> {
        let remembered = if is_remembered { children.blocks() } else { 0 };
        Movement {
            sets,
            parents,
            children,
            transposition: Transposition::new(sets, ages, &parents),
            steps: Steps::new(LayerRules::new(sets.game(), parents.layer)),
            holds,
            scratch: Pool::default(),
            remembered: std::iter::repeat_with(Mutex::default).take(remembered).collect(),
            lane_moves: std::iter::repeat_with(OnceLock::new).take(remembered).collect(),
            too_deep: AtomicBool::new(false),
            decided: AtomicU64::new(0),
        }
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
        let (mut changes, is_sparse) = match self.work(block, pass, inbox)? {
            Work::Nothing => return Ok(()),
            Work::StepBack { due } => {
                return self.step_back(rows, block, pass, inbox, &due, outbox);
            }
            Work::Planes { changes, is_sparse } => (changes, is_sparse),
        };
        let mut scratch = self.scratch.take();
        let is_recalled = !pass.is_whole() && self.recall(block, &mut scratch.difference.after);
        if !is_recalled {
            // Remembered planes must be complete.
            changes = changes.map(|is_changed| is_changed || !self.remembered.is_empty());
            scratch.difference.resize(self.children.columns, changes);
        } else if changes[0] {
            scratch.difference.keep_lost();
        }
        scratch.stale.resize(self.children.columns.div_ceil(LOADED_TILE), false);
        rows.change(block, &mut |strip, codes| {
            let (word, arrived) = (strip % STRIPS, inbox.take(strip)?);
            let mut is_changed = !arrived.is_empty();
            if !is_recalled {
                is_changed |= self.load_before(pass, codes, word, &mut scratch.difference.before);
                scratch.difference.copy(word);
            } else if is_sparse {
                let Scratch { difference, decided, .. } = &mut scratch;
                for arrived in &arrived {
                    decided.clear();
                    self.write(arrived, codes, |key| decided.push(key as usize))?;
                    let is_win = E::new(arrived.code).is_win();
                    difference.decide(word, decided, self.children.columns, is_win);
                }
                return Ok(is_changed);
            }
            scratch.stale.fill(pass.is_whole());
            for arrived in &arrived {
                self.write_and_mark(arrived, codes, &mut scratch.stale)?;
            }
            let Scratch { stale, difference, .. } = &mut scratch;
            self.load(codes, word, pass.won[1], Some(stale), &mut difference.after.children);
            Ok(is_changed)
        })?;
        if !is_recalled {
            scratch.difference.clear_from(self.children.strips_of(block).len());
        } else if changes[0] {
            scratch.difference.find_lost();
        }
        self.load_holds(block, pass, is_recalled, &mut scratch.difference)?;
        self.find(block, pass, is_recalled, changes, &mut scratch, outbox);
        self.remember(block, &mut scratch.difference.after);
        self.scratch.put(scratch);
        Ok(())
    }

    /// Chooses how a pass treats a block.
    fn work(&self, block: usize, pass: &Pass<E>, inbox: &Inbox) -> Result<Work, SolveError> {
        if pass.is_whole() {
            return Ok(Work::Planes { changes: [true; 2], is_sparse: false });
        }
        let waiting = inbox.waiting(self.children.strips_of(block));
        let due = self.holds.as_ref().zip(pass.plies);
        let due = due.map_or([false; 2], |(holds, plies)| holds.are_due(block, plies));
        if waiting.is_empty() && due == [false; 2] {
            return Ok(Work::Nothing);
        }
        if !pass.is_of_values() {
            return Ok(Work::Planes { changes: [true; 2], is_sparse: false });
        }
        let entries = BLOCK_ROWS * self.children.columns;
        let count: u64 = waiting.iter().map(|(_, entries)| entries).sum();
        if self.steps.are_cheaper(count, entries) {
            let due = self.due(block, pass)?;
            let more: usize = due.iter().flatten().map(Vec::len).sum();
            if self.steps.are_cheaper(count + more as u64, entries) {
                return Ok(Work::StepBack { due });
            }
        }
        let has = |is_win| waiting.iter().any(|&(code, _)| E::new(code).is_win() == is_win);
        let changes = [has(false) | due[0], has(true) | due[1]];
        Ok(Work::Planes { changes, is_sparse: count * SPARSE < entries as u64 })
    }

    /// Performs the pass over a block that received few entries, entry by entry.
    fn step_back(
        &self,
        rows: &Rows<E>,
        block: usize,
        pass: &Pass<E>,
        inbox: &Inbox,
        due: &[[Vec<usize>; 2]],
        outbox: &mut Outbox,
    ) -> Result<(), SolveError> {
        if let Some(mut remembered) = self.remembered(block) {
            *remembered = After::default();
        }
        let codes = pass.codes.map(|code| code.unwrap_or(E::none()).code());
        let mut scratch = self.scratch.take();
        let Scratch { images, decided, holds, .. } = &mut scratch;
        let rows_of_block = self.children.rows_of_block(block);
        self.transposition.waiter_images(rows_of_block.clone(), images);
        let waiters: Vec<Option<u64>> = rows_of_block.clone().map(|row| self.waiter(row)).collect();
        rows.change(block, &mut |strip, entries| {
            decided.clear();
            holds.clear();
            for arrived in &inbox.take(strip)? {
                self.write(arrived, entries, |key| decided.push(key as usize))?;
            }
            let due = &due[strip % STRIPS];
            let is_won = decided.iter().any(|&key| entries[key].is_win());
            if let Some(outside) = self.holds.as_ref().filter(|_| is_won) {
                outside.rows.read_strip(strip, &mut |_, codes| {
                    holds.extend_from_slice(codes);
                    Ok(())
                })?;
            }
            decided.sort_unstable();
            let step = StepBack {
                steps: &self.steps,
                waiters: &waiters,
                first: strip % STRIPS * STRIP_ROWS,
                columns: self.children.columns,
                entries,
                decided,
                due,
                holds,
                until: pass.until[1],
                codes,
                places: self.places(rows_of_block.start, images, outbox),
            };
            step.run();
            Ok(!decided.is_empty())
        })?;
        self.scratch.put(scratch);
        Ok(())
    }

    /// The positions of each strip that children outside decide in this pass, or that they hold no longer.
    fn due(&self, block: usize, pass: &Pass<E>) -> Result<Vec<[Vec<usize>; 2]>, SolveError> {
        match self.holds.as_ref().zip(pass.plies) {
            Some((holds, plies)) => holds.due(block, plies),
            None => Ok(std::iter::repeat_with(Default::default).take(STRIPS).collect()),
        }
    }

    /// Loads the planes of children outside before and after the pass. Before it, recalled planes suffice.
    fn load_holds(
        &self,
        block: usize,
        pass: &Pass<E>,
        is_recalled: bool,
        difference: &mut Difference,
    ) -> Result<(), SolveError> {
        let Some(holds) = &self.holds else { return Ok(()) };
        if !is_recalled {
            holds.load(block, pass.until[0], false, &mut difference.outside_before)?;
        }
        holds.load(block, pass.until[1], is_recalled, &mut difference.after.outside)
    }

    /// The set of the waiter in a row of the children; `None` if it has a line that ends the game.
    fn waiter(&self, row: usize) -> Option<u64> {
        let orders = self.children.words.orders[0] as usize;
        let ends = self.sets.game().raw().graph().takes.is_none();
        let is_over = ends && self.sets.has_line(self.children.counts.mover)[row / orders];
        (!is_over).then(|| self.children.mover(self.sets, row))
    }

    /// The planes that a block remembers, if rows are in memory. Poisoning is harmless, because a panic ends the build.
    fn remembered(&self, block: usize) -> Option<MutexGuard<'_, After>> {
        Some(self.remembered.get(block)?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Remembers the planes of this pass over a block.
    fn remember(&self, block: usize, after: &mut After) {
        if let Some(mut remembered) = self.remembered(block) {
            *remembered = std::mem::take(after);
        }
    }

    /// Recalls the planes of the last pass over a block. Returns false if there are none.
    fn recall(&self, block: usize, after: &mut After) -> bool {
        let remembered = self.remembered(block).filter(|planes| !planes.decided.is_empty());
        remembered.is_some_and(|mut planes| {
            std::mem::swap(after, &mut planes);
            true
        })
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
        let columns = self.children.columns as u32;
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
        difference::load(codes, self.children.columns, won, word, stale, planes);
    }

    /// Creates a sender of positions in rows from `first` on, whose waiters have these images.
    fn places<'a, 'o, 's>(
        &'a self,
        first: usize,
        images: &'a [u64],
        outbox: &'o mut Outbox<'s>,
    ) -> Places<'a, 'f, 'o, 's> {
        let (transposition, movers) = (&self.transposition, &self.steps.moves.columns.words);
        Places::new(transposition, self.parents.columns, movers, first, images, outbox)
    }

    /// The moves of a block's rows.
    fn lane_moves(&self, block: usize) -> LaneMoves {
        let rules = LayerRules::new(self.sets.game(), self.parents.layer);
        let waiters = self.children.movers(self.sets, self.children.rows_of_block(block));
        LaneMoves::new(&rules, &self.steps.moves, &waiters)
    }

    /// Finds and sends the newly decided parents. If nothing was recalled, `before` determines the parents that were
    /// decided before. `changes` marks the changed planes.
    fn find(
        &self,
        block: usize,
        pass: &Pass<E>,
        is_recalled: bool,
        changes: [bool; 2],
        scratch: &mut Scratch<E>,
        outbox: &mut Outbox,
    ) {
        let (rows, own) = (self.children.rows_of_block(block), OnceLock::new());
        let lane_moves = self.lane_moves.get(block).unwrap_or(&own);
        let lane_moves = lane_moves.get_or_init(|| self.lane_moves(block));
        let mut lanes = Bits::NONE;
        let in_play = rows.clone().enumerate().filter(|&(_, row)| self.waiter(row).is_some());
        in_play.for_each(|(lane, _)| lanes.set(lane));
        let Scratch { difference, images, .. } = scratch;
        let Difference { before, outside_before, after, parents } = difference;
        let After { children: after, decided, outside } = after;
        let is_remembered = !self.remembered.is_empty();
        if !is_recalled {
            decided.clear();
            decided.resize(if is_remembered { self.children.columns } else { 0 }, Bits::NONE);
        }
        self.transposition.waiter_images(rows.clone(), images);
        let children = before.iter().zip(&*after);
        for ((is_win, (before, after)), (code, has_changed)) in
            [true, false].into_iter().zip(children).zip(pass.codes.into_iter().zip(changes))
        {
            let kind = usize::from(!is_win);
            let outside = [&*outside_before, &*outside].map(|planes| &planes[kind][..]);
            if !has_changed || !is_remembered && before == after && outside[0] == outside[1] {
                continue;
            }
            let code = code.unwrap_or(E::none()).code();
            // Of recalled planes, the lost children were known before unless they are new.
            let after = if is_recalled && is_win { before } else { after };
            let places = self.places(rows.start, images, outbox);
            Find {
                moves: &self.steps.moves,
                lane_moves,
                is_win,
                before: (!is_recalled).then_some(&before[..]),
                after,
                parents,
                decided,
                outside,
                lanes,
                code,
                places,
            }
            .run();
        }
    }
}
