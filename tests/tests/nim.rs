//! Impartial games from outside: facts, exactness against the definition, every known trap, tables, errors.
//!
//! Long proofs (the whole sweep, treblecross to 2^20, 0.376 and 0.354, cram on 5x6) run where `MORPION_LONG=1` is set.

use morpion_generator::impartial::moves::Moves;
use morpion_generator::impartial::solver::{Solution, Task, Way, solve};
use morpion_generator::impartial::{mask, plain};
use morpion_lookup::grundy::GrundyTable;
use morpion_tests::morpion;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Output, Stdio};

fn moves(code: &str) -> Moves {
    Moves::new(&code.parse().unwrap()).unwrap()
}

fn worked(code: &str, last: usize, way: Way) -> Solution {
    solve(&moves(code), Task { last, until_period: false, way }, |_| ())
}

fn values(solution: &Solution) -> Vec<u32> {
    solution.values.iter().collect()
}

/// Fewer heaps where the tests are built without optimisation.
fn scaled(heaps: usize) -> usize {
    if cfg!(debug_assertions) { heaps / 5 } else { heaps }
}

fn long() -> bool {
    let long = std::env::var_os("MORPION_LONG").is_some();
    if !long {
        eprintln!("skipped: set MORPION_LONG=1 for the long proofs");
    }
    long
}

fn facts(file: &str) -> Vec<Vec<String>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("facts").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').map(String::from).collect()).collect()
}

fn run(folder: &std::path::Path, arguments: &[&str]) -> Output {
    morpion(arguments).current_dir(folder).output().unwrap()
}

fn json(folder: &std::path::Path, arguments: &[&str]) -> Value {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(folder: &std::path::Path, arguments: &[&str], status: i32, words: &[&str]) {
    let output = run(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).to_string();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {text}");
    for word in words {
        assert!(text.contains(word), "{arguments:?}: {text:?} says nothing of {word:?}");
    }
    assert!(!text.contains("panicked"), "{text}");
}

#[test]
fn known_periods_are_certified() {
    let folder = tempfile::tempdir().unwrap();
    let rows = facts("octal-periods.csv");
    assert_eq!(rows.len(), 17);
    for row in rows {
        // The longest takes a while without optimisation.
        if cfg!(debug_assertions) && row[2].len() > 5 {
            continue;
        }
        let built = json(folder.path(), &["nim", "build", &row[0], "--json"]);
        for (key, field) in [("period", 1), ("preperiod", 2), ("greatest", 3)] {
            assert_eq!(built[key].to_string(), row[field], "{} {key}", row[0]);
        }
        let number = |key: &str| built[key].as_u64().unwrap();
        let k = moves(&row[0]).last as u64;
        let certificate = 2 * number("preperiod") + 2 * number("period") + k - 1;
        assert_eq!(number("certified_to"), certificate);
        assert!(number("heaps") >= certificate);
        let info = json(folder.path(), &["nim", "info", &row[0], "--json"]);
        for key in
            ["code", "heaps", "period", "preperiod", "certified_to", "greatest", "mask", "rare"]
        {
            assert_eq!(info[key], built[key], "{} {key}", row[0]);
        }
    }
}

#[test]
fn known_values_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    for row in facts("octal-values.csv") {
        let expected: Vec<u64> = row[1].split(' ').map(|v| v.parse().unwrap()).collect();
        assert_eq!(expected.len(), 64);
        let mut child = morpion(["nim", "query", &row[0], "--json"])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let heaps: String = (0..64).map(|n| format!("{n}\n")).collect();
        child.stdin.take().unwrap().write_all(heaps.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let answers: Vec<u64> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["value"].as_u64().unwrap())
            .collect();
        assert_eq!(answers, expected, "{}", row[0]);
    }
}

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
            assert!(run(folder.path(), &["cram", "verify", board]).status.success());
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

/// Forty codes of all kinds: dense, sparse, with position masks, with and without d0 = 4, periodic and open.
const FORTY: [&str; 40] = [
    "0.007",
    "0.07",
    "0.77",
    "0.137",
    "0.6",
    "0.16",
    "0.106",
    "0.127",
    "0.104",
    "0.205",
    "0.161",
    "0.36",
    "0.37",
    "0.04",
    "0.56",
    "0.376",
    "0.354",
    "0.45",
    "0.156",
    "0.165",
    "0.055",
    "0.044",
    "0.17",
    "0.777",
    "0.776",
    "0.724",
    "0.005",
    "0.0123",
    "0.333",
    "0.15",
    "4.3",
    "4.344",
    "4.7",
    "4.0",
    "4.114",
    "4.047",
    "4.604",
    "4.216",
    "0.0407",
    "0.00000007",
];

