//! Helpers of the outside tests: the program, tables of the standard games, and the tools that some tests need.

pub mod server;
pub mod tools;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

use morpion_builder::folders::Folders;
use morpion_builder::packer::{Packer, Packing};
use morpion_core::{Game, Source};
use morpion_games::catalogue::{self, Table};
use morpion_games::reach::walk::arrangements;
use morpion_lookup::Bytes;
use morpion_machine::progress::Unobserved;
use morpion_solver::table;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// The `morpion` program of the tested profile. Cargo builds it for its own tests, `tests/program.rs`, before any test
/// of the workspace runs.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = std::env::current_exe().expect("a test has a path");
        let profile = test.ancestors().nth(2).expect("tests lie in TARGET/PROFILE/deps");
        let program = profile.join(format!("morpion{}", std::env::consts::EXE_SUFFIX));
        assert!(program.is_file(), "no program to test: run `cargo test --workspace --release`");
        if let Some(source) = newer_source(&program) {
            panic!(
                "{} is older than {}: run `cargo build --release`, or test the whole workspace",
                program.display(),
                source.display()
            );
        }
        program
    })
}

/// Finds a source that was changed after the program was built. Beside every library and program, cargo lists its sources; crates
/// that are not in the program are left out, and so is the cluster.
fn newer_source(program: &Path) -> Option<PathBuf> {
    let time = |file: &Path| file.metadata().and_then(|file| file.modified()).ok();
    let built = time(program);
    let folder = program.with_file_name("deps").read_dir().expect("cargo makes this folder");
    let lists = folder.map(|file| file.expect("an entry").path()).filter(|list| {
        let name = list.file_name().and_then(|name| name.to_str()).expect("cargo's names are text");
        let others = ["morpion_tests-", "morpion_c-"];
        name.starts_with("morpion")
            && name.ends_with(".d")
            && !others.iter().any(|other| name.starts_with(other))
    });
    for list in lists {
        let text = std::fs::read_to_string(&list).expect("a list of sources");
        if text.contains(".rlib: ") || time(&list.with_extension("")) == built {
            let names = text.lines().filter_map(|line| line.strip_suffix(':'));
            let names = names.filter(|name| !name.contains("builder/src/cluster/"));
            let sources = names.map(|name| repository().join(name.replace("\\ ", " ")));
            if let Some(newer) = sources.into_iter().find(|source| time(source) > built) {
                return Some(newer);
            }
        }
    }
    None
}

/// A command of the program without installed tables, see [`hide_tables`].
pub fn morpion<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new(program());
    hide_tables(command.args(arguments));
    command
}

/// Hides installed tables from a command: removes `MORPION_TABLES`, and sets data folders that do not exist and cannot be
/// created.
pub fn hide_tables(command: &mut Command) -> &mut Command {
    command
        .env_remove("MORPION_TABLES")
        .env("XDG_DATA_HOME", "/dev/null/data")
        .env("XDG_DATA_DIRS", "/dev/null/data")
}

/// The command that builds tables into `out`, with its outputs piped.
pub fn build(out: &Path, arguments: &[&str]) -> Command {
    let mut command = morpion(["build", "--out"]);
    command.arg(out).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Builds tables into `out`, and returns what the command prints about each.
pub fn built(out: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = build(out, arguments).arg("--json").output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The files of a folder with their bytes, hidden ones too.
pub fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let of = |path: PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_string();
        (name, std::fs::read(path).expect("a file"))
    };
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<_> = entries.map(|entry| of(entry.expect("an entry").path())).collect();
    files.sort();
    files
}

