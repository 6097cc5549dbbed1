//! Building a table as a file: solved, written beside its place, synced, and renamed.

use crate::catalogue::EXTENSION;
use crate::image;
use crate::solver::operator::Operator;
use crate::solver::{Fault, Watch};
use crate::usage::{reset_peak_memory, usage};
use anyhow::Context;
use morpion_lookup::{Game, Table};
use serde::Serialize;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Instant;

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
    pub fn of(table: &Table) -> Result<Start, morpion_lookup::ProbeError> {
        let score = table.probe(table.game().start().0)?;
        Ok(Start { value: score.value().name(), plies: score.plies() })
    }
}

/// Builds `folder/NAME.morpion`. The file is there whole or not at all.
///
/// # Errors
/// Where the folder cannot be written, the game is too large, or the watcher says stop.
pub fn build(game: &Game, folder: &Path, watch: &dyn Watch) -> anyhow::Result<Built> {
    let (began, before) = (Instant::now(), usage());
    reset_peak_memory();
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{}: cannot make the folder", folder.display()))?;
    let name = &game.rules().name;
    let path = folder.join(format!("{name}.{EXTENSION}"));
    let temporary = tempfile::Builder::new()
        .prefix(&format!(".{name}."))
        .suffix(".partial")
        .tempfile_in(folder)
        .with_context(|| format!("{}: cannot write there", folder.display()))?;
    let write = |file: &File| -> Result<(), Fault> {
        match image::write::<u8, _>(game, Operator::default(), watch, BufWriter::new(file)) {
            Err(Fault::TooDeep(_)) => {
                file.set_len(0)?;
                std::io::Seek::rewind(&mut &*file)?;
                image::write::<u16, _>(game, Operator::default(), watch, BufWriter::new(file))
                    .map(drop)
            }
            written => written.map(drop),
        }
    };
    write(temporary.as_file()).with_context(|| format!("{}: not built", path.display()))?;
    temporary.as_file().sync_all()?;
    set_permissions(temporary.as_file())?;
    temporary
        .persist(&path)
        .with_context(|| format!("{}: cannot be put in its place", path.display()))?;
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

/// A temporary file is private; a table is for everyone.
fn set_permissions(file: &File) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}
