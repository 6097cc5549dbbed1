//! Builds a table as a file. The file is written next to its final place with checkpoints, synced, and renamed.

use crate::checkpoint::{BuildFiles, FileKeeper, is_damage};
use crate::error::BuildError;
use crate::files;
use crate::packer::Packing;
use crate::plan::{Bounds, BuildMode, Memory, Plan, packed};
use crate::store::FileStore;
use crate::usage::{Cost, Meter, free_disk, return_freed_memory};
use morpion_core::{Encoding, Game, Header, ProbeError};
use morpion_games::catalogue::{EXTENSION, PACKED, Table};
use morpion_lookup::Bytes;
use morpion_machine::progress::{Progress, Stopped};
use morpion_machine::threads;
use morpion_solver::error::SolveError;
use morpion_solver::layout::lay_out;
use morpion_solver::sets::FoldedSets;
use morpion_solver::solve::exchange::Threads;
use morpion_solver::solve::keeper::{Done, Keeper};
use morpion_solver::solve::solve;
use morpion_solver::table::widened;
use morpion_verify::{Hex, Key, Unfinished, verify, verify_sample};
use serde::Serialize;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Result and cost of a build. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, Serialize)]
pub struct Built {
    /// The game's name.
    pub game: String,
    /// Path of the table.
    pub file: PathBuf,
    /// Entries of all layers.
    pub entries: u64,
    /// Length of the file.
    pub bytes: u64,
    /// Value and distance of the start position.
    pub start: Start,
    /// Times and memory.
    #[serde(flatten)]
    pub cost: Cost,
}

/// Value of the start position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Start {
    /// `win`, `draw` or `loss` for the side that begins.
    pub value: &'static str,
    /// Half-moves to the end; `None` for a draw or if the table has no distances.
    pub plies: Option<u16>,
}

impl Start {
    /// Reads the value from the table.
    ///
    /// # Errors
    /// If the table is damaged.
    pub fn of(table: &Table) -> Result<Start, ProbeError> {
        let score = table.probe(table.game().start().raw)?;
        Ok(Start { value: score.value().name(), plies: score.plies() })
    }
}

/// Options of a build.
#[derive(Clone, Debug)]
pub struct Options {
    /// Two bits per entry, or distances; `None` for the default of [`lay_out`].
    pub encoding: Option<Encoding>,
    /// Limit of memory in bytes; `None` for the available memory of the system. Layers that do not fit are spilled to disk.
    pub memory: Option<u64>,
    /// Interval between checkpoints within a layer.
    pub checkpoint: Duration,
    /// True to discard the files of an interrupted build.
    pub fresh: bool,
    /// Parameters of packing, for a table `NAME.morpion.zst`; `None` for an unpacked table.
    pub packing: Option<Packing>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            encoding: None,
            memory: None,
            checkpoint: Duration::from_secs(60),
            fresh: false,
            packing: None,
        }
    }
}

