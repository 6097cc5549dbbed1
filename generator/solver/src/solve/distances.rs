//! Solves layers with distances block by block. An operator works inside one block, but nearly all of its results
//! belong to other rows, so they are sent to the owners of these rows.
//!
//! The [`Team`] determines the owner of each block and transports batches. [`Rows`] stores the rows.

use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::census::{self, Counted};
use crate::solve::checkpoint::{Checkpoint, Done};
use crate::solve::entry::Entry;
use crate::solve::exchange::{Batch, Deliver, Inbox, Outbox, Team, Work, each_entry, wait};
use crate::solve::finished::Finished;
use crate::solve::kind::Kind;
use crate::solve::movement::{Movement, Pass};
use crate::solve::needs::Needs;
use crate::solve::placement::{Placement, put};
use crate::solve::planes::STRIP_ROWS;
use crate::solve::rows::{Rows, Storage};
use crate::solve::shape::Shape;
use crate::solve::sink::Pieces;
use morpion_lookup::Counts;
use morpion_machine::progress::{Progress, Unobserved};
use std::sync::atomic::Ordering::Relaxed;

/// State that all layers of one run share.
pub struct Distances<'a, E> {
    sets: &'a FoldedSets,
    storage: &'a Storage,
    team: &'a mut dyn Team,
    progress: &'a dyn Progress,
    /// The rows of the layer that was restored or solved last.
    solved: Option<Rows<E>>,
}

/// Visits the bytes of all rows of a layer whose blocks are divided among `shards`, and counts the rows.
pub(crate) fn pieces<E: Entry>(
    sets: &FoldedSets,
    shards: &[Rows<E>],
    visit: &mut Pieces,
    progress: &dyn Progress,
) -> Result<Counted, SolveError> {
    let (mut counted, shape) = (Counted::default(), shards[0].shape());
    for block in 0..shape.blocks() {
        shards[block % shards.len()].read(block, &mut |strip, codes| {
            progress.check()?;
            census::count_rows(sets, shape.counts, strip * STRIP_ROWS, codes, &mut counted);
            visit(&E::bytes(codes))?;
            progress.advance(codes.len() as u64);
            Ok(())
        })?;
    }
    Ok(counted)
}

impl<'a, E: Entry> Distances<'a, E> {
    /// Creates the state for all layers of a run.
    pub fn new(
        sets: &'a FoldedSets,
        storage: &'a Storage,
        team: &'a mut dyn Team,
        progress: &'a dyn Progress,
    ) -> Self {
        Distances { sets, storage, team, progress, solved: None }
    }

    fn rows(&self, counts: Counts) -> Rows<E> {
        Rows::new(self.storage, Shape::of(self.sets, counts))
    }

    /// Runs `work` on this member's blocks, which checks for a stop before each.
    fn exchange(
        &mut self,
        blocks: usize,
        strips: usize,
        work: &Work,
        deliver: &Deliver,
    ) -> Result<Inbox, SolveError> {
        let progress = self.progress;
        let work = |block: usize, outbox: &mut Outbox| {
            progress.check()?;
            work(block, outbox)
        };
        self.team.exchange(blocks, strips, &work, deliver)
    }

    /// Runs `work` on this member's blocks, without sending.
    fn each(
        &mut self,
        rows: &Rows<E>,
        work: &(dyn Fn(usize) -> Result<(), SolveError> + Sync),
    ) -> Result<(), SolveError> {
        self.exchange(rows.shape().blocks(), 0, &|block, _| work(block), &wait).map(drop)
    }

    /// Returns true if `says` is true for any member.
    fn any(&mut self, says: bool) -> Result<bool, SolveError> {
        Ok(self.team.gather([u64::from(says), 0])?.iter().any(|&[says, _]| says != 0))
    }

