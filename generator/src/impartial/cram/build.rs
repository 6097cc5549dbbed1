//! `morpion cram build`: writes the table of a board.

use crate::impartial::table::{open, print};
use crate::terminal::bytes::size;
use crate::terminal::folders::Target;
use crate::terminal::prelude::*;
use indicatif::BinaryBytes;
use morpion_builder::usage::{Meter, available_memory};
use morpion_grundy::{Cram, Header};
use morpion_impartial::cram::{Board, MAX_DENSE, dense};
use morpion_impartial::table;
use morpion_machine::progress::{Progress, Stopped};

/// Bytes of memory that the program takes in addition to the values.
const BESIDE: u64 = 32 << 20;

/// Compute the value of every position of a board, and write the table
#[derive(clap::Args)]
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

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    stop_on_signal();
    let meter = Meter::start();
    let board = args.board;
    let file = written(&args).map_err(|error| match error.downcast_ref() {
        Some(Stopped) => anyhow!("cram {board}: stopped before the end: nothing is kept"),
        None => error,
    })?;
    print(&open(&file)?, Some(&file), Some(meter.cost()), args.json, out)
}

/// Computes the values of all positions and writes them. Returns the path of the file.
fn written(args: &Args) -> Result<PathBuf> {
    let board = args.board;
    ensure!(
        board.cells() <= MAX_DENSE,
        "cram {board}: a table has at most {MAX_DENSE} cells; `morpion cram value {board}` computes the value of the empty board"
    );
    let needed = (1 << board.cells()) + BESIDE;
    let memory = args.memory.or_else(available_memory);
    ensure!(
        memory.is_none_or(|memory| needed <= memory),
        "cram {board}: needs {} of memory, but at most {} may be used",
        BinaryBytes(needed),
        BinaryBytes(memory.unwrap_or_default())
    );
    let bars = Bars::new(args.progress, &format!("cram {board}"));
    let values = dense(board, &bars)?;
    let greatest = values.iter().max().copied().unwrap_or(0);
    let header = Cram { rows: board.rows as u8, columns: board.columns as u8, greatest };
    save(&args.target.folder(), &board.file_name(), |out| {
        let mut writer = table::begin(out, &Header::Cram(header))?;
        for chunk in values.chunks(1 << 20) {
            // The error removes the unfinished file.
            bars.check()?;
            writer.write(chunk)?;
        }
        writer.finish()?;
        Ok(())
    })
}
