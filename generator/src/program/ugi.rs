//! `morpion ugi`: an engine for runners of tournaments.

use super::output::Output;
use super::tables::TableSource;
use anyhow::Result;
use morpion_play::ugi::Engine;
use std::io::{BufRead, Write, stdin};
use std::process::ExitCode;

/// Play from a table as an engine: the universal game interface on standard input
///
/// Tournament runners such as cutegames start it and ask it for moves. Positions and moves are written as in `morpion query`; the
/// option Errors is the share of moves in a hundred that are not perfect, Seed the choice among equal ones.
#[derive(clap::Args)]
#[command(after_help = "\
It understands ugi, isready, uginewgame, setoption, position startpos|fen …
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
    let table = args.source.open_or_solve()?;
    let mut engine = Engine::new(&table);
    for line in stdin().lock().lines() {
        let Some(said) = engine.answer(&line?) else { break };
        for line in said {
            writeln!(out, "{line}")?;
        }
        // The runner waits for it.
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}
