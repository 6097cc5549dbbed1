//! `morpion count`: the positions that play can reach.

use super::Source;
use anyhow::Result;
use clap::ValueEnum;
use morpion_generator::count::{Symmetry, count};
use std::process::ExitCode;

/// Count the positions that play can reach, and what they are worth
#[derive(clap::Args)]
#[command(after_help = "\
Solves the game in memory where there is no table.

Examples:
  morpion count classic
  morpion count classic --symmetry board --json
  morpion count --rules mine.toml")]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// What counts as one position
    #[arg(long, value_name = "KIND", default_value = "none")]
    symmetry: Kind,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Every position by itself
    None,
    /// Classes under the grid's rotations and reflections that keep the rules
    Board,
    /// Classes under all symmetries of the rules
    Rules,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let table = args.source.open_or_solve()?;
    let symmetry = match args.symmetry {
        Kind::None => Symmetry::None,
        Kind::Board => Symmetry::Board,
        Kind::Rules => Symmetry::Rules,
    };
    let count = count(&table, symmetry)?;
    if args.json {
        println!("{}", serde_json::to_string(&count)?);
        return Ok(ExitCode::SUCCESS);
    }
    println!("game          {}", count.game);
    println!("symmetry      {}", count.symmetry);
    println!("positions     {}", count.positions);
    if let Some(plies) = &count.plies {
        println!(
            "by pieces     {}",
            plies.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
        );
    }
    println!("finished      {}", count.terminal);
    println!("win           {}", count.win);
    println!("loss          {}", count.loss);
    println!("draw          {}", count.draw);
    let plies = |longest: Option<u16>| longest.map_or("-".into(), |plies| format!("{plies} plies"));
    println!("longest win   {}", plies(count.longest_win));
    println!("longest loss  {}", plies(count.longest_loss));
    Ok(ExitCode::SUCCESS)
}
