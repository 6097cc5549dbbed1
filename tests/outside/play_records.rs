//! Games that are saved, loaded and given up.

use crate::played::{TWO_PEOPLE, out, people, play, refused};
use morpion_tests::morpion;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

#[test]
fn a_record_is_saved_loaded_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (mine, whole) = (file("my game.json"), file("whole.json"));
    people("swap", &["--seed", "3"], &format!("a1\nb1\nb2\nsave {mine}\n"));
    let text = out(&["--load", &mine], "c3\nc1\na3\nmoves\n");
    assert!(text.contains("X: human   O: human   seed 3") && text.contains("a1-a2"), "{text}");
    let text = people("swap", &[], &format!("load {mine}\nload {mine}x\nundo\n"));
    assert!(text.contains(": 3 moves") && text.contains("No such file"), "{text}");
    // A finished game between two computers. The same seed gives the same record.
    let players = ["tapatan", "--x", "random", "--o", "rules", "--seed", "9", "--save", &whole];
    out(&players, "");
    let first = std::fs::read_to_string(&whole).unwrap();
    out(&players, "");
    assert_eq!(first, std::fs::read_to_string(&whole).unwrap());
    let record: serde_json::Value = serde_json::from_str(&first).unwrap();
    assert_eq!((&record["game"], &record["x"]), (&"tapatan".into(), &"random".into()));
    assert!(record["result"]["ending"].is_string());
    // The record of another game, and a record that was edited by hand.
    assert!(refused(&["classic", "--load", &mine]).contains("and not of classic ("));
    std::fs::write(&mine, first.replacen("\"moves\": [\n    \"", "\"moves\": [\n    \"z", 1))
        .unwrap();
    assert!(refused(&["--load", &mine]).contains("move 1: "));
}

/// Plays the lines, waits until `shown` appears, and kills the program while it waits for the next line.
fn killed(arguments: &[&str], lines: &str, shown: &str) {
    let mut child = morpion([&["play"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
    let mut text = Vec::new();
    let mut out = child.stdout.take().unwrap();
    while !String::from_utf8_lossy(&text).contains(shown) {
        let mut some = [0; 1024];
        let count = std::io::Read::read(&mut out, &mut some).unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&text));
        text.extend_from_slice(&some[..count]);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn recorded(file: &Path) -> (String, bool) {
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let moves = record["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap());
    (moves.collect::<Vec<_>>().join(" "), !record["result"].is_null())
}

const WON: &str = "a1\nb1\na2\nb2\na3\n";
const WON_MOVES: &str = "a1 b1 a2 b2 a3";

#[test]
fn a_game_is_saved_when_it_ends_and_whenever_a_person_is_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json");
    let save = [&["classic"], TWO_PEOPLE, &["--save", file.to_str().unwrap()]].concat();
    killed(&save, "a1\nb1\nmoves\n", "c1 a2 b2");
    assert_eq!(recorded(&file), ("a1 b1".into(), false));
    killed(&save, WON, "over (");
    assert_eq!(recorded(&file), (WON_MOVES.into(), true));
    // One move is taken back and another one made.
    let output = play(&save, &format!("{WON}undo\nc3\n"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("record written to"));
    assert_eq!(recorded(&file), ("a1 b1 a2 b2 c3".into(), false));
    // A session without a move leaves the file alone.
    let output = play(&save, "hint\nquit\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no move was made"));
    assert_eq!(recorded(&file), ("a1 b1 a2 b2 c3".into(), false));
    // If the file cannot be written, this is an error before the first move.
    let nowhere = [&["classic"], TWO_PEOPLE, &["--save", "/nonexistent/game.json"]].concat();
    let output = play(&nowhere, "a1\nmoves\n");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("/nonexistent/game.json: No such file"), "{text}");
}

#[test]
fn a_game_is_given_up_only_after_a_confirmation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let (file, other) = (path.to_str().unwrap(), folder.path().join("other.json"));
    let asks = |text: &str| text.matches("give it up? (yes, no, save FILE)> ").count();
    let empty = " 1  . | . | .";
    // If there are no moves, nothing is lost.
    let text = people("classic", &[], "new\nnew\nquit\n");
    assert_eq!((asks(&text), text.matches(empty).count()), (0, 3), "{text}");
    for (answer, boards) in [("yes", 2), ("Y", 2), ("no", 1), ("", 1), ("moves", 1)] {
        let text = people("classic", &[], &format!("a1\nnew\n{answer}\nquit\n"));
        assert!(text.contains("this game of 1 move is not saved; give it up?"), "{text}");
        assert_eq!((asks(&text), text.matches(empty).count()), (1, boards), "{answer}: {text}");
    }
    // A saved game is given up without a question. After one more move, the program asks again.
    let save = format!("save {file}\n");
    let text = people("classic", &[], &format!("a1\nnew\n{save}new\nquit\n"));
    assert_eq!((asks(&text), text.matches(empty).count()), (1, 2), "{text}");
    let text = people("classic", &[], &format!("a1\n{save}b1\nnew\nno\n"));
    assert_eq!(asks(&text), 1, "{text}");
    // A loaded record replaces the game too.
    let text =
        people("classic", &[], &format!("c3\nload {file}\nno\nload {file}\nyes\nload {file}\n"));
    assert_eq!((asks(&text), text.matches("loaded ").count()), (2, 2), "{text}");
    let text = people("classic", &[], "c3\nload /nonexistent\nyes\n");
    assert!(asks(&text) == 0 && text.contains("nothing was asked"), "{text}");
    // With --save, the next game overwrites the finished game. The program warns, and keeps the old file until a move
    // is made.
    let save = ["--save", file];
    let text = people("classic", &save, &format!("{WON}new\nyes\nquit\n"));
    assert!(text.contains("the next game replaces this one of 5 moves; give it up?"), "{text}");
    assert_eq!(recorded(&path), (WON_MOVES.into(), true));
    let keep = format!("{WON}new\nsave {}\nnew\nc3\nquit\n", other.display());
    people("classic", &save, &keep);
    assert_eq!(recorded(&other), (WON_MOVES.into(), true));
    assert_eq!(recorded(&path), ("c3".into(), false));
}

#[test]
fn the_folder_of_a_record_keeps_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json");
    out(&["classic", "--x", "rules", "--o", "rules", "--save", file.to_str().unwrap()], "");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.len() == 1 && Path::new(&file).is_file());
    let nowhere = folder.path().join("none/game.json");
    let output =
        play(&["classic", "--x", "rules", "--o", "rules", "--save", nowhere.to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(2));
}

/// Tags of a list of moves: the first position is used, and the names of the others are said.
#[test]
fn a_list_of_moves_begins_at_the_position_of_its_tag() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list.txt");
    std::fs::write(&file, "[Event \"x\"]\n[FEN \"X../.O./..X o\"]\n[SetUp \"1\"]\n\n1. b1 b3\n")
        .unwrap();
    let arguments = ["play", "classic", "--x", "human", "--o", "human", "--load"];
    let output = morpion(arguments).arg(&file).stdin(Stdio::null()).output().unwrap();
    let [text, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(error.contains("not used: Event\n"), "{error}");
    for row in [" 1  X | O | .", " 2  . | O | .", " 3  . | X | X"] {
        assert!(text.contains(row), "{text}");
    }
}
