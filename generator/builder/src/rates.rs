//! Estimates the time of a build, by solving the game itself or smaller games with the same rules.

use crate::frames::FramePacker;
use crate::packer::Packing;
use crate::plan::{Bounds, BuildMode};
use crate::store::FileStore;
use crate::usage::Meter;
use morpion_core::{Board, Encoding, Header};
use morpion_games::rules::{parse, rules_of, varied};
use morpion_machine::progress::Unobserved;
use morpion_solver::error::SolveError;
use morpion_solver::layout::lay_out;
use morpion_solver::sets::FoldedSets;
use morpion_solver::sink::TableSink;
use morpion_solver::solve::exchange::Threads;
use morpion_solver::solve::{has_pushes, memory, solve};
use morpion_solver::table::solve_widened;
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

/// Processor time of a build on this machine. Measured by solving the game itself, if it is small, or smaller games with the same rules.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// Nanoseconds for an entry, in memory.
    entry: f64,
    /// Nanoseconds to pack a byte.
    byte: f64,
    /// The factor by which rows in files slow a build down, within its memory limit.
    in_files: f64,
}

impl Rates {
    /// Measures a game with one thread, in memory and in this mode. Solves smaller games in two ways, and in each way only games that are
    /// expected to take at most `longest` seconds together.
    ///
    /// # Errors
    /// If no thread can be started, or a game cannot be solved or packed.
    pub fn measure(
        layout: &Header,
        packing: Option<Packing>,
        mode: &BuildMode,
        longest: Duration,
    ) -> Result<Rates, SolveError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        pool.map_err(io::Error::other)?.install(|| {
            let Measured { rate, game, seconds, table } = measure(layout, longest.as_secs_f64())?;
            let byte = packing.map_or(Ok(0.0), |packing| packing_rate(&table, packing))?;
            let in_files = match *mode {
                BuildMode::Files { limit, .. } if !table.is_empty() => {
                    let Bounds { memory, least_memory, .. } = Bounds::of(layout);
                    let free = limit.saturating_sub(least_memory) as f64;
                    in_files(&game, free / (memory - least_memory).max(1) as f64)? / seconds
                }
                _ => 1.0,
            };
            Ok(Rates { entry: rate, byte, in_files: in_files.max(1.0) })
        })
    }

    /// Estimates the processor seconds of a build. The wall time is this time divided by the threads.
    pub fn seconds(self, layout: &Header, mode: &BuildMode) -> f64 {
        let in_files = if *mode == BuildMode::Memory { 1.0 } else { self.in_files };
        let solved = layout.entries() as f64 * self.entry * in_files;
        (solved + layout.census as f64 * self.byte) / 1e9
    }
}

/// Nanoseconds to solve an entry of the smallest game, or to pack a byte, assumed before they are measured.
const ASSUMED: f64 = 100.0;

/// Entries up to which the time of a build hardly depends on their number.
const FEWEST: f64 = 200_000.0;

/// Maximum seconds for the smallest game.
const SMALLEST: f64 = 5.0;

/// Bounds of the exponent, if the time for an entry grows with a power of the number of entries. Wins take longer on larger boards, and larger
/// layers miss the caches of the processor more often, but the trend of two small games does not continue far.
const GROWTH: [f64; 2] = [0.15, 0.2];

/// The ways to make a game smaller, each by the keys of its rules that are tried in turn. The way that leads to the larger table counts: a
/// smaller board may have few lines, and a side with fewer pieces may be unable to make a line.
const WAYS: [&[&str]; 2] = [&["board.rows", "board.columns", "pieces.each"], &["pieces.each"]];

/// A game that was solved in memory to measure a larger game.
struct Measured {
    /// The nanoseconds for an entry that are expected of the larger game.
    rate: f64,
    game: Header,
    /// Processor seconds.
    seconds: f64,
    table: Vec<u8>,
}

