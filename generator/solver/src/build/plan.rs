//! What a build will take, before anything is written.
//!
//! In: a [`Layout`]. Out: entries, memory at the peak and disk, from what the solver says that it allocates; and time, from
//! small games solved on the spot.

use crate::build::table;
use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::blocks;
use crate::solve::layers;
use crate::solve::operator::Operator;
use morpion_games::progress::Unobserved;
use morpion_games::rules;
use morpion_lookup::raw::Encoding;
use morpion_machine::usage::available_memory;
use serde::Serialize;
use std::time::Instant;

/// What a build takes: entries exactly; memory, and disk with whole layers, as upper bounds. In blocks, four bytes for each entry
/// that waits come to the disk.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// The game's name.
    pub game: String,
    /// How entries are written.
    pub encoding: &'static str,
    /// Order of the group.
    pub symmetries: usize,
    /// Entries of all layers, exactly.
    pub entries: u64,
    /// Bytes of memory at the peak, with each layer in memory as a whole.
    pub memory: u64,
    /// Bytes of memory with which it can be built at least, where rows are in files.
    pub least_memory: u64,
    /// Bytes of the table and of what is kept beside it while it is built.
    pub disk: u64,
}

impl Plan {
    /// Plans the build of the table that is laid out. Cheap: no set is folded.
    pub fn of(layout: &Layout) -> Plan {
        let header = layout.header();
        let movement = header.layers.last().filter(|layer| layout.game().is_movement(layer.counts));
        // Checkpoints of the movement layer: the old one goes when the new one is there.
        let kept = movement.map_or(0, |layer| 2 * layer.bytes);
        let layers = layers::memory(layout);
        // A fiftieth more for whole pages and what every thread keeps.
        let memory = BASE + FoldedSets::memory(layout) + layers + layers / 50;
        let in_blocks = Shares::of(layout).map(|shares| shares.shared + shares.own + LEAST_WAITING);
        Plan {
            game: layout.game().rules().name.clone(),
            encoding: header.encoding.name(),
            symmetries: header.symmetries.len(),
            entries: layout.entries(),
            memory,
            least_memory: in_blocks.map_or(memory, |in_blocks| memory.min(in_blocks)),
            // The census and the sums are a few bytes a layer and a MiB.
            disk: header.census + header.census / 100_000 + (1 << 16) + kept,
        }
    }
}

/// The memory that a build may take: measured once, before the build itself takes some.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Bytes in all.
    most: u64,
    /// Bytes up to which layers are held as a whole.
    whole: u64,
}

impl Memory {
    /// `bytes`; without a number what the system has available, of which whole layers take a quarter at most: the rest is
    /// left to the page cache.
    pub fn given(bytes: Option<u64>) -> Memory {
        match bytes {
            Some(bytes) => Memory { most: bytes, whole: bytes },
            None => match available_memory() {
                Some(most) => Memory { most, whole: most / 4 },
                None => Memory { most: u64::MAX, whole: u64::MAX },
            },
        }
    }
}

/// How a build holds the layers it solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildMode {
    /// Each is held in memory as a whole.
    Whole,
    /// Block by block, the blocks in files.
    Blocks {
        /// As many threads as have room.
        threads: usize,
        /// Bytes of what waits in memory to be written to blocks.
        waiting: usize,
    },
}

impl BuildMode {
    /// How a table is built within this memory.
    ///
    /// # Errors
    /// Where it does not suffice: the bytes that would, and those that there are.
    pub fn of(layout: &Layout, Memory { most, whole }: Memory) -> Result<BuildMode, [u64; 2]> {
        let Plan { memory: needed, least_memory: least, .. } = Plan::of(layout);
        match Shares::of(layout) {
            Some(Shares { shared, own })
                if needed > whole && shared + own + LEAST_WAITING <= most =>
            {
                let room = most - shared - LEAST_WAITING;
                let threads = (room / own).min(rayon::current_num_threads() as u64);
                let waiting = LEAST_WAITING + (room - threads * own) / 2;
                Ok(BuildMode::Blocks { threads: threads as usize, waiting: waiting as usize })
            }
            _ if needed <= most => Ok(BuildMode::Whole),
            _ => Err([least, most]),
        }
    }
}

/// Bytes of memory of a build in blocks: what all threads share, and what each has of its own.
pub struct Shares {
    /// Of all threads together.
    pub shared: u64,
    /// Of each.
    pub own: u64,
}

impl Shares {
    /// `None` of a table that is not solved in blocks: entries of two bits are small enough, and rows share bytes.
    pub fn of(layout: &Layout) -> Option<Shares> {
        let [shared, own] = match layout.header().encoding {
            Encoding::Plies8 => blocks::memory::<u8>(layout),
            Encoding::Plies16 => blocks::memory::<u16>(layout),
            Encoding::Wdl => return None,
        };
        Some(Shares { shared: BASE + FoldedSets::memory(layout) + shared, own })
    }
}

/// Bytes of what waits in memory to be written to blocks, at least.
const LEAST_WAITING: u64 = 1 << 20;

/// What solving costs on this machine.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    placement: f64,
    values: f64,
    movement: f64,
}

impl Pace {
    /// Solves small games of each kind: a second or so.
    ///
    /// # Errors
    /// Where they cannot be solved.
    pub fn measure() -> Result<Pace, SolveError> {
        let per_entry = |text: &str, encoding| {
            let game = rules::parse("pace", text)
                .map_err(|error| SolveError::Io(std::io::Error::other(error)))?;
            let entries = Layout::new(&game, Some(encoding), &Unobserved)?.entries();
            let began = Instant::now();
            table::solve_as(&game, encoding, Operator::default(), &Unobserved)?;
            Ok::<f64, SolveError>(began.elapsed().as_secs_f64() / entries as f64)
        };
        let placing = "name = \"pace\"\n[board]\nrows = 6\ncolumns = 3\n[lines]\nlength = 3";
        let moving = "name = \"pace\"\n[board]\nrows = 4\ncolumns = 5\n[lines]\nlength = 4\n[pieces]\neach = 4\n\
            [moves]\nto = \"any\"";
        Ok(Pace {
            placement: per_entry(placing, Encoding::Plies8)?,
            values: per_entry(placing, Encoding::Wdl)?,
            movement: per_entry(moving, Encoding::Plies8)?,
        })
    }

    /// Seconds of wall time that a plan's build should take. The small games stay in the cache and large ones do not,
    /// so this is a guess, on the low side.
    pub fn seconds(&self, layout: &Layout) -> f64 {
        let pace = match layout.header().encoding {
            Encoding::Wdl => self.values,
            _ if layout.game().rules().movement.is_some() => self.movement,
            _ => self.placement,
        };
        pace * layout.entries() as f64
    }
}

/// The program itself, its threads and the tables of ranks.
const BASE: u64 = 24 << 20;

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::arrangements::arrangements;
    use morpion_games::catalogue::standard;

    #[test]
    fn rows_are_counted_before_they_are_made() {
        for game in standard().filter(|game| arrangements(game) < 1 << 26) {
            let layout = Layout::new(&game, None, &Unobserved).unwrap();
            let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
            for map in &layout.header().maps {
                let folded = sets.orbits(map.size).rows() as u64;
                assert_eq!(map.rows, folded, "{} {}", game.rules().name, map.size);
            }
        }
    }
}
