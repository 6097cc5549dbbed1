//! Checkpoints: the files from which a build resumes after a kill, a full disk or Ctrl-C.
//!
//! A build by one process has an unfinished table, `.NAME.partial`, which holds the lock, and a folder `.NAME.rows`. A
//! process of a cluster has a *shard*, which is a folder `NAME.I-of-N.shard`, but no partial file. The rows of all its
//! layers stay in the shard, and `morpion join` makes the table from them.
//!
//! | moment | in the folder | in the partial file | resumes |
//! |---|---|---|---|
//! | before the first checkpoint | files that belong to no checkpoint | part of a table | at the beginning |
//! | inside the movement layer | state: 0 layers, distance *d*; its blocks, solved to *d* or beyond | nothing of use | after distance *d*; entries beyond *d* are reset |
//! | after a layer, one process | state: *k* layers, with their counts, checksums and frames | *k* layers, then bytes written after the checkpoint | after layer *k*, which is read back from the partial file |
//! | after a layer, cluster | state of each worker: *k* layers; the blocks of these layers | (none) | after the last layer that all workers of all processes have saved |
//! | at the end, one process | (removed) | (renamed to the table) | |
//!
//! The folder contains a sealed file `worker-I.state` for each worker (a build by one process has only worker 0). If
//! rows are stored in files, it also contains `M-W-B.rows` for block *B* of each layer (*M*, *W*) in progress. Pending
//! entries are in an unnamed file. Files are replaced as a whole. A kill leaves at most a temporary file per thread, which the
//! next build removes before it checks the disk.
//!
//! A state is written after the rows or the table bytes that it refers to are synced. Blocks may be ahead of the state,
//! but never behind. Damaged files and files of other rules are not resumed: one process starts again, and a cluster
//! asks for `--fresh`.

use crate::build::stream::{self, FramesWritten, TableWriter};
use crate::build::table::TableSink;
use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::census::Counted;
use crate::solve::checkpoint::{Checkpoint, Done, ReadOn};
use crate::solve::sink::{Layer, Sink};
use morpion_lookup::raw::{Header, deserialise, read_preamble};
use morpion_machine::packer::Packing;
use morpion_machine::{files, sealed};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The part of a table to which a folder belongs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The table's header.
    #[serde(with = "header_in_its_version")]
    pub table: Header,
    /// The number of the process.
    pub process: u32,
    /// Number of processes.
    pub processes: u32,
}

/// Serialises a header inside another file: its version and its bytes, as in a table.
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
    /// The table and the part that the worker solves.
    pub part: Part,
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

    fn read(folder: &Path, worker: u32) -> io::Result<State> {
        let path = State::path(folder, worker);
        let (mut bytes, file) =
            (Vec::new(), files::open_name(&path, OpenOptions::new().read(true))?);
        file.take(1 << 28).read_to_end(&mut bytes)?;
        let (_, header, _) = read_preamble(State::MAGIC, 1, &bytes).map_err(damaged)?;
        deserialise(&header).map_err(damaged)
    }
}

/// The folder of one worker, with the progress of the rows saved in it.
#[derive(Debug)]
pub struct WorkerCheckpoint {
    folder: PathBuf,
    state: State,
    worker: u32,
    interval: Duration,
    last: Instant,
}

