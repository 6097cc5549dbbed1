//! `morpion compare`: the facts of `morpion judge` about two games, side by side.

use super::judge::{Sizes, help, print};
use super::output::Output;
use super::tables::{TableSource, Tables};
use anyhow::Result;
use morpion_play::appraisal::Appraisal;
use serde::Serialize;
use std::process::ExitCode;

/// Judge two games side by side
#[derive(clap::Args)]
#[command(after_help = help([
    "morpion compare swap swap-pass",
    "morpion compare tapatan ./mine.toml --games 1000 --seed 7",
    "morpion compare classic misere --json",
]))]
pub struct Args {
    /// A game by name, a table file, or a rule file to be solved on the fly
    #[arg(value_name = "A")]
    first: String,
    /// Another game
    #[arg(value_name = "B")]
    second: String,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    sizes: Sizes,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Answer of the command. The keys are part of the interface.
#[derive(Serialize)]
struct Comparison {
    games: Vec<Appraisal>,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let Args { first, second, tables, sizes, json } = args;
    let source = |game| TableSource { game: Some(game), rules: None, tables: tables.clone() };
    let games = [first, second].map(|game| sizes.appraise(&source(game)));
    let games = games.into_iter().collect::<Result<Vec<Appraisal>>>()?;
    if json {
        out.json(&Comparison { games })?;
    } else {
        print(out, &games)?;
    }
    Ok(ExitCode::SUCCESS)
}
