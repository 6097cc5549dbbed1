//! `morpion cram`: dominoes on a board.

mod build;
mod query;

use crate::terminal::prelude::*;
use morpion_builder::usage::Meter;
use morpion_impartial::cram::{Board, Regions};
use morpion_impartial::outcome;

commands! {
    /// Cram: domino placement, values of positions, winning moves
    Cram {
        Build(build::Args) => build::run,
        Query(query::Args) => query::run,
        Value(ValueArgs) => value,
    }
}

/// Compute the values of empty boards without a table
#[derive(clap::Args)]
pub struct ValueArgs {
    /// Rows and columns
    #[arg(value_name = "MxN", required = true)]
    boards: Vec<Board>,
    /// Print one JSON object per board
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Empty {
    board: String,
    value: u8,
    outcome: &'static str,
    /// Number of shapes of regions in the cache.
    shapes: usize,
    cpu_seconds: f64,
}

fn value(args: ValueArgs, out: &mut Output) -> Result<()> {
    let mut regions = Regions::default();
    for board in args.boards {
        let meter = Meter::start();
        let value = regions.value(board, 0);
        let empty = Empty {
            board: board.to_string(),
            value,
            outcome: outcome(value != 0),
            shapes: regions.shapes(),
            cpu_seconds: meter.cost().cpu_seconds,
        };
        if args.json {
            out.json(&empty)?;
        } else {
            writeln!(out, "{:<6} value {value}  {}", empty.board, empty.outcome)?;
        }
        // The next board may take a while.
        out.flush()?;
    }
    Ok(())
}