impl WorkerCheckpoint {
    /// Opens the folder of one of the `workers` of a process, resuming if it belongs to the same part. States are
    /// written every `interval`.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn open(
        folder: &Path,
        part: Part,
        [worker, workers]: [u32; 2],
        interval: Duration,
    ) -> io::Result<WorkerCheckpoint> {
        fs::create_dir_all(folder)?;
        let done = WorkerCheckpoint::done_of(folder, &part).unwrap_or_default();
        let written = State::read(folder, worker).ok().and_then(|state| state.written);
        let state = State { part, workers, done, written };
        Ok(WorkerCheckpoint {
            folder: folder.into(),
            state,
            worker,
            interval,
            last: Instant::now(),
        })
    }

    /// Returns the progress of the slowest worker in a folder of this part.
    pub(crate) fn done_of(folder: &Path, part: &Part) -> Option<Done> {
        let state = |worker| State::read(folder, worker).ok().filter(|state| state.part == *part);
        let first = state(0)?;
        let others = (1..first.workers).map(|worker| state(worker).map(|state| state.done));
        others.chain([Some(first.done)]).map(Option::unwrap_or_default).min()
    }

    /// Reads which part of a table a folder belongs to.
    ///
    /// # Errors
    /// If the folder has no state, or a damaged one.
    pub fn part_of(folder: &Path) -> io::Result<Part> {
        Ok(State::read(folder, 0)?.part)
    }

    /// Removes the temporary files that a kill left in a folder. The caller must hold its lock.
    ///
    /// # Errors
    /// If the folder cannot be read, or a file cannot be removed.
    pub fn remove_temporaries(folder: &Path) -> io::Result<()> {
        WorkerCheckpoint::remove_files(folder, |name| {
            name.contains(".rows.") || name.contains(".state.")
        })
    }

    /// Removes the files of a folder whose names are `chosen`. A missing folder is not an error.
    ///
    /// # Errors
    /// If the folder cannot be read, or a file cannot be removed.
    pub fn remove_files(folder: &Path, chosen: impl Fn(&str) -> bool) -> io::Result<()> {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            if entry.file_name().to_str().is_some_and(&chosen) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    fn keep(&mut self, done: Done, written: Option<Written>) -> io::Result<()> {
        (self.state.done, self.state.written) = (done, written);
        files::replace_name(&State::path(&self.folder, self.worker), |out| {
            let mut writer = sealed::Writer::new(out);
            writer.write_header(State::MAGIC, &self.state)?;
            writer.finish().map(drop)
        })?;
        self.last = Instant::now();
        Ok(())
    }
}

/// Writes nothing, because the rows of all layers stay in the shard.
impl Sink for WorkerCheckpoint {
    fn write(&mut self, _: &Layer) -> Result<(), SolveError> {
        Ok(())
    }
}

/// Keeps the rows of the own blocks of every layer, for a process of a cluster.
impl Checkpoint for WorkerCheckpoint {
    fn done(&self) -> Done {
        self.state.done
    }

    fn saves_rows(&self) -> bool {
        true
    }

    fn layer(&mut self, solved: u64) -> Result<(), SolveError> {
        Ok(self.keep(Done { layers: solved, distance: None }, None)?)
    }

    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.interval
    }

    fn distance(&mut self, distance: u16) -> Result<(), SolveError> {
        Ok(self.keep(Done { layers: 0, distance: Some(distance) }, None)?)
    }
}

/// The files of a build by one process, held by a lock.
#[derive(Debug)]
pub(crate) struct BuildFiles {
    /// The unfinished table, locked until this is dropped.
    pub partial: File,
    /// Path of the unfinished table.
    pub partial_path: PathBuf,
    /// Path of the folder of rows and states.
    pub rows: PathBuf,
}

impl Drop for BuildFiles {
    fn drop(&mut self) {
        // Closing the file is not enough, since a process that was just forked may still have a copy of its descriptor.
        let _ = self.partial.unlock();
    }
}

