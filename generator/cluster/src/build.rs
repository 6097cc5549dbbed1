//! One process of a build on several: connected to the others, it solves its blocks of every layer into a shard.

use crate::connect::{Connected, Handshake, connect};
use crate::error::ClusterError;
use crate::hosts::Hosts;
use crate::member::{Member, Membership};
use crate::plan::RowStorage;
use crate::stream::{Connection, Peers};
use morpion_lookup::Game;
use morpion_lookup::raw::Encoding;
use morpion_machine::progress::Progress;
use morpion_machine::usage::{reset_peak_memory, usage};
use morpion_solver::build::checkpoint::{Checkpoint, Part};
use morpion_solver::build::width::widened;
use morpion_solver::error::SolveError;
use morpion_solver::layout::Layout;
use morpion_solver::sets::FoldedSets;
use morpion_solver::solve::exchange::team::Team;
use morpion_solver::solve::rows::Storage;
use morpion_solver::solve::solve;
use serde::Serialize;
use std::fs::{self, File, TryLockError};
use std::io;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::execute::execute_from;
use xxhash_rust::xxh3::xxh3_64;

/// Options of one process of a cluster.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of this process among the hosts.
    pub process: usize,
    /// Its workers: threads that each own blocks.
    pub workers: usize,
    /// Distances of one byte or two. Widened if any process or distance needs it.
    pub encoding: Encoding,
    /// Limit of memory in bytes; `None` for the available memory of the system. Rows that do not fit are stored in files.
    pub memory: Option<u64>,
    /// Interval at which the movement layer is kept.
    pub checkpoint: Duration,
    /// Time limit for the other processes to connect.
    pub wait: Duration,
    /// True to start anew and discard the files of an interrupted build.
    pub fresh: bool,
}

/// Result and cost of one process. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, Serialize)]
pub struct Sharded {
    /// The game's name.
    pub game: String,
    /// The number of the process.
    pub process: usize,
    /// Their number.
    pub processes: usize,
    /// The shard.
    pub folder: PathBuf,
    /// Entries of all layers, of all processes.
    pub entries: u64,
    /// Bytes sent to the other processes, as they went over the wire.
    pub sent_bytes: u64,
    /// Bytes received from them.
    pub received_bytes: u64,
    /// Wall time.
    pub seconds: f64,
    /// Processor time of all threads.
    pub cpu_seconds: f64,
    /// Largest resident set in bytes.
    pub peak_memory: u64,
}

/// The folder of the shard of one process, in the folder of tables.
pub fn shard_folder(folder: &Path, name: &str, process: usize, processes: usize) -> PathBuf {
    folder.join(format!("{name}.{process}-of-{processes}.shard"))
}

/// Runs one process of the build of `game` by all `hosts`, and resumes an interrupted build.
///
/// After an error, threads that serve connections may still run: the process is expected to end.
///
/// # Errors
/// If the process has no address, its shard is in use or cannot be written, another process does not come, builds
/// something else or is lost, memory does not suffice, or the observer asks for a stop ([`SolveError::Stopped`]).
pub fn build(
    game: &Game,
    folder: &Path,
    hosts: &Hosts,
    options: &Options,
    progress: &Arc<dyn Progress + Send>,
) -> Result<Sharded, ClusterError> {
    let (began, before) = (Instant::now(), usage());
    reset_peak_memory();
    let (process, processes) = (options.process, hosts.0.len());
    if process >= processes {
        return Err(ClusterError::Process { process, processes });
    }
    let name = &game.rules().name;
    let shard = shard_folder(folder, name, process, processes);
    let at = |source| ClusterError::Shard { shard: shard.clone(), source };
    fs::create_dir_all(&shard).map_err(at)?;
    let lock = File::create(shard.join(LOCK)).map_err(at)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(ClusterError::Locked { shard }),
        Err(TryLockError::Error(error)) => return Err(at(error)),
    }
    Checkpoint::remove_temporaries(&shard).map_err(at)?;
    if options.fresh {
        clear(&shard).map_err(at)?;
    }
    let layout = Layout::new(game, Some(options.encoding), progress.as_ref())?;
    let interrupted = Checkpoint::part_of(&shard).ok().map(|part| part.table);
    let solved = widened(&layout, interrupted.as_ref(), |layout, _| {
        Process { folder: &shard, hosts, options, progress }.run(layout)
    });
    let [sent_bytes, received_bytes] = solved.map_err(|error| error.of_shard(shard.clone()))?;
    let after = usage();
    Ok(Sharded {
        game: name.clone(),
        process,
        processes,
        entries: layout.entries(),
        sent_bytes,
        received_bytes,
        seconds: began.elapsed().as_secs_f64(),
        cpu_seconds: after.cpu_seconds - before.cpu_seconds,
        peak_memory: after.peak_memory,
        folder: shard,
    })
}

/// Removes what an interrupted build has left, but not the lock, which this process holds.
fn clear(shard: &Path) -> io::Result<()> {
    for entry in fs::read_dir(shard)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name != LOCK) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// The file of a shard that is locked while a process builds it.
