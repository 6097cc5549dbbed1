//! Octal games: known facts, tables and their proofs, sums, misère play, lists, errors.

use crate::impartial::{facts, json, moves, refused, run};
use morpion_grundy::{GrundyTable, Header, Octal};
use morpion_impartial::octal::{self, Task, definition, solve};
use morpion_impartial::table;
use morpion_lookup::Bytes;
use morpion_machine::progress::Unobserved;
use morpion_tests::morpion;
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

#[test]
fn known_periods_are_certified() {
    let folder = tempfile::tempdir().unwrap();
    let rows = facts("octal-periods.csv");
    assert_eq!(rows.len(), 17);
    for row in rows {
        // The longest takes too long without optimisation.
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
fn misere_is_answered_only_if_it_is_known() {
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
        for command in ["build", "info", "query"] {
            let mut arguments = vec!["nim", command, code];
            if command == "query" {
                arguments.push("3");
            }
            refused(folder, &arguments, 2, &[at, "expected"]);
        }
    }
    refused(folder, &["nim", "build", "0.(7)"], 2, &["no closed form"]);
    refused(folder, &["nim", "query", "kayles", "x1"], 2, &["x1", "give a number"]);
    refused(folder, &["nim", "query", "kayles", "foo"], 2, &["foo", "give heaps", "0.77"]);
    refused(folder, &["nim", "query", "treblecross", "foo"], 2, &["foo", "expected X or ."]);
    refused(folder, &["nim", "query", "kayles", "18446744073709551616"], 2, &["give a number"]);
    refused(folder, &["nim", "query", "lasker", "18446744073709551615"], 2, &["2^64"]);
    refused(folder, &["nim", "build", "kayles", "--heaps", "0"], 2, &["--heaps"]);
    // The heap is larger than an open table.
    json(folder, &["nim", "build", "0.007", "--heaps", "1000", "--json"]);
    assert_eq!(json(folder, &["nim", "query", "0.007", "1000", "--json"])["heaps"][0], 1000);
    refused(folder, &["nim", "query", "0.007", "1001"], 2, &["heap 1001", "at most 1000"]);
    refused(folder, &["nim", "query", "0.007", "99999999999"], 2, &["99999999999"]);
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
    let info = json(folder, &["info", "tables/0.45.grundy", "--json"]);
    assert_eq!((info["code"].as_str(), info["period"].as_u64()), (Some("0.45"), Some(20)));
    let proof = json(folder, &["verify", "tables/0.45.grundy", "--json"]);
    assert_eq!((proof["verified"].clone(), proof["period"].clone()), (true.into(), 20.into()));
    // One value is changed, with matching checksums.
    let table = GrundyTable::open(Bytes::from(good.clone())).unwrap();
    let (_, header) = table.octal().unwrap();
    let mut values: Vec<u8> = table.values().to_vec();
    values[300] ^= 1;
    std::fs::write(&file, written(header.clone(), &values)).unwrap();
    refused(folder, &["verify", "tables/0.45.grundy"], 1, &["heap 301"]);
    // A value may have more bytes than it needs.
    let wide: Vec<u8> = table.values().iter().flat_map(|&value| [value, 0]).collect();
    std::fs::write(&file, written(Octal { width: 2, ..header.clone() }, &wide)).unwrap();
    assert!(run(folder, &["verify", "tables/0.45.grundy"]).status.success());
    let mut flipped = good.clone();
    let middle = flipped.len() - 100;
    flipped[middle] ^= 4;
    std::fs::write(&file, &flipped).unwrap();
    refused(folder, &["verify", "tables/0.45.grundy"], 1, &["checksum"]);
    std::fs::write(&file, &good[..good.len() - 1]).unwrap();
    refused(folder, &["verify", "tables/0.45.grundy"], 2, &["bytes, expected"]);
    assert_eq!(std::fs::read_dir(folder.join("tables")).unwrap().count(), 1, "left-over files");
}

/// The bytes of a table with this header and these bytes of its values.
fn written(header: Octal, values: &[u8]) -> Vec<u8> {
    let mut writer = table::begin(Vec::new(), &Header::Octal(header)).unwrap();
    writer.write(values).unwrap();
    writer.finish().unwrap()
}

/// A header may claim any number of computed heaps. The proof computes them again, or refuses the table. It takes only as
/// much work and memory as the size of the file and the caller justify.
#[cfg(target_os = "linux")]
#[test]
fn a_claim_of_many_heaps_is_computed_again_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let moves = moves("0.45");
    let solution = solve(&moves, Task::all(1 << 18), &Unobserved).unwrap();
    let header = octal::table::header(&"0.45".parse().unwrap(), &solution);
    let table = octal::table::in_memory(&header, &solution.values).unwrap();
    let file = folder.join("claim.grundy");
    std::fs::write(&file, written(header.clone(), table.values())).unwrap();
    let proof = json(folder, &["verify", "./claim.grundy", "--json"]);
    assert_eq!((&proof["verified"], &proof["worked_to"]), (&true.into(), &(1 << 18).into()));
    let mask = header.mask.unwrap();
    let more = Some(morpion_grundy::Mask { rare: mask.rare + 1, ..mask });
    for (heaps, mask, expected) in [
        (1 << 19, header.mask, None),
        (1 << 19, more, Some("in the header, expected")),
        (1 << 21, header.mask, Some("too many to prove: at most 1048576; build the table again")),
        (1 << 55, header.mask, Some("too many to prove")),
        (u64::MAX, header.mask, Some("too many to prove")),
    ] {
        let claim = Octal { heaps, mask, ..header.clone() };
        std::fs::write(&file, written(claim, table.values())).unwrap();
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -v 2000000; exec \"$0\" verify ./claim.grundy"]);
        let output = shell.arg(morpion_tests::program()).current_dir(folder).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let code = Some(i32::from(expected.is_some()));
        assert_eq!(output.status.code(), code, "{heaps}: {error}");
        if let Some(expected) = expected {
            assert!(error.contains(&heaps.to_string()) && error.contains(expected), "{error}");
        }
    }
}