    /// Solves distance by distance. `complete` is the distance up to which all rows are solved, also after an error.
    fn passes(
        &mut self,
        layer: &Movement<E>,
        rows: &Rows<E>,
        complete: &mut u16,
        checkpoint: &mut dyn Checkpoint,
    ) -> Result<(), SolveError> {
        let (progress, shape) = (self.progress, rows.shape());
        let mut pass = Pass::values(*complete, true);
        let mut inbox = Inbox::default();
        let (mut distance, mut is_ending) = (*complete, false);
        loop {
            let work =
                |block: usize, outbox: &mut Outbox| layer.pass(rows, block, &pass, &inbox, outbox);
            let sent = self.exchange(shape.blocks(), shape.strips(), &work, &wait)?;
            if self.any(layer.too_deep.load(Relaxed))? {
                return Err(SolveError::TooDeep);
            }
            let all = self.team.gather([sent.received(), layer.decided.swap(0, Relaxed)])?;
            let [sent_by_all, decided] =
                [0, 1].map(|of| all.iter().map(|all| all[of]).sum::<u64>());
            if !is_ending {
                *complete = distance;
            }
            progress.advance(decided);
            progress.distance(distance);
            if checkpoint.is_due() && !is_ending {
                self.each(rows, &|block| rows.save(block))?;
                checkpoint.distance(*complete)?;
            }
            inbox = sent;
            if sent_by_all > 0 {
                distance = distance.saturating_add(1);
                pass = if is_ending { Pass::ends(false) } else { Pass::values(distance, false) };
            } else if !is_ending && layer.finished.can_be_stuck_in_a_draw() {
                is_ending = true;
                pass = Pass::ends(true);
            } else {
                return Ok(());
            }
        }
    }
}

impl<E: Entry> Distances<'_, E> {
    fn last(&mut self, counts: Counts) -> Result<Rows<E>, SolveError> {
        let rows = self.rows(counts);
        self.fill(&rows, &Finished::new(self.sets, counts))?;
        Ok(rows)
    }

    /// Creates all blocks with their finished positions.
    fn fill(&mut self, rows: &Rows<E>, finished: &Finished<E>) -> Result<(), SolveError> {
        self.each(rows, &|block| {
            rows.make(block, &mut |strip, codes| {
                finished.fill(strip, codes);
                Ok(true)
            })
        })
    }

    fn movement(
        &mut self,
        counts: Counts,
        distance: Option<u16>,
        checkpoint: &mut dyn Checkpoint,
    ) -> Result<Rows<E>, SolveError> {
        let rows = self.rows(counts);
        let remembered = if rows.is_in_memory() { rows.shape().blocks() } else { 0 };
        let movement = Movement::<E>::new(self.sets, counts, remembered);
        match distance {
            None => self.fill(&rows, &movement.finished)?,
            Some(_) => self.each(&rows, &|block| rows.load(block))?,
        }
        let mut complete = distance.unwrap_or(0);
        let solved = self.passes(&movement, &rows, &mut complete, checkpoint);
        if let Err(SolveError::Stopped(_)) = solved {
            // Rows may be ahead of the saved distance, but never behind it. A distance counts only when all members
            // have saved it.
            let mut own = (0..rows.shape().blocks()).filter(|&block| self.team.owns(block));
            own.try_for_each(|block| rows.save(block))?;
            checkpoint.distance(complete)?;
        }
        solved.map(|()| rows)
    }

    fn placement(
        &mut self,
        counts: Counts,
        children: Rows<E>,
        checkpoint: &dyn Checkpoint,
    ) -> Result<Rows<E>, SolveError> {
        let rows = self.rows(counts);
        let placement = Placement::<E>::new(self.sets, counts);
        // The owner of the first block determines the common code for all members.
        let common = if self.team.owns(0) { placement.common(&children)?.code().into() } else { 0 };
        let common = self.team.gather([common, 0])?.iter().map(|[code, _]| code).sum::<u64>();
        let common = E::new(common as u16);
        self.each(&rows, &|block| placement.make(&rows, block, common))?;
        let work =
            |block: usize, outbox: &mut Outbox| placement.send(&children, block, common, outbox);
        let deliver = |batch: &Batch| {
            rows.write_now(batch.strip as usize, |codes| {
                each_entry(codes, &batch.keys, put(batch.code))
            })
        };
        let (blocks, strips) = (children.shape().blocks(), rows.shape().strips());
        let inbox = self.exchange(blocks, strips, &work, &deliver)?;
        if self.any(placement.too_deep.load(Relaxed))? {
            return Err(SolveError::TooDeep);
        }
        if !checkpoint.saves_rows() {
            children.remove_files()?;
        }
        drop(children);
        self.each(&rows, &|block| placement.write(&rows, block, &inbox))?;
        self.progress.advance(rows.shape().entries() as u64);
        Ok(rows)
    }
}

