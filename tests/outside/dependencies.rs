//! The dependencies and the length of the lookup crate are the ones that its README shows.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The dependency tree without versions, which change with the lock file.
fn tree(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--locked",
            "--package",
            "morpion-lookup",
            "--edges",
            "normal",
            "--target",
            "x86_64-unknown-linux-gnu",
        ])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let line = |line: &str| {
        let name = line.split(" v").next().unwrap_or_default();
        let repeated = if line.ends_with("(*)") { " (*)" } else { "" };
        format!("{name}{repeated}\n")
    };
    text.lines().map(line).collect()
}

#[test]
fn the_readme_shows_the_dependencies() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let readme = std::fs::read_to_string(root.join("lookup/README.md")).unwrap();
    let shown = readme.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(shown, tree(&["--charset", "utf8"]));
}

/// Counts the lines of the Rust files in a folder and its subfolders.
fn lines_in(folder: PathBuf) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let lines = |path: PathBuf| match path.extension().is_some_and(|ending| ending == "rs") {
        true => std::fs::read_to_string(path).unwrap().lines().count(),
        false => lines_in(path),
    };
    entries.map(lines).sum()
}

#[test]
fn the_readme_states_the_length_of_the_code() {
    let lookup = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("lookup");
    let lines = lines_in(lookup.join("src"));
    let readme = std::fs::read_to_string(lookup.join("README.md")).unwrap();
    let stated: usize = readme
        .split(" lines of Rust, comments and unit tests included")
        .next()
        .and_then(|before| before.split_whitespace().next_back()?.parse().ok())
        .unwrap();
    assert!(stated.abs_diff(lines) <= 100, "{lines} lines, lookup/README.md says {stated}");
}

#[test]
fn packed_tables_add_two_crates() {
    let names = |arguments: &[&str]| {
        let tree = tree(&[arguments, &["--prefix", "none", "--no-dedupe"]].concat());
        tree.lines().map(str::to_owned).collect::<std::collections::BTreeSet<String>>()
    };
    let plain = names(&["--no-default-features", "--features", "map"]);
    let packed = names(&[]);
    let added: Vec<&String> = packed.difference(&plain).collect();
    assert_eq!(added, ["ruzstd", "twox-hash"]);
}

#[test]
fn without_std_nothing_maps_files() {
    let bare = tree(&["--no-default-features", "--prefix", "none"]);
    let names: Vec<&str> = bare.lines().collect();
    assert!(names.contains(&"bincode"), "{bare}");
    assert!(!names.iter().any(|name| ["memmap2", "libc"].contains(name)), "{bare}");
}
