//! Recorded playthroughs: the answers of the tables along a perfect line of every standard game, and along a line with
//! mistakes. Each is a file in `golden/`, so that every change of an answer is visible.
//!
//! To rewrite them, run `MORPION_GOLDEN=write cargo test --release --workspace --test outside golden::`. Add `--
//! --include-ignored` for the games that take long to solve.

use morpion_core::{Game, RankedMove, RankedMoves};
use morpion_games::catalogue::Table;
use morpion_report::phrases::in_words;
use morpion_tests::{HUGE, everyday_tables, large_tables};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

/// Maximum number of half-moves of a line.
const LONGEST: usize = 40;

/// The moves of a position, best first, grouped by equal worth.
fn ranked(game: &Game, moves: &RankedMoves) -> String {
    let groups = moves.chunk_by(|a, b| in_words(a.score) == in_words(b.score));
    let group = |group: &[RankedMove]| {
        let moves: Vec<String> = group.iter().map(|ranked| game.format_move(ranked.mv)).collect();
        format!("{}: {}", in_words(group[0].score), moves.join(" "))
    };
    groups.map(group).collect::<Vec<_>>().join("; ")
}

/// Plays until the game is over, a position repeats, or the line is long enough, and records the answers of the table.
fn observe(table: &Table, choose: impl Fn(usize, &RankedMoves) -> RankedMove) -> String {
    let game = table.game();
    let mut position = game.start();
    let mut seen = HashSet::new();
    let mut text = String::new();
    for ply in 0.. {
        let score = table.probe(position).unwrap();
        writeln!(text, "{position}  {}", in_words(score)).unwrap();
        if let Some(over) = game.end_at(position) {
            writeln!(text, "    over: {}", over.name()).unwrap();
            break;
        }
        if !seen.insert(position) {
            writeln!(text, "    seen before").unwrap();
            break;
        }
        if ply == LONGEST {
            writeln!(text, "    left here").unwrap();
            break;
        }
        let moves = table.ranked_moves(position).unwrap();
        let chosen = choose(ply, &moves);
        writeln!(text, "    {}", ranked(game, &moves)).unwrap();
        writeln!(text, "    {} plays {}", position.side.letter(), game.format_move(chosen.mv))
            .unwrap();
        position = table.game().after(position, chosen.mv);
    }
    text
}

fn playthrough(table: &Table) -> String {
    let perfect = observe(table, |_, moves| moves[0]);
    // Every third move is one of the worst; the other moves are the last of the best moves.
    let mistaken = observe(table, |ply, moves| {
        let best = moves.best();
        if ply % 3 == 2 { moves[moves.len() - 1] } else { best[best.len() - 1] }
    });
    let name = table.game().name();
    format!("{name}: a perfect line\n\n{perfect}\n{name}: a line with mistakes\n\n{mistaken}")
}

/// Compares the playthroughs of these tables with the recorded files, or writes the files. Returns their number.
fn compare(tables: impl Iterator<Item = (String, Table)>) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let write = std::env::var_os("MORPION_GOLDEN").is_some_and(|wish| wish == "write");
    let mut compared = 0;
    for (name, table) in tables {
        let found = playthrough(&table);
        let file = folder.join(format!("{name}.txt"));
        if write {
            std::fs::write(&file, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(found, expected, "{} differs from the answers of the table", file.display());
        compared += 1;
    }
    compared
}

#[test]
fn the_tables_give_the_recorded_answers() {
    assert_eq!(compare(everyday_tables(|_| true)), 31);
}

#[test]
#[ignore = "long: builds the large tables where none is found, about 15 minutes"]
fn the_large_tables_give_the_recorded_answers() {
    assert_eq!(compare(large_tables()), 14);
}

#[test]
fn every_standard_game_has_a_playthrough() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut recorded = 0;
    for game in morpion_games::catalogue::standard() {
        let file = folder.join(format!("{}.txt", game.name()));
        if HUGE.contains(&game.name()) && !file.exists() {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let start = game.start();
        let titles = ["a perfect line", "a line with mistakes"];
        let titles = titles.map(|title| format!("{}: {title}\n\n{start}  ", game.name()));
        assert!(titles.iter().all(|title| text.contains(title)), "{}", file.display());
        recorded += 1;
    }
    assert_eq!(recorded, 46);
}