#[test]
fn the_definition_agrees_with_the_fast_way() {
    let last = scaled(20_000);
    std::thread::scope(|scope| {
        for half in FORTY.chunks(20) {
            scope.spawn(move || {
                for code in half {
                    let expected = plain::values(&moves(code), last);
                    assert_eq!(values(&worked(code, last, Way::Best)), expected, "{code}");
                    assert_eq!(values(&worked(code, last, Way::Vector)), expected, "{code} vector");
                }
            });
        }
    });
}

#[test]
fn any_mask_gives_the_same_values() {
    for code in ["0.007", "0.77", "0.137", "0.16", "0.127", "4.3", "4.047", "0.6", "0.205"] {
        let last = scaled(3000);
        let moves = moves(code);
        let expected = plain::values(&moves, last);
        for bits in [1, 2, 3, 7, 12, 30, 64, 127, 255] {
            for position in [None, moves.parity()] {
                let way = Way::Fixed(mask::Mask { bits, position });
                assert_eq!(
                    values(&worked(code, last, way)),
                    expected,
                    "{code} {bits} {position:?}"
                );
            }
        }
        assert_eq!(values(&worked(code, last, Way::Sparse)), expected, "{code}");
    }
}

#[test]
fn near_twins_part_at_heap_519() {
    let (a, b) = (worked("0.161", 600, Way::Best), worked("0.36", 600, Way::Best));
    assert_eq!(values(&a)[..=518], values(&b)[..=518]);
    assert_ne!(a.values.get(519), b.values.get(519));
}

#[test]
fn shifted_codes_have_shifted_values() {
    let last = scaled(30_000);
    for (a, b, shift) in [("0.6", "0.37", 1), ("0.04", "0.007", 1), ("0.07", "0.137", 1)] {
        let (a, b) = (values(&worked(a, last, Way::Best)), values(&worked(b, last, Way::Best)));
        // 0.37(n) = 0.6(n + 1), 0.137(n) = 0.07(n + 1); the other way round 0.04(n) = 0.007(n − 1).
        let (early, late) = if a[shift..100] == b[..100 - shift] { (&b, &a) } else { (&a, &b) };
        assert_eq!(early[..last], late[1..=last]);
    }
}

mod traps {
    use super::*;

    #[test]
    fn the_list_of_rare_heaps_is_filled_and_never_frozen() {
        // 0.007 gets rare heaps all the way, behind heap 10,000 as well.
        let last = scaled(16_000);
        let solution = worked("0.007", last, Way::Sparse);
        assert_eq!(values(&solution), plain::values(&moves("0.007"), last));
        let (mask, rare) = solution.mask(&moves("0.007"));
        let is_rare = |n: usize| mask.class(n, solution.values.get(n) as usize) == 0;
        assert_eq!((1..=last).filter(|n| is_rare(*n)).count(), rare);
        assert!((last * 3 / 4..=last).any(is_rare));
    }

    #[test]
    fn heaps_are_not_values() {
        // In 0.6 rare heaps and their values are far apart.
        let last = scaled(12_000);
        assert_eq!(values(&worked("0.6", last, Way::Sparse)), plain::values(&moves("0.6"), last));
    }

    #[test]
    fn witnesses_are_sought_at_every_digit_that_splits() {
        for code in ["0.77", "0.777", "4.47", "0.644", "0.4404"] {
            let last = scaled(6000);
            let expected = plain::values(&moves(code), last);
            assert_eq!(values(&worked(code, last, Way::Sparse)), expected, "{code}");
        }
    }

    #[test]
    fn kayles_is_not_quadratic() {
        // One split digit at a time would look at half of all splits for a value that only the other digit has.
        let work = |last| worked("0.77", last, Way::Best).work;
        let (short, long) = (work(1 << 15), work(1 << 18));
        assert!(long < 12 * short, "8 times the heaps, {} times the work", long / short);
    }

    #[test]
    fn heap_0_is_left_out_of_the_period() {
        let found = |code| solve(&moves(code), Task::until_period(5000), |_| ()).period.unwrap();
        assert_eq!((found("0.137").length, found("0.137").start), (34, 52));
        assert_eq!((found("0.07").length, found("0.07").start), (34, 53));
        assert_eq!((found("0.2").length, found("0.2").start), (2, 1));
    }

