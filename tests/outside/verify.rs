//! `morpion verify`: exit status, proofs in parts, a table with too few symmetries, and the tables of the large games.

use morpion_core::{
    ALIGNMENT, Census, Encoding, Group, Header, MAGIC, Permutation, Position, Score, Source,
    VERSION, preamble,
    rank::{binomial, expand, subsets},
};
use morpion_games::reach::walk::arrangements;
use morpion_lookup::Table;
use morpion_machine::progress::Unobserved;
use morpion_machine::sealed;
use morpion_solver::sink;
use morpion_tests::morpion;
use morpion_verify::{Hex, verify, verify_sample};
use serde_json::Value;
use std::path::Path;

/// A table made of the bytes before the census, a census, and matching checksums.
fn closed(bytes: &[u8], census: &Census) -> Vec<u8> {
    let mut writer = sealed::Writer::new(Vec::new());
    writer.write(bytes).unwrap();
    sink::finish(writer, census).unwrap()
}

#[test]
fn the_exit_status_distinguishes_right_and_wrong_tables_from_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let table = Table::builtin("swap").unwrap();
    let right = table.source().in_memory().unwrap();
    // The first position that is won in 3 is changed to a win in 2.
    let [code, other] = [3, 2]
        .map(|plies| Encoding::Plies8.encode(Score::Win { plies: Some(plies) }).unwrap() as u8);
    let header = table.raw().header();
    let mut wrong = right[..header.census as usize].to_vec();
    let first = header.layers.last().unwrap().offset as usize;
    *wrong[first..].iter_mut().find(|entry| **entry == code).unwrap() = other;
    let wrong = closed(&wrong, &table.raw().census().unwrap());
    let run = |name: &str, bytes: &[u8]| {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let output = morpion(["verify", "--json"]).arg(&file).output().unwrap();
        (output.status.code().unwrap(), serde_json::from_slice(&output.stdout).ok())
    };
    let (code, answer): (i32, Option<Value>) = run("right.morpion", right);
    let answer = answer.unwrap();
    assert_eq!((code, &answer["proved"], &answer["faults"]), (0, &true.into(), &0.into()));
    assert_eq!(answer["entries"], answer["checked"]);
    let (code, answer) = run("wrong.morpion", &wrong);
    let answer = answer.unwrap();
    assert_eq!((code, &answer["proved"]), (1, &false.into()));
    let first = answer["first"].as_array().unwrap();
    let is_planted =
        |fault: &&Value| fault["found"] == "win in 2" && fault["expected"] == "win in 3";
    let fault = first.iter().find(is_planted).unwrap_or_else(|| panic!("{answer}"));
    let position = table.game().parse_position(fault["at"].as_str().unwrap()).unwrap();
    assert_eq!(table.probe(position.raw).unwrap(), Score::Win { plies: Some(3) });
    for bytes in [&b"no table"[..], &right[..500], &[]] {
        assert_eq!(run("none.morpion", bytes), (2, None));
    }
}

/// The same table folded only by the identity. Its header claims that the rules have no other symmetry.
fn unfolded(table: &Table) -> Vec<u8> {
    let (game, encoding) = (table.game(), table.raw().header().encoding);
    let cells = u32::from(game.cells());
    let identity = vec![Permutation::identity(game.cells())];
    let rows = |size: u8| binomial(cells, size.into());
    let header = Header::new(game, encoding, Group::Rules, identity, rows).unwrap();
    let mut bytes = preamble(MAGIC, VERSION, &header.to_bytes().unwrap());
    let pad = |bytes: &mut Vec<u8>| {
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT as usize), 0);
    };
    for map in &header.maps {
        bytes.extend((0..map.rows as u32).flat_map(u32::to_le_bytes));
        pad(&mut bytes);
    }
    for layer in header.layers.iter().rev() {
        for mover in subsets(cells, layer.counts.mover.into()) {
            let left = game.board() & !mover;
            for waiter in subsets(left.count_ones(), layer.counts.waiter.into()) {
                let score = table.probe(Position { mover, waiter: expand(waiter, left) });
                let code = score.ok().and_then(|score| encoding.encode(score));
                bytes.push(code.unwrap_or(encoding.no_position()) as u8);
            }
        }
        pad(&mut bytes);
    }
    closed(&bytes, &table.raw().census().unwrap())
}

/// Lookups are right in this table, but the classes of positions would be counted wrongly.
#[test]
fn a_table_with_too_few_symmetries_is_found_and_its_classes_are_still_counted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("classic.morpion");
    std::fs::write(&file, unfolded(&Table::builtin("classic").unwrap())).unwrap();
    let run = |command: &str, options: &[&str]| {
        morpion([command]).arg(&file).args(options).output().unwrap()
    };
    let verified = run("verify", &[]);
    let report = String::from_utf8_lossy(&verified.stdout);
    assert_eq!(verified.status.code(), Some(1), "{report}");
    assert!(
        report.contains("symmetries: found 1 of the rules") && report.contains("8 of the rules")
    );
    let counted = run("count", &["--symmetry", "rules", "--json"]).stdout;
    let counted: serde_json::Value = serde_json::from_slice(&counted).unwrap();
    assert_eq!(counted["positions"], 765);
}

