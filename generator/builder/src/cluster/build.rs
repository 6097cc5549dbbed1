//! Runs one process of a build by several processes. It connects to the other processes, and solves its blocks of every layer into a shard.

use crate::checkpoint::{
    ShardId, WorkerCheckpoint, WorkerId, is_damage, remove_files, remove_temporaries,
};
use crate::cluster::connect::{Handshake, MAGIC, connect};
use crate::cluster::hosts::Hosts;
use crate::cluster::member::{Member, Shared};
use crate::cluster::plan::RowStorage;
use crate::cluster::stream::Peers;
use crate::error::BuildError;
use crate::files;
use crate::store::FileStore;
use crate::usage::{Cost, Meter};
use morpion_core::{Encoding, Game, Header};
use morpion_machine::progress::{Progress, Unobserved};
use morpion_solver::error::SolveError;
use morpion_solver::layout::lay_out;
use morpion_solver::sets::FoldedSets;
use morpion_solver::solve::exchange::Team;
use morpion_solver::solve::solve;
use morpion_solver::table::widened;
use serde::Serialize;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::execute::execute_from;
use timely::worker::Worker;
use xxhash_rust::xxh3::xxh3_64;

/// Options of one process of a cluster.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of this process among the hosts.
    pub process: usize,
    /// Number of workers: threads that each own blocks.
    pub workers: usize,
    /// Time limit for the other processes to connect.
    pub wait: Duration,
    /// Options of any build. By default, entries have one byte, or two bytes if any process or distance needs them.
    pub build: crate::Options,
}

/// Result and cost of one process. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, Serialize)]
pub struct Sharded {
    /// The game's name.
    pub game: String,
    /// The number of the process.
    pub process: usize,
    /// Number of processes.
    pub processes: usize,
    /// Folder of the shard.
    pub folder: PathBuf,
    /// Number of entries of all layers and processes.
    pub entries: u64,
    /// Number of bytes sent to the other processes over the network.
    pub sent_bytes: u64,
    /// Number of bytes received from the other processes.
    pub received_bytes: u64,
    /// Times and memory.
    #[serde(flatten)]
    pub cost: Cost,
}

/// The folder for the shard of one process, inside the folder of tables.
pub fn shard_folder(folder: &Path, name: &str, process: usize, processes: usize) -> PathBuf {
    folder.join(format!("{name}.{process}-of-{processes}.shard"))
}

/// Runs one process of the build of `game` on all `hosts`. Resumes an interrupted build.
///
/// After an error, threads that serve connections may still be running, so the caller should end the process.
///
/// # Errors
/// If the process has no address, its shard is in use or cannot be written, another process does not connect, builds
/// another table or is lost, memory does not suffice, or the observer requests a stop ([`SolveError::Stopped`]).
pub fn build(
    game: &Game,
    folder: &Path,
    hosts: &Hosts,
    options: &Options,
    progress: &Arc<dyn Progress + Send>,
) -> Result<Sharded, BuildError> {
    let meter = Meter::start();
    let (process, processes) = (options.process, hosts.0.len());
    if process >= processes {
        let last = processes - 1;
        let what = format_args!("there is no process {process}: choose 0 to {last}, one per host");
        return Err(BuildError::refused(what));
    }
    let name = game.name();
    let shard = shard_folder(folder, name, process, processes);
    let at = BuildError::at(&shard, "cannot be written");
    fs::create_dir_all(&shard).map_err(at)?;
    let lock = File::create(shard.join(LOCK)).map_err(at)?;
    if !files::lock(&lock).map_err(at)? {
        let shard = shard.display();
        return Err(BuildError::refused(format_args!(
            "{shard}: another process writes this shard"
        )));
    }
    remove_temporaries(&shard).map_err(at)?;
    if options.build.fresh {
        // This process holds the lock.
        remove_files(&shard, |name| name != LOCK).map_err(at)?;
    }
    let encoding = options.build.encoding.unwrap_or(Encoding::Plies8);
    let layout = lay_out(game, Some(encoding), progress.as_ref())?;
    let interrupted = ShardId::of_folder(&shard).ok().map(|share| share.table);
    let solved = widened(&layout, interrupted.as_ref(), |layout, _| {
        run(layout, &shard, hosts, options, progress)
    });
    let peers = solved.map_err(|source| not_built(shard.clone(), source))?;
    Ok(Sharded {
        game: name.to_owned(),
        process,
        processes,
        entries: layout.entries(),
        sent_bytes: peers.sent.load(Ordering::Relaxed),
        received_bytes: peers.received.load(Ordering::Relaxed),
        cost: meter.cost(),
        folder: shard,
    })
}

/// The error of a shard that was not built.
fn not_built(file: PathBuf, source: BuildError) -> BuildError {
    let rest = match &source {
        BuildError::Solve(SolveError::Io(error)) if is_damage(error) => {
            "a file of it is damaged or missing: start again with --fresh on all hosts"
        }
        _ if ShardId::of_folder(&file).is_ok() => {
            "the checkpoint is kept, and the same command on all hosts resumes"
        }
        _ => "nothing is kept",
    };
    BuildError::NotBuilt { file, rest, source: Box::new(source) }
}

/// The lock file of a shard, which is locked while a process builds the shard.
const LOCK: &str = "lock";

