//! Compares the program's output with facts computed by programs that share no code with it.
//!
//! `facts/games.csv` and `facts/positions.csv` come from repeated passes over a dictionary of states, without symmetry
//! and ranking. If other people's solvers play the same rules, the facts agree with them. `facts/ageing.csv` and `facts/pushes.csv` were
//! published, and computed again in the same way; `facts/slides.csv` was computed in this way, except for the published numbers of Neutreeko
//! and Dao. `facts/published.csv` has values of other standard games.

use morpion_core::{Counts, LayerCensus};
use morpion_games::catalogue;
use morpion_games::reach::arrangements::layers;
use morpion_games::symmetry::group::group;
use morpion_lookup::{Bytes, RankedMove, Table};
use morpion_machine::progress::Unobserved;
use morpion_report::count::{Symmetry, count};
use morpion_report::least::Least;
use morpion_report::phrases::in_words;
use morpion_tests::{large_table, morpion, solved};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::ops::RangeBounds;
use std::path::PathBuf;
use std::process::Stdio;

fn facts() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("facts")
}

/// A row of a file of facts, from column to value.
pub(crate) type Row = BTreeMap<String, String>;

/// The number in a column; `None` if there is none.
pub(crate) fn number_in(row: &Row, column: &str) -> Option<u64> {
    row[column].parse().ok()
}

/// The rows of a file of facts.
pub(crate) fn rows(file: &str) -> Vec<Row> {
    let text = std::fs::read_to_string(facts().join(file)).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        names.iter().map(|name| name.to_string()).zip(line.split(',').map(String::from)).collect()
    };
    lines.map(row).collect()
}

