//! Building a table as a file: solved, written beside its place with checkpoints, synced, and renamed.

mod blocks;
pub mod checkpoint;
pub mod join;
pub mod plan;
mod resume;
mod stream;
pub mod table;

use crate::build::checkpoint::{BuildFiles, FileSink};
use crate::build::plan::{BuildMode, Memory, Plan};
use crate::build::resume::Resumed;
use crate::build::stream::TableWriter;
use crate::build::table::{begin, finish as close};
use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::layers::{ResumePoint, layers};
use crate::solve::operator::Operator;
use anyhow::{Context, Result, anyhow, ensure};
use morpion_games::catalogue::{EXTENSION, PACKED, Table};
use morpion_games::progress::{Progress, Stopped};
use morpion_lookup::raw::Encoding;
use morpion_lookup::{Bytes, Game, ProbeError, Source};
use morpion_machine::files;
use morpion_machine::packer::Packing;
use morpion_machine::usage::{free_disk, reset_peak_memory, usage};
use morpion_verify::{Extent, Unfinished, verify};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What a build made and what it cost. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, Serialize)]
pub struct Built {
    /// The game's name.
    pub game: String,
    /// The table.
    pub file: PathBuf,
    /// Entries of all layers.
    pub entries: u64,
    /// Length of the file.
    pub bytes: u64,
    /// Value and distance of the start.
    pub start: Start,
    /// Wall time.
    pub seconds: f64,
    /// Processor time of all threads.
    pub cpu_seconds: f64,
    /// Largest resident set in bytes.
    pub peak_memory: u64,
}

/// What the start of a game is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Start {
    /// `win`, `draw` or `loss` for the side that begins.
    pub value: &'static str,
    /// Half-moves to the end; `None` for a draw and from a table without distances.
    pub plies: Option<u16>,
}

impl Start {
    /// Reads it from the table.
    ///
    /// # Errors
    /// Where the table is damaged.
    pub fn of(table: &Table) -> Result<Start, ProbeError> {
        let score = table.probe(table.game().start().0)?;
        Ok(Start { value: score.value().name(), plies: score.plies() })
    }
}

