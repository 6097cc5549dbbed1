//! `morpion play` through a pipe.

use morpion_tests::morpion;
use std::io::Write;
use std::process::{Output, Stdio};

/// Runs `morpion play` with lines of input.
pub fn play(arguments: &[&str], input: &str) -> Output {
    let mut child = morpion([&["play"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A finished game does not read the rest of its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

pub fn out(arguments: &[&str], input: &str) -> String {
    let output = play(arguments, input);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

pub fn refused(arguments: &[&str]) -> String {
    let output = play(arguments, "");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

pub const TWO_PEOPLE: &[&str] = &["--x", "human", "--o", "human"];

pub fn people(game: &str, more: &[&str], input: &str) -> String {
    out(&[&[game], TWO_PEOPLE, more].concat(), input)
}
