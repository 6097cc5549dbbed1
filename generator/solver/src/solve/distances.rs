//! Solves layers with distances block by block, in groups of layers that lead to each other. An operator works inside one block, but
//! nearly all of its results belong to other rows, so they are sent to the owners of these rows.
//!
//! The [`Team`] determines the owner of each block and transports batches. [`Rows`] stores the rows.

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::census::{self, Counted};
use crate::solve::code::Code;
use crate::solve::exchange::{Batch, Deliver, Inbox, Outbox, Team, Work, each_entry, wait};
use crate::solve::finished::Finished;
use crate::solve::holds::Holds;
use crate::solve::keeper::{Done, Keeper, VisitBytes, each_group};
use crate::solve::movement::{Movement, Pass};
use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::operator::lines::have_effect;
use crate::solve::outside::Outside;
use crate::solve::placement::{Placement, put};
use crate::solve::planes::{BLOCK_ROWS, STRIP_ROWS};
use crate::solve::rows::{Rows, Solved};
use crate::solve::shape::Shape;
use crate::solve::store::{Contents, Storage};
use morpion_core::Game;
use morpion_games::reach::groups::layers_after;
use morpion_machine::progress::{Progress, Unobserved};
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// State that all layers of one run share.
pub struct Distances<'a, E> {
    sets: &'a FoldedSets,
    storage: &'a Storage,
    team: &'a mut dyn Team,
    progress: &'a dyn Progress,
    /// The rows of solved layers that the next layer group needs.
    solved: Solved<E>,
}

/// Visits the bytes of all rows of a layer whose blocks are divided among `shards`, and counts the rows.
///
/// # Errors
/// If `visit` or a store fails, or the observer requests a stop.
pub fn visit_layer<E: Code>(
    sets: &FoldedSets,
    shards: &[&Rows<E>],
    visit: &mut VisitBytes,
    progress: &dyn Progress,
) -> Result<Counted, SolveError> {
    let (mut counted, shape) = (Counted::default(), &shards[0].shape);
    for block in 0..shape.blocks() {
        shards[block % shards.len()].read(block, &mut |strip, codes| {
            progress.check()?;
            census::count_rows(sets, shape, strip * STRIP_ROWS, codes, &mut counted);
            visit(&E::bytes(codes))?;
            progress.advance(codes.len() as u64);
            Ok(())
        })?;
    }
    Ok(counted)
}

/// Solves the remaining layers with a team, and writes them to `keeper`. Rows are in `storage`.
///
/// # Errors
/// If a distance does not fit the entries, the observer requests a stop, another member of the team is lost, or files
/// cannot be read or written.
pub(crate) fn solve<E: Code>(
    sets: &FoldedSets,
    storage: &Storage,
    team: &mut dyn Team,
    keeper: &mut dyn Keeper,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    Distances::<E> { sets, storage, team, progress, solved: Solved::new() }.groups(keeper)
}

/// The layers after `group` to which its moves lead, without layers in which the game is over.
pub(crate) fn needed(game: &Game, group: &Range<usize>) -> Vec<usize> {
    let after = group.clone().flat_map(|layer| layers_after(game, layer));
    after.filter(|&layer| layer >= group.end && !game.graph().layers[layer].ended).collect()
}

impl<'a, E: Code> Distances<'a, E> {
    /// Solves the remaining layer groups.
    fn groups(&mut self, keeper: &mut dyn Keeper) -> Result<(), SolveError> {
        let (sets, progress) = (self.sets, self.progress);
        let game = &sets.layout.game;
        let Done { layers, mut distance } = self.agree(keeper.done())?;
        each_group(sets, layers, keeper, progress, &mut |group, keeper| {
            self.team.limit(self.storage.pending(group.start));
            self.restore(&needed(game, &group), keeper)?;
            match game.graph().is_cyclic(group.start) {
                true => self.movement(group.clone(), distance.take(), keeper)?,
                false => group.clone().rev().try_for_each(|layer| self.layer(layer))?,
            }
            for layer in group.clone().rev() {
                let rows = &self.solved[&layer];
                if keeper.saves_rows() {
                    each(self.team, self.progress, rows, &|block| rows.save(block, u16::MAX))?;
                }
                keeper.write(&|visit: &mut VisitBytes| {
                    visit_layer(self.sets, &[rows], visit, &Unobserved)
                })?;
            }
            Ok(())
        })
    }