fn json(arguments: &[&str]) -> Value {
    let output = morpion(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn number(text: &str) -> Value {
    text.parse::<u64>().map_or(Value::Null, Value::from)
}

/// Compares the games whose number of positions is in a range. Returns their number.
fn compare(range: impl RangeBounds<u64>) -> usize {
    let mut rows = rows("games.csv");
    rows.retain(|row| range.contains(&row["positions"].parse().unwrap()));
    for row in &rows {
        let file = facts().join(format!("games/{}.toml", row["game"]));
        let file = file.to_str().unwrap();
        let count = json(&["count", file, "--symmetry", "none", "--json"]);
        for key in ["positions", "terminal", "win", "loss", "draw", "longest_win", "longest_loss"] {
            assert_eq!(count[key], number(&row[key]), "{} {key}", row["game"]);
        }
        let plies: Vec<Value> = row["positions_by_pieces_placed"].split(' ').map(number).collect();
        assert_eq!(count["plies"], Value::from(plies), "{}", row["game"]);
        let classes = json(&["count", file, "--symmetry", "board", "--json"]);
        assert_eq!(
            classes["positions"],
            number(&row["classes_under_board_symmetry"]),
            "{}",
            row["game"]
        );
        let start = json(&["query", file, &".".repeat(count_cells(file)), "--json"]);
        assert_eq!(start["value"], Value::from(row["start_value"].as_str()), "{}", row["game"]);
        assert_eq!(start["plies"], number(&row["start_plies"]), "{}", row["game"]);
    }
    rows.len()
}

/// Compares the standard games of these names with values that others published. Returns their number.
fn compare_published(is_wanted: impl Fn(&str) -> bool) -> usize {
    let mut rows = rows("published.csv");
    rows.retain(|row| is_wanted(&row["game"]));
    for row in &rows {
        let table = solved(&catalogue::standard_game(&row["game"]).unwrap());
        let moves = table.ranked_moves(table.game().start()).unwrap();
        let (best, others) = moves.split_at(moves.best().len());
        assert_eq!(in_words(table.probe(table.game().start()).unwrap()), row["start"], "{row:?}");
        let first: Vec<_> = best.iter().map(|best| table.game().format_move(best.mv)).collect();
        assert!(row["first"].is_empty() || first.join(" ") == row["first"], "{first:?} {row:?}");
        let has_value = |other: &RankedMove| other.score.value().name() == row["others"];
        assert!(row["others"].is_empty() || others.iter().all(has_value), "{row:?}");
        let longest = table.raw().census().unwrap().longest_win.map(|win| u64::from(win.plies));
        assert_eq!(number_in(row, "longest_win").or(longest), longest, "{row:?}");
        if let Some(positions) = number_in(row, "positions") {
            let count = count(&table, Symmetry::None, &Unobserved).unwrap();
            let [win, loss] = [("won", count.win), ("lost", count.loss)]
                .map(|(column, found)| number_in(row, column).unwrap_or(found));
            assert_eq!((count.positions, count.win, count.loss), (positions, win, loss), "{row:?}");
        }
    }
    rows.len()
}

#[test]
fn standard_games_have_the_published_values() {
    assert_eq!(compare_published(|name| name != "seven-mens-centre"), 10);
}

#[test]
#[ignore = "long: solves seven men's morris, about 5 seconds; .ci/run runs it"]
fn seven_mens_morris_with_centre_lines_has_the_published_values() {
    assert_eq!(compare_published(|name| name == "seven-mens-centre"), 1);
}

/// Ascher and Jelliss counted the arrangements of mū tōrere up to symmetry, without the side to move.
#[test]
fn mu_torere_has_the_published_arrangements_up_to_symmetry() {
    let game = catalogue::standard_game("mu-torere").unwrap();
    let least = Least::new(game.cells(), group(&game, &Unobserved).unwrap().1);
    let layer = layers(&game).next().unwrap();
    let all = (0..layer.count() as u64).map(|number| least.of(layer.position(number)));
    assert_eq!((layer.count(), all.collect::<HashSet<_>>().len()), (630, 46));
}

/// The sequences A317573 and A317574 of the On-Line Encyclopedia of Integer Sequences, for 3×3.
#[test]
fn the_classes_that_x_and_o_win_by_ply_are_the_published_ones() {
    let classes = json(&["count", "classic", "--symmetry", "board", "--json"]);
    let mut won = [[0; 10], [0; 10]];
    for row in classes["distribution"].as_array().unwrap() {
        let [mover, waiter] = ["mover", "waiter"].map(|key| row[key].as_u64().unwrap());
        let ply = (mover + waiter) as usize;
        // X moves at even plies.
        let winner = match row["value"].as_str().unwrap() {
            "win" => ply % 2,
            "loss" => (ply + 1) % 2,
            _ => continue,
        };
        won[winner][ply] += row["count"].as_u64().unwrap();
    }
    assert_eq!(won, [[0, 0, 7, 9, 85, 67, 139, 70, 23, 12], [0, 0, 0, 8, 5, 72, 38, 56, 23, 0]]);
}

/// Number of positions that are counted in less than a second.
const FEW: u64 = 2_000_000;

#[test]
fn every_game_has_the_known_counts() {
    assert_eq!(compare(..FEW), 15);
}

#[test]
#[ignore = "long: 10 million positions, about 5 seconds; .ci/run runs it"]
fn a_large_game_has_the_known_counts() {
    assert_eq!(compare(FEW..), 1);
}

fn count_cells(file: &str) -> usize {
    usize::from(morpion_builder::folders::read_rules(file.as_ref()).unwrap().game.cells())
}

#[test]
fn every_sample_position_has_the_known_value() {
    let mut by_game: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in rows("positions.csv") {
        by_game.entry(row["game"].clone()).or_default().push(row);
    }
    assert_eq!(by_game.values().map(Vec::len).sum::<usize>(), 640);
    for (game, rows) in by_game {
        let file = facts().join(format!("games/{game}.toml"));
        let arguments = ["query", file.to_str().unwrap(), "--json"];
        let mut query =
            morpion(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input: String = rows.iter().map(|row| format!("{}\n\n", row["position"])).collect();
        query.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = query.wait_with_output().unwrap();
        assert!(output.status.success(), "{game}");
        let answers: Vec<Value> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(answers.len(), rows.len(), "{game}");
        for (row, answer) in rows.iter().zip(answers) {
            assert_eq!(answer["position"], Value::from(row["position"].as_str()));
            assert_eq!(answer["value"], Value::from(row["value"].as_str()), "{row:?}");
            assert_eq!(answer["plies"], number(&row["plies"]), "{row:?}");
            assert_eq!(answer.get("over").is_some(), row["over"] == "yes", "{row:?}");
            assert_eq!(answer.get("draw").is_some(), row["value"] == "draw", "{row:?}");
        }
    }
}

#[test]
fn the_classic_game_has_its_famous_numbers() {
    let count = json(&["count", "classic", "--json"]);
    assert_eq!(count["positions"], 5478);
    assert_eq!(count["plies"], Value::from(vec![1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]));
    for symmetry in ["board", "rules"] {
        let classes = json(&["count", "classic", "--symmetry", symmetry, "--json"]);
        assert_eq!(classes["positions"], 765);
        assert_eq!(classes["plies"], Value::from(vec![1, 3, 12, 38, 108, 174, 204, 153, 57, 15]));
    }
}

/// Wins, losses, draws, and arrangements that are not positions.
fn sums(layer: &LayerCensus) -> [u64; 4] {
    let [wins, losses] = [&layer.wins, &layer.losses].map(|list| list.iter().sum());
    [wins, losses, layer.draws_end + layer.draws_cycle, layer.none]
}

#[test]
fn layers_of_pieces_that_age_have_the_published_values() {
    let table = Table::builtin("disappearing").unwrap();
    let census = table.raw().census().unwrap();
    let rows = rows("ageing.csv");
    assert_eq!(rows.len(), 4);
    for row in &rows {
        let [mover, waiter] =
            ["marks_of_mover", "marks_of_waiter"].map(|key| row[key].parse().unwrap());
        let layer = table.game().graph().layers.iter();
        let layer =
            layer.zip(&census.layers).find(|(layer, _)| layer.counts == Counts { mover, waiter });
        let known = ["win", "loss", "draw", "invalid"].map(|key| number_in(row, key));
        assert_eq!(sums(layer.unwrap().1).map(Some), known, "{row:?}");
    }
}

/// The numbers in `facts/slides.csv` are those of all arrangements, by value, and the longest win and loss. Empty columns are not known.
#[test]
fn slides_have_the_known_values() {
    let rows = rows("slides.csv");
    assert_eq!(rows.len(), 4);
    for row in &rows {
        let file = facts().join(format!("games/slide-{}.toml", row["game"]));
        let own = || morpion_builder::folders::read_rules(&file).unwrap().game;
        let table = solved(&catalogue::standard_game(&row["game"]).unwrap_or_else(own));
        let census = table.raw().census().unwrap();
        let all = census.layers.iter().map(sums);
        let [won, lost, drawn, _] =
            all.fold([0; 4], |all, layer| [0, 1, 2, 3].map(|at| all[at] + layer[at]));
        let [win, loss] = [census.longest_win, census.longest_loss]
            .map(|longest| u64::from(longest.unwrap().plies));
        for (column, found) in [
            ("arrangements", won + lost + drawn),
            ("won", won),
            ("lost", lost),
            ("drawn", drawn),
            ("longest_win", win),
            ("longest_loss", loss),
        ] {
            assert_eq!(number_in(row, column).unwrap_or(found), found, "{column} {row:?}");
        }
    }
}

#[test]
fn pushes_have_the_published_values() {
    let rows = rows("pushes.csv");
    let of = |board: &str| rows.iter().find(|row| row["board"] == board).unwrap();
    let census = Table::builtin("quixo3").unwrap().raw().census().unwrap();
    let layers = census.layers.iter().map(sums);
    let all = layers.fold([0; 4], |all, layer| [0, 1, 2, 3].map(|at| all[at] + layer[at]));
    let known = ["win", "loss", "draw"].map(|key| number_in(of("3x3"), key).unwrap());
    assert_eq!(all[..3], known);
    let packed = Bytes::detect(morpion_tables::packed("quixo4").unwrap().into()).unwrap();
    let table = Table::from_source(packed).unwrap();
    assert_eq!(table.probe(table.game().start()).unwrap().to_string(), of("4x4")["win"]);
}

#[test]
#[ignore = "long: reads the census of quixo5, and solves it in eight hours where no table is found"]
fn quixo_on_twenty_five_cells_has_the_published_values() {
    let table = large_table("quixo5");
    let census = table.raw().census().unwrap();
    let layers = || table.game().graph().layers.iter().zip(&census.layers);
    let mut compared = 0;
    for row in rows("pushes.csv").iter().filter(|row| row["board"] == "5x5") {
        let [waiter, mover] =
            ["pieces_of_waiter", "pieces_of_mover"].map(|key| row[key].parse::<u8>().ok());
        let is_in = |Counts { mover: m, waiter: w }: Counts| {
            mover.is_none_or(|mover| mover == m) && waiter.is_none_or(|waiter| waiter == w)
        };
        let of_row = layers().filter(|(layer, _)| is_in(layer.counts)).map(|(_, layer)| layer);
        let all = of_row.map(sums).fold([0; 4], |a, b| [0, 1, 2, 3].map(|at| a[at] + b[at]));
        let known = ["win", "loss", "draw"].map(|key| number_in(row, key).unwrap());
        assert_eq!(all[..3], known, "{row:?}");
        compared += 1;
    }
    assert_eq!(compared, 4);
    assert!(table.probe(table.game().start()).unwrap().draw().is_some());
}
