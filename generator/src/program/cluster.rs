//! `morpion build --cluster`, `morpion plan --cluster` and `morpion join`: solves one game in several processes.

use super::tables::Target;
use crate::terminal::prelude::*;
use indicatif::BinaryBytes;
use morpion_builder::Options as BuildOptions;
use morpion_builder::checkpoint::ShardId;
use morpion_builder::cluster::build::{Options, build as build_part};
use morpion_builder::cluster::hosts::Hosts;
use morpion_builder::cluster::plan::ClusterPlan;
use morpion_builder::join::join as join_shards;
use morpion_builder::packer::{Packer, Packing};
use morpion_core::{Encoding, Game};
use morpion_games::catalogue::{EXTENSION, PACKED};
use morpion_machine::progress::{Progress, Unobserved};
use morpion_solver::layout::lay_out;
use morpion_solver::sets::FoldedSets;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

/// Arguments of a process of a cluster.
#[derive(clap::Args)]
pub struct BuildArgs {
    /// Run as one process of a cluster; FILE has one HOST:PORT per line
    #[arg(long, value_name = "FILE", requires = "process")]
    cluster: Option<PathBuf>,
    /// The number of this process: its line in the file, from 0
    #[arg(long, value_name = "I", requires = "cluster")]
    process: Option<usize>,
    /// Workers of each process
    #[arg(long, value_name = "W", default_value_t = 1, requires = "cluster", value_parser = clap::value_parser!(u16).range(1..))]
    workers: u16,
    /// Seconds to wait for the other processes
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "cluster")]
    wait: u64,
}

impl BuildArgs {
    /// The file of hosts and the number of this process; `None` without `--cluster`.
    pub fn part(&self) -> Option<(&Path, usize)> {
        Some((self.cluster.as_deref()?, self.process?))
    }

    /// Runs one process of a cluster, with the options of `morpion build`.
    pub fn build(
        &self,
        game: &Game,
        folder: &Path,
        wanted: &BuildOptions,
        progress: When,
        json: bool,
        out: &mut Output,
    ) -> Result<()> {
        let Some((file, process)) = self.part() else { bail!("no hosts") };
        let hosts = Hosts::read(file)?;
        let (workers, wait) = (usize::from(self.workers), Duration::from_secs(self.wait));
        let options = Options { process, workers, wait, build: wanted.clone() };
        let bars = Arc::new(Bars::new(progress, game.name()));
        let observer: Arc<dyn Progress + Send> = bars.clone();
        let done = build_part(game, folder, &hosts, &options, &observer)?;
        drop((bars, observer));
        if json {
            out.json(&done)?;
        } else {
            writeln!(
                out,
                "{:<20} process {} of {}  sent {}  received {}\n    {:.2} s  {}",
                done.game,
                done.process,
                done.processes,
                BinaryBytes(done.sent_bytes),
                BinaryBytes(done.received_bytes),
                done.cost.seconds,
                Shown(done.folder.display())
            )?;
        }
        Ok(())
    }
}

/// Arguments of `morpion plan` for a cluster.
#[derive(clap::Args)]
pub struct PlanArgs {
    /// Plan for N processes: entries, memory, disk and bytes sent of each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    cluster: Option<u16>,
    /// Workers of each process
    #[arg(long, value_name = "W", default_value_t = 1, requires = "cluster", value_parser = clap::value_parser!(u16).range(1..))]
    workers: u16,
}

/// The row of one game. The keys are part of the interface.
#[derive(Serialize)]
struct Planned {
    #[serde(flatten)]
    plan: ClusterPlan,
    /// Storage of the rows within the given memory.
    rows: Option<&'static str>,
}

