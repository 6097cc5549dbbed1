//! `morpion line`: one perfect line of play.

use super::position::PositionArgs;
use anyhow::Result;
use morpion_games::catalogue::Table;
use morpion_lookup::Position;
use morpion_report::line::LineAnswer;
use morpion_report::phrases::in_words;
use morpion_terminal::output::Output;
use std::io::Write;
use std::process::ExitCode;

/// Print one line of perfect play
#[derive(clap::Args)]
#[command(after_help = "\
Both sides play the first of their perfect moves: the winner hurries, the loser
delays, and otherwise both keep the draw. The line stops at the end of the game
or when it returns to one of its positions, which it names. From a table of
values alone, a won line may return too if the game has cycles.

Examples:
  morpion line nine-holes
  morpion line classic \"X../.O./..X o\"
  morpion line mine.toml --json")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let (table, position) = args.position.open()?;
    let mut line = table.line(position);
    line.try_for_each(|best| best.map(drop))?;
    let answer = LineAnswer::new(table.game(), &line);
    if args.json {
        out.json(&answer)?;
    } else {
        print(&table, line.positions(), &answer, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(table: &Table, line: &[Position], answer: &LineAnswer, out: &mut Output) -> Result<()> {
    for (index, &position) in line.iter().enumerate() {
        let end = match (answer.cycle, answer.over) {
            _ if index < answer.moves.len() => answer.moves[index].clone(),
            (Some(before), _) => format!("as position {before}: a cycle"),
            (_, over) => format!("over: {}", over.unwrap_or_default()),
        };
        let score = in_words(table.probe(position)?);
        writeln!(out, "{index:>3}  {}  {score:<18}  {end}", answer.positions[index])?;
    }
    Ok(())
}
