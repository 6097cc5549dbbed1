//! `morpion dump`: every entry or arrangement of a table, for other programs.

use super::tables::{TableSource, whole};
use crate::terminal::help::help;
use crate::terminal::output::{Output, note};
use anyhow::Result;
use morpion_core::Situation;
use morpion_report::entries::{Entry, arrangements, entries};
use morpion_report::phrases::counted;
use morpion_report::worth::Worth;
use std::io;

/// Write the entries or positions of a table as CSV
#[derive(clap::Args)]
#[command(after_help = help("dump"))]
pub struct Args {
    #[command(flatten)]
    source: TableSource,
    /// List every arrangement instead of every entry
    #[arg(long)]
    all: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let table = whole(args.source.open_or_solve()?)?;
    let (mut listed, mut represented) = (0, 0);
    let game = table.game();
    let board = game.board_shape();
    let mut lines = csv::Writer::from_writer(out);
    lines.write_record(["position", "value", "plies", "draw", "arrangements"]).map_err(lost)?;
    for entry in if args.all { arrangements(&table) } else { entries(&table) } {
        let Entry { position, side, score, arrangements } = entry?;
        (listed, represented) = (listed + 1, represented + arrangements);
        let position = game.format_position(Situation { board, raw: position, side });
        let Worth { value, plies, draw } = score.into();
        lines.serialize((position, value, plies, draw, arrangements)).map_err(lost)?;
    }
    // Without a reader or space for the output, only the error is reported.
    lines.flush()?;
    if !args.all {
        note(format_args!(
            "morpion: {}, one per entry, for {}; --all writes a line for each of these",
            counted(listed, "line"),
            counted(represented, "arrangement")
        ));
    }
    Ok(())
}

/// The error of the output itself, so that a closed pipe is recognised.
fn lost(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
