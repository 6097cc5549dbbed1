//! `morpion pack --values`: a packed table of values alone, its readers, and the commands that need distances.

use morpion_games::catalogue::Table;
use morpion_tests::server::Server;
use morpion_tests::{built, contents, morpion, repository};
use std::path::Path;
use std::process::Output;

/// Runs `pack --values` on a table, which must succeed.
fn pack(table: &str, out: &Path, threads: &str) {
    let mut command = morpion(["pack", table, "--values", "--out", out.to_str().unwrap()]);
    let output = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Exit status, standard output and standard error of a command.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = morpion(arguments).output().unwrap();
    (status.code(), text(&stdout), text(&stderr))
}

fn open(folder: &Path, name: &str) -> Table {
    Table::open(folder.join(format!("{name}.morpion.zst"))).unwrap()
}

#[test]
fn values_of_shipped_tables_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    for name in
        ["tapatan", "achi", "quixo3", "disappearing", "classic", "five-mens-morris", "quixo4"]
    {
        let file = ["morpion", "morpion.zst"].map(|ending| format!("tables/{name}.{ending}"));
        let file = file.map(|file| repository().join(file)).into_iter().find(|file| file.exists());
        let file = file.unwrap();
        pack(file.to_str().unwrap(), folder.path(), "2");
        let (table, values) = (Table::open(file).unwrap(), open(folder.path(), name));
        values.check_sums().unwrap();
        let codes = [&table, &values].map(|table| {
            let raw = table.raw();
            move |layer, row, column| {
                let code = raw.code(layer, row, column).unwrap();
                raw.header().encoding.decode(code).map(|score| (score.value(), score.draw()))
            }
        });
        for (layer, section) in table.raw().header().layers.iter().enumerate() {
            for key in 0..section.entries() {
                let (row, column) = (key / section.columns, key % section.columns);
                let [expected, found] = codes.each_ref().map(|code| code(layer, row, column));
                assert_eq!(found, expected, "{name} {layer} {row} {column}");
            }
        }
    }
}

#[test]
fn plain_and_packed_tables_give_the_same_file_on_any_number_of_threads() {
    let [plain, packed, out] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    built(plain.path(), &["five-mens-morris", "classic"]);
    built(packed.path(), &["five-mens-morris", "classic", "--packed"]);
    for name in ["five-mens-morris", "classic"] {
        let file = format!("{name}.morpion");
        let [plain, packed] = [plain.path().join(&file), packed.path().join(file + ".zst")];
        let written = [(&plain, "1"), (&plain, "2"), (&packed, "1"), (&packed, "3")].map(
            |(table, threads)| {
                pack(table.to_str().unwrap(), out.path(), threads);
                std::fs::read(out.path().join(format!("{name}.morpion.zst"))).unwrap()
            },
        );
        assert!(written.iter().all(|bytes| *bytes == written[0]), "{name}");
    }
    let solved = tempfile::tempdir().unwrap();
    built(solved.path(), &["classic", "--encoding", "wdl", "--packed"]);
    let file = "classic.morpion.zst";
    let [solved, written] = [&solved, &out].map(|folder| folder.path().join(file));
    assert!(std::fs::read(&solved).unwrap() == std::fs::read(&written).unwrap());
}

#[test]
fn one_clear_error_refuses_what_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rules = "name = \"stuck\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 4\n\
        [moves]\nto = \"orthogonal\"\nstuck = \"draw\"";
    std::fs::write(path("stuck.toml"), rules).unwrap();
    built(folder.path(), &["swap", "--packed", &path("stuck.toml")]);
    built(folder.path(), &["tapatan"]);
    built(folder.path(), &["classic"]);
    let out = folder.path().to_str().unwrap();
    let (status, _, error) = run(&["build", "classic", "--encoding", "wdl", "--out", out]);
    assert_eq!(status, Some(2));
    assert!(
        error.contains("classic.morpion: has distances, which values alone would replace"),
        "{error}"
    );
    let damaged = path("tapatan.morpion");
    let mut bytes = std::fs::read(&damaged).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    pack("rota", &folder.path().join("values"), "2");
    let before = contents(&folder.path().join("values"));
    let refused = |table: &str, out: &str, expected: &str| {
        let (status, printed, error) = run(&["pack", table, "--values", "--out", &path(out)]);
        assert_eq!((status, printed.as_str()), (Some(2), ""), "{table}: {error}");
        assert!(error.lines().count() == 1 && error.contains(expected), "{table}: {error}");
    };
    refused(&path("stuck.morpion.zst"), "values", "the game has cycles, and 141 of its draws end");
    refused(&path("swap.morpion.zst"), ".", "would be replaced: choose another --out");
    refused(&path("values/rota.morpion.zst"), "again", "it has values alone already");
    refused(&damaged, "values", "the table is damaged");
    let (status, _, error) = run(&["pack", "rota", "--values"]);
    assert!(status == Some(2) && error.contains("--out <DIR>"), "{error}");
    assert!(contents(&folder.path().join("values")) == before, "something was left behind");
}

#[test]
fn commands_answer_from_values_or_say_that_they_need_distances() {
    let folder = tempfile::tempdir().unwrap();
    pack("tapatan", folder.path(), "2");
    let table = folder.path().join("tapatan.morpion.zst");
    let table = table.to_str().unwrap();
    let start = ".../.../... x";
    let (status, answer, _) = run(&["query", table, start, "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((status, &answer["value"]), (Some(0), &"win".into()));
    assert!(answer["plies"].is_null() && answer["moves"][0]["plies"].is_null(), "{answer}");
    let (status, info, _) = run(&["info", table, "--json", "--check"]);
    assert!(status == Some(0) && info.contains("\"encoding\":\"wdl\""), "{info}");
    assert_eq!(run(&["verify", table, "--sample", "500"]).0, Some(0));
    assert_eq!(run(&["query", table, "--line"]).0, Some(0));
    assert_eq!(run(&["arena", table, "--players", "random,club", "--games", "2"]).0, Some(0));
    for (arguments, expected) in [
        (&["verify", table][..], "cannot be proved: verify the table with distances"),
        (&["strategy", table], "use the table with distances"),
        (&["judge", table, "--games", "2"], "needs a table with distances"),
        (&["play", table, "--x", "perfect", "--o", "club"], "needs a table with distances"),
        (
            &["puzzle", "tapatan", "--tables", folder.path().to_str().unwrap(), "--json"],
            "no such puzzle",
        ),
    ] {
        let (status, _, error) = run(arguments);
        assert!(status == Some(2) && error.contains(expected), "{arguments:?}: {error}");
    }
}

#[test]
fn the_server_answers_from_values() {
    let folder = tempfile::tempdir().unwrap();
    pack("swap", folder.path(), "2");
    let server = Server::start(&["swap", "--tables", folder.path().to_str().unwrap()]);
    let answer = server.get("/api/v1/games/swap/position").json();
    assert_eq!((&answer["value"], &answer["draw"]), (&"draw".into(), &"cycle".into()), "{answer}");
    let won = server.get("/api/v1/games/swap/position?position=XX./OO./...%20x").json();
    assert_eq!((&won["value"], &won["plies"]), (&"win".into(), &serde_json::Value::Null), "{won}");
}
