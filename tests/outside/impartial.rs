//! Helpers of the tests of impartial games.

use morpion_impartial::octal::Moves;
use morpion_tests::morpion;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub fn moves(code: &str) -> Moves {
    Moves::new(&code.parse().unwrap()).unwrap()
}

pub fn facts(file: &str) -> Vec<Vec<String>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("facts").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let rows: Vec<_> = lines.map(|line| line.split(',').map(String::from).collect()).collect();
    assert!(!rows.is_empty(), "no facts in {file}");
    rows
}

/// A command that runs in a project's folder, so that tables are written to `tables` there instead of the user's data
/// folder.
pub fn morpion_in(folder: &Path, arguments: &[&str]) -> Command {
    std::fs::create_dir_all(folder.join("tables")).unwrap();
    let mut command = morpion(arguments);
    command.current_dir(folder);
    command
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    morpion_in(folder, arguments).output().unwrap()
}

pub fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

pub fn refused(folder: &Path, arguments: &[&str], status: i32, words: &[&str]) {
    let output = run(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).to_string();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {text}");
    for word in words {
        assert!(text.contains(word), "{arguments:?}: {text:?} says nothing of {word:?}");
    }
    assert!(!text.contains("panicked"), "{text}");
}