#[test]
fn a_heap_too_large_for_any_table_is_refused_at_once_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // 2^19 heaps of this game take minutes.
    let beyond = ["nim", "query", "0.76", "18446744073709551615"];
    let advice = "morpion nim build 0.76 --heaps 2^20";
    refused(folder, &beyond, 2, &["heap 18446744073709551615", "no certified period", advice]);
    let large = ["nim", "query", "0.76", "4294901760"];
    refused(folder, &large, 2, &["morpion nim build 0.76 --heaps 4294901760"]);
    // A long period is still found.
    let answer = json(folder, &["nim", "query", "0.16", "18446744073709551615", "--json"]);
    assert_eq!(answer["value"], 14);
}

#[test]
fn a_periodic_table_answers_any_heap() {
    let folder = tempfile::tempdir().unwrap();
    json(folder.path(), &["nim", "build", "kayles", "--json"]);
    let table = GrundyTable::read(folder.path().join("tables/0.77.grundy")).unwrap();
    let plain = definition::values(&moves("0.77"), 3000);
    for (n, value) in plain.iter().enumerate() {
        assert_eq!(table.heap(n as u64).unwrap(), u64::from(*value));
    }
    // Period 12 from heap 71 on.
    for heap in [u64::MAX, u64::MAX - 1, 1 << 63, 10_u64.pow(18)] {
        let near = 72 + (heap - 72) % 12;
        assert_eq!(table.heap(heap).unwrap(), u64::from(plain[near as usize]));
    }
}

#[test]
fn lists() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let names = String::from_utf8(run(folder, &["nim", "games", "--json"]).stdout).unwrap();
    let wanted =
        ["nim", "lasker", "kayles", "dawson", "treblecross", "sticks", "officers", "guiles"];
    for name in wanted {
        assert!(names.contains(&format!("\"game\":\"{name}\"")), "{name}");
    }
}

#[test]
#[ignore = "long: a million heaps, about 2 minutes"]
fn treblecross_to_a_million() {
    let folder = tempfile::tempdir().unwrap();
    json(folder.path(), &["nim", "build", "treblecross", "--heaps", "2^20", "--json"]);
    let table = GrundyTable::read(folder.path().join("tables/0.007.grundy")).unwrap();
    let zeros: Vec<u64> = (0..=1 << 20).filter(|&heap| table.heap(heap).unwrap() == 0).collect();
    assert_eq!((zeros.len(), zeros.last()), (37, Some(&16_170)));
}

#[test]
#[ignore = "long: up to 2^25 heaps, about 10 minutes"]
fn preperiods_of_two_and_ten_million() {
    let folder = tempfile::tempdir().unwrap();
    for (code, period, start) in [("0.376", 4, 2_268_248), ("0.354", 1180, 10_061_916)] {
        let built = json(folder.path(), &["nim", "build", code, "--heaps", "2^25", "--json"]);
        assert_eq!(
            (built["period"].as_u64(), built["preperiod"].as_u64()),
            (Some(period), Some(start))
        );
    }
}

#[test]
fn the_first_bytes_of_a_table_decide_who_describes_and_proves_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    json(folder, &["nim", "build", "0.45", "--json"]);
    json(folder, &["build", "classic", "--out", "tables", "--json"]);
    for (from, to) in [("0.45.grundy", "heaps.bin"), ("classic.morpion", "board.grundy")] {
        std::fs::rename(folder.join("tables").join(from), folder.join(to)).unwrap();
    }
    assert_eq!(json(folder, &["info", "heaps.bin", "--json"])["code"], "0.45");
    assert_eq!(json(folder, &["verify", "heaps.bin", "--json"])["verified"], true);
    assert_eq!(json(folder, &["info", "board.grundy", "--json"])["game"], "classic");
    assert_eq!(json(folder, &["verify", "board.grundy", "--json"])["proved"], true);
    refused(folder, &["info", "heaps.bin", "--csv"], 2, &["heaps.bin", "has no census"]);
    let part = ["verify", "heaps.bin", "--part", "1/2", "--key", &"0".repeat(64)];
    refused(folder, &part, 2, &["heaps.bin", "leave out --part"]);
    // A file that cannot be read as either kind.
    std::fs::write(folder.join("short.grundy"), b"\x89GRUN").unwrap();
    for name in ["short.grundy", "missing.grundy"] {
        refused(folder, &["info", name], 2, &[name]);
        refused(folder, &["verify", name], 2, &[name]);
    }
}