/// How a build is to be done.
#[derive(Clone, Debug)]
pub struct Options {
    /// Two bits an entry or distances; `None`: what [`Layout::new`] chooses.
    pub encoding: Option<Encoding>,
    /// Bytes of memory it may take; `None`: what the system has available. What larger layers need is in files.
    pub memory: Option<u64>,
    /// How often a long layer is kept.
    pub checkpoint: Duration,
    /// Whether to forget what an interrupted build has left.
    pub fresh: bool,
    /// How the table is packed, which makes it `NAME.morpion.zst`; `None`: not at all.
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

/// Builds `folder/NAME.morpion`, going on from where an interrupted build stopped. The table is there whole or not at
/// all; through a link it is made or replaced where that leads.
///
/// # Errors
/// Where the folder cannot be written, another build holds the lock, memory or disk do not suffice, the game is too
/// large, or the observer asks for a stop ([`SolveError::Stopped`]).
pub fn build(
    game: &Game,
    folder: &Path,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Built> {
    let (began, before) = (Instant::now(), usage());
    reset_peak_memory();
    let name = &game.rules().name;
    let named = match options.packing {
        None => folder.join(format!("{name}.{EXTENSION}")),
        Some(_) => folder.join(format!("{name}.{PACKED}")),
    };
    let layout = Layout::new(game, options.encoding, progress).with_context(|| {
        format!("{}: not built; nothing is kept of this attempt", named.display())
    })?;
    let memory = Memory::given(options.memory);
    let mode = build_mode(&layout, memory)?;
    fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
    let path = files::resolve(&named).with_context(|| named.display().to_string())?;
    let folder = path.parent().unwrap_or(folder);
    let files = BuildFiles::lock(folder, name)
        .with_context(|| format!("{}: cannot write there: .{name}.partial", folder.display()))?
        .with_context(|| format!("{}: another build of it holds the lock", named.display()))?;
    if options.fresh {
        files.clear()?;
    }
    let work = Work { files: &files, options, memory, folder, progress };
    work.ensure_disk(&layout, mode)?;
    let solved = match mode {
        BuildMode::Whole => work.solve(&layout),
        BuildMode::Blocks { .. } => FoldedSets::fold(&layout, progress)
            .map_err(Into::into)
            .and_then(|sets| work.solve_in_blocks(&layout, &sets)),
    };
    let built = solved.and_then(|()| finish(&files, &path));
    let Finished { entries, bytes, start } = match built {
        Ok(built) => built,
        Err(error) => {
            let kept = if files.abandon() {
                "what is done is kept, the same command goes on from there"
            } else {
                "nothing is kept"
            };
            return Err(error.context(format!("{}: not built; {kept}", named.display())));
        }
    };
    let after = usage();
    Ok(Built {
        game: name.clone(),
        entries,
        bytes,
        start,
        file: named,
        seconds: began.elapsed().as_secs_f64(),
        cpu_seconds: after.cpu_seconds - before.cpu_seconds,
        peak_memory: after.peak_memory,
    })
}

fn build_mode(layout: &Layout, memory: Memory) -> Result<BuildMode> {
    BuildMode::of(layout, memory).map_err(|[needed, most]| {
        let game = &layout.game().rules().name;
        let (needed, most) = (bytes(needed), bytes(most));
        anyhow!("{game}: needs {needed} of memory, expected at most {most}")
    })
}

/// The build of one table: all it needs but the layout, which changes with the width of the entries.
struct Work<'a> {
    files: &'a BuildFiles,
    options: &'a Options,
    memory: Memory,
    /// Where the files are.
    folder: &'a Path,
    progress: &'a dyn Progress,
}

impl Work<'_> {
    /// Solves into the partial file, from a checkpoint or from the beginning, with wider entries where distances need them.
    fn solve(&self, layout: &Layout) -> Result<()> {
        let first = layout.header().encoding;
        let wide = (first == Encoding::Plies8).then_some(Encoding::Plies16);
        let sets = FoldedSets::fold(layout, self.progress)?;
        // A table whose distances turned out to need wider entries is resumed with those.
        let kept = self.files.checkpoint().map(|checkpoint| checkpoint.encoding);
        if let Some(encoding) = kept.filter(|&kept| kept == first || Some(kept) == wide) {
            let (layout, _) = self.replan(layout, encoding)?;
            if let Some(resumed) = self.files.resume(&layout, &sets, self.options.packing)? {
                match self.write(&layout, &sets, resumed) {
                    Ok(()) if is_right(&self.files.partial, self.progress)? => return Ok(()),
                    // What was read back is not what the rules make of it: once more, from the beginning.
                    Ok(()) | Err(SolveError::TooDeep(_)) => {}
                    Err(fault) => return Err(fault.into()),
                }
            }
        }
        match (self.afresh(layout, &sets), wide) {
            (Err(SolveError::TooDeep(_)), Some(wide)) => match self.replan(layout, wide)? {
                (layout, BuildMode::Whole) => Ok(self.afresh(&layout, &sets)?),
                (layout, BuildMode::Blocks { .. }) => {
                    self.files.clear()?;
                    self.solve_in_blocks(&layout, &sets)
                }
            },
            (written, _) => Ok(written?),
        }
    }

    /// The layout with another encoding, and how it is built, if memory and disk suffice for it too.
    fn replan(&self, layout: &Layout, encoding: Encoding) -> Result<(Layout, BuildMode)> {
        let layout = layout.with_encoding(encoding)?;
        let mode = build_mode(&layout, self.memory)?;
        self.ensure_disk(&layout, mode)?;
        Ok((layout, mode))
    }

    fn ensure_disk(&self, layout: &Layout, mode: BuildMode) -> Result<()> {
        let Plan { game, disk, .. } = Plan::of(layout);
        let is_packed = self.options.packing.is_some();
        // No game's table has packed to as much as a third, and large ones far further, so that there is room for their rows and
        // the batches that wait; a disk that fills up all the same is an error that loses nothing.
        let disk = match mode {
            BuildMode::Whole if !is_packed => disk,
            BuildMode::Whole => disk / 3,
            BuildMode::Blocks { .. } => layout.header().census / if is_packed { 3 } else { 1 },
        };
        let (there, free) = (self.files.length()?, free_disk(self.folder));
        ensure!(
            free.is_none_or(|free| disk <= free.saturating_add(there)),
            "{game}: needs {} on disk in {}, expected at most {}",
            bytes(disk),
            self.folder.display(),
            bytes(free.unwrap_or_default())
        );
        Ok(())
    }

