//! A shard: the rows of all layers that one process solves, as files of a folder, and how far they are.
//!
//! Every worker of the process keeps a sealed file that says how far its own blocks are. A process is as far as the least of its
//! workers, a team as far as the least of its processes: blocks may be ahead of that, never behind.

use crate::solve::Shape;
use crate::solve::blocks::store::Store;
use crate::solve::entry::Entry;
use morpion_lookup::Counts;
use morpion_lookup::raw::Header;
use morpion_machine::{files, sealed};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// How far layers are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// Whole layers, the last of the game first.
    pub layers: u64,
    /// The distance up to which the movement layer is solved, where that is under way.
    pub distance: Option<u16>,
}

/// Which part of which table a shard is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The table's header.
    #[serde(with = "header_in_its_version")]
    pub table: Header,
    /// The number of the process, and how many there are.
    pub process: u32,
    /// How many processes there are.
    pub processes: u32,
}

/// A header inside another file: its version and its bytes, as they stand in a table.
mod header_in_its_version {
    use morpion_lookup::raw::Header;
    use serde::de::Error as _;
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(header: &Header, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = header.to_bytes().map_err(S::Error::custom)?;
        (header.version(), bytes).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Header, D::Error> {
        let (version, bytes) = <(u32, Vec<u8>)>::deserialize(deserializer)?;
        Header::from_bytes(version, &bytes).map_err(D::Error::custom)
    }
}

/// The sealed file of one worker.
#[derive(Debug, Serialize, Deserialize)]
struct State {
    part: Part,
    workers: u32,
    done: Done,
}

/// The first eight bytes of that file.
const MAGIC: [u8; 8] = *b"\x89MORPSHD";

/// The rows of one worker, and how far they are.
#[derive(Debug)]
pub struct Shard {
    folder: PathBuf,
    part: Part,
    /// The number of this worker, and how many the process has.
    worker: [u32; 2],
    done: Done,
    in_memory: bool,
}

impl Shard {
    /// The shard of one of the workers of a process, as far as the process is with this part; from the beginning where
    /// the folder has none, or that of another part.
    ///
    /// # Errors
    /// Where the folder cannot be made.
    pub fn open(folder: &Path, part: Part, worker: [u32; 2], in_memory: bool) -> io::Result<Shard> {
        std::fs::create_dir_all(folder)?;
        let done = Shard::done_of(folder, &part).unwrap_or_default();
        Ok(Shard { folder: folder.into(), part, worker, done, in_memory })
    }

    /// How far the shard in a folder is, if it is of this part.
    pub(crate) fn done_of(folder: &Path, part: &Part) -> Option<Done> {
        let state = |worker| read(folder, worker).ok().filter(|state: &State| state.part == *part);
        let first = state(0)?;
        let workers = (1..first.workers).map(|worker| state(worker).map(|state| state.done));
        workers.chain([Some(first.done)]).map(Option::unwrap_or_default).min_by_key(Done::key)
    }

    /// Which part the shard in a folder is.
    ///
    /// # Errors
    /// Where there is none.
    pub fn part_of(folder: &Path) -> io::Result<Part> {
        Ok(read(folder, 0)?.part)
    }

    /// How far it is.
    pub fn done(&self) -> Done {
        self.done
    }

    /// The rows of a layer.
    pub(crate) fn store<E: Entry>(&self, shape: Shape, counts: Counts) -> Store<E> {
        Store::new(&self.folder, counts, [shape.rows, shape.columns], self.in_memory)
    }

    /// Records how far it is; the rows have to be saved before.
    ///
    /// # Errors
    /// Where the file cannot be replaced.
    pub fn keep(&mut self, done: Done) -> io::Result<()> {
        let [worker, workers] = self.worker;
        let state = State { part: self.part.clone(), workers, done };
        files::replace_name(&path(&self.folder, worker), |out| {
            let mut writer = sealed::Writer::new(out);
            writer.write_header(MAGIC, &state)?;
            writer.finish().map(drop)
        })?;
        self.done = done;
        Ok(())
    }
}

impl Done {
    /// In the order of progress.
    fn key(&self) -> (u64, Option<u16>) {
        (self.layers, self.distance)
    }
}

fn path(folder: &Path, worker: u32) -> PathBuf {
    folder.join(format!("worker-{worker}.state"))
}

fn read(folder: &Path, worker: u32) -> io::Result<State> {
    let header = sealed::read_header(MAGIC, &File::open(path(folder, worker))?);
    let misfit = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    header.map(|(state, _)| state).map_err(misfit)
}