    /// Returns the progress from which all members resume: the least progress of all members.
    fn agree(&mut self, own: Done) -> Result<Done, SolveError> {
        // The number of layers is in the upper half, and one more than the distance in the lower half.
        let distance = own.distance.map_or(0, |distance| u64::from(distance) + 1);
        let all = self.team.gather(own.layers << 32 | distance)?;
        let least = all.into_iter().min().unwrap_or_default();
        let distance = (least as u32).checked_sub(1).map(|distance| distance as u16);
        Ok(Done { layers: least >> 32, distance })
    }

    /// Removes the rows that are not needed, and restores the needed rows.
    fn restore(&mut self, needed: &[usize], keeper: &mut dyn Keeper) -> Result<(), SolveError> {
        let old: Vec<usize> =
            self.solved.keys().copied().filter(|layer| !needed.contains(layer)).collect();
        for layer in old {
            if let Some(rows) = self.solved.remove(&layer).filter(|_| !keeper.saves_rows()) {
                rows.remove_stored()?;
            }
        }
        for &layer in needed {
            if self.solved.contains_key(&layer) {
                continue;
            }
            let rows = self.rows(layer, 0);
            if keeper.saves_rows() {
                each(self.team, self.progress, &rows, &|block| rows.load(block))?;
            } else {
                let mut next = keeper.solved_layer(layer)?;
                for block in 0..rows.shape.blocks() {
                    self.progress.check()?;
                    rows.make(block, &mut |_, codes| {
                        Ok(E::fill(codes, |into| next.read_exact(into))?)
                    })?;
                }
            }
            self.solved.insert(layer, rows);
        }
        Ok(())
    }

    fn rows(&self, layer: usize, planes: u64) -> Rows<E> {
        Rows::new(self.storage, Shape::of(&self.sets.layout, layer), Contents::Table, planes)
    }

    /// Creates the blocks among `blocks` that this member owns, with their finished positions.
    fn fill(
        &mut self,
        rows: &Rows<E>,
        blocks: Range<usize>,
        finished: &Finished<E>,
    ) -> Result<(), SolveError> {
        each(self.team, self.progress, rows, &|block| match blocks.contains(&block) {
            false => Ok(()),
            true => rows.make(block, &mut |strip, codes| {
                finished.fill(strip, codes);
                Ok(())
            }),
        })
    }

    /// Solves a layer whose moves all leave it.
    fn layer(&mut self, layer: usize) -> Result<(), SolveError> {
        let rows = self.rows(layer, 0);
        let has_moves = !self.sets.layout.game.graph().steps(layer).is_empty();
        if !has_moves || rows.shape.source_rows == 0 {
            self.fill(&rows, 0..rows.shape.blocks(), &Finished::new(self.sets, rows.shape))?;
        } else {
            self.placement(&rows)?;
        }
        self.solved.insert(layer, rows);
        Ok(())
    }

    fn placement(&mut self, rows: &Rows<E>) -> Result<(), SolveError> {
        let mut placement = Placement::<E>::new(self.sets, rows.shape, self.storage);
        self.receive(&mut placement.outside)?;
        let outside = &placement.outside;
        // The owner of the first block estimates the common code for all members. The estimate reads children, so it is skipped if some are
        // in an inbox, from which they can be read only once.
        let is_waiting = outside.taken.iter().any(|taken| taken.inbox.received() > 0);
        let common = match outside.untaken(1).filter(|_| !is_waiting && self.team.owns(0)) {
            Some(_) => placement.common(&self.solved)?.code().into(),
            None => 0,
        };
        let common = E::new(self.sum(common)? as u16);
        let mut finished = Finished::new(self.sets, rows.shape);
        finished.other = common;
        self.fill(rows, 0..rows.in_memory(), &finished)?;
        let solved = &self.solved;
        let work =
            |block: usize, outbox: &mut Outbox| placement.send(solved, block, common, outbox);
        let deliver = |batch: &Batch| {
            rows.write_now(batch.strip as usize, |codes| {
                each_entry(codes, &batch.keys, put(batch.code))
            })
        };
        let (blocks, strips) = (rows.shape.source_rows.div_ceil(BLOCK_ROWS), rows.shape.strips());
        let inbox = exchange(self.team, self.progress, [blocks, strips], &work, &deliver)?;
        let write = |block: usize| placement.write(rows, block, &finished, &inbox);
        each(self.team, self.progress, rows, &write)?;
        self.progress.advance(rows.shape.entries() as u64);
        Ok(())
    }

