//! The game in the terminal, played through a pipe.

use crate::played::{TWO_PEOPLE, out, people, refused};
use morpion_tests::morpion;
use std::io::Write;
use std::process::Stdio;

/// All hints at a position in which a piece is moved, up to the values of all moves.
const HINTS: &str = "hint\nhint\nhint\nhint\n";

#[test]
fn a_full_game_is_won_and_drawn() {
    let text = people("classic", &[], "a1\nb1\na2\nb2\na3\n");
    assert!(text.contains("X wins: a line is made."), "{text}");
    let text = people("misere", &[], "a1\nb1\na2\nb2\na3\n");
    assert!(text.contains("O wins: a line is made."), "{text}");
    let text = people("classic", &[], "b2\na1\nb1\nb3\na2\nc2\na3\nc1\nc3\n");
    assert!(text.contains("Draw: nothing can be placed any more."), "{text}");
    let text = out(&["classic", "--o", "perfect"], "a1\nb1\nc2\n");
    assert!(text.contains("You lost: a line is made."), "{text}");
    // A club player sees a threat, and not a fork that comes later.
    let text = out(&["classic", "--seed", "1", "--from", "XX./.O./... o"], "");
    assert!(text.contains("X: human   O: club   seed 1"), "{text}");
    assert!(text.contains("O (club) plays c1"), "{text}");
    assert!(out(&["classic", "--o", "perfect:trap"], "").contains("O: perfect:trap"));
}

#[test]
fn a_game_is_reviewed_with_its_mistakes_marked() {
    let text = people("classic", &[], "review\nb2\nb1\nb3\na2\na1\nc1\nc3\nreview\n");
    assert!(text.contains("Nobody gave anything away."), "{text}");
    assert!(text.contains("over (review, undo, save FILE, new, quit)> "), "{text}");
    assert!(text.contains("  2  O b1 ?   loss in 6 plies; a draw with a1 c1 a3 c3"), "{text}");
    assert!(text.contains("  3  X b3 ?   draw that ends; a win with a1 c1 a2 c2 a3 c3"), "{text}");
    assert!(text.contains("  7  X c3     win in 1 ply\n"), "{text}");
    assert!(text.contains("\n??  a win turned into a loss\n"), "{text}");
    assert!(text.contains("Given away: O the draw with move 2, X the win with move 3, "), "{text}");
    assert!(text.contains("\nX wins  ..#.#.##\n  draw  ##.#.#..\nO wins  ........\n"), "{text}");
}

#[test]
fn the_help_has_the_moves_of_this_game_alone() {
    for (game, ways, never) in [
        ("classic", "b1 places a piece there", "a1-b1"),
        ("picaria", "a1-b1", "pass passes"),
        ("swap-pass", "pass passes", "takes a piece"),
        ("six-mens-morris", "a line takes a piece: c1xc2", "pass passes"),
        ("quixo3", "a1>c1 takes the cube on a1", "places a piece"),
    ] {
        let text = people(game, &[], "help\n");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(ways) && !text.contains(never), "{game}: {text}");
    }
}