/// Solves larger and larger games with the rules of a game, in each way for up to `longest` seconds.
fn measure(layout: &Header, longest: f64) -> Result<Measured, SolveError> {
    let boards = measure_way(layout, WAYS[0], longest)?;
    if boards.game.entries() == layout.entries() {
        return Ok(boards);
    }
    let pieces = measure_way(layout, WAYS[1], longest)?;
    Ok(if pieces.table.len() > boards.table.len() { pieces } else { boards })
}

/// Measures a game by games that are smaller in one way.
fn measure_way(layout: &Header, way: &[&str], longest: f64) -> Result<Measured, SolveError> {
    let mut games = vec![layout.clone()];
    while let Some(next) = games.last().and_then(|game| smaller(game, way)) {
        games.push(next);
    }
    let (mut rate, mut growth, mut entries, mut symmetries) = (ASSUMED, 0.0, 1.0, 0);
    let mut last = None;
    // Seconds of all games, and seconds that do not depend on the number of entries.
    let (mut spent, mut fixed) = (0.0, 0.0);
    for game in games.into_iter().rev() {
        let count = game.entries() as f64;
        // The smallest game may take a few seconds. If it is expected to take longer, nothing is measured.
        let most = if last.is_none() { SMALLEST } else { longest };
        if spent + count * rate / 1e9 > most {
            break;
        }
        let meter = Meter::start();
        let table = solve_widened(&game, &Unobserved)?;
        let seconds = meter.cost().cpu_seconds;
        spent += seconds;
        let measured = (seconds - fixed).max(seconds / 10.0) * 1e9 / count;
        let order = game.symmetries.len();
        // A board with more symmetries has more lines through each cell, so its rate says nothing about growth.
        if entries > FEWEST && order == symmetries {
            growth = (measured / rate).ln() / (count / entries).ln();
        }
        match count > FEWEST {
            true => rate = measured,
            false => fixed = seconds,
        }
        (entries, symmetries, last) = (count, order, Some((game, seconds, table)));
    }
    // The assumed time does not grow.
    let left = if entries > FEWEST { layout.entries() as f64 / entries } else { 1.0 };
    // With pushes, the time for an entry was not seen to grow with the number of entries alone.
    let least = if has_pushes(&layout.game) { 0.0 } else { GROWTH[0] };
    let rate = rate * left.powf(growth.clamp(least, GROWTH[1]));
    let (game, seconds, table) = last.unwrap_or_else(|| (layout.clone(), 1.0, Vec::new()));
    Ok(Measured { rate, game, seconds, table })
}

/// Processor seconds of a game with rows in files. `share` places the memory between the least (0) and the most (1) that the game needs.
fn in_files(layout: &Header, share: f64) -> Result<f64, SolveError> {
    let folder = tempfile::tempdir()?;
    let most = memory::in_memory(layout, 1);
    let least = memory::least(layout, 1).unwrap_or(most).min(most);
    let budgets = memory::budgets(layout, 1, least + ((most - least) as f64 * share) as u64);
    let meter = Meter::start();
    let sets = FoldedSets::fold(layout, &Unobserved)?;
    let storage = FileStore { folder: folder.path().into() }.storage(Some(budgets));
    let mut team = Threads::new(1, &storage);
    let mut table = TableSink::begin(Vec::new(), layout, &sets)?;
    match solve(&sets, layout.encoding, &storage, &mut team, &mut table, &Unobserved) {
        Err(SolveError::TooDeep) => in_files(&layout.with_encoding(Encoding::Plies16)?, share),
        solved => solved.map(|()| meter.cost().cpu_seconds),
    }
}

/// The next smaller game with the same rules: the number of rows, of columns or of each side's pieces is lowered by one. The first of these
/// keys that is in `way` and gives a valid game is used.
fn smaller(layout: &Header, way: &[&str]) -> Option<Header> {
    let game = &layout.game;
    let rules = rules_of(game)?;
    let (rows, columns) = match game.board_shape() {
        Board::Grid { rows, columns } | Board::Holed { rows, columns, .. } => (rows, columns),
        Board::Plain { .. } => (0, 0),
    };
    let pieces = rules.pieces.unwrap_or(game.cells().div_ceil(2));
    let mut sizes = [("board.rows", rows), ("board.columns", columns), ("pieces.each", pieces)];
    if columns > rows {
        sizes.swap(0, 1);
    }
    sizes.into_iter().filter(|(key, _)| way.contains(key)).find_map(|(key, size)| {
        let values = BTreeMap::from([(key.to_owned(), size.checked_sub(1)?.to_string())]);
        let game = parse(game.name(), &varied(game, &values).ok()?).ok()?;
        let next = lay_out(&game, Some(layout.encoding), &Unobserved).ok()?;
        (next.entries() < layout.entries()).then_some(next)
    })
}

