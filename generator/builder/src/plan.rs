//! Estimates the memory, disk and time of a build.
//!
//! Computes entries, peak memory and disk from a [`Layout`] and from the allocations that the solver declares.
//! Estimates the time by rates for each kind of game, and the [`Pace`] of this machine.

use crate::error::BuildError;
use crate::frames::FramePacker;
use crate::packer::Packing;
use crate::usage::{available_memory, usage};
use morpion_core::{Encoding, Oldest, Travel};
use morpion_games::catalogue::standard_game;
use morpion_games::reach::groups::groups;
use morpion_machine::progress::Unobserved;
use morpion_machine::threads;
use morpion_solver::error::SolveError;
use morpion_solver::layout::Layout;
use morpion_solver::solve::store::Budget;
use morpion_solver::solve::{has_pushes, memory};
use morpion_solver::table::solve;
use serde::Serialize;
use std::io;
use std::ops::Range;
use std::time::Instant;

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
    /// Disk for the table and its checkpoints.
    pub disk: u64,
}

impl Bounds {
    fn of(layout: &Layout) -> Bounds {
        let (header, game) = (layout.header(), layout.game());
        // Saved rows of a layer group whose moves stay in it. A block is deleted only when its replacement is written.
        let saved =
            |group: Range<usize>| match game.graph().is_cyclic(group.start) && !has_pushes(game) {
                true => header.layers[group].iter().map(|layer| 2 * layer.bytes).sum(),
                false => 0,
            };
        let kept: u64 = groups(game).into_iter().map(saved).max().unwrap_or(0);
        let memory = memory::in_memory(layout, threads::count() as u64);
        Bounds {
            memory,
            least_memory: memory.min(memory::least(layout, 1).unwrap_or(memory)),
            // The census and the checksums take a few bytes per layer and per MiB.
            disk: header.census + header.census / 100_000 + (1 << 16) + kept,
        }
    }
}

impl Plan {
    /// Plans the build of the table of `layout`. Cheap, since no set is folded.
    pub fn of(layout: &Layout) -> Plan {
        let header = layout.header();
        // Without movement a game ends when the board is full.
        let is_deep = header.encoding == Encoding::Plies8 && layout.game().graph().has_cycles();
        let wide = is_deep.then(|| layout.with_encoding(Encoding::Plies16).ok()).flatten();
        Plan {
            game: layout.game().name().to_owned(),
            encoding: header.encoding.name(),
            symmetries: header.symmetries.len(),
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
    /// Limits a build to `bytes`, or to the available memory of the system. Without `bytes`, rows use
    /// at most a quarter of it: the page cache gets the rest.
    pub fn given(bytes: Option<u64>) -> Memory {
        match bytes {
            Some(bytes) => Memory { most: bytes, in_memory: bytes },
            None => match available_memory() {
                Some(most) => Memory { most, in_memory: most / 4 },
                None => Memory { most: u64::MAX, in_memory: u64::MAX },
            },
        }
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
        layout: &Layout,
        Memory { most, in_memory }: Memory,
    ) -> Result<BuildMode, BuildError> {
        let Bounds { memory, least_memory, .. } = Bounds::of(layout);
        match memory::least(layout, 1) {
            Some(_) if memory > in_memory && least_memory <= most => {
                let threads = memory::threads_within(layout, most);
                let most = most.min(in_memory.max(least_memory));
                let budgets = memory::budgets(layout, threads, most);
                Ok(BuildMode::Files { threads: threads as usize, budgets })
            }
            _ if memory <= most => Ok(BuildMode::Memory),
            _ => {
                let game = layout.game().name().to_owned();
                Err(BuildError::Memory { game, needed: least_memory, most })
            }
        }
    }
}


/// Processor time on this machine, compared with the machine on which the rates were measured.
#[derive(Clone, Copy, Debug)]
pub struct Pace(f64);

/// The game that measures a machine, and its processor time with one thread on the machine of the rates.
const MEASURED: (&str, f64) = ("teeko", 0.2);

impl Pace {
    /// Solves a small game with one thread, which takes a fraction of a second.
    ///
    /// # Errors
    /// If no thread can be started, or the game cannot be solved.
    pub fn measure() -> Result<Pace, SolveError> {
        let (name, usual) = MEASURED;
        let game = standard_game(name).ok_or(io::Error::from(io::ErrorKind::NotFound))?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let (began, before) = (Instant::now(), usage().cpu_seconds);
        pool.map_err(io::Error::other)?.install(|| solve(&game, &Unobserved))?;
        let taken = usage().cpu_seconds - before;
        // Some systems do not report processor time.
        Ok(Pace(if taken > 0.0 { taken } else { began.elapsed().as_secs_f64() } / usual))
    }

    /// Estimates the processor seconds of a build. Games in which nearly nothing is decided take much less.
    pub fn seconds(self, layout: &Layout, mode: &BuildMode, packing: Option<Packing>) -> f64 {
        let in_files = match mode {
            BuildMode::Memory => 1.0,
            BuildMode::Files { .. } => 1.3,
        };
        let level = |packing: Packing| packing.level.unwrap_or(FramePacker::LEVEL);
        let packed = packing.map_or(0.0, |packing| 2.5 * 1.2_f64.powi(level(packing)));
        let solved = layout.entries() as f64 * nanoseconds(layout) * in_files;
        (solved + layout.header().census as f64 * packed) / 1e9 * self.0
    }
}

/// Processor time per entry of solving in memory. Measured in 2026 for tables of up to 14 billion entries.
fn nanoseconds(layout: &Layout) -> f64 {
    let game = layout.game();
    let moves = game.moves(layout.header().layers.len() - 1);
    match (layout.header().encoding, moves.travel) {
        (Encoding::Wdl | Encoding::WdlCycle, _) => 5.2,
        (_, Travel::Pushes) => 185.0,
        _ if game.graph().may_take() => 45.0,
        _ => match (moves.oldest, moves.travel) {
            (Some(Oldest::AfterLines), _) => 45.0,
            (Some(Oldest::BeforeLines | Oldest::First), _) => 13.0,
            (None, Travel::Links | Travel::Conditions) => {
                let targets = moves.targets.iter().map(|targets| targets.count_ones());
                10.0 + 3.6 * f64::from(targets.sum::<u32>()) / f64::from(game.cells())
            }
            (None, Travel::Anywhere) => 22.0,
            (None, Travel::Never | Travel::Pushes) => 20.0,
        },
    }
}
