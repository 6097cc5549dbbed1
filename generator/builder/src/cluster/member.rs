//! A worker as a member of the team. Batches and numbers are messages of a dataflow, sent to the worker that needs
//! them.
//!
//! Every call of the team has its own timestamp. A worker sends its messages with that timestamp, and continues when timely knows that all
//! messages with that timestamp have arrived.

use crate::checkpoint::ShardId;
use crate::cluster::stream::Peers;
use morpion_machine::progress::Progress;
use morpion_solver::error::SolveError;
use morpion_solver::sets::FoldedSets;
use morpion_solver::solve::STRIPS;
use morpion_solver::solve::exchange::{Batch, Deliver, Inbox, Outbox, Team, Work};
use morpion_solver::solve::store::Storage;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

/// A message to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Message {
    to: u64,
    body: Body,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Body {
    Batch(Batch),
    Number(u64),
}

/// The data that all workers of a process share.
pub(crate) struct Shared {
    /// Folder of the states and rows of this process.
    pub(crate) folder: PathBuf,
    /// The folded sets, the same in all processes.
    pub(crate) sets: FoldedSets,
    /// The shard that this process solves.
    pub(crate) shard: ShardId,
    /// Interval between checkpoints.
    pub(crate) checkpoint: Duration,
    /// Number of workers of each process.
    pub(crate) workers: usize,
    /// Storage of the rows. Its store has the pending batches beyond the limit, too.
    pub(crate) storage: Storage,
    /// Maximum size in bytes of pending batches in the memory of a worker.
    pub(crate) limit: usize,
    /// The other processes.
    pub(crate) peers: Arc<Peers>,
    /// Observer that may request a stop.
    pub(crate) progress: Arc<dyn Progress + Send>,
}

impl Shared {
    /// Fails if the observer requests a stop or a process is lost. A stop comes first, since the rows are saved only then.
    fn check(&self) -> Result<(), SolveError> {
        self.progress.check()?;
        Ok(self.peers.check()?)
    }

    /// The worker that owns a block. The owning process does not depend on the number of workers.
    fn owner(&self, block: usize) -> usize {
        let (processes, workers) = (self.shard.processes as usize, self.workers);
        block % processes * workers + block / processes % workers
    }
}

/// One worker of the team.
pub(crate) struct Member<'w> {
    worker: &'w mut Worker,
    shared: Arc<Shared>,
    input: InputHandle<u64, CapacityContainerBuilder<Vec<Message>>>,
    probe: ProbeHandle<u64>,
    arrived: Rc<RefCell<Arrived>>,
}

/// Messages that have arrived at this worker, by timestamp, because another worker may be one timestamp ahead.
#[derive(Default)]
struct Arrived {
    inboxes: BTreeMap<u64, Inbox>,
    numbers: BTreeMap<u64, Vec<u64>>,
    failed: Option<io::Error>,
}

impl Arrived {
    /// The inbox of a timestamp, with room for `strips` strips. When the first batch arrives, a worker may not know the
    /// number of strips yet.
    fn inbox(&mut self, time: u64, strips: usize, shared: &Shared) -> &mut Inbox {
        let new = || Inbox::new(strips, shared.limit, shared.storage.store.clone());
        let inbox = self.inboxes.entry(time).or_insert_with(new);
        inbox.grow(strips);
        inbox
    }
}

/// Number of bytes of batches to other workers after which these batches are sent.
const FLUSH_BYTES: usize = 1 << 20;

/// Interval at which a waiting worker checks for a lost process or a request for a stop.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

impl<'w> Member<'w> {
    /// Joins the team, as every worker must.
    pub(crate) fn new(worker: &'w mut Worker, shared: Arc<Shared>) -> Member<'w> {
        let arrived = Rc::new(RefCell::new(Arrived::default()));
        let (mut input, probe) = (InputHandle::new(), ProbeHandle::new());
        let (taker, limits) = (Rc::clone(&arrived), Arc::clone(&shared));
        worker.dataflow::<u64, _, _>(|scope| {
            let messages = scope.input_from(&mut input);
            messages
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                    Exchange::new(|message: &Message| message.to),
                    "rows",
                    move |_, _| {
                        move |input, _| {
                            input.for_each_stamp(|capability, messages| {
                                let Some(&time) = capability.least() else { return };
                                let mut arrived = taker.borrow_mut();
                                for message in messages.flat_map(|messages| messages.drain(..)) {
                                    match message.body {
                                        Body::Number(number) => {
                                            arrived.numbers.entry(time).or_default().push(number);
                                        }
                                        Body::Batch(batch) => {
                                            let strips = batch.strip as usize + 1;
                                            let inbox = arrived.inbox(time, strips, &limits);
                                            if let Err(error) = inbox.put(&batch) {
                                                arrived.failed.get_or_insert(error);
                                            }
                                        }
                                    }
                                }
                            });
                        }
                    },
                )
                .probe_with(&probe);
        });
        Member { worker, shared, input, probe, arrived }
    }

    /// Closes the current timestamp. Waits until all other workers have closed it, and all messages with this timestamp have arrived.
    fn advance(&mut self) -> Result<(), SolveError> {
        let next = *self.input.time() + 1;
        self.input.advance_to(next);
        while self.probe.less_than(&next) {
            self.worker.step_or_park(Some(CHECK_INTERVAL));
            self.shared.check()?;
        }
        match self.arrived.borrow_mut().failed.take() {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }
}

impl Team for Member<'_> {
    fn owns(&self, block: usize) -> bool {
        self.shared.owner(block) == self.worker.index()
    }

    fn exchange(
        &mut self,
        blocks: usize,
        strips: usize,
        work: &Work,
        deliver: &Deliver,
    ) -> Result<Inbox, SolveError> {
        let (time, own) = (*self.input.time(), self.worker.index());
        let mut held = 0;
        let Member { worker, input, arrived, shared, .. } = self;
        let mut send = |batch: &mut Batch| {
            let to = shared.owner(batch.strip as usize / STRIPS);
            if to == own {
                if deliver(batch)? {
                    return Ok(());
                }
                return Ok(arrived.borrow_mut().inbox(time, strips, shared).put(batch)?);
            }
            let batch = batch.take();
            held += batch.memory();
            input.send(Message { to: to as u64, body: Body::Batch(batch) });
            if held > FLUSH_BYTES {
                held = 0;
                input.flush();
                worker.step();
                shared.check()?;
            }
            Ok(())
        };
        let mut outbox = Outbox::new(strips, &mut send);
        for block in (0..blocks).filter(|&block| shared.owner(block) == own) {
            shared.check()?;
            work(block, &mut outbox)?;
            outbox.check()?;
        }
        outbox.finish()?;
        self.advance()?;
        let mut arrived = self.arrived.borrow_mut();
        arrived.inbox(time, strips, &self.shared);
        Ok(arrived.inboxes.remove(&time).unwrap_or_default())
    }

    fn gather(&mut self, number: u64) -> Result<Vec<u64>, SolveError> {
        let time = *self.input.time();
        for to in 0..self.worker.peers() as u64 {
            self.input.send(Message { to, body: Body::Number(number) });
        }
        self.advance()?;
        Ok(self.arrived.borrow_mut().numbers.remove(&time).unwrap_or_default())
    }
}