    fn afresh(&self, layout: &Layout, sets: &FoldedSets) -> Result<(), SolveError> {
        self.files.clear()?;
        let (header, packing) = (layout.header(), self.options.packing);
        let out = TableWriter::resume(&self.files.partial, header, packing, 0, None)?;
        let writer = begin(out, layout, sets)?;
        self.write(layout, sets, Resumed { from: ResumePoint::default(), writer })
    }

    fn write(
        &self,
        layout: &Layout,
        sets: &FoldedSets,
        resumed: Resumed,
    ) -> Result<(), SolveError> {
        let Resumed { from, writer } = resumed;
        let (encoding, written) = (layout.header().encoding, from.counted.len());
        let interval = self.options.checkpoint;
        let mut sink = FileSink::new(self.files, writer, encoding, written, interval);
        let census = layers(sets, encoding, Operator::default(), from, self.progress, &mut sink)?;
        Ok(close(sink.into_writer(), &census)?.finish()?)
    }
}

/// Entries up to which a table that was not written in one go is proved whole, and how many of a larger one are checked:
/// each takes a fraction of a second.
const PROVED: u64 = 1 << 20;
const SAMPLE: u64 = 100_000;

/// Whether a finished table is right, of which a part was read back from an interrupted build. The bytes of that part were
/// those that the checkpoint names, and their codes ones that the rules allow, but only a proof tells that they are right.
fn is_right(file: &fs::File, progress: &dyn Progress) -> Result<bool, SolveError> {
    // SAFETY: the file is locked, and only this process writes it.
    let bytes = unsafe { Bytes::map_file(file)? };
    let Ok(bytes) = Bytes::detect(bytes) else { return Ok(false) };
    let packed = bytes.packed().is_some();
    let Ok(table) = Table::from_source(bytes) else { return Ok(false) };
    let entries = table.raw().header().entries();
    let extent = match entries {
        0..=PROVED => Extent::Whole,
        // Checking an entry of a packed table unpacks a frame.
        _ if packed => Extent::Sample { entries: SAMPLE / 100, seed: 0 },
        _ => Extent::Sample { entries: SAMPLE, seed: 0 },
    };
    match verify(&table, extent, progress) {
        Ok(report) => Ok(report.is_right()),
        Err(Unfinished::Stopped) => Err(Stopped.into()),
        Err(Unfinished::Read(_)) => Ok(false),
        Err(error) => Err(std::io::Error::other(error).into()),
    }
}

/// What a finished table says of itself.
struct Finished {
    entries: u64,
    bytes: u64,
    start: Start,
}

/// Puts the finished file in its place, if it opens as a table; else clears it, so that no build resumes it.
fn finish(files: &BuildFiles, path: &Path) -> Result<Finished> {
    let finished = match open(&files.partial) {
        Ok(finished) => finished,
        Err(error) => {
            files.clear()?;
            return Err(error.context("what was written is no table"));
        }
    };
    let partial = files.partial_path();
    files::put(&files.partial, path, || fs::rename(&partial, path))
        .with_context(|| format!("{}: cannot be put in its place", path.display()))?;
    // The table is there; a checkpoint without a partial file is only in the way, and the next build removes it.
    let _ = files.remove_checkpoints();
    Ok(finished)
}

/// Opens the finished file: header, census and the start's score. The sums need not be checked, which were made of the very
/// bytes that were written.
fn open(file: &fs::File) -> Result<Finished> {
    // SAFETY: the file is locked, and only this process writes it.
    let bytes = unsafe { Bytes::map_file(file)? };
    let length = bytes.size();
    let table = Table::from_source(Bytes::detect(bytes)?)?;
    table.raw().census()?;
    Ok(Finished {
        entries: table.raw().header().entries(),
        bytes: length,
        start: Start::of(&table)?,
    })
}

/// A number of bytes for people.
fn bytes(count: u64) -> String {
    indicatif::BinaryBytes(count).to_string()
}
