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

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::entry::Entry;
use crate::solve::exchange::{Arrived, Inbox, Outbox, Places};
use crate::solve::holds::{Holds, Until};
use crate::solve::movement::difference::{After, Difference, Planes};
use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::operator::sliced::{ColumnMoves, LaneMoves};
use crate::solve::planes::{Bits, STRIPS};
use crate::solve::rows::Rows;
use crate::solve::shape::Shape;
use crate::solve::transposition::Transposition;
use morpion_core::rank::cells;
use morpion_lookup::Score;
use morpion_machine::threads::Pool;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The task of one pass over all blocks.
pub struct Pass<E> {
    /// Codes of the entries that the pass finds: wins and losses at this distance, or draws that end.
    codes: [Option<E>; 2],
    /// Upper ends of the codes from 1 that count as won: before the batches are written, and after.
    won: [E; 2],
    /// The start distance of the first pass, which treats entries at this distance as newly decided.
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
    pub children: Shape,
    transposition: Transposition<'f>,
    moves: ColumnMoves,
    /// The children outside of the parents; `None` if they have none.
    pub holds: Option<Holds<E>>,
    scratch: Pool<Difference>,
    /// Planes that each block remembers of the last pass, if the rows are in memory; otherwise empty.
    remembered: Vec<Mutex<After>>,
    /// The moves of each block, if planes are remembered.
    lane_moves: Vec<OnceLock<LaneMoves>>,
    /// Number of entries of own blocks that were decided. The caller may reset it.
    pub decided: AtomicU64,
}

impl<'f, E: Entry> Movement<'f, E> {
    /// Prepares the passes from `children` to `parents`. `is_remembered` says that blocks remember planes.
    pub fn new(
        sets: &'f FoldedSets,
        [parents, children]: [Shape; 2],
        holds: Option<Holds<E>>,
        is_remembered: bool,
    ) -> Movement<'f, E> {
        let remembered = if is_remembered { children.blocks() } else { 0 };
        Movement {
            sets,
            parents,
            children,
            transposition: Transposition::new(sets, &parents),
            moves: ColumnMoves::new(&LayerRules::new(sets.game(), parents.layer)),
            holds,
            scratch: Pool::default(),
            remembered: std::iter::repeat_with(Mutex::default).take(remembered).collect(),
            lane_moves: std::iter::repeat_with(OnceLock::new).take(remembered).collect(),
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
        let Some(changes) = self.changes(block, pass, inbox) else { return Ok(()) };
        let mut difference = self.scratch.take();
        let mut remembered = self.remembered(block);
        if let Some(remembered) = &mut remembered {
            std::mem::swap(&mut **remembered, &mut difference.after);
        }
        let is_recalled = !pass.is_whole() && remembered.is_some();
        let columns = self.children.columns;
        if !is_recalled {
            difference.resize(columns, changes, remembered.is_some());
        } else if changes[0] {
            difference.keep_lost();
        }
        rows.change(block, &mut |strip, codes| {
            let (word, arrived) = (strip % STRIPS, inbox.take(strip)?);
            if !is_recalled {
                self.load_before(pass, codes, word, &mut difference.before);
                difference.copy(word);
            }
            for arrived in &arrived {
                // In passes that find draws that end, these count as won.
                let is_win = E::new(arrived.code).is_win() || pass.plies.is_none();
                self.write(arrived, codes, |key| {
                    if !pass.is_whole() {
                        difference.decide(word, key as usize, columns, is_win);
                    }
                })?;
            }
            if pass.is_whole() {
                difference::load(codes, columns, pass.won[1], word, &mut difference.after.children);
            }
            Ok(!arrived.is_empty())
        })?;
        if !is_recalled {
            difference.clear_from(self.children.strips_of(block).len());
        }
        if let Some(holds) = &self.holds {
            let Difference { outside_before, after, .. } = &mut difference;
            let planes = pass.until.into_iter().zip([outside_before, &mut after.outside]);
            // Before the pass, recalled planes suffice.
            let mut planes: Vec<_> = planes.skip(usize::from(is_recalled)).collect();
            holds.load(block, is_recalled, &mut planes)?;
        }
        self.find(block, pass, is_recalled, changes, &mut difference, outbox);
        if let Some(remembered) = &mut remembered {
            std::mem::swap(&mut **remembered, &mut difference.after);
        }
        self.scratch.put(difference);
        Ok(())
    }

