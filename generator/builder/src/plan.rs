//! Estimates the memory and disk of a build, and chooses where it stores rows.
//!
//! Computes entries, peak memory and disk from a [`Header`] and from the allocations that the solver declares.
//! [`rates`](crate::rates) estimates the time.

use crate::error::BuildError;
use crate::usage::available_memory;
use morpion_core::{Encoding, Header, LayerSection};
use morpion_games::reach::groups::groups;
use morpion_machine::threads;
use morpion_solver::solve::store::Budget;
use morpion_solver::solve::{has_pushes, memory};
use serde::Serialize;
use std::ops::Range;

/// Cost of a build: the exact number of entries, and upper bounds of memory and disk with rows in memory. With rows in
/// files, a build also spools 4 bytes per pending entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// The game's name.
    pub game: String,
    /// Name of the encoding of entries.
    pub encoding: &'static str,
    /// Order of the group.
    pub symmetries: usize,
    /// Entries of all layers, exactly.
    pub entries: u64,
    /// Bounds of memory and disk.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// Bounds if entries need two bytes, because a distance exceeds 126 half-moves; `None` if that is impossible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wide: Option<Bounds>,
}

/// Upper bounds of the cost of a build, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bounds {
    /// Peak memory, with rows in memory.
    pub memory: u64,
    /// Least memory with which the table can be built, with rows in files.
    pub least_memory: u64,
    /// Disk for the table and its checkpoints, with rows in memory.
    pub disk: u64,
    /// Disk for the table, and for rows in files with their logs, planes and pending entries.
    pub block_disk: u64,
}

impl Bounds {
    /// Computes the bounds of the table of a layout.
    pub(crate) fn of(layout: &Header) -> Bounds {
        let game = &layout.game;
        // Saved rows of a layer group whose moves stay in it. They count twice, because a block is deleted only when its replacement is
        // written.
        let saved = |group: Range<usize>| match game.graph().is_cyclic(group.start)
            && !has_pushes(game)
        {
            true => layout.layers[group].iter().map(|layer| 2 * packed(layout, layer.bytes)).sum(),
            false => 0,
        };
        let kept: u64 = groups(game).into_iter().map(saved).max().unwrap_or(0);
        let stored = |group: Range<usize>| group.map(|layer| stored(layout, layer)).sum::<u64>();
        let in_files = groups(game).into_iter().map(stored).max().unwrap_or(0);
        let memory = memory::in_memory(layout, threads::count() as u64);
        // The census and the checksums take a few bytes per layer and per MiB.
        let table = layout.census + layout.census / 100_000 + (1 << 16);
        Bounds {
            memory,
            least_memory: memory.min(memory::least(layout, 1).unwrap_or(memory)),
            disk: table + kept,
            block_disk: table + in_files,
        }
    }
}

/// The space of `bytes` bytes of a table when they are packed: three eighths of the bytes that entries of one byte would take. No known
/// table takes more, and large tables without mills take much less. Second bytes are nearly all equal, and take next to no space.
pub fn packed(layout: &Header, bytes: u64) -> u64 {
    let width = u64::from(layout.encoding.bits()).div_ceil(8);
    bytes / (8 * width) * 3
}

/// Disk that a layer takes in files while it is solved.
fn stored(layout: &Header, layer: usize) -> u64 {
    let LayerSection { rows, columns, bytes, .. } = layout.layers[layer];
    let entries = rows * columns;
    let (log, planes, outside) = match layout.game.graph().is_cyclic(layer) {
        // A log is merged before it is as long as the rows. There are three planes, and two planes of children outside, whose codes are not
        // packed.
        true => (bytes / 8 * 7, entries / 8 * 5, bytes),
        false => (0, 0, 0),
    };
    // Rows of this layer and of the next layer. Half of the entries are pending at once, with four bytes each.
    2 * packed(layout, bytes) + log + planes + outside + 2 * entries
}

impl Plan {
    /// Plans the build of the table of `layout`. Cheap, since no set is folded.
    pub fn of(layout: &Header) -> Plan {
        // Without movement a game ends when the board is full.
        let is_deep = layout.encoding == Encoding::Plies8 && layout.game.graph().has_cycles();
        let wide = is_deep.then(|| layout.with_encoding(Encoding::Plies16).ok()).flatten();
        Plan {
            game: layout.game.name().to_owned(),
            encoding: layout.encoding.name(),
            symmetries: layout.symmetries.len(),
            entries: layout.entries(),
            bounds: Bounds::of(layout),
            wide: wide.map(|wide| Bounds::of(&wide)),
        }
    }
}

/// Memory limits of a build. They are measured once, before the build itself uses memory.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Maximum total, in bytes.
    most: u64,
    /// Maximum size of rows in memory, in bytes.
    in_memory: u64,
}

impl Memory {
    /// Limits a build to `bytes`, or to the available memory of the system. Without `bytes`, rows use at most a quarter of the available
    /// memory: the page cache gets the rest.
    pub fn given(bytes: Option<u64>) -> Memory {
        let most = bytes.or_else(available_memory).unwrap_or(u64::MAX);
        Memory { most, in_memory: if bytes.is_some() { most } else { most / 4 } }
    }
}

/// Place in which a build stores rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildMode {
    /// In memory.
    Memory,
    /// In files.
    Files {
        /// Number of threads that fit in the memory.
        threads: usize,
        /// Limit of memory, in bytes.
        limit: u64,
        /// Limits of memory, by layer.
        budgets: Vec<Budget>,
    },
}

impl BuildMode {
    /// Chooses the mode that fits this memory.
    ///
    /// # Errors
    /// If the memory does not suffice.
    pub fn of(
        layout: &Header,
        Memory { most, in_memory }: Memory,
    ) -> Result<BuildMode, BuildError> {
        let Bounds { memory, least_memory, .. } = Bounds::of(layout);
        match memory::least(layout, 1) {
            Some(_) if memory > in_memory && least_memory <= most => {
                let threads = memory::threads_within(layout, most);
                let limit = most.min(in_memory.max(least_memory));
                let budgets = memory::budgets(layout, threads, limit);
                Ok(BuildMode::Files { threads: threads as usize, limit, budgets })
            }
            _ if memory <= most => Ok(BuildMode::Memory),
            _ => {
                let game = layout.game.name().to_owned();
                Err(BuildError::Memory { game, is_process: false, needed: least_memory, most })
            }
        }
    }
}