/// Connects to the other processes, and solves with the encoding of `layout`, or with the wider encoding of another process. Returns the
/// other processes, with the numbers of bytes sent and received; `None` if a distance does not fit.
fn run(
    layout: &Header,
    folder: &Path,
    hosts: &Hosts,
    options: &Options,
    progress: &Arc<dyn Progress + Send>,
) -> Result<Option<Arc<Peers>>, BuildError> {
    let Options { process, workers, wait, build: crate::Options { checkpoint, memory, .. } } =
        *options;
    let processes = hosts.0.len();
    // Fails early, before the other processes have waited for this process.
    RowStorage::of(layout, processes, workers, memory)?;
    let sets = FoldedSets::fold(layout, progress.as_ref())?;
    let own = handshake(layout, options, processes)?;
    let peers = Arc::new(Peers::default());
    let (sockets, bits) = connect(hosts, own, wait, &peers, progress.as_ref())?;
    let encoding = if bits > own.bits { Encoding::Plies16 } else { layout.encoding };
    let layout = layout.with_encoding(encoding)?;
    let RowStorage { in_memory, waiting } = RowStorage::of(&layout, processes, workers, memory)?;
    let threads = ProcessBuilder::new_typed_vector(workers, Hooks::default().refill, None);
    let (builders, connections) =
        initialize_networking_from_sockets(threads, sockets, process, workers, Hooks::default())?;
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
    let (sender, receiver) = mpsc::channel();
    let folder = folder.to_path_buf();
    let shared = Arc::new(Shared {
        storage: FileStore { folder: folder.clone() }.storage((!in_memory).then(Vec::new)),
        folder,
        sets,
        shard: ShardId { table: layout, process: own.process, processes: own.processes },
        checkpoint,
        workers,
        limit: waiting,
        peers: Arc::clone(&peers),
        progress: Arc::clone(progress),
    });
    let work = move |worker: &mut Worker| run_worker(&shared, worker, &sender);
    let guards = execute_from(builders, Box::new(()), WorkerConfig::default(), work);
    let refused = |fault| BuildError::refused(format_args!("cannot start the workers: {fault}"));
    let guards = guards.map_err(refused)?;
    match wait_for_all(workers, &receiver) {
        Ok(is_solved) => {
            drop((guards, connections));
            Ok(is_solved.then_some(peers))
        }
        Err(error) => {
            // Dropping these values would wait for the other workers, which never return.
            std::mem::forget((guards, connections));
            Err(error)
        }
    }
}

/// The handshake that this process sends.
fn handshake(
    layout: &Header,
    options: &Options,
    processes: usize,
) -> Result<Handshake, BuildError> {
    Ok(Handshake {
        magic: MAGIC,
        table: xxh3_64(&layout.with_encoding(Encoding::Plies8)?.to_bytes()?),
        process: options.process as u32,
        processes: processes as u32,
        workers: options.workers as u32,
        bits: layout.encoding.bits(),
    })
}

/// Solves the blocks of one worker and sends the result. After an error it does not return, because the dataflow of a failed worker
/// never completes. Its thread ends with the process.
fn run_worker(shared: &Arc<Shared>, worker: &mut Worker, sender: &Sender<Result<(), SolveError>>) {
    let workers = shared.workers;
    let number = WorkerId { worker: (worker.index() % workers) as u32, workers: workers as u32 };
    let mut member = Member::new(worker, Arc::clone(shared));
    let solved = solve_blocks(shared, number, &mut member);
    let is_done = matches!(solved, Ok(()) | Err(SolveError::TooDeep));
    if is_done {
        shared.peers.end();
    }
    // The receiver is gone if another worker has failed.
    let _ = sender.send(solved);
    if !is_done {
        loop {
            std::thread::park();
        }
    }
}

/// Solves the blocks of one worker, from its checkpoint on.
fn solve_blocks(shared: &Shared, number: WorkerId, member: &mut Member) -> Result<(), SolveError> {
    let Shared { folder, sets, shard, checkpoint, storage, progress: observer, .. } = shared;
    let mut keeper = WorkerCheckpoint::open(folder, shard.clone(), number, *checkpoint)?;
    // All workers solve the same layers, so only the first one reports progress. A member checks for a stop by itself.
    let progress: &dyn Progress = if number.worker == 0 { observer.as_ref() } else { &Unobserved };
    let encoding = shard.table.encoding;
    let solved = solve(sets, encoding, storage, member, &mut keeper, progress);
    // A worker leaves only when all workers are done: solved, or stopped by a distance that does not fit the entries.
    if matches!(solved, Ok(()) | Err(SolveError::TooDeep)) {
        member.gather(0)?;
    }
    solved
}

/// Waits for the results of this number of workers. Returns false if a distance does not fit the entries.
///
/// # Errors
/// The first error of a worker.
fn wait_for_all(
    workers: usize,
    receiver: &Receiver<Result<(), SolveError>>,
) -> Result<bool, BuildError> {
    let mut is_solved = true;
    for _ in 0..workers {
        match receiver.recv() {
            Ok(Ok(())) => {}
            Ok(Err(SolveError::TooDeep)) => is_solved = false,
            Ok(Err(error)) => return Err(error.into()),
            Err(_) => return Err(BuildError::refused("a worker has ended without a word")),
        }
    }
    Ok(is_solved)
}