impl BuildFiles {
    /// Locks the build of `name` in `folder`, and removes temporary files; `None` if another build holds the lock.
    pub fn lock(folder: &Path, name: &str) -> io::Result<Option<BuildFiles>> {
        let partial_path = folder.join(format!(".{name}.partial"));
        let rows = folder.join(format!(".{name}.rows"));
        loop {
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true).create(true);
            let partial = files::open_name(&partial_path, options)?;
            match partial.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // If another build finished meanwhile, it has renamed this file to the table, which must not be changed.
            if is_same_file(&partial, &partial_path) {
                // A link with that name is not followed.
                if fs::symlink_metadata(&rows).is_ok_and(|found| !found.is_dir()) {
                    fs::remove_file(&rows)?;
                }
                WorkerCheckpoint::remove_temporaries(&rows)?;
                return Ok(Some(BuildFiles { partial, partial_path, rows }));
            }
        }
    }

    /// Size of the files on disk in bytes.
    pub fn length(&self) -> io::Result<u64> {
        let rows = fs::read_dir(&self.rows).into_iter().flatten().flatten();
        let rows = rows.filter_map(|entry| entry.metadata().ok()).map(|file| file.len());
        Ok(self.partial.metadata()?.len() + rows.sum::<u64>())
    }

    /// Removes the rows and the states, and empties the partial file.
    pub fn clear(&self) -> io::Result<()> {
        self.remove_rows()?;
        self.partial.set_len(0)?;
        (&self.partial).rewind()
    }

    /// Removes the rows and the states.
    pub fn remove_rows(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.rows) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(io::Error::new(error.kind(), format!("{}: {error}", self.rows.display())))
            }
            _ => Ok(()),
        }
    }

    /// Returns the part of an interrupted build; `None` if there is nothing to resume.
    pub fn interrupted(&self) -> Option<Part> {
        WorkerCheckpoint::part_of(&self.rows).ok()
    }

    /// Ends a failed build, and removes its files if there is nothing to resume. Returns true if there is.
    pub fn abandon(self) -> bool {
        let is_kept = self.interrupted().is_some();
        if !is_kept {
            // The build has already failed, and files that remain are harmless.
            let _ = self.clear();
            let _ = fs::remove_file(&self.partial_path);
        }
        is_kept
    }
}

/// Returns true if `path` still leads to the open file.
fn is_same_file(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let open = file.metadata().map(identity).ok();
        open.is_some() && fs::symlink_metadata(path).map(identity).ok() == open
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Writes a table to its partial file, with regular checkpoints.
pub(crate) struct FileKeeper<'f> {
    files: &'f BuildFiles,
    checkpoint: WorkerCheckpoint,
    sink: TableSink<TableWriter<'f>>,
}

impl<'f> FileKeeper<'f> {
    /// Resumes an interrupted build of the table of `layout`. Starts from the beginning if there is none, or if its
    /// files contradict the checkpoint. Takes reading the written part of the table.
    pub fn open(
        files: &'f BuildFiles,
        layout: &Layout,
        sets: &FoldedSets,
        packing: Option<Packing>,
        interval: Duration,
    ) -> io::Result<FileKeeper<'f>> {
        let part = Part { table: layout.header().clone(), process: 0, processes: 1 };
        let mut checkpoint = WorkerCheckpoint::open(&files.rows, part, [0, 1], interval)?;
        let State { done, written, .. } = &mut checkpoint.state;
        let summed = match sum_written(files, layout.header(), *done, written, packing) {
            Ok(summed) if *done != Done::default() => summed,
            Err(error) if !is_damage(&error) => return Err(error),
            _ => {
                files.clear()?;
                fs::create_dir_all(&files.rows)?;
                (*done, *written) = (Done::default(), None);
                None
            }
        };
        // Bytes after the checkpoint are overwritten.
        let resume = |written: u64, frames: FramesWritten| {
            TableWriter::resume(&files.partial, layout.header(), packing, written, frames)
        };
        let sink = match summed.zip(written.clone()) {
            Some((writer, Written { counted, frames, .. })) => {
                // Layers in the partial file do not need their rows any more.
                WorkerCheckpoint::remove_files(&files.rows, |name| name.ends_with(".rows"))?;
                let out = resume(writer.written(), frames)?;
                TableSink { writer: writer.continue_to(out), counted }
            }
            None => TableSink::begin(resume(0, None)?, layout, sets)?,
        };
        Ok(FileKeeper { files, checkpoint, sink })
    }

    /// Completes the table.
    pub fn finish(self) -> Result<(), SolveError> {
        Ok(self.sink.finish()?.finish()?)
    }
}

