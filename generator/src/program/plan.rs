//! `morpion plan`: estimates the memory, disk and time of builds.

use super::tables::Games;
use anyhow::Result;
use indicatif::BinaryBytes;
use morpion_games::catalogue::standard;
use morpion_machine::progress::Unobserved;
use morpion_report::words::grouped;
use morpion_solver::build::plan::{Bounds, BuildMode, Memory, Pace, Plan};
use morpion_solver::layout::Layout;
use morpion_terminal::output::Output;
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// Estimate the memory, disk and time of a build
#[derive(clap::Args)]
#[command(after_help = "\
Without GAME, every standard game is listed. Entries are exact; memory and disk
are upper bounds. The time is extrapolated from small games that are solved now,
and tends to be too low for games larger than the processor's cache.

Layers too large for this system are solved in blocks, with their rows in files.
The line below such a game gives the least memory for that (--json:
least_memory). Up to four more bytes per entry of the largest layer are then
spooled to disk. If a distance exceeds 126 half-moves, entries take two bytes;
--json gives the bounds for that case under wide.

Examples:
  morpion plan
  morpion plan beginner5 classic5k4
  morpion plan mine.toml --json")]
pub struct Args {
    #[command(flatten)]
    games: Games,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: super::cluster::PlanArgs,
    #[cfg(not(feature = "cluster"))]
    #[command(flatten)]
    _cluster: super::no_cluster::PlanArgs,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    plan: Plan,
    /// Estimated wall time.
    seconds: f64,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let games = args.games.named(standard())?;
    #[cfg(feature = "cluster")]
    if let Some(done) = super::cluster::plan(&args.cluster, &games, args.json, out)? {
        return Ok(done);
    }
    let pace = Pace::measure()?;
    if !args.json {
        writeln!(
            out,
            "{:<20} {:<6} {:>15} {:>11} {:>11} {:>9}",
            "game", "kind", "entries", "memory", "disk", "seconds"
        )?;
    }
    let memory = Memory::given(None);
    for game in &games {
        let layout = Layout::new(game, None, &Unobserved)?;
        let (plan, seconds) = (Plan::of(&layout), pace.seconds(&layout));
        let Bounds { memory: needed, least_memory: least, disk } = plan.bounds;
        if args.json {
            out.json(&Row { plan, seconds })?;
            continue;
        }
        writeln!(
            out,
            "{:<20} {:<6} {:>15} {:>11} {:>11} {:>9}",
            plan.game,
            plan.encoding,
            grouped(plan.entries),
            BinaryBytes(needed).to_string(),
            BinaryBytes(disk).to_string(),
            if seconds < 100.0 { format!("{seconds:.2}") } else { grouped(seconds as u64) }
        )?;
        // The mode that a build on this machine would choose.
        let is_in_memory = matches!(BuildMode::of(&layout, memory), Ok(BuildMode::Memory));
        if least < needed && !is_in_memory {
            let least = format!("in blocks: from {}", BinaryBytes(least));
            writeln!(out, "{least:>55}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