    #[test]
    fn the_start_of_a_period_is_the_least() {
        for code in ["0.77", "0.07", "0.17", "0.055", "0.045", "0.156", "4.344", "0.0123"] {
            let solution = solve(&moves(code), Task::until_period(20_000), |_| ());
            let (period, g) = (solution.period.unwrap(), values(&solution));
            let e = period.start;
            assert!(period.proved(&g, moves(code).last), "{code}");
            assert!(e == 1 || g[e - 1] != g[e - 1 + period.length], "{code}");
            for p in 1..period.length {
                let end = g.len() - p;
                assert!((e..end).any(|n| g[n] != g[n + p]), "{code}: period {p}");
            }
        }
    }

    #[test]
    fn a_rare_heap_of_the_block_itself_is_not_forgotten() {
        // 0.137 goes wrong at heap 4,609 where a rare heap r ≥ n − t is let into a block done at once.
        for code in ["0.137", "0.07", "0.007"] {
            let expected = plain::values(&moves(code), 6000);
            assert_eq!(values(&worked(code, 6000, Way::Sparse)), expected, "{code}");
        }
    }

    #[test]
    fn position_masks_only_where_all_splitting_digits_have_one_parity() {
        assert_eq!(moves("0.77").parity(), None);
        assert_eq!(moves("0.127").parity(), Some(1));
        assert_eq!(moves("0.205").parity(), Some(1));
        assert_eq!(moves("4.04").parity(), Some(0));
        assert_eq!(moves("4.4").parity(), None);
        for code in ["0.127", "0.104", "0.205"] {
            let solution = worked(code, 3000, Way::Best);
            assert!(solution.mask(&moves(code)).0.position.is_some(), "{code}");
        }
    }
}

#[test]
fn a_sum_has_its_winning_moves() {
    let folder = tempfile::tempdir().unwrap();
    let answer = json(folder.path(), &["nim", "query", "0.77", "9", "14", "--json"]);
    let text = r#"{"code":"0.77","heaps":[9,14],"values":[4,2],"value":6,"outcome":"win"}"#;
    let expected: Value = serde_json::from_str(text).unwrap();
    for key in ["code", "heaps", "values", "value", "outcome"] {
        assert_eq!(answer[key], expected[key]);
    }
    let first: Value = serde_json::from_str(r#"{"heap":9,"take":2,"leave":[3,4]}"#).unwrap();
    assert!(answer["moves"].as_array().unwrap().contains(&first));
    assert!(answer.get("more").is_none());
    let equal = json(folder.path(), &["nim", "query", "kayles", "9", "9", "9", "--json"]);
    let moves = equal["moves"].as_array().unwrap();
    assert!(moves.iter().enumerate().all(|(i, m)| !moves[..i].contains(m)), "equal moves twice");
    let huge = ["nim", "query", "kayles", "18446744073709551615", "--moves", "5", "--json"];
    let huge = json(folder.path(), &huge);
    assert_eq!(huge["moves"].as_array().unwrap().len(), 5);
    assert_eq!(huge["more"], true);
    let row = json(folder.path(), &["nim", "query", "treblecross", "...X......", "--json"]);
    assert_eq!(row["moves"].to_string(), "[7,10]");
    let row = json(folder.path(), &["nim", "query", "0.007", "X..X.X", "--json"]);
    assert_eq!((row["outcome"].as_str(), row["moves"].to_string()), (Some("win"), "[5]".into()));
}

#[test]
fn misere_only_where_it_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let outcome = |arguments: &[&str]| json(folder, arguments)["outcome"].clone();
    assert_eq!(outcome(&["nim", "query", "nim", "1", "1", "--misere", "--json"]), "win");
    assert_eq!(outcome(&["nim", "query", "nim", "2", "2", "--misere", "--json"]), "loss");
    assert_eq!(outcome(&["nim", "query", "sticks", "21", "--misere", "--json"]), "loss");
    assert_eq!(outcome(&["nim", "query", "sticks", "20", "--misere", "--json"]), "win");
    for game in ["kayles", "lasker", "treblecross"] {
        refused(folder, &["nim", "query", game, "5", "--misere"], 2, &["do not add"]);
    }
    refused(folder, &["nim", "query", "sticks", "5", "6", "--misere"], 2, &["do not add"]);
}

