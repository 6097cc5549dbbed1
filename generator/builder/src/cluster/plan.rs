//! Estimates the cost of a build by several processes.

use crate::error::BuildError;
use crate::usage::available_memory;
use morpion_core::{Header, LayerSection};
use morpion_solver::solve::exchange::FULL;
use morpion_solver::solve::{memory, rows_of_process};
use serde::Serialize;

/// Storage of a process's rows, and its memory for batches.
pub(crate) struct RowStorage {
    /// True if rows are in memory, not in files.
    pub in_memory: bool,
    /// Maximum size in bytes of pending batches in the memory of each worker.
    pub waiting: usize,
}

/// The least memory for batches of a worker, in bytes.
const LEAST_WAITING: u64 = 4 << 20;

impl RowStorage {
    /// Chooses the storage for each of `processes` processes with `workers` workers, within `memory` bytes or the
    /// available memory.
    pub fn of(
        layout: &Header,
        processes: usize,
        workers: usize,
        memory: Option<u64>,
    ) -> Result<RowStorage, BuildError> {
        let plan = ClusterPlan::of(layout, processes, workers)?;
        let most = memory.or_else(available_memory).unwrap_or(u64::MAX);
        let (game, least) = (plan.game, plan.least_memory);
        if least > most {
            return Err(BuildError::Memory { game, is_process: true, needed: least, most });
        }
        let in_memory = plan.memory <= most;
        let taken = if in_memory { plan.memory } else { least };
        // Half of the rest, since the queues of the network also take memory.
        let waiting = LEAST_WAITING + (most - taken) / 2 / workers as u64;
        Ok(RowStorage { in_memory, waiting: usize::try_from(waiting).unwrap_or(usize::MAX) })
    }
}

/// Cost of each process of a build. Entries are exact; memory, disk and sent bytes are upper bounds.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterPlan {
    /// The game's name.
    pub game: String,
    /// Number of processes.
    pub processes: usize,
    /// Number of workers of each process.
    pub workers: usize,
    /// Number of entries of all layers.
    pub entries: u64,
    /// Number of entries that a process decides, at most.
    pub process_entries: u64,
    /// Memory of a process with its rows in memory, in bytes.
    pub memory: u64,
    /// Memory of a process with its rows in files, in bytes.
    pub least_memory: u64,
    /// Disk space of a process in bytes: of its rows, if they pack to a third or less.
    pub disk: u64,
    /// Bytes that a process sends: four for every entry of another process.
    pub sent_bytes: u64,
    /// Batches that a process sends, if all are full.
    pub batches: u64,
}

impl ClusterPlan {
    /// Plans a build by `processes` processes with `workers` workers each.
    ///
    /// # Errors
    /// If the game pushes, or if its entries have two bits.
    pub fn of(
        layout: &Header,
        processes: usize,
        workers: usize,
    ) -> Result<ClusterPlan, BuildError> {
        let name = layout.game.name().to_owned();
        // Only in games that push, a move can make a line of the other side.
        if layout.game.graph().own_lines {
            let what = "a cluster cannot solve games that push: use morpion build";
            return Err(BuildError::refused(format_args!("{name}: {what}")));
        }
        let Some(in_files) = memory::least(layout, workers as u64) else {
            let what = "a cluster cannot write entries of two bits: use --encoding plies";
            return Err(BuildError::refused(format_args!("{name}: {what}")));
        };
        let width = u64::from(layout.encoding.bits()) / 8;
        let of_process = |layer: &LayerSection| {
            rows_of_process(layer.rows as usize, processes) as u64 * layer.columns
        };
        let process_entries: u64 = layout.layers.iter().map(of_process).sum();
        let rows = memory::of_groups(layout, processes).map(|needs| needs.rows).max().unwrap_or(0);
        // An entry is sent only to its owner.
        let sent = process_entries * (processes as u64 - 1) / processes as u64;
        let least_memory = in_files + workers as u64 * LEAST_WAITING;
        Ok(ClusterPlan {
            game: name,
            processes,
            workers,
            entries: layout.entries(),
            process_entries,
            memory: least_memory + rows,
            least_memory,
            disk: process_entries * width / 3,
            sent_bytes: sent * 4 + sent / 100,
            batches: sent.div_ceil(FULL as u64),
        })
    }
}