/// Nanoseconds to pack a byte, measured on a sample of a table. Without a table, the assumption has to do.
fn packing_rate(table: &[u8], packing: Packing) -> Result<f64, SolveError> {
    /// Number of frames in the sample.
    const SAMPLE: usize = 16;
    let frames = table.chunks(packing.frame.map_or(Packing::FRAME, |frame| frame as usize));
    let step = frames.len().div_ceil(SAMPLE).max(1);
    let mut packer = FramePacker::new(packing.level.unwrap_or(FramePacker::LEVEL));
    let (mut bytes, meter) = (0, Meter::start());
    for frame in frames.step_by(step) {
        packer.pack(frame)?;
        bytes += frame.len();
    }
    Ok(if bytes == 0 { ASSUMED } else { meter.cost().cpu_seconds * 1e9 / bytes as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_smaller_games_of_its_kind_that_are_soon_solved() {
        let square = "[board]\nrows = 6\ncolumns = 6\n[lines]\nlength = 4";
        let sets: Vec<[u8; 3]> = (0..23).map(|cell| [cell, cell + 1, cell + 2]).collect();
        let moved = |to: &str| format!("{square}\n[pieces]\neach = 4\n[moves]\nto = \"{to}\"");
        for rules in [
            moved("king"),
            moved("any"),
            format!("{}\n[mills]", moved("orthogonal")),
            format!("{square}\n[pieces]\neach = 4\n[moves]\noldest = \"before-lines\""),
            square.replace('6', "5"),
            format!("{}\n[moves]\nto = \"push\"", square.replace('6', "5")),
            format!("[board]\ncells = 25\n[lines]\nsets = {sets:?}"),
        ] {
            let game = parse("t.toml", &format!("name = \"t\"\n{rules}")).unwrap();
            let mut layout = lay_out(&game, None, &Unobserved).unwrap();
            let (encoding, has_cycles) = (layout.encoding, game.graph().has_cycles());
            assert!(layout.entries() > 100_000_000, "{rules}");
            while let Some(next) = smaller(&layout, WAYS[0]) {
                assert!(next.entries() < layout.entries());
                assert_eq!(next.encoding, encoding);
                assert_eq!(next.game.graph().has_cycles(), has_cycles, "{rules}");
                layout = next;
            }
            assert!(layout.entries() < 1_000_000, "{} {rules}", layout.entries());
        }
    }

    #[test]
    fn a_game_without_smaller_games_is_planned_by_assumptions() {
        let sets: Vec<[u8; 3]> = (0..28).map(|cell| [cell, cell + 1, cell + 2]).collect();
        let edges: Vec<[u8; 2]> = (0..30).map(|cell| [cell, (cell + 1) % 30]).collect();
        let start = format!("XOXOX{}OXOXO x", ".".repeat(20));
        let rules = format!(
            "name = \"t\"\n[board]\ncells = 30\n[lines]\nsets = {sets:?}\n[pieces]\neach = 5\n\
             [moves]\nto = \"edges\"\nedges = {edges:?}\n[opening]\nstart = \"{start}\""
        );
        let game = parse("t.toml", &rules).unwrap();
        let layout = lay_out(&game, None, &Unobserved).unwrap();
        let (packing, mode) = (Some(Packing::default()), BuildMode::Memory);
        let seconds = [None, packing].map(|packing| {
            let rates = Rates::measure(&layout, packing, &mode, Duration::from_secs(1)).unwrap();
            rates.seconds(&layout, &mode)
        });
        assert!(0.0 < seconds[0] && seconds[0] < seconds[1], "{seconds:?}");
    }
}
