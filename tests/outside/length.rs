//! Compares the length of the lookup crate with the number in its README.

use std::path::{Path, PathBuf};

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
    let lines = lines_in(lookup.join("src")) + lines_in(lookup.join("core/src"));
    let readme = std::fs::read_to_string(lookup.join("README.md")).unwrap();
    let stated: usize = readme
        .split(" lines of Rust, comments and unit tests included")
        .next()
        .and_then(|before| before.split_whitespace().next_back()?.parse().ok())
        .unwrap();
    assert!(stated.abs_diff(lines) <= 100, "{lines} lines, lookup/README.md says {stated}");
}
