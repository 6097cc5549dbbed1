//! The state of a worker, which is stored in a sealed file.

use crate::build::checkpoint::damage::damaged;
use crate::build::stream::FramesWritten;
use crate::solve::census::Counted;
use crate::solve::checkpoint::Done;
use morpion_lookup::raw::{FullHeader, deserialise, read_preamble};
use morpion_machine::{files, sealed};
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The share of one process in the build of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The table's header.
    #[serde(with = "header_in_its_version")]
    pub table: FullHeader,
    /// The number of the process.
    pub process: u32,
    /// Number of processes.
    pub processes: u32,
}

impl Share {
    /// Reads which share a folder belongs to.
    ///
    /// # Errors
    /// If the folder has no state, or a damaged one.
    pub fn of_folder(folder: &Path) -> io::Result<Share> {
        Ok(State::read(folder, 0)?.share)
    }

    /// Returns the progress of the slowest worker in a folder; `None` if the folder has no state of this share.
    pub(crate) fn done(&self, folder: &Path) -> Option<Done> {
        let state = |worker| State::read(folder, worker).ok().filter(|state| state.share == *self);
        let first = state(0)?;
        let others = (1..first.workers).map(|worker| state(worker).map(|state| state.done));
        others.chain([Some(first.done)]).map(Option::unwrap_or_default).min()
    }
}

/// The layers of a table that are in the partial file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Written {
    /// The counts of the layers, the last layer of the game first.
    pub counted: Vec<Counted>,
    /// The checksums that would complete the table if it ended after these layers.
    pub sums: Vec<u8>,
    /// The frames of a packed table.
    pub frames: FramesWritten,
}

/// The state of one worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    /// The share that the worker solves, together with the other workers of its process.
    pub share: Share,
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
        let (_, header, _) = read_preamble(State::MAGIC, 1, &bytes).map_err(damaged)?;
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

/// Serialises a header inside another file: its version and its bytes, as in a table.
mod header_in_its_version {
    use morpion_lookup::raw::FullHeader;
    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(header: &FullHeader, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = header.to_bytes().map_err(S::Error::custom)?;
        (header.version(), bytes).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FullHeader, D::Error> {
        let (version, bytes) = <(u32, Vec<u8>)>::deserialize(deserializer)?;
        FullHeader::from_bytes(version, &bytes).map_err(D::Error::custom)
    }
}
