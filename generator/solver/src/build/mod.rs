//! Building a table as a file: solved, written beside its place with checkpoints, synced, and renamed.

pub mod checkpoint;
pub mod image;
pub mod plan;

use crate::build::checkpoint::{Checkpoints, Files};
use crate::build::image::{Behind, Run, Writer};
use crate::build::plan::Plan;
use crate::solve::Fault;
use crate::solve::frame::Frame;
use crate::solve::operator::Operator;
use morpion_games::catalogue::EXTENSION;
use morpion_games::progress::Progress;

use anyhow::{Context, Result, ensure};
use morpion_lookup::format::fingerprint;
use morpion_lookup::{Encoding, Game, ProbeError, Table};
use morpion_machine::usage::{available_memory, free_disk, reset_peak_memory, usage};
use serde::Serialize;
use std::fs;
use std::io::BufWriter;
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
    /// Two bits an entry or distances; `None`: [`Plan::default_encoding`].
    pub encoding: Option<Encoding>,
    /// Bytes of memory it may take; `None`: what the system has available.
    pub memory: Option<u64>,
    /// How often a long layer is kept.
    pub checkpoint: Duration,
    /// Whether to forget what an interrupted build has left.
    pub fresh: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { encoding: None, memory: None, checkpoint: Duration::from_secs(60), fresh: false }
    }
}

/// Builds `folder/NAME.morpion`, going on from where an interrupted build stopped. The table is there whole or not at
/// all.
///
/// # Errors
/// Where the folder cannot be written, another build holds the lock, memory or disk do not suffice, the game is too
/// large, or the observer asks for a stop ([`Fault::Stopped`]).
pub fn build(
    game: &Game,
    folder: &Path,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Built> {
    let (began, before) = (Instant::now(), usage());
    reset_peak_memory();
    let name = &game.rules().name;
    let path = folder.join(format!("{name}.{EXTENSION}"));
    let first = options.encoding.unwrap_or_else(|| Plan::default_encoding(game));
    let plan = Plan::new(game, first)?;
    let memory = options.memory.or_else(available_memory);
    ensure!(
        memory.is_none_or(|memory| plan.memory <= memory),
        "{name}: needs {} of memory, expected at most {}",
        bytes(plan.memory),
        bytes(memory.unwrap_or_default())
    );
    fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
    let files = Files::lock(folder, name)
        .with_context(|| format!("{}: cannot write there", folder.display()))?
        .with_context(|| format!("{}: another build of it holds the lock", path.display()))?;
    if options.fresh {
        files.clear()?;
    }
    let there = files.partial.metadata()?.len();
    let free = free_disk(folder);
    ensure!(
        free.is_none_or(|free| plan.disk <= free.saturating_add(there)),
        "{name}: needs {} on disk in {}, expected at most {}",
        bytes(plan.disk),
        folder.display(),
        bytes(free.unwrap_or_default())
    );
    // A table that turned out to need wider entries goes on with them.
    let kept = files.encoding(fingerprint(game.rules()));
    let encoding = kept.filter(|kept| (*kept == Encoding::Wdl) == (first == Encoding::Wdl));
    let written = match solve(game, encoding.unwrap_or(first), &files, options, progress) {
        Err(Fault::TooDeep(_)) => {
            files.clear()?;
            solve(game, Encoding::Plies16, &files, options, progress)
        }
        written => written,
    };
    if let Err(fault) = written {
        let going_on = match fault {
            Fault::Stopped(_) | Fault::Io(_) => {
                "; what is done is kept, the same command goes on from there"
            }
            _ => "",
        };
        return Err(fault).with_context(|| format!("{}: not built{going_on}", path.display()));
    }
    make_public(&files.partial)?;
    files.partial.sync_all()?;
    fs::rename(files.partial_path(), &path)
        .with_context(|| format!("{}: cannot be put in its place", path.display()))?;
    files.clear_checkpoints()?;
    drop(files);
    // SAFETY: the file has just been put in its place and is only ever replaced.
    let table = unsafe { Table::map(&path)? };
    let after = usage();
    Ok(Built {
        game: name.clone(),
        entries: table.layers().iter().map(|layer| layer.entries()).sum(),
        bytes: table.bytes().len() as u64,
        start: Start::of(&table)?,
        file: path,
        seconds: began.elapsed().as_secs_f64(),
        cpu_seconds: after.cpu_seconds - before.cpu_seconds,
        peak_memory: after.peak_memory,
    })
}

/// Solves into the partial file, from its beginning or from a checkpoint.
fn solve(
    game: &Game,
    encoding: Encoding,
    files: &Files,
    options: &Options,
    progress: &dyn Progress,
) -> Result<(), Fault> {
    let table = Frame::new(game, encoding)?;
    let (mut writer, behind) = match files.resume(&table)? {
        Some(resumed) => resumed,
        None => {
            files.clear()?;
            let mut writer = Writer::new(BufWriter::new(&files.partial));
            writer.begin(&table)?;
            (writer, Behind::default())
        }
    };
    let mut keeper = Checkpoints::new(files, &table, options.checkpoint);
    let run = Run { table: &table, operator: Operator::default(), progress };
    run.write(&mut writer, &mut keeper, behind)
}

/// A number of bytes for people.
fn bytes(count: u64) -> String {
    indicatif::BinaryBytes(count).to_string()
}

/// A table is for everyone to read.
fn make_public(file: &fs::File) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}