#[test]
fn bad_input_is_one_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (code, at) in [
        ("0.78", "character 4"),
        ("1.7", "character 1"),
        ("0.77x", "character 5"),
        ("0.", "the end at character 3"),
        ("kayle", "character 1"),
        ("0.(3", "character 5"),
    ] {
        for command in ["build", "info", "query", "plot"] {
            let mut arguments = vec!["nim", command, code];
            if command == "query" {
                arguments.push("3");
            }
            refused(folder, &arguments, 2, &[at, "expected"]);
        }
    }
    refused(folder, &["nim", "build", "0.(7)"], 2, &["no closed form"]);
    refused(folder, &["nim", "query", "kayles", "x1"], 2, &["x1", "expected a number"]);
    refused(folder, &["nim", "query", "kayles", "18446744073709551616"], 2, &["expected a number"]);
    refused(folder, &["nim", "query", "lasker", "18446744073709551615"], 2, &["2^64"]);
    refused(folder, &["nim", "build", "kayles", "--heaps", "0"], 2, &["--heaps"]);
    // A heap beyond an open table.
    json(folder, &["nim", "build", "0.007", "--heaps", "1000", "--json"]);
    assert_eq!(json(folder, &["nim", "query", "0.007", "1000", "--json"])["heaps"][0], 1000);
    refused(folder, &["nim", "query", "0.007", "1001"], 2, &["heap 1001", "at most 1000"]);
    refused(folder, &["nim", "query", "0.007", "99999999999"], 2, &["99999999999"]);
    // A value that does not fit.
    let narrow = ["nim", "build", "0.6", "--heaps", "10344", "--width", "1", "--out", "narrow"];
    refused(folder, &narrow, 2, &["heap 10344", "value 256", "--width 2"]);
    assert!(
        !folder.join("narrow").exists()
            || folder.join("narrow").read_dir().unwrap().next().is_none()
    );
    for board in ["4", "0x5", "4x", "9x9", "x", "4x5x6"] {
        refused(folder, &["cram", "build", board], 2, &["expected"]);
    }
    refused(folder, &["cram", "query", "2x3", "..../..."], 2, &["row 1 has 4 cells, expected 3"]);
    refused(folder, &["cram", "query", "2x3", "..Q/..."], 2, &["'Q'", "cell 3"]);
}

#[test]
fn a_table_is_proved_or_found_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = folder.join("tables/0.45.grundy");
    json(folder, &["nim", "build", "0.45", "--json"]);
    let good = std::fs::read(&file).unwrap();
    json(folder, &["nim", "build", "0.45", "--json"]);
    assert_eq!(std::fs::read(&file).unwrap(), good, "not the same byte for byte");
    for arguments in [&["nim", "verify", "0.45"][..], &["verify", "tables/0.45.grundy"]] {
        assert_eq!(run(folder, arguments).status.code(), Some(0));
    }
    let proof = json(folder, &["nim", "verify", "0.45", "--full", "--json"]);
    assert_eq!((proof["verified"].clone(), proof["period"].clone()), (true.into(), 20.into()));
    // One value changed, and all sums made to fit again.
    let table = GrundyTable::from_bytes(&good).unwrap();
    let (_, header) = table.octal().unwrap();
    let mut values: Vec<u8> = table.values().to_vec();
    values[300] ^= 1;
    let header = morpion_lookup::grundy::Header::Octal(header.clone());
    let mut writer = morpion_generator::impartial::table::Writer::new(Vec::new(), &header).unwrap();
    writer.put(&values).unwrap();
    std::fs::write(&file, writer.finish().unwrap()).unwrap();
    refused(folder, &["nim", "verify", "0.45"], 1, &["heap 301"]);
    let mut flipped = good.clone();
    let middle = flipped.len() - 100;
    flipped[middle] ^= 4;
    std::fs::write(&file, &flipped).unwrap();
    refused(folder, &["nim", "verify", "0.45"], 1, &["checksum"]);
    std::fs::write(&file, &good[..good.len() - 1]).unwrap();
    refused(folder, &["nim", "verify", "0.45"], 2, &["bytes, expected"]);
    std::fs::write(&file, b"something else").unwrap();
    refused(folder, &["nim", "verify", "0.45"], 2, &["not a table"]);
    assert_eq!(std::fs::read_dir(folder.join("tables")).unwrap().count(), 1, "left-over files");
}

