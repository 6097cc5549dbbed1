//! What the outside tests share: the program, scratch folders, facts.

use morpion_games::catalogue::{self, Folders};
use morpion_games::progress::Unobserved;
use morpion_lookup::{Bytes, Table};
use morpion_solver::build::plan::arrangements;
use morpion_solver::build::table;
use morpion_solver::solve::operator::Operator;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The `morpion` program of the profile that is being tested, built first where it is not up to date.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = std::env::current_exe().expect("a test has a path");
        let profile = test.ancestors().nth(2).expect("tests lie in TARGET/PROFILE/deps");
        let mut build = Command::new(env!("CARGO"));
        // Named together with a test of the workspace, so that it is compiled from the very same libraries as the tests
        // and nothing is compiled twice.
        build
            .args(["build", "--quiet", "--workspace", "--bin", "morpion", "--test", "play"])
            .arg("--target-dir")
            .arg(profile.parent().expect("a profile lies in the target folder"))
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "the program does not build");
        profile.join(format!("morpion{}", std::env::consts::EXE_SUFFIX))
    })
}

/// A command of the program, away from tables that happen to lie around: `MORPION_TABLES` and the user's data folder
/// are not looked into.
pub fn morpion<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new(program());
    command.args(arguments).env_remove("MORPION_TABLES").env("XDG_DATA_HOME", "/nonexistent");
    command
}

/// The command that builds tables into `out`, with its outputs piped.
pub fn build(out: &Path, arguments: &[&str]) -> Command {
    let mut command = morpion(["build", "--out"]);
    command.arg(out).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Builds tables into `out`, and gives what is said of each.
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

/// Whether the long proofs are wanted too: `MORPION_LONG=1`.
pub fn is_long() -> bool {
    std::env::var_os("MORPION_LONG").is_some_and(|wish| wish == "1")
}

/// The most arrangements of a game whose table is solved for the everyday tests.
pub const EVERYDAY: u128 = 50_000_000;

/// The standard games with their tables, small ones first: those that are quickly solved, solved; where the long proofs
/// are wanted also the others, from where the program finds tables, or built into the target folder where there is none.
pub fn standard_tables() -> impl Iterator<Item = (String, Table)> {
    standard_tables_of(|_| true)
}

/// [`standard_tables`], but only of the games with a wanted name.
pub fn standard_tables_of(wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = (String, Table)> {
    catalogue::standard().filter_map(move |game| {
        let name = game.rules().name.clone();
        if !wanted(&name) {
            return None;
        }
        let table = if arrangements(&game) <= EVERYDAY {
            let bytes = table::solve(&game, Operator::default(), &Unobserved).expect("it fits");
            Table::open(Bytes::from(bytes)).expect("a table just made opens")
        } else if is_long() {
            large_table(&name)
        } else {
            return None;
        };
        Some((name, table))
    })
}

/// The table of a large standard game, from where the program looks for tables, else from the target folder, built there
/// first where it is missing.
fn large_table(name: &str) -> Table {
    if let Ok((table, _)) = Folders::new(None).open(name) {
        return table;
    }
    let folder = program().ancestors().nth(2).expect("TARGET/PROFILE/morpion").join("tables");
    let file = folder.join(format!("{name}.{}", catalogue::EXTENSION));
    if !file.is_file() {
        let built = morpion(["build", name, "--out"]).arg(&folder).status();
        assert!(built.expect("the program runs").success(), "{name} is not built");
    }
    // SAFETY: tables are only ever replaced by renaming a new file over them.
    unsafe { Table::map(&file) }.expect("a table just built opens")
}
