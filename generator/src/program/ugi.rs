//! `morpion ugi`: an engine for tournament managers.

use super::tables::{TableSource, with_distances};
use anyhow::Result;
use morpion_play::ugi::Engine;
use morpion_terminal::lines;
use morpion_terminal::output::Output;
use std::io::{Write, stdin};
use std::process::ExitCode;

/// Run as an engine for tournament managers (UGI protocol)
///
/// Tournament managers such as cutegames start it and ask it for moves, which it takes from the table. Positions and moves are written
/// as in `morpion query`. The option Errors is the percentage of imperfect moves, and Seed selects among equally good moves.
#[derive(clap::Args)]
#[command(after_help = "\
The commands are ugi, isready, uginewgame, setoption, position startpos|fen …
moves …, query gameover|p1turn|result, go, stop and quit. A position that occurs
for the third time is a draw.

Examples:
  morpion ugi swap
  printf 'position startpos moves b2\\ngo\\n' | morpion ugi tapatan")]
pub struct Args {
    #[command(flatten)]
    source: TableSource,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let table = with_distances(args.source.open_or_solve()?)?;
    let mut engine = Engine::new(&table);
    let mut input = stdin().lock();
    while let Some(line) = lines::next(&mut input)? {
        // A line that is not text is not a command either.
        let line = line.unwrap_or_else(|unreadable| unreadable.text);
        let Some(answer) = engine.answer(&line) else { break };
        for line in answer {
            writeln!(out, "{line}")?;
        }
        // The manager waits for the answer.
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}
