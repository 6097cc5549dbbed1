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
fn a_sheet_has_different_puzzles_and_their_answers() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, puzzles, figures) in
        [(&["--number", "20000"][..], 6, 6), (&["tapatan", "--number", "1"], 5, 6)]
    {
        let mut command = morpion(["puzzle", "--sheet", "sheet.html", "--tables"]);
        let output = run(command.arg(tables()).args(arguments).current_dir(&folder));
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(said, "sheet.html: a sheet for A4, with the answers on page 2\n");
        let sheet = std::fs::read_to_string(folder.path().join("sheet.html")).unwrap();
        let (tasks, answers) = sheet.split_once("<h1>Answers</h1>").unwrap();
        assert_eq!(tasks.matches("<figure>").count(), figures);
        assert_eq!(answers.matches("<figure>").count(), puzzles);
        let numbers: BTreeSet<&str> = tasks.split("puzzle\u{a0}").skip(1).collect();
        assert_eq!(numbers.len(), puzzles);
        // An answer ends with a move of its side, at the latest with the move that wins.
        let tasks = tasks.split("<figure>").skip(1 + figures - puzzles);
        for (task, answer) in tasks.zip(answers.split("<figure>").skip(1)) {
            let moves = answer.matches("<span>").count();
            if let Some((_, length)) = task.split_once("win in ") {
                let length: usize = length.split(' ').next().unwrap().parse().unwrap();
                assert!(moves % 2 == 1 && moves < 2 * length, "{answer}");
            }
            assert!(answer.contains("#ffe08a"), "the move is shown");
        }
    }
}

#[test]
fn a_board_is_printed_without_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = morpion(["info", "nine-mens-morris", "--board", "board.html"]);
    let said = String::from_utf8(run(command.current_dir(&folder)).stdout).unwrap();
    assert_eq!(said, "board.html: a board for A4, with its pieces\n");
    let board = std::fs::read_to_string(folder.path().join("board.html")).unwrap();
    assert!(board.contains("Each side places nine pieces in turn."), "{board}");
    assert_eq!(board.matches("<svg").count(), 1 + 18);
}
