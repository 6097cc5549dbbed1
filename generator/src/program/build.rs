//! `morpion build`: solves games and writes their tables.

use super::Tables;
use super::progress::{Bars, When, stop_on_signal};
use anyhow::{Context, Result};
use morpion_generator::build::build;
use morpion_generator::catalogue::standard;
use morpion_generator::plan::arrangements;
use morpion_generator::rule_file;
use morpion_lookup::Game;
use std::path::PathBuf;
use std::process::ExitCode;

/// Solve games and write their tables; without a game, every standard game whose solution takes seconds
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  morpion build
  morpion build swap teeko
  morpion build --rules mine.toml --out .
  morpion build beginner5 --threads 1 --json")]
pub struct Args {
    /// Games by name
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Games by rule file
    #[arg(long, value_name = "FILE")]
    rules: Vec<PathBuf>,
    /// Where the tables go
    #[arg(long, value_name = "DIR", default_value = "tables")]
    out: PathBuf,
    /// Threads; default: one a core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,
    #[command(flatten)]
    tables: Tables,
    /// One JSON object a game
    #[arg(long)]
    json: bool,
}

/// Games with more entries are built only when they are named.
const BY_DEFAULT: u64 = 1_000_000_000;

pub fn run(args: Args) -> Result<ExitCode> {
    stop_on_signal();
    let folders = args.tables.folders();
    let mut games: Vec<Game> =
        args.games.iter().map(|name| folders.game(name)).collect::<Result<_, _>>()?;
    for file in &args.rules {
        games.push(rule_file::read(file)?);
    }
    if games.is_empty() {
        games = standard().filter(|game| arrangements(game) / 8 < u128::from(BY_DEFAULT)).collect();
    }
    if let Some(threads) = args.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build_global()
            .context("cannot start the threads")?;
    }
    for game in &games {
        let bars = Bars::new(args.progress, &game.rules().name);
        let built = build(game, &args.out, &bars)?;
        drop(bars);
        if args.json {
            println!("{}", serde_json::to_string(&built)?);
        } else {
            let start = match built.start.plies {
                Some(plies) => format!("{} in {plies}", built.start.value),
                None => built.start.value.to_string(),
            };
            println!(
                "{:<14} {start:<10} {:>14} entries {:>14} bytes {:>8.2} s  {}",
                built.game,
                indicatif::HumanCount(built.entries).to_string(),
                indicatif::HumanCount(built.bytes).to_string(),
                built.seconds,
                built.file.display()
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}
