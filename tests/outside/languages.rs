//! The library in other languages. Each test runs the vectors of `lookup/conformance` with the language's own tools.
//! The module `c` has more tests for C.
//!
//! The test of a language is ignored if its tools are missing, or fails if `MORPION_REQUIRE_TOOLS` is set. `PYTHON` names the
//! interpreter with maturin and pytest (default: `python3`).

use crate::{headers, hostile};
use morpion_tests::{built, needs, program, repository, run, tools, vector_tables};
use std::process::Command;

#[test]
#[cfg_attr(not(has_node), ignore = "needs node")]
fn javascript_passes_the_vectors() {
    needs(&["node"]);
    run(Command::new("node")
        .args(["--test", "test/conformance.test.js"])
        .current_dir(tools::reader()));
}

#[test]
#[cfg_attr(not(all(has_node, has_xxhash)), ignore = "needs node and npm ci in lookup/js")]
fn javascript_refuses_what_every_reader_must_refuse() {
    needs(&["node", "xxhash"]);
    run(Command::new("node").args(["--test", "test/refused.test.js"]).current_dir(tools::reader()));
}

#[test]
#[ignore = "long, needs node and /proc: 200 files, about 10 seconds; .ci/run runs it"]
fn no_hostile_seek_table_takes_much_memory_or_time_in_javascript() {
    needs(&["node"]);
    let folder = tempfile::tempdir().unwrap();
    hostile::write(folder.path());
    run(Command::new("node")
        .args(["--expose-gc", "test/hostile.js"])
        .env("MORPION_HOSTILE_TABLES", folder.path())
        // A seek table of as many frames as there may be has 17 to 25 MB, and V8 frees the buffers of its stream late.
        .env("MORPION_MOST_MEMORY", (2 * hostile::MOST_MEMORY).to_string())
        .current_dir(tools::reader()));
}

#[test]
#[ignore = "long: all positions of many tables, about 12 seconds; .ci/run runs it"]
fn javascript_reads_tables_by_the_page_of_the_format() {
    needs(&["node", "xxhash"]);
    let tables = tempfile::tempdir().unwrap();
    built(tables.path(), &["beginner4"]);
    let folder = tools::reader();
    let tests = std::fs::read_dir(folder.join("test")).unwrap();
    let tests = tests
        .map(|file| file.unwrap().path())
        .filter(|file| file.to_str().is_some_and(|name| name.ends_with(".test.js")));
    run(Command::new("node")
        .arg("--test")
        .args(tests)
        .env("MORPION_BUILT_TABLE", tables.path().join("beginner4.morpion"))
        .current_dir(folder));
}

#[test]
#[cfg_attr(not(all(has_maturin, has_pytest)), ignore = "needs maturin and pytest")]
fn the_python_wheel_passes_its_own_tests() {
    needs(&["maturin", "pytest"]);
    let folder = tempfile::tempdir().unwrap();
    vector_tables(folder.path());
    let hostile = tempfile::tempdir().unwrap();
    hostile::write(hostile.path());
    let changed = tempfile::tempdir().unwrap();
    let verdicts = headers::write(changed.path(), 60).into_iter().map(|file| {
        let name = file.path.file_name().unwrap().display().to_string();
        format!("{name},{},{}\n", file.opened, file.census)
    });
    std::fs::write(changed.path().join("verdicts.csv"), verdicts.collect::<String>()).unwrap();
    run(Command::new(tools::python())
        .args(["-m", "pytest", "-q", ".", "--ignore", "tests/test_third_party.py"])
        .env("MORPION_PROGRAM", program())
        .env("MORPION_VECTOR_TABLES", folder.path())
        .env("MORPION_HOSTILE_TABLES", hostile.path())
        .env("MORPION_MOST_MEMORY", hostile::MOST_MEMORY.to_string())
        .env("MORPION_CHANGED_HEADERS", changed.path())
        .current_dir(repository().join("lookup/python")));
}