/// Builds `folder/NAME.morpion`, or resumes an interrupted build. The table appears only when it is complete. If its
/// name is a link, the target is created or replaced.
///
/// # Errors
/// If the folder cannot be written, another build holds the lock, memory or disk do not suffice, the game is too large,
/// or the observer requests a stop ([`BuildError::is_stop`]).
pub fn build(
    game: &Game,
    folder: &Path,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Built, BuildError> {
    let meter = Meter::start();
    let name = game.name();
    let ending = options.packing.map_or(EXTENSION, |_| PACKED);
    let named = folder.join(format!("{name}.{ending}"));
    let not_built = |is_kept: bool| {
        let rest = match is_kept {
            true => "the checkpoint is kept, and the same command resumes",
            false => "nothing is kept",
        };
        let file = named.clone();
        move |error: BuildError| BuildError::NotBuilt { file, rest, source: Box::new(error) }
    };
    let layout = lay_out(game, options.encoding, progress)
        .map_err(|error| not_built(false)(error.into()))?;
    expect_no_distances(&named, layout.encoding)?;
    let memory = Memory::given(options.memory);
    BuildMode::of(&layout, memory)?;
    fs::create_dir_all(folder).map_err(BuildError::at(folder, "cannot create the folder"))?;
    let path = files::resolve(&named).map_err(BuildError::at(&named, "cannot be written"))?;
    let folder = path.parent().unwrap_or(folder);
    let files = BuildFiles::lock(folder, name)
        .map_err(BuildError::at(folder, &format!("cannot write there: .{name}.partial")))?
        .ok_or_else(|| {
            let file = named.display();
            BuildError::refused(format_args!("{file}: another build of this table is running"))
        })?;
    if options.fresh {
        files.clear()?;
    }
    let work = Work { files: &files, options, memory, folder, progress };
    if let Err(error) = work.mode(&layout) {
        files.abandon();
        return Err(error);
    }
    let built = work.solve(&layout).and_then(|()| finish(&files, &path));
    let (bytes, start) = built.map_err(|error| not_built(files.abandon())(error))?;
    Ok(Built {
        game: name.to_owned(),
        entries: layout.entries(),
        bytes,
        start,
        file: named,
        cost: meter.cost(),
    })
}

/// Checks that a table of this encoding does not replace distances by values alone. A file that is not a table may be replaced.
///
/// # Errors
/// If the file is a table with distances, and the encoding has no distances.
pub fn expect_no_distances(file: &Path, encoding: Encoding) -> Result<(), BuildError> {
    if encoding.has_distances() {
        return Ok(());
    }
    // SAFETY: programs replace tables by renaming a new file over them, and never change them in place.
    let bytes = unsafe { Bytes::map(file) };
    match bytes.and_then(Table::from_source) {
        Ok(table) if table.raw().header().encoding.has_distances() => {
            Err(BuildError::Distances(file.into()))
        }
        _ => Ok(()),
    }
}

/// The build of one table, without its layout, which changes with the width of the entries.
struct Work<'a> {
    files: &'a BuildFiles,
    options: &'a Options,
    memory: Memory,
    /// Folder of the files.
    folder: &'a Path,
    progress: &'a dyn Progress,
}

impl Work<'_> {
    /// Solves into the partial file, from a checkpoint or from the beginning.
    fn solve(&self, layout: &Header) -> Result<(), BuildError> {
        let sets = FoldedSets::fold(layout, self.progress)?;
        let interrupted = self.files.interrupted().map(|shard| shard.table);
        widened(layout, interrupted.as_ref(), |layout, must_resume| {
            let (mode, encoding) = (self.mode(layout)?, layout.encoding);
            return_freed_memory();
            loop {
                let Options { packing, checkpoint, .. } = *self.options;
                let mut keeper = FileKeeper::open(self.files, layout, &sets, packing, checkpoint)?;
                let is_resumed = keeper.done() != Done::default();
                if must_resume && !is_resumed {
                    return Ok(None);
                }
                let (threads, budgets) = match &mode {
                    BuildMode::Memory => (threads::count(), None),
                    BuildMode::Files { threads, budgets, .. } => (*threads, Some(budgets.clone())),
                };
                let storage = FileStore { folder: self.files.rows.clone() }.storage(budgets);
                let mut team = Threads::new(threads, &storage);
                let solved =
                    solve(&sets, encoding, &storage, &mut team, &mut keeper, self.progress);
                match solved.and_then(|()| keeper.finish()) {
                    Ok(()) if !is_resumed || is_right(&self.files.partial, self.progress)? => {
                        return Ok(Some(()));
                    }
                    Err(SolveError::TooDeep) if !is_resumed => return Ok(None),
                    // The resumed part is damaged, or contradicts the rules. Start again from the beginning.
                    Ok(()) | Err(SolveError::TooDeep) => {}
                    Err(SolveError::Io(error)) if is_resumed && is_damage(&error) => {}
                    Err(error) => return Err(error.into()),
                }
                self.files.clear()?;
                if must_resume {
                    return Ok(None);
                }
            }
        })
    }

    /// Chooses the mode that fits the memory, and checks that the disk suffices.
    fn mode(&self, layout: &Header) -> Result<BuildMode, BuildError> {
        let mode = BuildMode::of(layout, self.memory)?;
        let Plan { game, bounds: Bounds { disk, block_disk, .. }, .. } = Plan::of(layout);
        let table = layout.census;
        let all = if mode == BuildMode::Memory { disk } else { block_disk };
        // If the disk fills up anyway, the build stops with an error and loses nothing.
        let needed = match self.options.packing {
            None => all,
            Some(_) => all - table + packed(layout, table),
        };
        // The files of an interrupted build are replaced.
        let (there, free) = (self.files.length()?, free_disk(self.folder));
        match free {
            Some(free) if needed > free.saturating_add(there) => {
                Err(BuildError::Disk { game, folder: self.folder.into(), needed, free })
            }
            _ => Ok(mode),
        }
    }
}