/// Computes the checksums of the written part of a table; `None` if nothing is written.
fn sum_written(
    files: &BuildFiles,
    header: &Header,
    done: Done,
    written: &Option<Written>,
    packing: Option<Packing>,
) -> io::Result<Option<sealed::Writer<io::Sink>>> {
    let layers = done.layers as usize;
    if layers == 0 {
        return Ok(None);
    }
    let written = written.as_ref().ok_or_else(|| damaged("nothing is written"))?;
    // The last layers of the game are written first.
    let end = match header.layers.len().checked_sub(layers) {
        None => return Err(damaged("more layers than the table has")),
        Some(0) => header.census,
        Some(next) => header.layers[next - 1].offset,
    };
    if written.counted.len() != layers || written.frames.is_some() != packing.is_some() {
        return Err(damaged("another number of layers, or packed otherwise"));
    }
    let source = stream::read_back(File::open(&files.partial_path)?, written.frames.as_deref())?;
    let (mut bytes, mut writer) = (Vec::new(), sealed::Writer::new(io::sink()));
    while writer.written() < end {
        bytes.resize((end - writer.written()).min(1 << 20) as usize, 0);
        source.read_at(writer.written(), &mut bytes).map_err(damaged)?;
        writer.write(&bytes)?;
    }
    if writer.sums() != written.sums {
        return Err(damaged("other bytes than were written"));
    }
    Ok(Some(writer))
}

impl Sink for FileKeeper<'_> {
    fn write(&mut self, layer: &Layer) -> Result<(), SolveError> {
        self.sink.write(layer)
    }
}

impl Checkpoint for FileKeeper<'_> {
    fn done(&self) -> Done {
        self.checkpoint.state.done
    }

    fn last_layer(&mut self) -> io::Result<Option<Box<ReadOn<'_>>>> {
        let State { part, done, written, .. } = &self.checkpoint.state;
        let last = part.table.layers.iter().nth_back((done.layers as usize).wrapping_sub(1));
        let mut at = last.ok_or_else(|| damaged("more layers than the table has"))?.offset;
        let frames = written.as_ref().and_then(|written| written.frames.as_deref());
        let source = stream::read_back(File::open(&self.files.partial_path)?, frames)?;
        Ok(Some(Box::new(move |into| {
            source.read_at(at, into).map_err(damaged)?;
            at += into.len() as u64;
            Ok(())
        })))
    }

    fn layer(&mut self, solved: u64) -> Result<(), SolveError> {
        let FileKeeper { files, checkpoint, sink } = self;
        // If the last checkpoint is inside the movement layer, it needs rows that are removed next. So a new one is
        // written.
        let needs_rows = checkpoint.state.done.distance.is_some();
        let interval = checkpoint.interval.min(Duration::from_secs(1));
        if !needs_rows && checkpoint.last.elapsed() < interval {
            return Ok(());
        }
        sink.writer.out().flush()?;
        files.partial.sync_data()?;
        let (sums, frames) = (sink.writer.sums(), sink.writer.out().frames());
        let written = Written { counted: sink.counted.clone(), sums, frames };
        Ok(checkpoint.keep(Done { layers: solved, distance: None }, Some(written))?)
    }

    fn is_due(&self) -> bool {
        self.checkpoint.is_due()
    }

    fn distance(&mut self, distance: u16) -> Result<(), SolveError> {
        self.checkpoint.distance(distance)
    }
}

/// The error for damage in an interrupted build's files.
fn damaged(fault: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault)
}