const LOCK: &str = "lock";

/// Hands on the question whether to stop, and drops all progress.
struct StopsOnly<'a>(&'a (dyn Progress + Send));

impl Progress for StopsOnly<'_> {
    fn stop(&self) -> bool {
        self.0.stop()
    }
}

/// One process.
struct Process<'a> {
    folder: &'a Path,
    hosts: &'a Hosts,
    options: &'a Options,
    progress: &'a Arc<dyn Progress + Send>,
}

impl Process<'_> {
    /// Connects to the others and solves with one encoding, this one or a wider one of theirs. Returns how many bytes were sent and
    /// received; `None` if a distance does not fit.
    fn run(&self, layout: &Layout) -> Result<Option<[u64; 2]>, ClusterError> {
        let Options { process, workers, wait, checkpoint, .. } = *self.options;
        let (hosts, progress) = (self.hosts, self.progress);
        let processes = hosts.0.len();
        let storage =
            |layout: &Layout| RowStorage::of(layout, processes, workers, self.options.memory);
        // Before the others have waited for it.
        storage(layout)?;
        let sets = Arc::new(FoldedSets::fold(layout, progress.as_ref())?);
        let numbers = [process as u32, processes as u32];
        let table = xxh3_64(&layout.with_encoding(Encoding::Plies8)?.header().to_bytes()?);
        let bits = layout.header().encoding.bits();
        let own = Handshake::new(table, numbers, workers as u32, bits);
        let Connected { streams, bits: most } = connect(hosts, own, wait, progress.as_ref())?;
        let encoding = if most > bits { Encoding::Plies16 } else { layout.header().encoding };
        let layout = layout.with_encoding(encoding)?;
        let RowStorage { in_memory, waiting } = storage(&layout)?;
        let peers = Arc::new(Peers::default());
        let named = |(number, stream): (usize, Option<TcpStream>)| {
            let name = format!("process {number} at {}", hosts.0[number]);
            stream.map(|stream| Connection::new(stream, name, Arc::clone(&peers)))
        };
        let sockets = streams.into_iter().enumerate().map(named).collect();
        let threads = ProcessBuilder::new_typed_vector(workers, Hooks::default().refill, None);
        let (builders, connections) = initialize_networking_from_sockets(
            threads,
            sockets,
            process,
            workers,
            Hooks::default(),
        )?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        let part =
            Part { table: layout.header().clone(), process: numbers[0], processes: numbers[1] };
        let (sender, receiver) = mpsc::channel();
        let (folder, observer) = (self.folder.to_path_buf(), Arc::clone(progress));
        let those = Arc::clone(&peers);
        let guards = execute_from(builders, Box::new(()), WorkerConfig::default(), move |worker| {
            let number = [worker.index() % workers, workers].map(|number| number as u32);
            let membership = Membership {
                processes,
                workers,
                limit: waiting,
                folder: folder.clone(),
                peers: Arc::clone(&those),
                progress: Arc::clone(&observer),
            };
            let mut member = Member::new(worker, membership);
            let solve = |member: &mut Member| {
                let mut shard = Checkpoint::open(&folder, part.clone(), number, checkpoint)?;
                let storage = match in_memory {
                    true => Storage::Memory(Some(folder.clone())),
                    false => Storage::Files(folder.clone()),
                };
                let stops = StopsOnly(observer.as_ref());
                // All workers go through the same layers; the first one reports progress.
                let progress: &dyn Progress =
                    if number[0] == 0 { observer.as_ref() } else { &stops };
                let encoding = part.table.encoding;
                let solved = solve(&sets, encoding, &storage, member, &mut shard, progress);
                // No worker leaves before all are done: solved, or stopped by a distance that does not fit the entries.
                if matches!(solved, Ok(()) | Err(SolveError::TooDeep(_))) {
                    member.gather([0; 2])?;
                }
                solved
            };
            let solved = solve(&mut member);
            let is_done = matches!(solved, Ok(()) | Err(SolveError::TooDeep(_)));
            if is_done {
                those.end();
            }
            // The receiver is gone if another worker has failed.
            let _ = sender.send(solved);
            // The dataflow of a worker that failed never completes: it ends with the process.
            if !is_done {
                loop {
                    std::thread::park();
                }
            }
        });
        let guards = guards
            .map_err(|fault| ClusterError::Workers(format!("cannot start the workers: {fault}")))?;
        let mut is_solved = true;
        for _ in 0..workers {
            match receiver.recv() {
                Ok(Ok(())) => {}
                Ok(Err(SolveError::TooDeep(_))) => is_solved = false,
                failed => {
                    std::mem::forget((guards, connections));
                    return match failed {
                        Ok(Err(error)) => Err(error.into()),
                        _ => Err(ClusterError::Workers("a worker has ended without a word".into())),
                    };
                }
            }
        }
        drop((guards, connections));
        let bytes = [&peers.sent, &peers.received].map(|bytes| bytes.load(Ordering::Relaxed));
        Ok(is_solved.then_some(bytes))
    }
}
