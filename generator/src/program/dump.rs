//! `morpion dump`: every entry or arrangement of a table, for other programs.

use super::tables::{TableSource, whole};
use anyhow::Result;
use clap::ValueEnum;
use morpion_lookup::Position;
use morpion_report::entries::{Entry, arrangements, entries};
use morpion_report::words::counted;
use morpion_report::worth::Worth;
use morpion_terminal::output::{Output, note};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;

/// Write the entries or positions of a table as CSV or JSON
#[derive(clap::Args)]
#[command(after_help = "\
One line per entry, layer by layer in the order of play, by key: the position
(with X to move if the table does not distinguish the colours), its value for
the side to move, the plies to the end, the kind of a draw (end or cycle), and
the number of symmetric arrangements that the entry stands for. Arrangements
whose mover already owns a line are invalid and left out.

An entry has the least set of the mover among its symmetric images, and any set
of the waiter. So some images of a position share its entry, and other images
have entries of their own. With --all, every arrangement has a line.

Examples:
  morpion dump swap > swap.csv
  morpion dump swap --all > swap-all.csv
  morpion dump teeko --format jsonl | head")]
pub struct Args {
    #[command(flatten)]
    source: TableSource,
    /// List every arrangement instead of every entry
    #[arg(long)]
    all: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    /// Comma-separated values with a header line; missing values are empty
    Csv,
    /// One JSON object per line
    Jsonl,
}

/// One line of output. The keys are part of the interface.
#[derive(Serialize)]
struct DumpLine {
    position: String,
    #[serde(flatten)]
    worth: Worth,
    arrangements: u64,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let table = whole(args.source.open_or_solve()?)?;
    let (mut listed, mut represented) = (0, 0);
    let game = table.game();
    let board = game.board_shape();
    let mut lines = Lines::new(args.format, out)?;
    for entry in if args.all { arrangements(&table) } else { entries(&table) } {
        let Entry { position, side, score, arrangements } = entry?;
        (listed, represented) = (listed + 1, represented + arrangements);
        lines.write(DumpLine {
            position: game.format_position(Position { board, raw: position, side }),
            worth: score.into(),
            arrangements,
        })?;
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
    Ok(ExitCode::SUCCESS)
}

/// The output, line by line.
enum Lines<'o> {
    Csv(Box<csv::Writer<&'o mut Output>>),
    Jsonl(&'o mut Output),
}

impl<'o> Lines<'o> {
    fn new(format: Format, out: &'o mut Output) -> Result<Lines<'o>> {
        if format == Format::Jsonl {
            return Ok(Lines::Jsonl(out));
        }
        let mut csv = csv::Writer::from_writer(out);
        let header = ["position", "value", "plies", "draw", "arrangements"];
        csv.write_record(header).map_err(io::Error::from)?;
        Ok(Lines::Csv(Box::new(csv)))
    }

    fn write(&mut self, line: DumpLine) -> Result<()> {
        match self {
            Lines::Csv(csv) => {
                let DumpLine { position, worth: Worth { value, plies, draw }, arrangements } = line;
                // The error of a closed pipe is that of the output.
                Ok(csv
                    .serialize((position, value, plies, draw, arrangements))
                    .map_err(io::Error::from)?)
            }
            Lines::Jsonl(out) => out.json(&line),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Lines::Csv(csv) => csv.flush(),
            Lines::Jsonl(out) => out.flush(),
        }
    }
}
