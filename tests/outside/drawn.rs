//! Drawings of positions, and sheets of puzzles.

use morpion_tests::server::tables;
use morpion_tests::{morpion, run};
use std::collections::BTreeSet;

fn drawn(arguments: &[&str]) -> String {
    String::from_utf8(run(morpion(["draw"]).args(arguments)).stdout).unwrap()
}

#[test]
fn a_position_is_drawn_with_its_pieces_and_the_names_of_its_cells() {
    let text = drawn(&["swap", "X../.O./..X o"]);
    assert!(text.contains(" 2  . | O | .\n"), "{text}");
    let square = drawn(&["swap", "X../.O./..X o", "--svg"]);
    assert!(square.starts_with("<svg") && square.contains("<title>"), "{square}");
    // Three pieces; rows and columns have names.
    assert_eq!((square.matches("<path").count(), square.matches("<text").count()), (3, 6));
    // On a wheel, the empty cells have names.
    let wheel = drawn(&["rota", "XX.O..... o", "--svg"]);
    assert_eq!((wheel.matches("<path").count(), wheel.matches("<text").count()), (3, 6));
    let moved = drawn(&["classic", "X../.O./..X o", "--move", "b1", "--svg"]);
    assert_eq!(moved.matches("<path").count(), 4);
    let arrow = drawn(&["shisima", "--move", "a1-a2", "--svg"]);
    assert_eq!(
        arrow.matches("<line").count(),
        drawn(&["shisima", "--svg"]).matches("<line").count() + 3
    );
}

#[test]
fn ages_hands_takes_and_pushes_are_drawn() {
    // Three ages of each side beside the names of rows and columns; the oldest of X is dashed.
    let aged = drawn(&["disappearing", "OX./X.O/O.X x b1,a2,c3/a1,c2,a3", "--svg"]);
    assert_eq!((aged.matches("<text").count(), aged.matches("dasharray").count()), (12, 1));
    let held = drawn(&["six-mens-morris", "X#X#X/#O..#/..#../#...#/.#.#. o 3/4", "--svg"]);
    assert!(held.contains("In hand: X 3, O 4"), "{held}");
    let text = drawn(&["six-mens-morris", "X#X#X/#O..#/..#../#...#/.#.#. o 3/4"]);
    assert!(
        text.contains(" 2  |   O---.---.   |\n") && text.ends_with("in hand: X 3, O 4\n"),
        "{text}"
    );
    let text = drawn(&["disappearing", "OX./X.O/O.X x b1,a2,c3/a1,c2,a3"]);
    assert!(text.contains(" 1  O1| x1| .\n") && text.contains("b1 goes with the next X"), "{text}");
    let pushed = drawn(&["quixo3", "X../.../O.. x", "--move", "a1>c1", "--svg"]);
    assert_eq!(pushed.matches("<line").count(), 3);
}

#[test]
fn a_bad_position_or_move_is_one_line() {
    for arguments in [
        &["swap", "X../.O./..Q o", "--svg"][..],
        &["classic", "X../.O./..X o", "--move", "a1", "--svg"],
        &["classic", "XXX/OO./... o", "--move", "c2", "--svg"],
        &["chess"],
    ] {
        let output = morpion(["draw"]).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(output.stdout.is_empty());
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
