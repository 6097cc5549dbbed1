//! Cram: known values, tables compared with regions, proofs, and refused input.

use crate::impartial::{facts, json, morpion_in, refused, run};
use morpion_tests::contents;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

#[test]
fn known_boards_of_cram() {
    let folder = tempfile::tempdir().unwrap();
    for row in facts("cram.csv") {
        let (rows, columns) = row[0].split_once('x').unwrap();
        let (rows, columns): (usize, usize) = (rows.parse().unwrap(), columns.parse().unwrap());
        let position = vec![".".repeat(columns); rows].join("/");
        let board = row[0].as_str();
        let value = |v: &Value| v["value"].to_string();
        assert_eq!(value(&json(folder.path(), &["cram", "value", board, "--json"])), row[1]);
        let before = json(folder.path(), &["cram", "query", board, &position, "--json"]);
        if rows * columns <= 18 || !cfg!(debug_assertions) {
            assert_eq!(value(&json(folder.path(), &["cram", "build", board, "--json"])), row[1]);
            let file = format!("tables/cram-{board}.grundy");
            assert!(run(folder.path(), &["verify", &file]).status.success());
        }
        let after = json(folder.path(), &["cram", "query", board, &position, "--json"]);
        assert_eq!(before, after, "regions and table differ");
        assert_eq!(value(&after), row[1]);
        assert_eq!(after["outcome"] == "win", row[1] != "0");
        assert_eq!(after["moves"].as_array().unwrap().is_empty(), row[1] == "0");
    }
    if !cfg!(debug_assertions) {
        let built = json(folder.path(), &["cram", "build", "5x5", "--json"]);
        assert_eq!(
            built["value"],
            json(folder.path(), &["cram", "value", "5x5", "--json"])["value"]
        );
        assert_eq!(built["positions"], 1 << 25);
    }
}

#[test]
fn bad_boards_and_positions_are_one_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for board in ["4", "0x5", "4x", "9x9", "x", "4x5x6"] {
        refused(folder, &["cram", "build", board], 2, &["is not a board"]);
    }
    refused(folder, &["cram", "query", "2x3", "..../..."], 2, &["row 1 has 4 cells, expected 3"]);
    refused(folder, &["cram", "query", "2x3", "..Q/..."], 2, &["'Q'", "cell 3"]);
}

#[test]
fn a_build_that_needs_too_much_memory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let build = ["cram", "build", "5x5", "--memory", "32M"];
    refused(folder.path(), &build, 2, &["5x5", "64.00 MiB", "32.00 MiB"]);
    assert!(contents(&folder.path().join("tables")).is_empty());
}

#[cfg(unix)]
#[test]
fn a_build_that_is_stopped_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let build = ["cram", "build", "5x6", "--memory", "2G", "--progress", "always"];
    let mut command = morpion_in(folder.path(), &build);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut progress = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    progress.read_line(&mut line).unwrap();
    assert!(line.starts_with("cram 5x6: ") && line.contains(" left"), "{line:?}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(contents(&folder.path().join("tables")).is_empty());
}

#[test]
fn info_and_verify_know_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    json(folder, &["cram", "build", "4x4", "--json"]);
    let file = "tables/cram-4x4.grundy";
    let info = json(folder, &["info", file, "--json"]);
    assert_eq!((info["board"].as_str(), info["positions"].as_u64()), (Some("4x4"), Some(1 << 16)));
    assert!(run(folder, &["info", file, "--check"]).status.success());
    assert_eq!(json(folder, &["verify", file, "--json"])["verified"], true);
    let mut bytes = std::fs::read(folder.join(file)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(folder.join(file), bytes).unwrap();
    refused(folder, &["info", file, "--check"], 1, &["checksum"]);
    refused(folder, &["verify", file], 1, &["checksum"]);
}

#[test]
#[ignore = "long: a table of 2^30 positions, about 5 minutes and 1 GiB"]
fn the_table_of_thirty_cells_agrees_with_its_regions() {
    let folder = tempfile::tempdir().unwrap();
    let built = json(folder.path(), &["cram", "build", "5x6", "--json"]);
    assert_eq!(built["value"], json(folder.path(), &["cram", "value", "5x6", "--json"])["value"]);
}
