//! `morpion plan`: estimates the memory, disk and time of builds.

use super::build::set_threads;
use super::tables::Games;
use crate::terminal::bytes::size;
use crate::terminal::prelude::*;
use indicatif::BinaryBytes;
use morpion_builder::error::BuildError;
use morpion_builder::packer::Packing;
use morpion_builder::plan::{Bounds, BuildMode, Memory, Plan, packed};
use morpion_builder::rates::Rates;
use morpion_core::Header;
use morpion_games::catalogue::standard;
use morpion_machine::progress::Unobserved;
use morpion_machine::threads;
use morpion_solver::layout::lay_out;
use std::time::Duration;

/// Estimate the memory, disk and time of a build
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    games: Games,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: super::cluster::PlanArgs,
    #[cfg(not(feature = "cluster"))]
    #[command(flatten)]
    _cluster: super::no_cluster::PlanArgs,
    /// Memory limit, as of build; for each process of a cluster [default: the available memory, a quarter of it for rows]
    #[arg(long, value_name = "LIMIT", value_parser = size)]
    memory: Option<u64>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Include the time to pack, as by build --packed
    #[arg(long)]
    packed: bool,
    /// Compression level of Zstandard, 1 to 22 [default: 15]
    #[arg(long, value_name = "N", requires = "packed", value_parser = clap::value_parser!(i32).range(1..=22))]
    level: Option<i32>,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

/// Plan of a build. The keys are part of the interface.
#[derive(Serialize)]
struct Planned {
    #[serde(flatten)]
    plan: Plan,
    /// Estimated bytes of the packed table.
    packed: u64,
    /// Estimated processor time in memory.
    cpu_seconds: f64,
    /// Estimated wall time in memory: the processor time divided by the threads.
    seconds: f64,
    /// Estimated wall time in blocks, if the memory limit makes that necessary.
    #[serde(skip_serializing_if = "Option::is_none")]
    block_seconds: Option<f64>,
}

impl Planned {
    fn of(layout: &Header, rates: Rates, mode: Option<&BuildMode>) -> Planned {
        let plan = Plan::of(layout);
        let cpu_seconds = rates.seconds(layout, &BuildMode::Memory);
        let block_seconds = match mode {
            Some(mode @ BuildMode::Files { threads, .. }) => {
                Some(rates.seconds(layout, mode) / *threads as f64)
            }
            _ => None,
        };
        let (packed, seconds) =
            (packed(layout, plan.bounds.disk), cpu_seconds / threads::count() as f64);
        Planned { plan, packed, cpu_seconds, seconds, block_seconds }
    }
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    set_threads(args.threads)?;
    let games = args.games.named(standard())?;
    #[cfg(feature = "cluster")]
    if super::cluster::plan(&args.cluster, args.memory, &games, args.json, out)? {
        return Ok(());
    }
    if !args.json {
        writeln!(
            out,
            "game             kind          entries    memory      disk     packed   time"
        )?;
    }
    let memory = Memory::given(args.memory);
    let packing = args.packed.then_some(Packing { level: args.level, frame: None });
    // Time limit for measuring the rates of each game: 1.5 seconds in all, but at least a tenth of a second for each game.
    let longest = Duration::from_secs_f64((1.5 / games.len() as f64).max(0.1));
    for (number, game) in games.iter().enumerate() {
        let layout = lay_out(game, None, &Unobserved)
            .with_context(|| args.games.argument(number, game).to_owned())?;
        // The mode that a build with this limit would choose.
        let mode = match BuildMode::of(&layout, memory) {
            Err(BuildError::Memory { .. }) => None,
            mode => Some(mode?),
        };
        let in_memory = &BuildMode::Memory;
        let rates = Rates::measure(&layout, packing, mode.as_ref().unwrap_or(in_memory), longest)?;
        let planned = Planned::of(&layout, rates, mode.as_ref());
        if args.json {
            out.json(&planned)?;
            continue;
        }
        let Bounds { memory: needed, least_memory: least, disk, block_disk } = planned.plan.bounds;
        let [packed, needed_text] =
            [planned.packed, needed].map(|bytes| BinaryBytes(bytes).to_string());
        writeln!(
            out,
            "{:<16} {:<5} {:>15} {needed_text:>9} {:>9} {:>10} {:>6}",
            planned.plan.game,
            planned.plan.encoding,
            grouped(planned.plan.entries),
            BinaryBytes(disk).to_string(),
            format!("~{packed}"),
            time(planned.seconds),
        )?;
        if least < needed && mode != Some(BuildMode::Memory) {
            let least = format!("in blocks: from {}", BinaryBytes(least));
            let time = planned.block_seconds.map(time).unwrap_or_default();
            let disk = BinaryBytes(block_disk).to_string();
            writeln!(out, "{}", format!("{least:>48} {disk:>9} {time:>17}").trim_end())?;
        }
    }
    Ok(())
}

/// Formats a time in seconds, minutes or hours.
fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 99.5 => format!("{seconds:.1} s"),
        seconds if seconds < 5400.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}
