//! The library as other languages meet it: each runs the vectors of `lookup/conformance` with its own tools.
//!
//! A language whose tools are missing is ignored, or fails where `MORPION_REQUIRE_TOOLS` is set. `PYTHON` names the
//! interpreter that has maturin and pytest, else `python3`.

use morpion_lookup::Table;
use morpion_machine::packer::{Packer, Sections};
use morpion_tests::{built, needs, tools};
use std::io::Write;
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

/// Writes all tables that the vectors ask into a folder, plain (`.morpion`) and packed (`.morpion.zst`).
fn tables(folder: &Path) {
    let mut count = 0;
    for from in ["lookup/builtin", "lookup/conformance/tables"] {
        for file in std::fs::read_dir(repository().join(from)).unwrap() {
            let file = file.unwrap().path();
            let table = Table::read(&file).unwrap();
            // Short frames, so that answers read several.
            let sections = Sections::of(table.raw().header(), Some(1 << 12));
            let mut packer = Packer::new(Vec::new(), 3, sections);
            packer.write_all(table.source().as_slice()).unwrap();
            let plain = folder.join(file.file_name().unwrap());
            std::fs::copy(&file, &plain).unwrap();
            std::fs::write(plain.with_extension("morpion.zst"), packer.finish().unwrap()).unwrap();
            count += 1;
        }
    }
    assert!(count > 10, "{count} tables");
}

/// The installed C library, and how programs are compiled against it.
struct Installed {
    folder: tempfile::TempDir,
}

impl Installed {
    fn new() -> Installed {
        let installed = Installed { folder: tempfile::tempdir().unwrap() };
        run(Command::new(repository().join("lookup/c/install.sh")).arg(installed.prefix()));
        installed
    }

    fn prefix(&self) -> PathBuf {
        self.folder.path().join("prefix")
    }

    fn flags(&self, kind: &str) -> Vec<String> {
        let package = self.prefix().join("lib/pkgconfig");
        let output = run(Command::new("pkg-config")
            .args([kind, "morpion"])
            .env("PKG_CONFIG_PATH", &package));
        String::from_utf8(output.stdout).unwrap().split_whitespace().map(String::from).collect()
    }

    /// Compiles an example against the shared library or the static one.
    fn example(&self, name: &str, kind: &str) -> PathBuf {
        let archive = self.prefix().join("lib/libmorpion.a").display().to_string();
        let libraries = match kind {
            "shared" => self.flags("--libs"),
            _ => [&archive, "-lpthread", "-ldl", "-lm"].map(String::from).to_vec(),
        };
        let program = self.folder.path().join(format!("{name}-{kind}"));
        run(Command::new("cc")
            .args(["-std=c11", "-Wall", "-Wextra", "-Werror"])
            .args(self.flags("--cflags"))
            .arg(repository().join(format!("lookup/c/examples/{name}.c")))
            .args(libraries)
            .arg("-o")
            .arg(&program));
        program
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", self.prefix().join("lib"));
        command
    }
}

/// Runs `command`, which is to answer the vectors.
fn expect_vectors(command: &mut Command, folder: &Path) {
    let (questions, answers) = vectors();
    assert!(answers.len() > 100, "{} vectors", answers.len());
    let asked = folder.join("questions");
    std::fs::write(&asked, &questions).unwrap();
    let output = run(command.stdin(std::fs::File::open(&asked).unwrap()));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), answers.len());
    for ((found, expected), question) in text.lines().zip(&answers).zip(questions.lines()) {
        assert_eq!(found, expected, "{command:?}: {question}");
    }
}

#[test]
#[cfg_attr(not(all(has_cc, has_pkg_config)), ignore = "needs cc and pkg-config")]
fn c_programs_link_the_installed_library() {
    needs(&["cc", "pkg-config"]);
    let installed = Installed::new();
    for kind in ["shared", "static"] {
        let play = installed.example("play", kind);
        let game = run(&mut installed.command(play));
        assert_eq!(String::from_utf8(game.stdout).unwrap().lines().count(), 10, "nine moves");
        let conform = installed.example("conform", kind);
        let tables = repository().join("lookup/conformance/tables");
        let mut command = installed.command(conform);
        expect_vectors(command.arg("builtin").arg(tables), installed.folder.path());
    }
}

#[test]
#[cfg_attr(not(all(has_cc, has_pkg_config)), ignore = "needs cc and pkg-config")]
fn c_reads_packed_tables_and_sources_as_it_reads_plain_files() {
    needs(&["cc", "pkg-config"]);
    let installed = Installed::new();
    let folder = installed.folder.path();
    tables(folder);
    let conform = installed.example("conform", "shared");
    let packed = ".morpion.zst";
    for (how, end) in
        [("open", packed), ("map", packed), ("source", packed), ("source", ".morpion")]
    {
        let mut command = installed.command(&conform);
        expect_vectors(command.arg(how).arg(folder).arg(end), folder);
    }
    let faults = installed.example("faults", "shared");
    run(installed
        .command(faults)
        .arg(folder.join("swap.morpion"))
        .arg(folder.join("swap.morpion.zst")));
}

#[test]
#[cfg_attr(
    not(all(has_cc, has_pkg_config, has_valgrind)),
    ignore = "needs cc, pkg-config and valgrind"
)]
fn c_programs_touch_no_memory_that_is_not_theirs_and_leak_none() {
    needs(&["cc", "pkg-config", "valgrind"]);
    let installed = Installed::new();
    let folder = installed.folder.path();
    tables(folder);
    let valgrind = |program: PathBuf| {
        let mut command = installed.command("valgrind");
        command
            .args(["--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=all"])
            .arg("--errors-for-leak-kinds=all")
            .arg(program);
        command
    };
    for (how, end) in [("map", ".morpion"), ("source", ".morpion.zst")] {
        let conform = installed.example("conform", "shared");
        expect_vectors(valgrind(conform).arg(how).arg(folder).arg(end), folder);
    }
    run(valgrind(installed.example("faults", "shared"))
        .arg(folder.join("swap.morpion"))
        .arg(folder.join("swap.morpion.zst")));
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
    let folder = tempfile::tempdir().unwrap();
    tables(folder.path());
    run(Command::new(tools::python())
        .args(["-m", "pytest", "-q", "."])
        .env("MORPION_VECTOR_TABLES", folder.path())
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