impl<E: Entry> Kind for Distances<'_, E> {
    fn agree(&mut self, own: Done) -> Result<Done, SolveError> {
        let distance = own.distance.map_or(0, |distance| u64::from(distance) + 1);
        let all = self.team.gather([own.layers, distance])?;
        let [layers, distance] = all.into_iter().min().unwrap_or_default();
        Ok(Done { layers, distance: distance.checked_sub(1).map(|distance| distance as u16) })
    }

    fn restore(
        &mut self,
        counts: Counts,
        checkpoint: &mut dyn Checkpoint,
    ) -> Result<(), SolveError> {
        let rows = self.rows(counts);
        match checkpoint.solved_layer(checkpoint.done().layers)? {
            Some(mut next) => {
                for block in 0..rows.shape().blocks() {
                    self.progress.check()?;
                    rows.make(block, &mut |_, codes| {
                        E::fill(codes, |into| next(into))?;
                        Ok(true)
                    })?;
                }
            }
            None => self.each(&rows, &|block| rows.load(block))?,
        }
        self.solved = Some(rows);
        Ok(())
    }

    fn solve(
        &mut self,
        counts: Counts,
        distance: Option<u16>,
        checkpoint: &mut dyn Checkpoint,
    ) -> Result<(), SolveError> {
        let rows = match self.solved.take() {
            Some(children) => self.placement(counts, children, checkpoint)?,
            None if self.sets.game().is_movement(counts) => {
                self.movement(counts, distance, checkpoint)?
            }
            None => self.last(counts)?,
        };
        if checkpoint.saves_rows() {
            self.each(&rows, &|block| rows.save(block))?;
        }
        self.solved = Some(rows);
        Ok(())
    }

    fn pieces(&self, _: Counts, visit: &mut Pieces) -> Result<Counted, SolveError> {
        pieces(self.sets, self.solved.as_slice(), visit, &Unobserved)
    }
}

/// Bytes of memory that solving a layer takes.
pub fn memory<E: Entry>(layout: &Layout, shape: &Shape) -> Needs {
    let (order, entries) = (layout.header().symmetries.len(), shape.entries() as u64);
    let strips = shape.rows.div_ceil(STRIP_ROWS);
    let width = E::BYTES as u64;
    if layout.game().is_movement(shape.counts) {
        let [shared, own] = Movement::<E>::memory(shape, order);
        // Three planes are remembered. Two inboxes contain wins and losses: entries to write, and entries just found.
        let waiting = 2 * Inbox::memory(entries, strips, 2);
        let rows = entries * width + 3 * entries.div_ceil(8) + waiting;
        Needs { shared, own: own + Outbox::memory(strips, 2), rows }
    } else if shape.is_last(layout) {
        Needs { shared: 0, own: 0, rows: entries * width }
    } else {
        let [shared, own] = Placement::<E>::memory(shape, order);
        let children = (shape.source_rows * shape.child_columns) as u64;
        let rows = (children + entries) * width;
        Needs { shared, own: own + Outbox::memory(strips, 1 << 8), rows }
    }
}
