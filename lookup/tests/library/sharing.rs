//! One mapped file, many threads and many processes.

use crate::arrangements::arrangements;
use morpion_lookup::{Position, Table};
use std::path::PathBuf;
use std::process::Command;

const CHILD: &str = "MORPION_SHARING_CHILD";

fn path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/tables/six.morpion"))
}

fn open() -> Table {
    // SAFETY: the file of the repository stays as it is.
    unsafe { Table::map(path()) }.unwrap()
}

fn positions(table: &Table) -> Vec<Position> {
    let last = table.game().graph().layers.len() - 1;
    let all = arrangements(table.game()).into_iter();
    all.filter(|(layer, _)| *layer == last).step_by(7).map(|(_, position)| position).collect()
}

/// All answers as one number.
fn answers(table: &Table, positions: &[Position]) -> u64 {
    let mix = |sum: u64, answer: u64| (sum ^ answer).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut sum = 0;
    let mut scores = Vec::new();
    table.probe_many(positions, &mut scores).unwrap();
    for score in scores {
        let score = score
            .map_or(7, |score| score.value() as u64 | u64::from(score.plies().unwrap_or(999)) << 8);
        sum = mix(sum, score);
    }
    for &position in positions.iter().step_by(11) {
        let moves = table.ranked_moves(position).map_or(77, |moves| moves.len() as u64);
        sum = mix(sum, moves);
    }
    sum
}

#[test]
fn a_table_is_send_and_sync() {
    fn shared<T: Send + Sync>() {}
    shared::<Table>();
}

#[test]
fn many_threads_get_the_same_answers_from_one_table() {
    let table = open();
    let positions = positions(&table);
    let expected = answers(&table, &positions);
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..16).map(|_| scope.spawn(|| answers(&table, &positions))).collect();
        for worker in workers {
            assert_eq!(worker.join().unwrap(), expected);
        }
    });
}

#[test]
fn many_processes_get_the_same_answers_from_one_mapped_file() {
    let table = open();
    let expected = answers(&table, &positions(&table));
    if let Ok(told) = std::env::var(CHILD) {
        assert_eq!(told, expected.to_string());
        return;
    }
    let children: Vec<_> = (0..8)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args([
                    "--exact",
                    "sharing::many_processes_get_the_same_answers_from_one_mapped_file",
                ])
                .env(CHILD, expected.to_string())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
}
