//! `morpion plan`: estimates the memory, disk and time of builds.

use super::build::set_threads;
use super::tables::Games;
use crate::terminal::bytes::size;
use crate::terminal::help::help;
use crate::terminal::output::Output;
use anyhow::{Context, Result};
use indicatif::BinaryBytes;
use morpion_builder::error::BuildError;
use morpion_builder::packer::Packing;
use morpion_builder::plan::{Bounds, BuildMode, Memory, Pace, Plan};
use morpion_core::Game;
use morpion_games::catalogue::{builtin_packed, standard, standard_game};
use morpion_machine::progress::Unobserved;
use morpion_machine::threads;
use morpion_report::phrases::grouped;
use morpion_solver::layout::Layout;
use serde::Serialize;
use std::io::Write;

/// Estimate the memory, disk and time of a build
#[derive(clap::Args)]
#[command(after_help = help("plan"))]
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

/// Known tables that are not inside the program, and the bytes of the packed table.
const KNOWN: [(&str, u64); 4] = [
    ("nine-mens-morris", 10_276_764_102),
    ("morabaraba", 40_116_217_362),
    ("quixo5", 28_847_750_497),
    ("beginner6", 776_028_308),
];

/// Plan of a build. The keys are part of the interface.
#[derive(Serialize)]
struct Planned {
    #[serde(flatten)]
    plan: Plan,
    /// Bytes of the packed table.
    packed: u64,
    /// True if the packed table is known.
    is_packed_known: bool,
    /// Estimated wall time in memory.
    seconds: f64,
    /// Estimated wall time in blocks, if the memory limit makes that necessary.
    #[serde(skip_serializing_if = "Option::is_none")]
    block_seconds: Option<f64>,
}

impl Planned {
    fn of(
        game: &Game,
        layout: &Layout,
        args: &Args,
        pace: Pace,
        mode: Option<&BuildMode>,
    ) -> Planned {
        let plan = Plan::of(layout);
        let known = known(game).and_then(|name| {
            let listed = KNOWN.iter().find(|(listed, _)| *listed == name);
            listed
                .map(|known| known.1)
                .or_else(|| builtin_packed(name).map(|bytes| bytes.len() as u64))
        });
        let packed = known.unwrap_or(plan.bounds.disk / 8 * 3);
        let packing = args.packed.then_some(Packing { level: args.level, frame: None });
        let seconds = |mode: &BuildMode, threads| pace.seconds(layout, mode, packing) / threads as f64;
        let block_seconds = mode.and_then(|mode| match mode {
            BuildMode::Memory => None,
            BuildMode::Files { threads, .. } => Some(seconds(mode, *threads)),
        });
        let seconds = seconds(&BuildMode::Memory, threads::count());
        Planned { plan, packed, is_packed_known: known.is_some(), seconds, block_seconds }
    }
}

/// The name of a standard game with these rules.
fn known(game: &Game) -> Option<&str> {
    let standard = standard_game(game.name())?;
    (standard.fingerprint() == game.fingerprint()).then(|| game.name())
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    set_threads(args.threads)?;
    let games = args.games.named(standard())?;
    #[cfg(feature = "cluster")]
    if super::cluster::plan(&args.cluster, args.memory, &games, args.json, out)? {
        return Ok(());
    }
    if !args.json {
        let heads = ["entries", "memory", "disk", "packed", "time"];
        let [entries, memory, disk, packed, time] = heads;
        writeln!(
            out,
            "{:<16} {:<5} {entries:>15} {memory:>9} {disk:>9} {packed:>10} {time:>6}",
            "game", "kind"
        )?;
    }
    let (memory, pace) = (Memory::given(args.memory), Pace::measure()?);
    for (number, game) in games.iter().enumerate() {
        let layout = Layout::new(game, None, &Unobserved)
            .with_context(|| args.games.argument(number, game).to_owned())?;
        // The mode that a build with this limit would choose.
        let mode = match BuildMode::of(&layout, memory) {
            Err(BuildError::Memory { .. }) => None,
            mode => Some(mode?),
        };
        let planned = Planned::of(game, &layout, &args, pace, mode.as_ref());
        if args.json {
            out.json(&planned)?;
            continue;
        }
        let Bounds { memory: needed, least_memory: least, disk } = planned.plan.bounds;
        let [packed, needed_text] =
            [planned.packed, needed].map(|bytes| BinaryBytes(bytes).to_string());
        writeln!(
            out,
            "{:<16} {:<5} {:>15} {needed_text:>9} {:>9} {:>10} {:>6}",
            planned.plan.game,
            planned.plan.encoding,
            grouped(planned.plan.entries),
            BinaryBytes(disk).to_string(),
            if planned.is_packed_known { packed } else { format!("~{packed}") },
            time(planned.seconds),
        )?;
        if least < needed && mode != Some(BuildMode::Memory) {
            let least = format!("in blocks: from {}", BinaryBytes(least));
            let time = planned.block_seconds.map(time).unwrap_or_default();
            writeln!(out, "{}", format!("{least:>50} {time:>25}").trim_end())?;
        }
    }
    Ok(())
}

/// Seconds, minutes or hours.
fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 99.5 => format!("{seconds:.1} s"),
        seconds if seconds < 5400.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}