/// Returns true if a file is damaged or missing.
pub fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, NotFound, UnexpectedEof};
    [InvalidData, UnexpectedEof, NotFound].contains(&error.kind())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::keeper::Keeper;
    use crate::solve::sink::Pieces;
    use morpion_games::catalogue::standard_game;
    use morpion_lookup::raw::{Deepest, Encoding, LayerCensus, Position};
    use morpion_lookup::{Bytes, Source};
    use morpion_machine::progress::Unobserved;

    fn lock(folder: &tempfile::TempDir) -> Option<BuildFiles> {
        BuildFiles::lock(folder.path(), "game").unwrap()
    }

    /// Keeps layers, starting with layer number `first` of the game.
    fn keep(keeper: &mut impl Keeper, first: u64, layers: &[Finished]) {
        for (solved, (bytes, counted)) in (first..).zip(layers) {
            let pieces = |visit: &mut Pieces| {
                bytes.chunks(1000).try_for_each(visit)?;
                Ok(counted.clone())
            };
            keeper.write(&pieces).unwrap();
            keeper.layer(solved).unwrap();
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The bytes of a layer with its counts. Builds store both as they are.
    type Finished = (Vec<u8>, Counted);

    /// A game with its table and layers, the last layer of the game first.
    struct Solved {
        layout: Layout,
        sets: FoldedSets,
        layers: Vec<Finished>,
        bytes: Vec<u8>,
    }

    impl Solved {
        fn new(name: &str, encoding: Encoding) -> Solved {
            let game = standard_game(name).unwrap();
            let layout = Layout::new(&game, Some(encoding), &Unobserved).unwrap();
            let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
            let layers: Vec<Finished> = (0..)
                .zip(layout.header().layers.iter().rev())
                .map(|(number, layer)| {
                    let bytes = (0..layer.bytes).map(|at| (at * at / 7 + number) as u8).collect();
                    let census = LayerCensus { wins: vec![number; 3], ..Default::default() };
                    let position = Position { mover: number, waiter: 0 };
                    let deepest = Deepest { plies: number as u16, position };
                    (bytes, (census, [None, Some(deepest)]))
                })
                .collect();
            let mut sink = TableSink::begin(Vec::new(), &layout, &sets).unwrap();
            keep(&mut sink, 1, &layers);
            let bytes = sink.finish().unwrap();
            Solved { layout, sets, layers, bytes }
        }

        fn open<'f>(&self, files: &'f BuildFiles, packing: Option<Packing>) -> FileKeeper<'f> {
            FileKeeper::open(files, &self.layout, &self.sets, packing, Duration::ZERO).unwrap()
        }
    }

    const PACKED: Option<Packing> = Some(Packing { level: Some(3), frame: Some(100) });

    #[test]
    fn a_second_build_does_not_get_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let first = lock(&folder).unwrap();
        assert!(lock(&folder).is_none());
        drop(first);
        assert!(lock(&folder).is_some());
    }

    #[test]
    fn a_lock_on_a_file_that_has_become_the_table_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let files = lock(&folder).unwrap();
        assert!(is_same_file(&files.partial, &files.partial_path));
        fs::rename(&files.partial_path, folder.path().join("game.morpion")).unwrap();
        assert!(!is_same_file(&files.partial, &files.partial_path));
        assert!(lock(&folder).is_some(), "the next build has a file of its own");
    }

    #[test]
    fn temporary_files_are_removed_before_the_disk_is_checked() {
        let folder = tempfile::tempdir().unwrap();
        let rows = folder.path().join(".game.rows");
        fs::create_dir(&rows).unwrap();
        for name in ["3-3-0.rows.k2Js9a", "worker-0.state.k2Js9a", "3-3-0.rows", "worker-0.state"] {
            fs::write(rows.join(name), [0; 1000]).unwrap();
        }
        let files = lock(&folder).unwrap();
        assert_eq!(names(&rows), ["3-3-0.rows", "worker-0.state"]);
        assert_eq!(files.length().unwrap(), 2000);
        assert!(!files.abandon(), "that is not a state");
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_build_resumed_after_any_layer_ends_with_the_same_bytes() {
        for (name, encoding, packing) in [
            ("classic", Encoding::Plies8, None),
            ("misere", Encoding::Wdl, PACKED),
            ("tapatan", Encoding::Plies16, None),
            ("tapatan", Encoding::Plies8, PACKED),
        ] {
            let solved = Solved::new(name, encoding);
            let layers = &solved.layers;
            for written in 1..=layers.len() {
                let folder = tempfile::tempdir().unwrap();
                let files = BuildFiles::lock(folder.path(), name).unwrap().unwrap();
                let mut keeper = solved.open(&files, packing);
                assert_eq!(keeper.done(), Done::default());
                keep(&mut keeper, 1, &layers[..written]);
                drop(keeper);
                // A kill can leave more bytes than the checkpoint counts.
                (&files.partial).seek(io::SeekFrom::End(0)).unwrap();
                (&files.partial).write_all(&[0x55; 1000]).unwrap();
                let mut keeper = solved.open(&files, packing);
                assert_eq!(keeper.done().layers, written as u64);
                let mut last = vec![0; layers[written - 1].0.len()];
                keeper.last_layer().unwrap().unwrap()(&mut last).unwrap();
                assert!(last == layers[written - 1].0);
                keep(&mut keeper, written as u64 + 1, &layers[written..]);
                keeper.finish().unwrap();
                let file = Bytes::open(&files.partial_path).unwrap().loaded().unwrap();
                assert!(file.in_memory().unwrap() == solved.bytes, "{name} {written}");
            }
        }
    }

    #[test]
    fn changed_bytes_are_not_resumed() {
        let solved = Solved::new("classic", Encoding::Plies8);
        for packing in [None, PACKED] {
            let folder = tempfile::tempdir().unwrap();
            let files = BuildFiles::lock(folder.path(), "classic").unwrap().unwrap();
            let mut keeper = solved.open(&files, packing);
            keep(&mut keeper, 1, &solved.layers[..4]);
            drop(keeper);
            let paths = [files.partial_path.clone(), State::path(&files.rows, 0)];
            let kept = paths.each_ref().map(|path| fs::read(path).unwrap());
            let restore = || {
                fs::create_dir_all(&files.rows).unwrap();
                paths.iter().zip(&kept).for_each(|(path, kept)| fs::write(path, kept).unwrap());
            };
            // A state consists of its header only.
            let (_, _, state) = read_preamble(State::MAGIC, 1, &kept[1]).unwrap();
            for ((path, good), end) in paths.iter().zip(&kept).zip([u64::MAX, state]) {
                let end = good.len().min(end as usize);
                for at in (0..end).step_by(1 + end / 200) {
                    restore();
                    let mut wrong = good.clone();
                    wrong[at] ^= 0x10;
                    fs::write(path, wrong).unwrap();
                    let done = solved.open(&files, packing).done();
                    assert_eq!(done, Done::default(), "byte {at} of {}", path.display());
                }
            }
            restore();
            assert_eq!(solved.open(&files, packing).done().layers, 4);
        }
    }

    #[test]
    fn a_table_of_other_rules_or_entries_is_not_resumed() {
        let solved = Solved::new("classic", Encoding::Plies8);
        let other = Solved::new("misere", Encoding::Plies8);
        let wide = Solved::new("classic", Encoding::Plies16);
        for (open, packing) in [(&wide, None), (&solved, PACKED), (&other, None)] {
            let folder = tempfile::tempdir().unwrap();
            let files = BuildFiles::lock(folder.path(), "classic").unwrap().unwrap();
            let mut keeper = solved.open(&files, None);
            keep(&mut keeper, 1, &solved.layers[..2]);
            drop(keeper);
            assert_eq!(open.open(&files, packing).done(), Done::default());
        }
    }
}
