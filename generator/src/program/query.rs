//! `morpion query`: what a table says of positions.

use super::{Source, Tables};
use anyhow::Result;
use morpion_generator::answer::{Answer, in_words};
use morpion_lookup::Table;
use serde::Serialize;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Ask for the value, the distance and the perfect moves of positions
#[derive(clap::Args)]
#[command(after_help = "\
A position is its rows from the top, X, O and . for an empty cell, and the side to move: X../.O./..X o
The side may be left out where the piece counts tell it. Also read: 1 for X, 2 for O, 0 _ - for empty, lower case,
rows without slashes, and the tuples of notebooks: (1,0,0,0,1,0,2,0,2)

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

#[derive(Serialize)]
struct Refused<'a> {
    error: String,
    input: &'a str,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let Args { mut game, mut positions, rules, tables, json } = args;
    if rules.is_some() {
        positions.splice(0..0, game.take());
    }
    let table = Source { game, rules, tables }.open()?;
    let mut all_answered = true;
    let mut out = std::io::stdout().lock();
    if positions.is_empty() {
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            if !line.trim().is_empty() {
                all_answered &= answer(&table, &line, json, &mut out)?;
                // Whoever feeds positions through a pipe waits for each answer.
                out.flush()?;
            }
        }
    } else {
        for text in &positions {
            all_answered &= answer(&table, text, json, &mut out)?;
        }
    }
    out.flush()?;
    Ok(if all_answered { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// Writes the answer to one position, or why there is none; whether there is one.
fn answer(table: &Table, text: &str, json: bool, out: &mut impl Write) -> Result<bool> {
    let (position, side) = match table.game().parse_position(text) {
        Ok(found) => found,
        Err(error) if json => {
            writeln!(
                out,
                "{}",
                serde_json::to_string(&Refused { error: error.to_string(), input: text.trim() })?
            )?;
            return Ok(false);
        }
        Err(error) => {
            eprintln!("morpion: {text:?}: {error}");
            return Ok(false);
        }
    };
    let answer = Answer::new(table, position, side)?;
    if json {
        writeln!(out, "{}", serde_json::to_string(&answer)?)?;
        return Ok(true);
    }
    write!(out, "{}  {}", answer.position, in_words(table.probe(position)?))?;
    match answer.over {
        Some(over) => writeln!(out, "  (over: {over})")?,
        None => {
            let ranked = table.moves(position)?;
            let best = ranked.best().len();
            let each = ranked.iter().enumerate().map(|(index, ranked)| {
                let mark = if index < best { "*" } else { "" };
                format!("{}{mark} {}", table.game().format_move(ranked.mv), in_words(ranked.score))
            });
            writeln!(out, "  |  {}", each.collect::<Vec<_>>().join(", "))?;
        }
    }
    Ok(true)
}
