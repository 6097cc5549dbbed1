//! Layers that no memory holds as a whole: solved block by block, by the threads of one process or by the workers of many.
//!
//! A block is 512 neighbouring rows, and the operator is local to it. What it finds for other rows, nearly everything, is
//! sent as [`batch`]es to the owners of these rows and waits in their [`inbox`] until all blocks are done: the
//! transposition as an exchange. Who owns which block, and how batches travel, is the [`team`]'s business; the rows stand in
//! a `store`, and a [`shard`] keeps what an interrupted solution resumes from.
//!
//! On 3×3 with three pieces each there are 10 rows, in one block, and all that is sent is sent to itself.

pub mod batch;
mod difference;
pub mod inbox;
mod movement;
mod placement;
mod places;
mod pool;
pub mod shard;
mod steps;
pub(crate) mod store;
pub mod team;

use crate::error::{SolveError, TooDeep};
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::Shape;
use crate::solve::entry::Entry;
use crate::solve::placement::fill_last;
use crate::solve::planes::STRIP_ROWS;
pub use crate::solve::planes::{BLOCK_ROWS, STRIPS};
use batch::Outbox;
use inbox::Inbox;
use morpion_games::progress::Progress;
use morpion_lookup::Counts;
use movement::{Movement, Pass};
use placement::Placement;
use shard::{Done, Shard};
use std::time::{Duration, Instant};
use store::Store;
use team::Team;

/// Solves the layers of a game into the shard, from where the whole team can resume. Checkpoints are kept after every layer,
/// and inside the movement layer every `interval`.
///
/// # Errors
/// Where a distance does not fit the entries, the observer asks for a stop, another member is lost, or files cannot be
/// read or written.
pub fn solve<E: Entry>(
    sets: &FoldedSets,
    shard: &mut Shard,
    team: &mut dyn Team,
    interval: Duration,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let own = shard.done();
    let all =
        team.gather([own.layers, own.distance.map_or(0, |distance| u64::from(distance) + 1)])?;
    let [layers, distance] = all.into_iter().min().unwrap_or_default();
    let from = Done { layers, distance: distance.checked_sub(1).map(|distance| distance as u16) };
    let counts = sets.game().layers();
    let ahead = counts.iter().rev().skip(from.layers as usize);
    progress.whole(ahead.map(|&counts| Shape::of(sets, counts).entries() as u64).sum());
    let mut run = Run { sets, team, progress, interval, shard };
    let mut children: Option<Store<E>> = None;
    for (index, counts) in (0..).zip(counts.into_iter().rev()) {
        let store = run.shard.store(Shape::of(sets, counts), counts);
        if index + 1 < from.layers {
            continue;
        }
        if index + 1 == from.layers {
            run.each(&store, &|block| store.load(block))?;
        } else {
            progress.layer(counts, Shape::of(sets, counts).entries() as u64);
            match &children {
                Some(children) => run.placement(counts, children, &store)?,
                None if sets.game().is_movement(counts) => {
                    let distance = from.distance.filter(|_| index == from.layers);
                    run.movement(counts, &store, distance)?;
                }
                None => run.last(counts, &store)?,
            }
            run.each(&store, &|block| Ok(store.save(block)?))?;
            run.shard.keep(Done { layers: index + 1, distance: None })?;
        }
        if let Some(children) = children {
            children.free();
        }
        children = Some(store);
    }
    Ok(())
}

/// Bytes of memory that solving takes: what the process shares, and what each of its threads has of its own.
pub fn memory<E: Entry>(layout: &Layout) -> [u64; 2] {
    let order = layout.header().symmetries.len();
    let of_layer = |counts: &Counts| {
        let shape = Shape::planned(layout, *counts);
        let [shared, own] = if layout.game().is_movement(*counts) {
            Movement::<E>::memory(&shape, order)
        } else {
            Placement::<E>::memory(&shape, order)
        };
        [shared, own + Outbox::memory(shape.rows.div_ceil(STRIP_ROWS))]
    };
    let layers = layout.game().layers();
    let most = |part: usize| layers.iter().map(|counts| of_layer(counts)[part]).max();
    [most(0).unwrap_or(0), most(1).unwrap_or(0)]
}

