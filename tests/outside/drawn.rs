//! Drawings of positions, and sheets of puzzles.

use morpion_tests::server::tables;
use morpion_tests::{morpion, run};
use std::collections::BTreeSet;

#[test]
fn a_position_is_drawn_without_a_table() {
    let drawn = |arguments: &[&str]| {
        let mut command = morpion(["query", "--svg"]);
        String::from_utf8(run(command.args(arguments)).stdout).unwrap()
    };
    let start = drawn(&["nine-mens-morris"]);
    assert!(start.starts_with("<svg") && start.contains("In hand: X 9, O 9"), "{start}");
    assert_eq!(drawn(&["swap", "X../.O./..X o"]).matches("<path").count(), 3);
    for arguments in [
        &["swap", "X../.O./..Q o"][..],
        &["swap", "X../.../... o", ".../.../... x"],
        &["swap", "--line"],
        &["chess"],
    ] {
        let output = morpion(["query", "--svg"]).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty());
    }
}

#[test]
fn a_sheet_has_six_different_puzzles_and_their_solutions() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, puzzles) in
        [(&["--number", "20000"][..], 6), (&["tapatan", "--number", "1"], 6)]
    {
        let mut command = morpion(["puzzle", "--sheet", "sheet.html", "--tables"]);
        let output = run(command.arg(tables()).args(arguments).current_dir(&folder));
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(said, format!("sheet.html: {puzzles} puzzles, solutions on page 2\n"));
        let sheet = std::fs::read_to_string(folder.path().join("sheet.html")).unwrap();
        let (tasks, solutions) = sheet.split_once("<h1>Solutions</h1>").unwrap();
        assert_eq!(tasks.matches("<figure>").count(), puzzles);
        assert_eq!(solutions.matches("<figure>").count(), puzzles);
        let numbers: BTreeSet<&str> = tasks.split("Puzzle ").skip(1).collect();
        assert_eq!(numbers.len(), puzzles);
        // A solution ends with a move of its side, at the latest with the move that wins.
        for (task, solution) in tasks.split("<figure>").zip(solutions.split("<figure>")).skip(1) {
            let line =
                solution.rsplit_once("<br>").unwrap().1.split("</figcaption>").next().unwrap();
            let moves = line.split(' ').count();
            if let Some((_, length)) = task.split_once("wins in ") {
                let length: usize = length.split(' ').next().unwrap().parse().unwrap();
                assert!(moves % 2 == 1 && moves < 2 * length, "{line}");
            }
            assert!(solution.contains("#ffe08a"), "the move is shown");
        }
    }
}