    /// Exchanges the children after takes.
    fn receive(&mut self, outside: &mut Outside<E>) -> Result<(), SolveError> {
        for taken in &mut outside.taken {
            let (blocks, strips) = (taken.shape.blocks(), taken.shape.strips());
            exchange(self.team, self.progress, [blocks, 0], &|block, _| taken.make(block), &wait)?;
            let children = &self.solved[&taken.child.layer];
            let send = |block: usize, outbox: &mut Outbox| taken.send(children, block, outbox);
            let blocks = children.shape.blocks();
            taken.inbox = exchange(self.team, self.progress, [blocks, strips], &send, &wait)?;
        }
        Ok(())
    }

    /// Solves a layer group whose moves stay in it, from `distance` on if this group was interrupted.
    fn movement(
        &mut self,
        group: Range<usize>,
        distance: Option<u16>,
        keeper: &mut dyn Keeper,
    ) -> Result<(), SolveError> {
        // Blocks remember a plane of children and a plane of parents and, if there are children outside, two planes of these children.
        let has_outside = |layer| have_effect(&LayerRules::new(&self.sets.layout.game, layer));
        let planes = if group.clone().any(has_outside) { 4 } else { 2 };
        let all: Vec<Rows<E>> = group.clone().map(|layer| self.rows(layer, planes)).collect();
        let finished: Vec<Finished<E>> =
            all.iter().map(|rows| Finished::new(self.sets, rows.shape)).collect();
        for (rows, finished) in all.iter().zip(&finished) {
            match distance {
                None => self.fill(rows, 0..rows.shape.blocks(), finished)?,
                // Rows may be ahead of the saved distance.
                Some(distance) => {
                    each(self.team, self.progress, rows, &|block| rows.rewind(block, distance))?;
                }
            }
        }
        let may_be_stuck = finished.iter().any(Finished::can_be_stuck_in_a_draw);
        let movements = self.movements(all)?;
        let layers = (self.sets.layout.game.graph().layers.len() - group.end) as u64;
        let mut done = Done { layers, distance: Some(distance.unwrap_or(0)) };
        let solved = self.passes(&movements, may_be_stuck, &mut done, keeper);
        if let Err(SolveError::Stopped(_)) = solved {
            // Rows may be ahead of the saved distance, but never behind it. A distance counts only when all members
            // have saved it.
            for Movement { children: rows, .. } in &movements {
                let mut own = (0..rows.shape.blocks()).filter(|&block| self.team.owns(block));
                own.try_for_each(|block| rows.save(block, done.distance.unwrap_or(0)))?;
            }
            keeper.record(done)?;
        }
        solved?;
        for Movement { children: rows, .. } in &movements {
            each(self.team, self.progress, rows, &|block| rows.merge(block))?;
        }
        let rows = movements.into_iter().map(|movement| movement.children);
        self.solved.extend(group.zip(rows));
        Ok(())
    }

