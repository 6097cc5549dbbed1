//! Solves games into a shard, is interrupted again and again, and joins the shard to the same table.

use crate::proof::{TWO_ROWS, game};
use morpion_builder::checkpoint::{ShardId, WorkerCheckpoint, WorkerId};
use morpion_builder::join::join;
use morpion_builder::store::FileStore;
use morpion_core::{Encoding, Game, Header};
use morpion_games::catalogue::standard_game;
use morpion_machine::progress::{Progress, Unobserved};
use morpion_solver::error::SolveError;
use morpion_solver::layout::lay_out;
use morpion_solver::sets::FoldedSets;
use morpion_solver::solve;
use morpion_solver::solve::exchange::Threads;
use morpion_solver::solve::store::Budget;
use morpion_solver::table::solve_as;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

fn games() -> Vec<(Game, Encoding)> {
    let names = [
        "swap",
        "swap-pass",
        "tapatan",
        "achi",
        "picaria",
        "shisima",
        "classic",
        "misere",
        "swap4",
    ];
    let mut games: Vec<_> =
        names.iter().map(|name| (standard_game(name).unwrap(), Encoding::Plies8)).collect();
    games.push((standard_game("tapatan").unwrap(), Encoding::Plies16));
    games.push((game(TWO_ROWS), Encoding::Plies8));
    games
}

/// Solves into a shard with room for rows in memory, or with all of them there, and joins. Each attempt is stopped one check later than the attempt before, and the next one
/// resumes.
fn joined(layout: &Header, sets: &FoldedSets, room: Option<u64>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let (path, encoding) = (folder.path().to_path_buf(), layout.encoding);
    let layers = layout.layers.len();
    let budget = |bytes| vec![Budget { rows: bytes, group: bytes, pending: 1000 }; layers];
    let storage = FileStore { folder: path.clone() }.storage(room.map(budget));
    let share = ShardId { table: layout.clone(), process: 0, processes: 1 };
    let mut team = Threads::new(2, &storage);
    // Every stop takes effect at the next block, and every attempt resumes from the saved rows.
    for stop in 1.. {
        let mut shard =
            WorkerCheckpoint::open(&path, share.clone(), WorkerId::ONLY, Duration::ZERO).unwrap();
        let observer = StopAfter(AtomicU64::new(stop));
        match solve::solve(sets, encoding, &storage, &mut team, &mut shard, &observer) {
            Ok(()) => break,
            Err(SolveError::Stopped(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
    let written = Written::default();
    let table = join(Vec::new(), layout, sets, &[path], &written).unwrap();
    let [ahead, done] = [&written.ahead, &written.done].map(|sum| sum.load(Relaxed));
    assert_eq!([ahead, done], [layout.entries(); 2], "progress of the writing");
    table
}

/// Counts entries to write and written entries.
#[derive(Default)]
struct Written {
    ahead: AtomicU64,
    done: AtomicU64,
}

impl Progress for Written {
    fn writing(&self, entries: u64) {
        self.ahead.fetch_add(entries, Relaxed);
    }

    fn advance(&self, entries: u64) {
        self.done.fetch_add(entries, Relaxed);
    }
}

/// Requests a stop after this many checks.
struct StopAfter(AtomicU64);

impl Progress for StopAfter {
    fn stop(&self) -> bool {
        self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

#[test]
fn a_table_solved_in_blocks_and_interrupted_again_and_again_has_the_same_bytes() {
    for (game, encoding) in games() {
        let layout = lay_out(&game, Some(encoding), &Unobserved).unwrap();
        let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
        let expected = solve_as(&game, encoding, &Unobserved).unwrap();
        for room in [Some(0), Some(layout.entries() / 3), None] {
            let found = joined(&layout, &sets, room);
            assert!(found == expected, "{} {room:?}", game.name());
        }
    }
}