/// What all layers of one run are solved with.
struct Run<'a> {
    sets: &'a FoldedSets,
    team: &'a mut dyn Team,
    progress: &'a dyn Progress,
    interval: Duration,
    shard: &'a mut Shard,
}

impl Run<'_> {
    /// Runs `work` on this member's blocks of a layer.
    fn each<E: Entry>(
        &mut self,
        store: &Store<E>,
        work: &(dyn Fn(usize) -> Result<(), SolveError> + Sync),
    ) -> Result<(), SolveError> {
        let progress = self.progress;
        self.team.each(store.blocks(), &|block| {
            progress.check()?;
            work(block)
        })
    }

    /// Whether any member says so.
    fn any(&mut self, says: bool) -> Result<bool, SolveError> {
        Ok(self.team.gather([u64::from(says), 0])?.iter().any(|&[says, _]| says != 0))
    }

    fn last<E: Entry>(&mut self, counts: Counts, store: &Store<E>) -> Result<(), SolveError> {
        let sets = self.sets;
        self.each(store, &|block| {
            store.make(block, |strip, codes| {
                fill_last(sets, counts, strip, codes);
                Ok(())
            })
        })
    }

    fn placement<E: Entry>(
        &mut self,
        counts: Counts,
        children: &Store<E>,
        store: &Store<E>,
    ) -> Result<(), SolveError> {
        let (layer, progress) = (Placement::<E>::new(self.sets, counts), self.progress);
        // The owner of the first block finds it for all.
        let common = if self.team.owns(0) { layer.common(children)?.code().into() } else { 0 };
        let common = self.team.gather([common, 0])?.iter().map(|[code, _]| code).sum::<u64>();
        let common = E::new(common as u16);
        let inbox = self.team.exchange(children.blocks(), store.strips(), &|block, outbox| {
            progress.check()?;
            layer.send(children, block, common, outbox)
        })?;
        if self.any(layer.is_too_deep())? {
            return Err(TooDeep.into());
        }
        self.each(store, &|block| layer.make(store, block, common, &inbox))?;
        progress.advance(Shape::of(self.sets, counts).entries() as u64);
        Ok(())
    }

    /// Solves the movement layer, from the beginning or from a distance.
    fn movement<E: Entry>(
        &mut self,
        counts: Counts,
        store: &Store<E>,
        distance: Option<u16>,
    ) -> Result<(), SolveError> {
        let (layer, progress) =
            (Movement::<E>::new(self.sets, counts, store.in_memory()), self.progress);
        match distance {
            None => self.each(store, &|block| layer.make(store, block))?,
            Some(_) => self.each(store, &|block| store.load(block))?,
        }
        let mut distance = distance.unwrap_or(0);
        let mut pass = Pass::values(distance, true);
        let mut inbox = Inbox::new(store.strips(), 0, None);
        let (mut kept, mut is_ending) = (Instant::now(), false);
        loop {
            let sent = self.team.exchange(store.blocks(), store.strips(), &|block, outbox| {
                progress.check()?;
                layer.pass(store, block, &pass, &inbox, outbox)
            })?;
            if self.any(layer.is_too_deep())? {
                return Err(TooDeep.into());
            }
            let all = self.team.gather([sent.received(), layer.take_decided()])?;
            let [sent_by_all, decided] =
                [0, 1].map(|of| all.iter().map(|all| all[of]).sum::<u64>());
            progress.advance(decided);
            progress.distance(distance);
            if kept.elapsed() >= self.interval && !is_ending {
                self.each(store, &|block| Ok(store.save(block)?))?;
                let layers = 0;
                self.shard.keep(Done { layers, distance: Some(distance) })?;
                kept = Instant::now();
            }
            inbox = sent;
            if sent_by_all > 0 {
                distance = distance.saturating_add(1);
                pass = if is_ending { Pass::ends(false) } else { Pass::values(distance, false) };
            } else if !is_ending && layer.can_end() {
                is_ending = true;
                pass = Pass::ends(true);
            } else {
                return Ok(());
            }
        }
    }
}
