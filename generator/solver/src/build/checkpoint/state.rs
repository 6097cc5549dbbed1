//! The state of a worker, which is stored in a sealed file, and damage of it, after which the build starts again.

use crate::build::stream::FramesWritten;
use crate::solve::census::Counted;
use crate::solve::keeper::Done;
use morpion_core::fields::{Decode, DecodeError, Encode};
use morpion_core::{coded, deserialise, fields, read_preamble, serialise};
use morpion_lookup::raw::FullHeader;
use morpion_machine::packer::PackedFrame;
use morpion_machine::{files, sealed};
use std::error::Error;
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The table and the process to which a shard belongs. A build by one process is process 0 of 1.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardId {
    /// The table's header.
    pub table: FullHeader,
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
        Ok(ShardId { table: FullHeader::from_bytes(&table).map_err(fault)?, process, processes })
    }
);

// The frames are in the body of the file, because a header has at most 4 MiB.
coded!(
    Written,
    |written, encoder| {
        Encode::encode(&(&written.counted, &written.sums, written.frames.is_some()), encoder)
    },
    |decoder| {
        let (counted, sums, is_packed): (_, _, bool) = Decode::decode(decoder)?;
        Ok(Written { counted, sums, frames: is_packed.then(Vec::new) })
    }
);
fields!(State { shard, workers, done, written });

impl ShardId {
    /// Reads the identity of the shard in a folder.
    ///
    /// # Errors
    /// If the folder has no state, or a damaged one.
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
    /// The frames of a packed table.
    pub frames: FramesWritten,
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
        let (header, body) = read_preamble(State::MAGIC, 1, &bytes).map_err(damaged)?;
        let mut state: State = deserialise(&header).map_err(damaged)?;
        if let Some(frames) = state.written.as_mut().and_then(|written| written.frames.as_mut()) {
            *frames = read_frames(&bytes[body as usize..])?;
        }
        Ok(state)
    }

    /// Replaces the state file of a worker.
    pub(super) fn write(&self, folder: &Path, worker: u32) -> io::Result<()> {
        files::replace_name(&State::path(folder, worker), |out| {
            let mut writer = sealed::Writer::new(out);
            writer.write_header(State::MAGIC, self)?;
            if let Some(frames) = self.written.as_ref().and_then(|written| written.frames.as_ref())
            {
                for frame in frames.iter().chain([&END]) {
                    writer.write(&serialise(frame).map_err(io::Error::other)?)?;
                }
            }
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

/// The end of the frames in a state file.
const END: PackedFrame = PackedFrame { packed: 0, unpacked: 0, sum: 0 };

/// Reads the frames from the body of a state file.
fn read_frames(body: &[u8]) -> io::Result<Vec<PackedFrame>> {
    let mut frames = Vec::new();
    for bytes in body.chunks(PACKED_FRAME) {
        match deserialise(bytes).map_err(damaged)? {
            END => return Ok(frames),
            frame => frames.push(frame),
        }
    }
    Err(damaged("frames are missing"))
}

/// Bytes of a serialised frame.
const PACKED_FRAME: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use morpion_games::catalogue::standard_game;
    use morpion_machine::progress::Unobserved;

    #[test]
    fn a_state_of_any_number_of_frames_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let game = standard_game("classic").unwrap();
        let layout = Layout::new(&game, None, &Unobserved).unwrap();
        let shard = ShardId { table: layout.full_header().clone(), process: 0, processes: 1 };
        for count in [0, 1, 2, 300_007] {
            let frame = |number| PackedFrame { packed: number, unpacked: 2, sum: u64::MAX };
            let frames: Vec<PackedFrame> = (0..count as u32).map(frame).collect();
            let written = Written { counted: Vec::new(), sums: vec![1, 2], frames: Some(frames) };
            let (workers, done) = (1, Done::default());
            let state = State { shard: shard.clone(), workers, done, written: Some(written) };
            state.write(folder.path(), 0).unwrap();
            let read = State::read(folder.path(), 0).unwrap();
            assert_eq!(format!("{read:?}"), format!("{state:?}"), "{count}");
        }
    }
}