    /// Says if the planes of lost children of a block change, and if the planes of children that are not won change. `None` if nothing
    /// arrived, and no child outside is due.
    fn changes(&self, block: usize, pass: &Pass<E>, inbox: &Inbox) -> Option<[bool; 2]> {
        if pass.is_whole() {
            return Some([true; 2]);
        }
        let waiting = inbox.waiting(self.children.strips_of(block));
        let due = self.holds.as_ref().zip(pass.plies);
        let due = due.map_or([false; 2], |(holds, plies)| holds.are_due(block, plies));
        if waiting.is_empty() && due == [false; 2] {
            return None;
        }
        let has = |is_win| waiting.iter().any(|&code| E::new(code).is_win() == is_win);
        let changes = [has(false) | due[0], has(true) | due[1]];
        Some(changes.map(|is_changed| is_changed || pass.plies.is_none()))
    }

    /// The planes that a block remembers, if rows are in memory. Poisoning is harmless, because a panic ends the build.
    fn remembered(&self, block: usize) -> Option<MutexGuard<'_, After>> {
        Some(self.remembered.get(block)?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Loads the planes of a strip before this pass. In the first pass, entries in its distance are not decided yet.
    fn load_before(&self, pass: &Pass<E>, codes: &[E], word: usize, planes: &mut Planes) {
        let (columns, won) = (self.children.columns, pass.won[0]);
        let Some(start) = pass.start else {
            return difference::load(codes, columns, won, word, planes);
        };
        let is_new = |code: E| code.plies().is_some_and(|plies| plies >= start);
        let before = |&code: &E| if is_new(code) { E::default() } else { code };
        let before: Vec<E> = codes.iter().map(before).collect();
        difference::load(&before, columns, won, word, planes);
    }

    /// Writes the entries that arrived at a strip, if they are undecided, and visits each newly decided entry.
    #[inline(always)]
    fn write(
        &self,
        arrived: &Arrived,
        codes: &mut [E],
        mut visit: impl FnMut(u32),
    ) -> Result<(), SolveError> {
        let (code, mut decided) = (E::new(arrived.code), 0);
        arrived.each(codes, |key, entry| {
            if *entry == E::default() {
                *entry = code;
                visit(key);
                decided += 1;
            }
        })?;
        if code == E::none() && decided > 0 {
            return Err(SolveError::TooDeep);
        }
        self.decided.fetch_add(decided, Ordering::Relaxed);
        Ok(())
    }

    /// The moves of a block's rows.
    fn lane_moves(&self, block: usize) -> LaneMoves {
        let rules = LayerRules::new(self.sets.game(), self.parents.layer);
        let waiter = |row| self.children.mover(self.sets, row);
        let waiters: Vec<u64> = self.children.rows_of_block(block).map(waiter).collect();
        LaneMoves::new(&rules, &self.moves, &waiters)
    }

    /// Finds and sends the newly decided parents. `changes` marks the changed planes.
    fn find(
        &self,
        block: usize,
        pass: &Pass<E>,
        is_recalled: bool,
        changes: [bool; 2],
        difference: &mut Difference,
        outbox: &mut Outbox,
    ) {
        let (rows, own) = (self.children.rows_of_block(block), OnceLock::new());
        let lane_moves = self.lane_moves.get(block).unwrap_or(&own);
        let lane_moves = lane_moves.get_or_init(|| self.lane_moves(block));
        let mut lanes = Bits::NONE;
        let ends = !self.sets.game().raw().graph().may_take();
        let in_play = |row: usize| !ends || !self.children.has_line(self.sets, row);
        let in_play = rows.clone().enumerate().filter(|&(_, row)| in_play(row));
        in_play.for_each(|(lane, _)| lanes.set(lane));
        let movers = &self.moves.columns.words;
        let mut places = Places::new(&self.transposition, movers, rows, outbox);
        for kind in (0..2).filter(|&kind| changes[kind]) {
            let code = pass.codes[kind].unwrap_or(E::none()).code();
            difference.each_parent(kind, is_recalled, &self.moves, lane_moves, |column, found| {
                for (word, &bits) in (found & lanes).0.iter().enumerate() {
                    for lane in cells(bits).map(usize::from) {
                        places.send(word * 64 + lane, column, code);
                    }
                }
            });
        }
        places.flush();
    }
}