    /// Prepares the passes from each layer of a layer group.
    fn movements(&mut self, group: Vec<Rows<E>>) -> Result<Vec<Movement<'a, E>>, SolveError> {
        let (sets, storage) = (self.sets, self.storage);
        // The codes of all layers take their room first, and then the children after takes.
        let holds = group.iter().map(|children| Holds::new(storage, children.shape));
        let holds = holds.collect::<io::Result<Vec<Holds<E>>>>()?;
        let prepare = |(children, holds): (Rows<E>, Holds<E>)| {
            // `next` is its own inverse within a layer group: the parents of a layer are in its next layer.
            let layer = children.shape.layer;
            let parents = sets.layout.game.graph().layers[layer].next.map_or(layer, usize::from);
            let parents = Shape::of(&sets.layout, parents);
            let holds = self.holds(parents, &children, holds)?;
            Ok(Movement::new(sets, parents, children, holds, storage)?)
        };
        group.into_iter().zip(holds).map(prepare).collect()
    }

    /// Finds the best child outside of each position of `parents`, in the rows of the layer after `parents`. Returns `None` if no position
    /// has a child outside.
    fn holds(
        &mut self,
        parents: Shape,
        children: &Rows<E>,
        holds: Holds<E>,
    ) -> Result<Option<Holds<E>>, SolveError> {
        let mut outside = Outside::<E>::new(self.sets, parents, self.storage);
        if outside.is_empty() {
            return Ok(None);
        }
        self.receive(&mut outside)?;
        let solved = &self.solved;
        each(self.team, self.progress, children, &|block| {
            let mut strips = children.shape.strips_of(block);
            strips
                .try_for_each(|strip| outside.strip(solved, strip, |best| holds.fill(strip, best)))
        })?;
        Ok(Some(holds))
    }

    /// Solves distance by distance. If a side `may_be_stuck` in a draw, draws that end are found, too. Sets `done` to the distance up to
    /// which all rows are solved, also if an error follows.
    fn passes(
        &mut self,
        group: &[Movement<E>],
        may_be_stuck: bool,
        done: &mut Done,
        keeper: &mut dyn Keeper,
    ) -> Result<(), SolveError> {
        let holds = || group.iter().filter_map(|movement| movement.holds.as_ref());
        let deepest = holds().map(|holds| holds.deepest.load(Relaxed)).max().unwrap_or(0);
        let ends = may_be_stuck || holds().any(|holds| holds.has_ends.load(Relaxed));
        let deepest = self.team.gather(deepest.into())?.into_iter().max().unwrap_or(0);
        let ends = self.team.gather(ends.into())?.iter().any(|&ends| ends != 0);
        let (mut distance, mut is_ending) = (done.distance.unwrap_or(0), false);
        let mut pass = Pass::values(distance, true);
        let mut inboxes: Vec<Inbox> = group.iter().map(|_| Inbox::default()).collect();
        loop {
            inboxes = self.pass(group, &pass, &inboxes)?;
            let sent = self.sum(inboxes.iter().map(Inbox::received).sum())?;
            let decided = group.iter().map(|movement| movement.decided.swap(0, Relaxed));
            let decided = self.sum(decided.sum())?;
            if !is_ending {
                done.distance = Some(distance);
            }
            self.progress.advance(decided);
            self.progress.distance(distance);
            if keeper.is_due() && !is_ending {
                for Movement { children: rows, .. } in group {
                    each(self.team, self.progress, rows, &|block| rows.save(block, distance))?;
                }
                keeper.record(*done)?;
            }
            if sent > 0 || !is_ending && u64::from(distance) < deepest {
                distance = distance.saturating_add(1);
                pass = if is_ending { Pass::ends(false) } else { Pass::values(distance, false) };
            } else if !is_ending && ends {
                is_ending = true;
                pass = Pass::ends(true);
            } else {
                return Ok(());
            }
        }
    }

    /// Performs a pass over all layers of a layer group. Returns the parents that were sent to each layer.
    fn pass(
        &mut self,
        group: &[Movement<E>],
        pass: &Pass<E>,
        inboxes: &[Inbox],
    ) -> Result<Vec<Inbox>, SolveError> {
        let mut sent: Vec<Inbox> = group.iter().map(|_| Inbox::default()).collect();
        for (movement, inbox) in group.iter().zip(inboxes) {
            let Movement { children, parents, .. } = movement;
            let work =
                |block: usize, outbox: &mut Outbox| movement.pass(block, pass, inbox, outbox);
            let counts = [children.shape.blocks(), parents.strips()];
            sent[parents.layer - group[0].children.shape.layer] =
                exchange(self.team, self.progress, counts, &work, &wait)?;
        }
        Ok(sent)
    }

    /// Adds the numbers of all members.
    fn sum(&mut self, number: u64) -> Result<u64, SolveError> {
        Ok(self.team.gather(number)?.iter().sum())
    }
}

/// Runs `work` on each block of this member. Checks for a stop before each block. If a distance does not fit for one member, all members
/// fail together.
fn exchange(
    team: &mut dyn Team,
    progress: &dyn Progress,
    [blocks, strips]: [usize; 2],
    work: &Work,
    deliver: &Deliver,
) -> Result<Inbox, SolveError> {
    let is_too_deep = AtomicBool::new(false);
    let work = |block: usize, outbox: &mut Outbox| {
        progress.check()?;
        match work(block, outbox) {
            Err(SolveError::TooDeep) => {
                is_too_deep.store(true, Relaxed);
                Ok(())
            }
            done => done,
        }
    };
    let inbox = team.exchange(blocks, strips, &work, deliver)?;
    match team.gather(is_too_deep.load(Relaxed).into())?.iter().any(|&is_too_deep| is_too_deep != 0)
    {
        true => Err(SolveError::TooDeep),
        false => Ok(inbox),
    }
}

/// Runs `work` on this member's blocks, without sending.
fn each<E: Code>(
    team: &mut dyn Team,
    progress: &dyn Progress,
    rows: &Rows<E>,
    work: &(dyn Fn(usize) -> Result<(), SolveError> + Sync),
) -> Result<(), SolveError> {
    exchange(team, progress, [rows.shape.blocks(), 0], &|block, _| work(block), &wait).map(drop)
}

/// The greatest number of rows of one process, if the blocks of `rows` rows are assigned to the processes in turn.
pub fn rows_of_process(rows: usize, parts: usize) -> usize {
    (rows.div_ceil(BLOCK_ROWS).div_ceil(parts) * BLOCK_ROWS).min(rows)
}