#[test]
fn the_program_proves_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = morpion(["verify"]).args(arguments).output().unwrap();
        let answer = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code().unwrap(), answer)
    };
    let key = Hex([7; 32]).to_string();
    let files: Vec<String> = (1..=3)
        .map(|number| {
            let (code, [part, _]) = run(&["swap", "--part", &format!("{number}/3"), "--key", &key]);
            assert_eq!(code, 0, "{part}");
            let file = folder.path().join(format!("{number}.json"));
            std::fs::write(&file, part).unwrap();
            file.display().to_string()
        })
        .collect();
    let [first, second, third] = [&files[0], &files[1], &files[2]];
    let (code, [answer, _]) = run(&["--sum", third, first, second, "--json"]);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((code, &answer["game"], &answer["proved"]), (0, &"swap".into(), &true.into()));
    assert_eq!((&answer["method"], &answer["key"]), (&"keyed sums".into(), &key.as_str().into()));
    let bound = answer["error_bound"].as_f64().unwrap();
    assert!(bound > 0.0 && bound < 1e-32, "{bound}");
    let condition = "only if the key was drawn after the table was complete";
    assert!(answer["condition"].as_str().unwrap().contains(condition), "{answer}");
    let part: Value = serde_json::from_str(&std::fs::read_to_string(first).unwrap()).unwrap();
    assert!(part["condition"].as_str().unwrap().contains(condition), "{part}");
    let (_, [text, _]) = run(&["--sum", first, second, third]);
    assert!(text.starts_with("swap: proved, 886 entries\n") && text.contains(condition), "{text}");
    let (_, [whole, _]) = run(&["swap", "--json"]);
    let whole: Value = serde_json::from_str(&whole).unwrap();
    assert_eq!((&whole["blake3"], &whole["condition"]), (&answer["blake3"], &Value::Null));
    assert_eq!(whole["blake3"].as_str().unwrap().len(), 64);
    let (code, [_, error]) = run(&["--sum", first, second]);
    assert_eq!((code, error.contains("part 3 of 3 is missing")), (2, true), "{error}");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let (code, [_, error]) = run(&["--sum", &manifest.display().to_string()]);
    assert_eq!((code, error.contains("not a part of a proof")), (2, true), "{error}");
    let (_, [other, _]) = run(&["classic", "--part", "2/3", "--key", &key]);
    std::fs::write(second, other).unwrap();
    let (code, [_, error]) = run(&["--sum", first, second, third]);
    assert_eq!((code, error.contains("parts 1 and 2 differ in the header")), (2, true), "{error}");
    for wrong in [
        &["swap", "--part", "1/3"][..],
        &["swap", "--part", "4/3", "--key", &"0".repeat(64)],
        &["swap", "--part", "0/3", "--key", &"0".repeat(64)],
        &["swap", "--part", "1/3", "--key", "12"],
        &["swap", "--key", &"0".repeat(64)],
        &["swap", "--sum", first],
    ] {
        assert_eq!(run(wrong).0, 2, "{wrong:?}");
    }
}

#[test]
fn a_table_with_the_name_of_a_standard_game_and_other_rules_is_not_taken_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("swap.toml");
    let body = "name = \"swap\"\n[board]\nrows = 2\ncolumns = 2\n[lines]\nlength = 2";
    std::fs::write(&rules, body).unwrap();
    let built = morpion(["build"]).arg(&rules).arg("--out").arg(folder.path()).output();
    assert!(built.unwrap().status.success());
    let verified = |options: &[&str], table: &Path| {
        let output = morpion(["verify"]).args(options).arg(table).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let file = folder.path().join("swap.morpion");
    let table = Table::open(&file).unwrap();
    let [own, standard] = [&table, &Table::builtin("swap").unwrap()]
        .map(|table| format!("{:016x}", table.game().fingerprint()));
    let text = verified(&[], &file);
    assert!(text.contains(&format!("fingerprint of the rules: {own}\n")), "{text}");
    let expected = format!("the standard game swap has other rules: fingerprint {standard}\n");
    assert!(text.contains(&expected), "{text}");
    let answer: Value = serde_json::from_str(&verified(&["--json"], &file)).unwrap();
    assert_eq!((&answer["fingerprint"], &answer["standard"]), (&own.into(), &standard.into()));
    let text = verified(&[], Path::new("swap"));
    assert!(text.contains("fingerprint of the rules") && !text.contains("other rules"), "{text}");
}

/// Number of arrangements above which only a sample of a table is checked. swap6 was proved completely when it was added.
const PROVED: u128 = 1_000_000_000_000;

#[test]
#[ignore = "long: 26 billion entries, about 120 minutes, and 15 for the builds if no table is found"]
fn the_tables_of_the_large_standard_games_are_right() {
    let mut proved = 0;
    for (name, table) in morpion_tests::large_tables() {
        let is_sampled = arrangements(table.game()) > PROVED;
        let report = match is_sampled {
            true => verify_sample(&table, 100_000, 6, &Unobserved),
            false => verify(&table, Hex([7; 32]), &Unobserved),
        };
        let report = report.unwrap();
        assert!(report.is_right(), "{name}\n{report:?}");
        assert_eq!(report.checked, if is_sampled { 100_000 } else { report.entries });
        proved += 1;
    }
    assert_eq!(proved, 7);
}
