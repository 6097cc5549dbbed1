//! `morpion query`: values and moves of positions, from a table.

use super::answers::answer_each;
use super::output::Output;
use super::tables::{Source, Tables};
use anyhow::Result;
use morpion_games::catalogue::Table;
use morpion_lookup::{Position, Side};
use morpion_report::answer::Answer;
use morpion_report::words::in_words;
use std::path::PathBuf;
use std::process::ExitCode;

/// Ask for the value, the distance and the perfect moves of positions
#[derive(clap::Args)]
#[command(after_help = "\
A position is its rows from the top, X, O and . for an empty cell, and the side
to move: X../.O./..X o
The side may be left out where the piece counts tell it. Also read: 1 for X, 2
for O, 0 _ - for empty, lower case, rows without slashes, and the tuples of
notebooks: (1,0,0,0,1,0,2,0,2)

Examples:
  morpion query classic \"X../.O./..X o\"
  morpion query swap \"XX./.O./O.. x\" --json
  morpion query classic < positions.txt
  morpion query --rules mine.toml \".../.../...\"")]
pub struct Args {
    /// A game by name, or a table file; with --rules the first position
    #[arg(value_name = "GAME|TABLE", required_unless_present = "rules")]
    game: Option<String>,
    /// Positions; without any, one a line from standard input, one answer a line
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    /// Solve the game of this rule file on the fly instead
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    /// One JSON object a position
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let Args { mut game, mut positions, rules, tables, json } = args;
    if rules.is_some() {
        positions.splice(0..0, game.take());
    }
    let table = Source { game, rules, tables }.open()?;
    answer_each(out, json, &positions, |text| {
        Ok(match table.game().parse_position(text) {
            Ok((position, side)) => Ok(answer(&table, position, side, json)?),
            Err(error) => Err(error.to_string()),
        })
    })
}

/// The answer to one position as a line.
fn answer(table: &Table, position: Position, side: Side, json: bool) -> Result<String> {
    let answer = Answer::new(table, position, side)?;
    if json {
        return Ok(serde_json::to_string(&answer)?);
    }
    let worth = format!("{}  {}", answer.position, in_words(table.probe(position)?));
    if let Some(over) = answer.over {
        return Ok(format!("{worth}  (over: {over})"));
    }
    let ranked = table.ranked_moves(position)?;
    let best = ranked.best().len();
    let moves = ranked.iter().enumerate().map(|(index, ranked)| {
        let mark = if index < best { "*" } else { "" };
        format!("{}{mark} {}", table.game().format_move(ranked.mv), in_words(ranked.score))
    });
    Ok(format!("{worth}  |  {}", moves.collect::<Vec<_>>().join(", ")))
}
