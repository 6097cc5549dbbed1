//! The theorem behind every table, `tests/theorem`: Coq accepts its proofs, which use no axioms, and the check that it proves right
//! accepts the tables of the atlas and refuses changed ones.

use morpion_lookup::{Packed, Source};
use morpion_tests::{contents, needs, repository, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The files, each after those that it needs.
const FILES: [&str; 7] = ["Meaning", "Needed", "Converse", "Orbits", "Game", "Symmetry", "File"];

/// Runs a command in a folder and returns what it prints.
fn run(folder: &Path, command: &[&str]) -> String {
    let output = Command::new(command[0]).args(&command[1..]).current_dir(folder).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{command:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Compiles a file of Coq and returns what it prints.
fn compile(folder: &Path, name: &str) -> String {
    run(folder, &["coqc", "-q", "-R", ".", "Morpion", &format!("{name}.v")])
}

fn source(name: &str) -> String {
    fs::read_to_string(repository().join("tests/theorem").join(name)).unwrap()
}

/// A folder with the compiled files. Fails if a theorem uses an axiom.
fn proved() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("theorem");
        fs::create_dir_all(&folder).unwrap();
        for name in FILES {
            let text = source(&format!("{name}.v"));
            fs::write(folder.join(format!("{name}.v")), &text).unwrap();
            let asked = text.matches("\nPrint Assumptions ").count();
            assert!(asked > 0 || name == "Game");
            let printed = compile(&folder, name);
            assert_eq!(printed, "Closed under the global context\n".repeat(asked), "{name}");
        }
        folder
    })
}

/// The games of the atlas with at most nine cells: their tables are built into the library.
fn small_games() -> Vec<String> {
    let tables = contents(&repository().join("lookup/builtin")).into_iter();
    let names = tables.map(|(name, _)| name.strip_suffix(".morpion").unwrap().to_string());
    // In files, `swap-pass.morpion` is before `swap.morpion`.
    let mut games: Vec<_> = names.collect();
    games.sort();
    games
}

/// A table that is shipped without being packed.
fn table(game: &str) -> PathBuf {
    repository().join(format!("tables/{game}.morpion"))
}

#[test]
#[cfg_attr(not(has_coq), ignore = "needs Coq 8.16 or later")]
fn the_theorems_are_proved_without_axioms() {
    needs(&["coq"]);
    proved();
}

#[test]
#[ignore = "long, needs Coq 8.16 or later and python3: about a minute; .ci/run runs it"]
fn the_values_of_small_games_are_theorems() {
    needs(&["coq", "python3"]);
    let (folder, mut atlas) = (proved(), source("Atlas.v"));
    let lines =
        atlas.lines().filter_map(|line| line.strip_prefix("Theorem ")?.split_once(" : begins "));
    let (names, mut games): (Vec<_>, Vec<_>) = lines
        .map(|(name, says)| (name.to_string(), says.split_once(' ').unwrap().0.replace('_', "-")))
        .unzip();
    games.sort();
    assert_eq!(games, small_games());
    let program = repository().join("tests/theorem/print.py");
    let tables: Vec<_> = games.iter().map(|game| table(game)).collect();
    let printed = Command::new(tools::python()).arg(program).args(tables).output().unwrap();
    fs::write(folder.join("Tables.v"), printed.stdout).unwrap();
    compile(folder, "Tables");
    names.iter().for_each(|name| atlas += &format!("Print Assumptions {name}.\n"));
    fs::write(folder.join("Atlas.v"), &atlas).unwrap();
    let printed = compile(folder, "Atlas");
    assert_eq!(printed, "Closed under the global context\n".repeat(names.len()));
}

/// The program that Coq extracts, in a folder of its own.
fn extracted() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let folder = proved();
        fs::write(folder.join("Extract.v"), source("Extract.v")).unwrap();
        fs::write(folder.join("main.ml"), source("main.ml")).unwrap();
        compile(folder, "Extract");
        run(folder, &["ocamlopt", "-w", "-a", "check.mli", "check.ml", "main.ml", "-o", "check"]);
        folder.join("check")
    })
}

/// Checks tables of the atlas, and compares the values at the start with its first table.
fn agree_with_the_atlas(tables: &[PathBuf]) {
    let atlas = fs::read_to_string(repository().join("tables/ATLAS.md")).unwrap();
    for table in tables {
        // Lists of a million entries are too deep for a small stack.
        let script = "ulimit -s unlimited; exec \"$0\" \"$1\"";
        let program = extracted().to_str().unwrap();
        let said = run(Path::new("/"), &["sh", "-c", script, program, table.to_str().unwrap()]);
        let name = table.file_stem().unwrap().to_str().unwrap();
        let row = atlas.lines().find(|line| line.starts_with(&format!("| [{name}]("))).unwrap();
        let start = row.split(" | ").nth(1).unwrap();
        assert_eq!(said, format!("{name}.morpion: {start}\n"));
    }
}

#[test]
#[cfg_attr(not(has_coq), ignore = "needs Coq 8.16 or later")]
fn the_extracted_check_accepts_tables_of_the_atlas() {
    needs(&["coq"]);
    let games = [small_games(), vec!["swap4".into()]].concat();
    let tables: Vec<_> = games.iter().map(|game| table(game)).collect();
    agree_with_the_atlas(&tables);
}

#[test]
#[ignore = "long: needs Coq 8.16 or later, and about 20 minutes for the largest tables"]
fn the_extracted_check_accepts_large_tables() {
    needs(&["coq"]);
    let folder = tempfile::tempdir().unwrap();
    let unpack = |name: &str| {
        let packed = fs::read(repository().join(format!("tables/{name}.morpion.zst"))).unwrap();
        let packed = Packed::open(&packed[..]).unwrap();
        let mut plain = vec![0; packed.size() as usize];
        packed.read_at(0, &mut plain).unwrap();
        let file = folder.path().join(format!("{name}.morpion"));
        fs::write(&file, plain).unwrap();
        file
    };
    let names = [
        "classic4",
        "beginner4",
        "disappearing-4",
        "five-mens-morris",
        "six-mens-morris",
        "quixo4",
    ];
    agree_with_the_atlas(&names.map(unpack));
}

/// Gives each entry the next code, the previous code and the codes of both draws, one at a time.
fn every_change_is_refused(name: &str, entries: usize) {
    let file = table(name);
    let said =
        run(extracted().parent().unwrap(), &["./check", "--changed", file.to_str().unwrap()]);
    let count: usize =
        said.strip_prefix("0 of ").unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((2 * entries..=4 * entries).contains(&count), "{name}: {said}");
}

#[test]
#[ignore = "long, needs Coq 8.16 or later: all changed tables of two games, about a minute; .ci/run runs it"]
fn the_extracted_check_refuses_every_table_with_a_changed_entry() {
    needs(&["coq"]);
    every_change_is_refused("tapatan", 886);
    every_change_is_refused("classic", 1264);
}