/// Resumed tables up to this number of entries are proved completely. Of larger tables, [`SAMPLE`] entries are checked. Both checks take a
/// fraction of a second.
const PROVED: u64 = 1 << 20;
const SAMPLE: u64 = 100_000;

/// Returns true if a finished table of a resumed build is correct. The resumed bytes agree with the checkpoint, and their codes are allowed
/// by the rules. But only a proof shows that the codes are correct.
fn is_right(file: &fs::File, progress: &dyn Progress) -> Result<bool, SolveError> {
    let Ok(table) = open(file) else { return Ok(false) };
    let packed = table.source().packed().is_some();
    let entries = table.raw().header().entries();
    let report = match entries {
        0..=PROVED => verify(&table, fresh_key()?, progress),
        // Checking an entry of a packed table decompresses a frame.
        _ if packed => verify_sample(&table, SAMPLE / 100, 0, progress),
        _ => verify_sample(&table, SAMPLE, 0, progress),
    };
    match report {
        Ok(report) => Ok(report.is_right()),
        Err(Unfinished::Stopped) => Err(Stopped.into()),
        Err(Unfinished::Read(_)) => Ok(false),
        Err(error) => Err(std::io::Error::other(error).into()),
    }
}

/// Draws the key of a proof from the operating system.
///
/// # Errors
/// If the system has no source of randomness.
pub fn fresh_key() -> io::Result<Key> {
    let mut random = [0; 32];
    getrandom::fill(&mut random)?;
    Ok(Hex(random))
}

/// Renames the finished file to `path` if it opens as a table, and returns its length and start value. Otherwise empties the file, so that
/// no build resumes from it.
fn finish(files: &BuildFiles, path: &Path) -> Result<(u64, Start), BuildError> {
    let read = |table: Table| {
        table.raw().census()?;
        Ok((files.partial.metadata()?.len(), Start::of(&table)?))
    };
    let finished = match open(&files.partial).and_then(read) {
        Ok(finished) => finished,
        Err(error) => {
            files.clear()?;
            return Err(BuildError::NotATable(error));
        }
    };
    files::put(&files.partial, path, || fs::rename(&files.partial_path, path))
        .map_err(BuildError::at(path, "cannot be put in its place"))?;
    // The table is complete. Rows without a partial file are useless, and the next build removes them.
    let _ = files.remove_rows();
    Ok(finished)
}

/// Opens the finished file. Its checksums are not checked, since they were computed from the bytes as they were written.
fn open(file: &fs::File) -> Result<Table, Box<dyn Error + Send + Sync>> {
    // SAFETY: the file is locked, and only this process writes it.
    let bytes = unsafe { Bytes::map_file(file)? };
    Ok(Table::from_source(Bytes::detect(bytes)?)?)
}
