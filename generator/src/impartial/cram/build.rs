//! `morpion cram build`: writes the table of a board.

use crate::impartial::table::save;
use crate::terminal::bytes::size;
use crate::terminal::folders::Target;
use crate::terminal::prelude::*;
use indicatif::BinaryBytes;
use morpion_builder::usage::{available_memory, usage};
use morpion_grundy::{Cram, Header};
use morpion_impartial::cram::{Board, MAX_DENSE, Regions, dense};
use morpion_impartial::{Outcome, table};
use morpion_machine::progress::{Progress, Stopped};
use std::path::PathBuf;
use std::time::Instant;

/// Bytes of memory that the program takes in addition to the values.
const BESIDE: u64 = 32 << 20;

/// Compute the value of every position of a board, and write the table
#[derive(clap::Args)]
#[command(after_help = help("cram-build"))]
pub struct Args {
    /// Rows and columns
    #[arg(value_name = "MxN")]
    board: Board,
    #[command(flatten)]
    target: Target,
    /// Refuse boards that need more memory, for example 500M or 2G [default: available memory]
    #[arg(long, value_name = "LIMIT", value_parser = size)]
    memory: Option<u64>,
    /// Show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Built {
    board: String,
    cells: u32,
    /// Value of the empty board.
    value: u8,
    outcome: Outcome,
    /// Number of positions in the table.
    positions: Option<u64>,
    greatest: Option<u8>,
    bytes: Option<u64>,
    file: Option<String>,
    seconds: f64,
    cpu_seconds: f64,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let (began, before) = (Instant::now(), usage().cpu_seconds);
    let board = args.board;
    let (value, greatest, file) = if board.cells() <= MAX_DENSE {
        let written = written(&args).map_err(|error| match error.downcast_ref() {
            Some(Stopped) => anyhow!("cram {board}: stopped before the end: nothing is kept"),
            None => error,
        });
        let (value, greatest, file) = written?;
        (value, Some(greatest), Some(file))
    } else {
        (Regions::new().value(board, 0), None, None)
    };
    let built = Built {
        board: board.to_string(),
        cells: board.cells(),
        value,
        outcome: Outcome::from(value != 0),
        positions: file.is_some().then(|| 1 << board.cells()),
        greatest,
        bytes: file.as_ref().and_then(|file| Some(std::fs::metadata(file).ok()?.len())),
        file: file.map(|file| file.display().to_string()),
        seconds: began.elapsed().as_secs_f64(),
        cpu_seconds: usage().cpu_seconds - before,
    };
    if args.json {
        out.json(&built)?;
    } else {
        writeln!(
            out,
            "{}  empty board: value {}, {}  {}",
            built.board,
            built.value,
            built.outcome,
            Shown(built.file.as_deref().unwrap_or("no table above 30 cells"))
        )?;
    }
    Ok(())
}

/// Computes all positions and writes them. Returns the value of the empty board, the greatest value, and the file.
fn written(args: &Args) -> Result<(u8, u8, PathBuf)> {
    let board = args.board;
    let needed = (1 << board.cells()) + BESIDE;
    let memory = args.memory.or_else(available_memory);
    ensure!(
        memory.is_none_or(|memory| needed <= memory),
        "cram {board}: needs {} of memory, but at most {} may be used",
        BinaryBytes(needed),
        BinaryBytes(memory.unwrap_or_default())
    );
    stop_on_signal();
    let bars = Bars::new(args.progress, &format!("cram {board}"));
    let values = dense(board, &bars)?;
    let greatest = values.iter().max().copied().unwrap_or(0);
    let header = Cram { rows: board.rows as u8, columns: board.columns as u8, greatest };
    let file = save(&args.target.folder(), &board.file_name(), |out| {
        let mut writer = table::begin(out, &Header::Cram(header))?;
        for chunk in values.chunks(1 << 20) {
            // The error removes the unfinished file.
            bars.check()?;
            writer.write(chunk)?;
        }
        writer.finish()?;
        Ok(())
    })?;
    Ok((values[0], greatest, file))
}
