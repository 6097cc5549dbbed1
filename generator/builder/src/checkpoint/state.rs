//! The state of a worker, which is stored in a sealed file. If the file is damaged, the build starts again.

use crate::files;
use crate::stream::FramesSum;
use morpion_core::{
    Header, coded, deserialise, fields,
    fields::{Decode, DecodeError, Encode},
    read_preamble,
};
use morpion_machine::sealed;
use morpion_solver::solve::census::Counted;
use morpion_solver::solve::keeper::Done;
use std::error::Error;
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The table and the process to which a shard belongs. A build by one process is process 0 of 1.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardId {
    /// The table's header.
    pub table: Header,
    /// The number of the process.
    pub process: u32,
    /// Number of processes.
    pub processes: u32,
}

coded!(
    ShardId,
    |shard, encoder| {
        let table = shard.table.to_bytes().unwrap_or_default();
        Encode::encode(&(table, shard.process, shard.processes), encoder)
    },
    |decoder| {
        let (table, process, processes): (Vec<u8>, u32, u32) = Decode::decode(decoder)?;
        let fault = |_| DecodeError::Other("not the header of a table");
        Ok(ShardId { table: Header::from_bytes(&table).map_err(fault)?, process, processes })
    }
);

fields!(Written { counted, sums, packed });
fields!(State { shard, workers, done, written });

impl ShardId {
    /// Reads the identity of the shard in a folder.
    ///
    /// # Errors
    /// If the folder has no state, or its state is damaged.
    pub fn of_folder(folder: &Path) -> io::Result<ShardId> {
        Ok(State::read(folder, 0)?.shard)
    }

    /// Returns the progress of the slowest worker in a folder; `None` if the folder has no state of this shard.
    pub(crate) fn done(&self, folder: &Path) -> Option<Done> {
        let state = |worker| State::read(folder, worker).ok().filter(|state| state.shard == *self);
        let first = state(0)?;
        let others = (1..first.workers).map(|worker| state(worker).map(|state| state.done));
        others.chain([Some(first.done)]).map(Option::unwrap_or_default).min()
    }
}

/// The layers of a table that are in the partial file.
#[derive(Clone, Debug)]
pub struct Written {
    /// The counts of the layers, the last layer of the game first.
    pub counted: Vec<Counted>,
    /// The checksums that would complete the table if it ended after these layers.
    pub sums: Vec<u8>,
    /// Length and checksum of the frames of a packed table.
    pub packed: Option<FramesSum>,
}

/// The state of one worker.
#[derive(Clone, Debug)]
pub struct State {
    /// The shard that the worker solves, together with the other workers of its process.
    pub shard: ShardId,
    /// Number of workers of the process.
    pub workers: u32,
    /// Progress of the worker's rows.
    pub done: Done,
    /// The layers in the partial file; `None` in a cluster.
    pub written: Option<Written>,
}

impl State {
    /// The first eight bytes of a state file.
    pub const MAGIC: [u8; 8] = *b"\x89MORPSTA";

    /// Path of a worker's state file.
    pub fn path(folder: &Path, worker: u32) -> PathBuf {
        folder.join(format!("worker-{worker}.state"))
    }

    /// Reads the state file of a worker.
    pub(super) fn read(folder: &Path, worker: u32) -> io::Result<State> {
        let path = State::path(folder, worker);
        let (mut bytes, file) =
            (Vec::new(), files::open_name(&path, OpenOptions::new().read(true))?);
        file.take(1 << 28).read_to_end(&mut bytes)?;
        let header = read_preamble(State::MAGIC, 1, &bytes).map_err(damaged)?;
        deserialise(&header).map_err(damaged)
    }

    /// Replaces the state file of a worker.
    pub(super) fn write(&self, folder: &Path, worker: u32) -> io::Result<()> {
        files::replace_name(&State::path(folder, worker), |out| {
            let mut writer = sealed::Writer::new(out);
            writer.write_header(State::MAGIC, self)?;
            writer.finish().map(drop)
        })
    }
}

/// The error for damage in an interrupted build's files.
pub(super) fn damaged(fault: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault)
}

/// Returns true if a file is damaged or missing.
pub fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, NotFound, UnexpectedEof};
    [InvalidData, UnexpectedEof, NotFound].contains(&error.kind())
}
