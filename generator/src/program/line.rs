//! `morpion line`: one perfect line of play.

use super::output::Output;
use super::position::PositionArgs;
use anyhow::Result;
use morpion_games::catalogue::Table;
use morpion_report::line::{Line, LineAnswer, line};
use morpion_report::words::in_words;
use std::io::Write;
use std::process::ExitCode;

/// Play one perfect line to its end, or until it comes back to a position
#[derive(clap::Args)]
#[command(after_help = "\
Both sides play the first of their perfect moves: the winner hurries, the loser
delays, and where neither can win both keep the draw. A line that comes back to
one of its positions says which one, and stops.

Examples:
  morpion line nine-holes
  morpion line classic \"X../.O./..X o\"
  morpion line --rules mine.toml --json")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let (table, position, side) = args.position.open()?;
    let line = line(&table, position, side)?;
    if args.json {
        out.json(&LineAnswer::new(&table, &line))?;
    } else {
        print(&table, &line, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(table: &Table, line: &Line, out: &mut Output) -> Result<()> {
    let answer = LineAnswer::new(table, line);
    for (index, &(position, _)) in line.positions.iter().enumerate() {
        let end = match (answer.cycle, answer.over) {
            _ if index + 1 < line.positions.len() => answer.moves[index].clone(),
            (Some(before), _) => format!("as position {before}: a cycle"),
            (_, over) => format!("over: {}", over.unwrap_or_default()),
        };
        let score = in_words(table.probe(position)?);
        writeln!(out, "{index:>3}  {}  {score:<18}  {end}", answer.positions[index])?;
    }
    Ok(())
}
