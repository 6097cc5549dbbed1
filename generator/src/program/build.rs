//! `morpion build`: solves games and writes their tables.

use super::tables::{Games, Target};
use crate::terminal::bytes::size;
use crate::terminal::prelude::*;
use clap::ValueEnum;
use morpion_builder::packer::Packing;
use morpion_builder::{Options, build};
use morpion_core::{Encoding, Game};
use morpion_games::catalogue::standard;
use morpion_games::reach::walk::arrangements;
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

/// Solve games and write their tables
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    target: Target,
    /// Encoding of entries [default: plies, or wdl for a game without movement above 100 million entries]
    #[arg(long, value_name = "KIND")]
    encoding: Option<EncodingArg>,
    /// Memory limit, for example 500M or 2G; larger layers are spilled to disk [default: the available memory, a quarter of it for rows]
    #[arg(long, value_name = "LIMIT", value_parser = size)]
    memory: Option<u64>,
    /// Seconds between checkpoints within a layer
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    checkpoint: u64,
    /// Start over instead of resuming an interrupted build
    #[arg(long)]
    fresh: bool,
    /// Write only NAME.morpion.zst, packed as by `morpion pack`
    #[arg(long)]
    #[cfg_attr(feature = "cluster", arg(conflicts_with = "cluster"))]
    packed: bool,
    /// Compression level of Zstandard, 1 to 22 [default: 15]
    #[arg(long, value_name = "N", requires = "packed", value_parser = clap::value_parser!(i32).range(1..=22))]
    level: Option<i32>,
    /// Number of threads, at most four per core [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    #[cfg_attr(feature = "cluster", arg(conflicts_with = "cluster"))]
    threads: Option<u16>,
    /// Show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: super::cluster::BuildArgs,
    #[cfg(not(feature = "cluster"))]
    #[command(flatten)]
    _cluster: super::no_cluster::BuildArgs,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

/// The values of `--encoding`.
#[derive(Clone, Copy, ValueEnum)]
pub enum EncodingArg {
    /// Value and distance, one byte per entry (two if a distance needs them)
    Plies,
    /// Value alone, two bits per entry; for games without movement
    Wdl,
}

impl EncodingArg {
    /// Converts the argument. If a distance does not fit in one byte, entries get two bytes.
    pub fn encoding(self) -> Encoding {
        match self {
            EncodingArg::Plies => Encoding::Plies8,
            EncodingArg::Wdl => Encoding::Wdl,
        }
    }
}

/// Maximum number of entries of a game that is built without being named.
const BY_DEFAULT: u64 = 1_000_000_000;

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    stop_on_signal();
    let by_default = |game: &Game| arrangements(game) / 8 < u128::from(BY_DEFAULT);
    let games = args.games.named(standard().filter(by_default))?;
    set_threads(args.threads)?;
    let options = Options {
        encoding: args.encoding.map(EncodingArg::encoding),
        memory: args.memory,
        checkpoint: Duration::from_secs(args.checkpoint),
        fresh: args.fresh,
        packing: args.packed.then_some(Packing { level: args.level, frame: None }),
    };
    let folder = args.target.folder();
    #[cfg(feature = "cluster")]
    if args.cluster.part().is_some() {
        let [game] = &games[..] else {
            bail!("--cluster builds one game at a time, but {} are named", games.len());
        };
        return args.cluster.build(game, &folder, &options, args.progress, args.json, out);
    }
    for game in &games {
        let built = build(game, &folder, &options, &Bars::new(args.progress, game.name()))?;
        if args.json {
            out.json(&built)?;
        } else {
            let start = brief(built.start.value, built.start.plies);
            writeln!(
                out,
                "{:<20} {start:<10} {:>15} entries {:>15} bytes\n    {:.2} s  {}",
                built.game,
                grouped(built.entries),
                grouped(built.bytes),
                built.cost.seconds,
                Shown(built.file.display())
            )?;
        }
        // The next game may take hours.
        out.flush()?;
    }
    Ok(())
}

/// Limits the threads of this process.
pub fn set_threads(threads: Option<u16>) -> Result<()> {
    let Some(threads) = threads else { return Ok(()) };
    // With more than four threads for each processor, threads only wait for each other.
    let most = 4 * available_parallelism().map_or(1, NonZero::get);
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(threads).min(most))
        .build_global()
        .context("cannot start the threads")
}