/// Plans builds of these games. Returns false without `--cluster`.
pub fn plan(
    args: &PlanArgs,
    memory: Option<u64>,
    games: &[Game],
    json: bool,
    out: &mut Output,
) -> Result<bool> {
    let Some(processes) = args.cluster else { return Ok(false) };
    for game in games {
        let layout = lay_out(game, Some(Encoding::Plies8), &Unobserved)?;
        let plan = ClusterPlan::of(&layout, usize::from(processes), usize::from(args.workers))?;
        let rows = memory.map(|most| match plan.least_memory <= most {
            true if plan.memory <= most => "memory",
            true => "files",
            false => "too little memory",
        });
        if json {
            out.json(&Planned { plan, rows })?;
            continue;
        }
        writeln!(
            out,
            "{}: {} entries by {processes} processes of {}; of these each has at most\n\
             \x20   {:>20} entries\n\
             \x20   {:>20} memory with its rows in memory\n\
             \x20   {:>20} memory with its rows in files{}\n\
             \x20   {:>20} disk\n\
             \x20   {:>20} sent to others, in {} batches",
            plan.game,
            grouped(plan.entries),
            args.workers,
            grouped(plan.process_entries),
            BinaryBytes(plan.memory).to_string(),
            BinaryBytes(plan.least_memory).to_string(),
            rows.map(|rows| format!(": {rows}")).unwrap_or_default(),
            BinaryBytes(plan.disk).to_string(),
            BinaryBytes(plan.sent_bytes).to_string(),
            grouped(plan.batches),
        )?;
    }
    Ok(true)
}

/// Join the shards of a cluster's processes into one table
#[derive(clap::Args)]
pub struct JoinArgs {
    /// The shards of all processes, in any order
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    #[command(flatten)]
    target: Target,
    /// Write NAME.morpion.zst, packed as by `morpion pack`
    #[arg(long)]
    packed: bool,
    /// Compression level of Zstandard, 1 to 22 [default: 15]
    #[arg(long, value_name = "N", requires = "packed", value_parser = clap::value_parser!(i32).range(1..=22))]
    level: Option<i32>,
    /// Show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Answer of `morpion join`. The keys are part of the interface.
#[derive(Serialize)]
struct Joined {
    game: String,
    file: PathBuf,
    entries: u64,
    bytes: u64,
}

/// Reads the shards of a table in order, and checks that they are all shards of one build.
fn shards(folders: Vec<PathBuf>) -> Result<Vec<(ShardId, PathBuf)>> {
    let mut shards = Vec::new();
    for folder in folders {
        let part = ShardId::of_folder(&folder)
            .with_context(|| format!("{}: not a shard of a table", folder.display()))?;
        shards.push((part, folder));
    }
    shards.sort_by_key(|(part, _)| part.process);
    let (first, folder) = &shards[0];
    for (number, (part, other)) in (0..).zip(&shards) {
        ensure!(
            part.table == first.table && part.processes == first.processes,
            "{} and {} are of different builds",
            folder.display(),
            other.display()
        );
        ensure!(
            part.process == number,
            "{} is of process {} of {}, but the shard of process {number} is missing",
            other.display(),
            part.process,
            part.processes
        );
    }
    ensure!(
        shards.len() == first.processes as usize,
        "{} of {}: name all of them",
        counted(shards.len() as u64, "shard"),
        first.processes
    );
    Ok(shards)
}

pub fn join(args: JoinArgs, out: &mut Output) -> Result<()> {
    stop_on_signal();
    let shards = shards(args.shards)?;
    let (first, folder) = &shards[0];
    let game = first.table.game.clone();
    let name = game.name();
    let bars = Bars::new(args.progress, name);
    let layout = lay_out(&game, Some(first.table.encoding), &bars)?;
    ensure!(layout == first.table, "{}: a shard of another table", folder.display());
    let sets = FoldedSets::fold(&layout, &bars)?;
    let folders: Vec<PathBuf> = shards.iter().map(|(_, folder)| folder.clone()).collect();
    let ending = if args.packed { PACKED } else { EXTENSION };
    let file = save(&args.target.folder(), &format!("{name}.{ending}"), |out| {
        let packing = args.packed.then_some(Packing { level: args.level, frame: None });
        let packer = Packer::new(out, &layout, packing);
        join_shards(packer, &layout, &sets, &folders, &bars)?.finish()?;
        Ok(())
    })?;
    drop(bars);
    let bytes = fs::metadata(&file)?.len();
    let done = Joined { game: name.to_owned(), file, entries: layout.entries(), bytes };
    if args.json {
        out.json(&done)?;
    } else {
        let (entries, bytes) = (grouped(done.entries), grouped(done.bytes));
        let file = Shown(done.file.display());
        writeln!(out, "{:<20} {entries:>15} entries {bytes:>15} bytes\n    {file}", done.game)?;
    }
    Ok(())
}