/// The messages of an error and its causes.
pub fn error_text(error: &dyn std::error::Error) -> String {
    let all = std::iter::successors(Some(error), |error| error.source());
    all.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Maximum number of arrangements of a game whose table the everyday tests solve.
const EVERYDAY: u128 = 50_000_000;

/// The wanted standard games of those that are solved in seconds, small ones first, with their tables.
pub fn everyday_tables(is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = (String, Table)> {
    let games = catalogue::standard().filter(|game| arrangements(game) <= EVERYDAY);
    let games = games.filter(move |game| is_wanted(game.name()));
    games.map(|game| (game.name().to_owned(), solved(&game)))
}

/// The standard games that take hours to build, or more memory than most machines have. No test builds them.
pub const HUGE: [&str; 4] = ["beginner6", "nine-mens-morris", "morabaraba", "quixo5"];

/// The other standard games except `HUGE`, for the long tests. Their tables are opened if the program finds them, and built into
/// the target folder otherwise.
pub fn large_tables() -> impl Iterator<Item = (String, Table)> {
    let games = catalogue::standard()
        .filter(|game| arrangements(game) > EVERYDAY && !HUGE.contains(&game.name()));
    games.map(|game| (game.name().to_owned(), large_table(game.name())))
}

/// The table of a game, solved in memory.
pub fn solved(game: &Game) -> Table {
    let bytes = table::solve(game, &Unobserved).expect("it fits");
    Table::from_source(bytes.into()).expect("a table just made opens")
}

/// Fails if a tool of [`tools::TOOLS`] is missing.
pub fn needs(wanted: &[&str]) {
    for tool in wanted {
        let (name, is_there) = tools::TOOLS.iter().find(|(name, _)| name == tool).expect("a tool");
        assert!(is_there(), "{name} is missing");
    }
}

/// Opens the table of a large standard game if the program finds it. Otherwise builds it in the target folder, unless
/// it exists there.
pub fn large_table(name: &str) -> Table {
    if let Ok((table, _)) = Folders::new(None).open(name) {
        return table;
    }
    let folder = program().ancestors().nth(2).expect("TARGET/PROFILE/morpion").join("tables");
    // The plain files would take 8.8, 56 and 215 GB.
    let is_packed = ["swap6", "nine-mens-morris", "quixo5"].contains(&name);
    let ending = if is_packed { catalogue::PACKED } else { catalogue::EXTENSION };
    let file = folder.join(format!("{name}.{ending}"));
    if !file.is_file() {
        let kind = if is_packed { &["--packed"][..] } else { &[] };
        let built = morpion(["build", name, "--out"]).arg(&folder).args(kind).status();
        assert!(built.expect("the program runs").success(), "{name} is not built");
    }
    // SAFETY: programs replace tables by renaming a new file over them, and never change them in place.
    let bytes = unsafe { Bytes::map(&file) }.expect("a table just built is read");
    Table::from_source(bytes).expect("a table just built opens")
}

/// The folder of the workspace.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests lie in it").to_path_buf()
}

/// Runs a command and fails if the command does.
pub fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// The command that runs a file of tests in `tests/packages`.
pub fn package_test(file: &str) -> Command {
    let mut command = Command::new("node");
    command.args(["--test", file]).current_dir(tools::packages());
    command
}

/// Writes all tables that the vectors of `lookup/conformance` need into a folder, plain (`.morpion`) and packed (`.morpion.zst`).
pub fn vector_tables(folder: &Path) {
    let mut count = 0;
    for from in ["lookup/builtin", "lookup/conformance/tables"] {
        for file in std::fs::read_dir(repository().join(from)).expect("a folder") {
            let file = file.expect("an entry").path();
            let table = morpion_lookup::Table::open(&file).expect("a table");
            // Short frames, so that an answer reads several.
            let packing = Packing { level: Some(3), frame: Some(1 << 12) };
            let mut packer = Packer::new(Vec::new(), table.raw().header(), packing);
            packer.write_all(table.source().in_memory().unwrap()).expect("memory");
            let plain = folder.join(file.file_name().expect("a name"));
            std::fs::copy(&file, &plain).expect("room on the disk");
            let packed = packer.finish().expect("memory");
            std::fs::write(plain.with_extension("morpion.zst"), packed).expect("room on the disk");
            count += 1;
        }
    }
    assert!(count > 10, "{count} tables");
}