#[test]
fn illegal_input_is_explained_and_asked_for_again() {
    let text = people("classic", &[], "b2\nb2\nz9\n9/9\na1-b1\n\u{fffd}\nsave\na1\n");
    for expected in [
        "b2 is not legal: b2 is not empty: X has a piece there",
        "\"z9\" is not a move: expected a cell like b2",
        "\"9/9\" is not a move",
        "a1-b1 is not legal: pieces never move in this game",
        "\"save\" needs a file: write save FILE",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    // The game continues with two pieces on the board.
    assert!(text.ends_with("x> \nEnd of input: the game stops here.\n"), "{text}");
    assert!(text.contains(" 1  O | . | .\n   ---+---+---\n 2  . | X | ."), "{text}");
    let text =
        people("nine-holes-diagonals", &["--from", "XX./O.X/.OO x"], "a1-c1\na1-b2\nb1-b2\n");
    assert!(text.contains("a1-c1 is not possible here: the piece on a1 goes to no cell"), "{text}");
    // After invalid UTF-8 the game asks again.
    let mut child = morpion(["play", "classic", "--o", "human"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"\xff\xfe\nb2\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("2  . | X | ."));
}

/// After any input, the game asks again or ends. Sends lines of random pieces of input, and random bytes. None of the
/// pieces names a file to write, which would need a space.
#[test]
fn any_input_at_all_is_survived() {
    let words = [
        "a1",
        "b2",
        "c3",
        "2/1",
        "-",
        "a1-b1",
        "pass",
        "hint",
        "undo",
        "moves",
        "new",
        "board",
        "help",
        "/",
        "save",
        "load",
        "load /",
        "\u{e9}1",
        "1/",
        "a-",
        "99999999999999999999",
        "a0",
        "?",
    ];
    for (seed, game) in ["classic", "swap-pass", "tapatan", "shisima"].into_iter().enumerate() {
        let mut dice = morpion_play::dice::Dice::new(seed as u64);
        let mut input = Vec::new();
        for _ in 0..400 {
            for _ in 0..=dice.below(3) {
                input.extend_from_slice(dice.pick(&words).unwrap().as_bytes());
            }
            input.extend((0..dice.below(4) / 3).map(|_| dice.below(256) as u8));
            input.push(b'\n');
        }
        let mut child = morpion(["play", game, "--o", "random", "--seed", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        // The answers exceed the buffer of a pipe, so they are read while the input is written.
        let writer = std::thread::spawn(move || drop(pipe.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn end_of_input_ends_the_game_cleanly() {
    for input in ["", "b2\n", "b2", "b2\nhint"] {
        let text = people("classic", &[], input);
        assert!(text.ends_with("End of input: the game stops here.\n"), "{text}");
    }
}

const SHUTTLE: &str = "a1-a2\nc3-c2\na2-a1\nc2-c3\n";

#[test]
fn repetition_is_a_draw_and_hint_warns_of_it() {
    let opening = "a1\nb1\nb2\nc3\nc1\na3\n";
    let text = people("swap", &[], &format!("{opening}{SHUTTLE}{SHUTTLE}"));
    assert!(text.contains("Draw: the position occurs for the 3rd time."), "{text}");
    let hint = format!("{opening}{SHUTTLE}a1-a2\nc3-c2\n{HINTS}a2-a1\n{HINTS}");
    let text = people("swap", &[], &hint);
    assert!(text.contains("a2-a1 repeats a position, 2 of 3\n"), "{text}");
    assert!(text.contains("c2-c3 repeats a position, 3 of 3: a draw\n"), "{text}");
    let fresh = people("swap", &[], &format!("{opening}{HINTS}"));
    assert!(!fresh.contains("repeat") && fresh.contains("draw by cycle for x"), "{fresh}");
}

#[test]
fn hint_undo_and_new_do_what_they_say() {
    let text =
        people("classic", &[], "a1\nb1\nhint\nhint\nhint\nundo\nundo\nundo\nmoves\nnew\nquit\n");
    assert!(text.contains("There is a win in 5 plies. (hint says more)\n"), "{text}");
    assert!(text.contains("Place a piece on a2.\n"), "{text}");
    assert!(text.contains("win in 5 plies for x\n  win in 5 plies     a2 "), "{text}");
    assert_eq!(text.matches("1 move taken back").count(), 2);
    assert!(text.contains("there is no move of yours to take back"), "{text}");
    assert!(text.contains("a1 b1 c1 a2 b2 c2 a3 b3 c3"), "{text}");
    // Against a computer, its answer is taken back too. The computer then answers in the same way.
    let text = out(&["classic", "--o", "random", "--seed", "5"], "a1\nundo\na1\n");
    assert!(text.contains("2 moves taken back"), "{text}");
    let answers: Vec<_> = text.lines().filter(|line| line.contains("(random) plays")).collect();
    assert!(answers.len() == 2 && answers[0] == answers[1], "{text}");
    // Each position has its own hints.
    let text = people("classic", &[], "a1\nhint\nb1\nhint\n");
    assert!(text.contains("Only one move keeps the draw.") && text.contains("There is a win in"));
    // A move can be taken back after the end of the game.
    let text = people("classic", &[], "a1\nb1\na2\nb2\na3\nundo\nb3\n");
    assert!(text.contains("X wins") && text.contains("1 move taken back"), "{text}");
}

#[test]
fn boards_without_a_grid_and_passes_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ring.toml");
    std::fs::write(
        &file,
        "name = \"ring\"\n[board]\ncells = 6\n[lines]\nsets = [[0, 2, 4]]\n[pieces]\neach = 2\n\
         [moves]\nto = \"edges\"\nedges = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [0, 5]]\nstay = true\n",
    )
    .unwrap();
    let ring = [file.to_str().unwrap()];
    let text =
        out(&[&ring, TWO_PEOPLE].concat(), &format!("0\n3\n1\n4\n1-2\npass\n2-2\n4-1\n{HINTS}"));
    assert!(text.contains("linked: 0-1 0-5 1-2 2-3 3-4 4-5"), "{text}");
    assert!(text.contains("4-1 is not possible here: the piece on 4 goes to 5"), "{text}");
    let hint = text.lines().find(|line| line.starts_with("  draw by cycle")).unwrap();
    assert!(hint.split_whitespace().any(|word| word == "pass"), "{text}");
    for player in [
        "random",
        "child",
        "cubic",
        "best-first",
        "rules",
        "club",
        "minimax:2",
        "alphabeta:3",
        "perfect",
    ] {
        let text = out(&[&ring[..], &["--x", player, "--o", "perfect:trap"]].concat(), "");
        assert!(text.contains("Draw: "), "{player}\n{text}");
    }
}

#[test]
fn without_a_game_a_menu_asks_for_one() {
    for (typed, title) in [
        ("", "Tic-tac-toe"),
        ("9999\nTapatan\n", "Tapatan"),
        ("2", "Misère tic-tac-toe"),
        ("Swap with pass", "Morpion with three pieces each"),
        ("swap", "Morpion"),
    ] {
        let text = out(&[], &format!("{typed}\nquit\n"));
        assert!(text.contains("\n  3  Swap\n  4  Swap with pass\n"), "{text}");
        let (_, game) = text.rsplit_once("Game by number or name [Tic-tac-toe]> ").unwrap();
        assert!(game.starts_with(title), "{text}");
    }
    assert!(out(&[], "9999\n").contains("no game named \"9999\""));
}

#[test]
fn a_link_to_the_page_is_continued_and_printed() {
    let address = "http://localhost:8080/#/swap?moves=b2+a1+c2&o=human";
    let text = out(&["--from", address, "--o", "human"], "a2\nlink\nquit\n");
    assert!(text.contains("#/swap?moves=b2+a1+c2+a2  (append it"), "{text}");
}

#[test]
fn bad_usage_is_refused() {
    for (arguments, expected) in [
        (&["chess"][..], "no game named \"chess\""),
        (&["classic", "--o", "deep-blue"], "player \"deep-blue\": write random"),
        (&["classic", "--o", "minimax:0"], "depth from 1 to 36, or human"),
        (&["classic", "--from", "XXX/XXX/XXX x"], "9 X and 0 O"),
        (&["classic", "--load", "/nonexistent.json"], "/nonexistent.json: "),
        (
            &["classic5k5", "--o", "perfect"],
            "perfect:first plays from a table (others do not: --o club)",
        ),
        (&["--from", "#/swap?o=nobody"], "unknown player \"nobody\""),
        (&["--from", "#/?rules=x"], "not a link to a game"),
        (&["--from", "#/swap?moves=b2+b2"], "the link: move 2"),
    ] {
        let error = refused(arguments);
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    // Without the table, other players still play, and only the hint is missing.
    let text = people("classic5k5", &[], "c3\nhint\n");
    assert!(text.contains("no hint: classic5k5"), "{text}");
}