#[test]
fn a_periodic_table_answers_any_heap() {
    let folder = tempfile::tempdir().unwrap();
    json(folder.path(), &["nim", "build", "kayles", "--json"]);
    let table = GrundyTable::read(folder.path().join("tables/0.77.grundy")).unwrap();
    let plain = plain::values(&moves("0.77"), 3000);
    for (n, value) in plain.iter().enumerate() {
        assert_eq!(table.heap(n as u64), Ok(u64::from(*value)));
    }
    // Period 12 from heap 71 on.
    for heap in [u64::MAX, u64::MAX - 1, 1 << 63, 10_u64.pow(18)] {
        let near = 72 + (heap - 72) % 12;
        assert_eq!(table.heap(heap), Ok(u64::from(plain[near as usize])));
    }
}

#[test]
fn pictures_and_lists() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let drawn =
        json(folder, &["nim", "plot", "0.6", "--heaps", "2000", "--out", "0.6.svg", "--json"]);
    assert_eq!(drawn["code"], "0.6");
    let svg = std::fs::read_to_string(folder.join("0.6.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("rare heaps") && svg.ends_with("</svg>\n"));
    let names = String::from_utf8(run(folder, &["nim", "games", "--json"]).stdout).unwrap();
    let wanted =
        ["nim", "lasker", "kayles", "dawson", "treblecross", "sticks", "officers", "guiles"];
    for name in wanted {
        assert!(names.contains(&format!("\"name\":\"{name}\"")), "{name}");
    }
    let sweep = ["nim", "sweep", "--heaps", "64", "--out", "sweep", "--json"];
    let text = String::from_utf8(run(folder, &sweep).stdout).unwrap();
    assert_eq!(text.lines().count(), 1025);
    let csv = std::fs::read_to_string(folder.join("sweep/octal-sweep.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1025);
    assert!(folder.join("sweep/OCTAL.md").is_file());
}

#[test]
fn the_sweep_that_is_shipped_says_what_the_solver_says() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tables/octal-sweep.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|l| l.split(',').collect()).collect();
    assert_eq!(rows.len(), 1024);
    assert!(rows.iter().filter(|row| !row[2].is_empty()).count() >= 695);
    for row in rows.iter().step_by(7).filter(|row| !row[2].is_empty()) {
        let moves = moves(row[0]);
        let solution = solve(&moves, Task::until_period(1 << 16), |_| ());
        let period = solution.period.unwrap_or_else(|| panic!("{} is open", row[0]));
        assert_eq!([period.length.to_string(), period.start.to_string()], row[2..4], "{}", row[0]);
        assert!(period.proved(&values(&solution), moves.last));
    }
}

mod long {
    use super::*;

    #[test]
    fn the_sweep_certifies_695_codes_in_120_cpu_seconds() {
        if long() {
            let folder = tempfile::tempdir().unwrap();
            let output = run(folder.path(), &["nim", "sweep", "--json"]);
            let text = String::from_utf8(output.stdout).unwrap();
            let whole: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
            assert!(whole["certified"].as_u64().unwrap() >= 695, "{whole}");
            eprintln!("{whole}");
        }
    }

    #[test]
    fn treblecross_to_a_million() {
        if long() {
            let folder = tempfile::tempdir().unwrap();
            let arguments = ["nim", "build", "treblecross", "--heaps", "2^20", "--zeros", "--json"];
            let built = json(folder.path(), &arguments);
            let zeros = built["zeros"].as_array().unwrap();
            assert_eq!((zeros.len(), zeros.last().unwrap().as_u64()), (37, Some(16_170)));
            eprintln!("{} rare heaps, {} CPU seconds", built["rare"], built["cpu_seconds"]);
        }
    }

    #[test]
    fn preperiods_of_two_and_ten_million() {
        if long() {
            let folder = tempfile::tempdir().unwrap();
            for (code, period, start) in [("0.376", 4, 2_268_248), ("0.354", 1180, 10_061_916)] {
                let built =
                    json(folder.path(), &["nim", "build", code, "--heaps", "2^25", "--json"]);
                assert_eq!(
                    (built["period"].as_u64(), built["preperiod"].as_u64()),
                    (Some(period), Some(start))
                );
            }
        }
    }

    #[test]
    fn cram_on_thirty_cells() {
        if long() {
            let folder = tempfile::tempdir().unwrap();
            let built = json(folder.path(), &["cram", "build", "5x6", "--json"]);
            assert_eq!(
                built["value"],
                json(folder.path(), &["cram", "value", "5x6", "--json"])["value"]
            );
        }
    }
}
