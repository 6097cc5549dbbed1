//! The library as other languages meet it: each runs the vectors of `lookup/conformance` with its own tools.
//!
//! A language whose tools are missing is ignored, or fails where `MORPION_REQUIRE_TOOLS` is set. `PYTHON` names the
//! interpreter that has maturin and pytest, else `python3`.

use morpion_tests::{built, needs, tools};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// The vectors as they are asked and as they are to be answered.
fn vectors() -> (String, Vec<String>) {
    let text =
        std::fs::read_to_string(repository().join("lookup/conformance/vectors.csv")).unwrap();
    let split = |line: &str| {
        let at = line.match_indices(',').nth(1).unwrap().0;
        (line[..at].to_owned() + "\n", line[at + 1..].to_owned())
    };
    text.lines().skip(1).map(split).unzip()
}

#[test]
#[cfg_attr(not(has_node), ignore = "needs node")]
fn javascript_reads_tables_by_the_page_of_the_format() {
    needs(&["node"]);
    let tables = tempfile::tempdir().unwrap();
    built(tables.path(), &["beginner4"]);
    let folder = repository().join("lookup/js");
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
#[cfg_attr(not(all(has_cc, has_pkg_config)), ignore = "needs cc and pkg-config")]
fn c_programs_link_the_installed_library() {
    needs(&["cc", "pkg-config"]);
    let source = repository().join("lookup/c");
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path().join("prefix");
    run(Command::new(source.join("install.sh")).arg(&prefix));
    let flags = |kind: &str| -> Vec<String> {
        let package = prefix.join("lib/pkgconfig");
        let output = run(Command::new("pkg-config")
            .args([kind, "morpion"])
            .env("PKG_CONFIG_PATH", &package));
        String::from_utf8(output.stdout).unwrap().split_whitespace().map(String::from).collect()
    };
    let strict = ["-std=c11", "-Wall", "-Wextra", "-Werror"];
    let compile = |name: &str, out: &Path, libraries: &[String]| {
        run(Command::new("cc")
            .args(strict)
            .args(flags("--cflags"))
            .arg(source.join(format!("examples/{name}.c")))
            .args(libraries)
            .arg("-o")
            .arg(out));
    };
    let archive = prefix.join("lib/libmorpion.a").display().to_string();
    let fixed: Vec<String> = [&archive, "-lpthread", "-ldl", "-lm"].map(String::from).to_vec();
    let (questions, answers) = vectors();
    assert!(answers.len() > 100, "{} vectors", answers.len());
    for (kind, libraries) in [("shared", flags("--libs")), ("static", fixed)] {
        let play = folder.path().join(format!("play-{kind}"));
        compile("play", &play, &libraries);
        let game = run(Command::new(&play).env("LD_LIBRARY_PATH", prefix.join("lib")));
        assert_eq!(String::from_utf8(game.stdout).unwrap().lines().count(), 10, "nine moves");

        let conform = folder.path().join(format!("conform-{kind}"));
        compile("conform", &conform, &libraries);
        let asked = folder.path().join("questions");
        std::fs::write(&asked, &questions).unwrap();
        let output = run(Command::new(&conform)
            .arg(repository().join("lookup/conformance/tables"))
            .env("LD_LIBRARY_PATH", prefix.join("lib"))
            .stdin(std::fs::File::open(&asked).unwrap()));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), answers.len());
        for ((found, expected), question) in text.lines().zip(&answers).zip(questions.lines()) {
            assert_eq!(found, expected, "{kind}: {question}");
        }
    }
}

#[test]
#[cfg_attr(not(has_cbindgen), ignore = "needs cbindgen")]
fn the_c_header_is_the_generated_one() {
    needs(&["cbindgen"]);
    let source = repository().join("lookup/c");
    let output =
        run(Command::new("cbindgen").args(["--config", "cbindgen.toml"]).current_dir(&source));
    let committed = std::fs::read(source.join("include/morpion.h")).unwrap();
    assert!(output.stdout == committed, "run cbindgen as lookup/c/README.md says");
}

#[test]
#[cfg_attr(not(all(has_maturin, has_pytest)), ignore = "needs maturin and pytest")]
fn the_python_wheel_passes_its_own_tests() {
    needs(&["maturin", "pytest"]);
    run(Command::new(tools::python())
        .args(["-m", "pytest", "-q", "."])
        .current_dir(repository().join("lookup/python")));
}

#[test]
#[cfg_attr(not(has_cc), ignore = "needs cc")]
fn a_program_without_the_standard_library_plays_from_a_table() {
    needs(&["cc"]);
    let source = repository().join("lookup/embedded");
    run(Command::new(env!("CARGO")).args(["build", "--release", "--locked"]).current_dir(&source));
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(source.join("target"), PathBuf::from);
    let game = run(&mut Command::new(target.join("release/morpion-embedded")));
    let board = String::from_utf8(game.stdout).unwrap();
    assert_eq!((board.len(), board.contains('.')), (9, false), "a full board: {board}");
}
