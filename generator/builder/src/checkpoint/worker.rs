//! The checkpoint of one worker: its state, and the rows that are saved in the same folder.

use crate::checkpoint::state::{ShardId, State, Written};
use morpion_solver::error::SolveError;
use morpion_solver::solve::keeper::{Done, Keeper, VisitLayer};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// One of the workers of a process.
#[derive(Clone, Copy, Debug)]
pub struct WorkerId {
    /// The number of the worker.
    pub worker: u32,
    /// Number of workers of the process.
    pub workers: u32,
}

impl WorkerId {
    /// The only worker of a process.
    pub const ONLY: WorkerId = WorkerId { worker: 0, workers: 1 };
}

/// The folder of one worker, with the progress of the rows saved in it.
#[derive(Debug)]
pub struct WorkerCheckpoint {
    folder: PathBuf,
    pub(super) state: State,
    worker: u32,
    /// Interval between states.
    pub(super) interval: Duration,
    /// Time of the last state.
    pub(super) last: Instant,
}

impl WorkerCheckpoint {
    /// Opens the folder of a worker, and resumes if the files in it belong to the same shard. States are written every `interval`.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn open(
        folder: &Path,
        shard: ShardId,
        WorkerId { worker, workers }: WorkerId,
        interval: Duration,
    ) -> io::Result<WorkerCheckpoint> {
        fs::create_dir_all(folder)?;
        let done = shard.done(folder).unwrap_or_default();
        let written = State::read(folder, worker).ok().and_then(|state| state.written);
        let state = State { shard, workers, done, written };
        Ok(WorkerCheckpoint {
            folder: folder.into(),
            state,
            worker,
            interval,
            last: Instant::now(),
        })
    }

    /// Stores this progress.
    pub(super) fn keep(&mut self, done: Done, written: Option<Written>) -> io::Result<()> {
        (self.state.done, self.state.written) = (done, written);
        self.state.write(&self.folder, self.worker)?;
        self.last = Instant::now();
        Ok(())
    }
}

/// Keeps the rows of the worker's blocks of every layer, for a process of a cluster. Writes no table, because the rows stay in the shard.
impl Keeper for WorkerCheckpoint {
    fn write(&mut self, _: &VisitLayer) -> Result<(), SolveError> {
        Ok(())
    }

    fn done(&self) -> Done {
        self.state.done
    }

    fn saves_rows(&self) -> bool {
        true
    }

    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.interval
    }

    fn record(&mut self, done: Done) -> Result<(), SolveError> {
        Ok(self.keep(done, None)?)
    }
}
