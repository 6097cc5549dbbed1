//! Estimates the memory, disk and time of a build.
//!
//! Computes entries, peak memory and disk from a [`Layout`] and from the allocations that the solver declares.
//! Estimates the time by rates for each kind of game, and the [`Pace`] of this machine.

use crate::error::BuildError;
use crate::frames::FramePacker;
use crate::packer::Packing;
use crate::usage::{available_memory, usage};
use morpion_core::{Encoding, Game, Move, Over, Position, Travel};
use morpion_games::catalogue::standard_game;
use morpion_games::reach::arrangements::Arrangements;
use morpion_games::reach::groups::groups;
use morpion_machine::progress::Unobserved;
use morpion_machine::splitmix::splitmix;
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
    /// Disk for the table and its checkpoints. Rows in files, with their logs and planes, take about as much.
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

    /// Estimates the processor seconds of a build. The wall time is this time divided by the threads.
    pub fn seconds(self, layout: &Layout, mode: &BuildMode, packing: Option<Packing>) -> f64 {
        let Work { decided, nanoseconds } = Work::of(layout);
        let in_files = match mode {
            BuildMode::Memory => 1.0,
            // The first rows that do not fit cost most, because pending entries do not fit either.
            BuildMode::Files { budgets, .. } => {
                1.0 + 0.57 * memory::stored_share(layout, budgets).sqrt()
            }
        };
        let level = |packing: Packing| packing.level.unwrap_or(FramePacker::LEVEL);
        let packed = packing.map_or(0.0, |packing| 2.5 * 1.2_f64.powi(level(packing)) * decided);
        let solved = layout.entries() as f64 * (IDLE + decided * nanoseconds) * in_files;
        (solved + layout.header().census as f64 * packed) / 1e9 * self.0
    }
}

/// Nanoseconds for an entry of a game in which nothing is decided.
const IDLE: f64 = 1.2;

/// The work of solving a game. It depends on the share of positions in which a move completes a line.
struct Work {
    /// The share of entries that are decided.
    decided: f64,
    /// Nanoseconds for a decided entry.
    nanoseconds: f64,
}

impl Work {
    /// Estimates the work for a game. Measured in 2026 for 24 games of all kinds.
    fn of(layout: &Layout) -> Work {
        let (game, layers) = (layout.game(), &layout.header().layers);
        let entries = |&layer: &usize| layers[layer].rows * layers[layer].columns;
        let largest = (0..layers.len()).max_by_key(entries).unwrap_or(0);
        let (near, moves) = (near_lines(game, largest), game.moves(largest));
        // A piece that may go anywhere can stop any threat. So threats have to be frequent.
        let free = near * near / (near * near + 0.07 * 0.07);
        let (decided, nanoseconds) = match (layout.header().encoding, moves.travel) {
            (Encoding::Wdl | Encoding::WdlCycle, _) => (1.0, 0.7),
            (_, Travel::Pushes) => (1.0, 57.0),
            _ if game.graph().may_take() => (near.min(0.45), 55.0),
            // The more lines are near, the fewer passes it takes until all is decided.
            (_, Travel::Links | Travel::Conditions) => {
                (near / (near + 0.045), 30.0 * (1.0 - near).powi(2))
            }
            _ if moves.oldest.is_some() => (free, 8.0),
            (_, Travel::Anywhere | Travel::Never) => (free, 11.0),
        };
        // Conditions are tested for each set.
        let tests = if moves.travel == Travel::Conditions { 2.5 } else { 1.0 };
        Work { decided, nanoseconds: nanoseconds * tests }
    }
}

/// The share of positions of a layer in which a move completes a line, by a sample.
fn near_lines(game: &Game, layer: usize) -> f64 {
    const SAMPLE: u64 = 2000;
    let all = Arrangements::of_layer(game, layer, Position { mover: 0, waiter: 0 });
    let count = u64::try_from(all.count()).unwrap_or(u64::MAX).max(1);
    let completes = |position: &Position| {
        let is_line = |mv: Move| {
            let after = game.end_at(game.apply(*position, mv));
            matches!(mv, Move::Take { .. }) || after == Some(Over::Line)
        };
        game.legal_moves(*position).any(is_line)
    };
    let sample = (0..SAMPLE).map(|number| all.position(splitmix(0, number) % count));
    sample.filter(completes).count() as f64 / SAMPLE as f64
}
