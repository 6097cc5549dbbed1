//! The plan before a build. A build that does not fit is refused with its size, and the planned memory is enough.
//!
//! `generator/builder/tests/memory.rs` compares the plan with every allocation of the solver, for all kinds of entries. These tests
//! compare it with the largest resident set of the program.

use morpion_tests::{build, built, contents, morpion};
use serde_json::Value;

/// The plan of a build on two threads, so that it is the same on every machine.
fn plan(arguments: &[&str]) -> Value {
    let mut command = morpion([&["plan", "--json"], arguments].concat());
    let output = command.env("RAYON_NUM_THREADS", "2").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_build_that_does_not_fit_is_refused_with_the_planned_size() {
    let out = tempfile::tempdir().unwrap();
    let plan = plan(&["classic5k5"]);
    assert_eq!(plan["entries"], 5_299_650_904_u64);
    assert!(plan["seconds"].as_f64().unwrap() > 0.0);
    let refused = build(out.path(), &["classic5k5", "--memory", "100M"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8_lossy(&refused.stderr);
    let figure = indicatif::BinaryBytes(plan["memory"].as_u64().unwrap()).to_string();
    assert!(error.contains(&figure) && error.contains("100.00 MiB"), "{error} {figure}");
    assert!(contents(out.path()).is_empty());
}

#[test]
fn a_large_table_is_planned_with_the_disk_that_it_needs() {
    let nine = plan(&["nine-mens-morris"]);
    assert_eq!(nine["encoding"], "plies");
    // The table has 27.9 GB, and 10.3 GB packed.
    let gigabytes = |key: &str| nine[key].as_u64().unwrap() / 1_000_000_000;
    assert!((27..33).contains(&gigabytes("disk")), "{nine}");
    assert!((10..13).contains(&gigabytes("packed")), "{nine}");
    assert!(nine["cpu_seconds"].as_f64() >= nine["seconds"].as_f64(), "{nine}");
}

#[test]
fn a_game_too_large_for_the_format_is_refused_with_the_number_and_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("full.toml");
    let rules = "name = \"full\"\n[board]\nrows = 6\ncolumns = 6\n[lines]\nlength = 4\n";
    std::fs::write(&file, rules).unwrap();
    let refused = morpion(["plan", file.to_str().unwrap()]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8_lossy(&refused.stderr);
    // The number of sets of 11 of 36 cells, and the limit: 2^32 / 8 minus one, for the 8 symmetries of a square.
    let expected =
        "11 pieces of a side stand on 36 cells in 600805296 ways, more than the 536870911 that";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_game_built_in_blocks_is_planned_both_in_memory_and_in_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("seven.toml");
    let rules = "name = \"seven\"\n[board]\nrows = 6\ncolumns = 6\n[lines]\nlength = 5\n[pieces]\neach = 7\n[moves]\nto = \"any\"\n";
    std::fs::write(&file, rules).unwrap();
    let arguments = [file.to_str().unwrap(), "teeko"];
    let output = morpion([&["plan"], &arguments[..]].concat()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let large = plan(&arguments[..1]);
    let bytes = |key: &str| indicatif::BinaryBytes(large[key].as_u64().unwrap()).to_string();
    let at = lines.iter().position(|line| line.starts_with("seven ")).expect(&text);
    assert!(lines[at].contains(&bytes("memory")), "{text}");
    let (in_blocks, time) = lines[at + 1].trim().split_once("iB ").expect(&text);
    assert_eq!(format!("{in_blocks}iB"), format!("in blocks: from {}", bytes("least_memory")));
    assert!(time.trim_start().starts_with(|first: char| first.is_ascii_digit()), "{text}");
    assert_eq!(lines.len(), 4, "teeko fits, and is planned in one line: {text}");
    assert!(lines.iter().all(|line| line.len() <= 80));
}

#[test]
fn a_limit_below_the_need_and_packing_take_longer() {
    let large = plan(&["teeko"]);
    assert!(large.get("block_seconds").is_none(), "{large}");
    let least = large["least_memory"].to_string();
    let small = plan(&["teeko", "--memory", &least]);
    let seconds = |plan: &Value, key: &str| plan[key].as_f64().expect(key);
    assert_eq!(
        (&small["memory"], &small["least_memory"]),
        (&large["memory"], &large["least_memory"])
    );
    assert!(seconds(&small, "block_seconds") > seconds(&small, "seconds"), "{small}");
    // Level 22 takes several times as long as solving, so that it does not matter if the machine is busy.
    let packed = plan(&["teeko", "--packed", "--level", "22"]);
    assert!(seconds(&packed, "seconds") > 2.0 * seconds(&large, "seconds"), "{packed} {large}");
    // With fewer threads, less memory is needed.
    let single = plan(&["teeko", "--threads", "1"]);
    assert!(single["memory"].as_u64() < large["memory"].as_u64(), "{single} {large}");
    let refused = morpion(["plan", "teeko", "--memory", "lots"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

/// Checks that the planned memory is enough for a build, but not far too much.
fn is_enough(arguments: &[&str]) {
    let out = tempfile::tempdir().unwrap();
    let on_two = [&["--threads", "2"], arguments].concat();
    let (plan, fact) = (plan(arguments), &built(out.path(), &on_two)[0]);
    assert_eq!(plan["entries"], fact["entries"]);
    let number = |value: &Value| value.as_u64().unwrap();
    let (planned, taken) = (number(&plan["memory"]), number(&fact["peak_memory"]));
    assert!(planned >= taken && planned < 4 * taken + (64 << 20), "{plan} {fact}");
    assert!(number(&plan["disk"]) >= number(&fact["bytes"]), "{plan} {fact}");
}

#[test]
fn a_game_with_movement_takes_no_more_memory_than_planned() {
    is_enough(&["teeko"]);
    // Takes and pushes.
    for game in ["six-mens-morris", "quixo4"] {
        is_enough(&[game]);
    }
}

/// With the least planned memory, a build makes the same bytes. With less memory, it does not start.
fn is_built_with_least_memory(game: &str) {
    let out = tempfile::tempdir().unwrap();
    let (plan, path) = (plan(&[game]), out.path());
    let (memory, least) =
        (plan["memory"].as_u64().unwrap(), plan["least_memory"].as_u64().unwrap());
    assert!(least < memory, "{plan}");
    let on_two = |folder: &str, memory: u64| {
        built(&path.join(folder), &[game, "--threads", "2", "--memory", &memory.to_string()])
    };
    let (expected, fact) = (on_two("whole", memory), on_two("rows", least));
    assert!(fact[0]["peak_memory"].as_u64().unwrap() <= least, "{plan} {fact:?}");
    let bytes = |fact: &[Value]| std::fs::read(fact[0]["file"].as_str().unwrap()).unwrap();
    assert!(bytes(&fact) == bytes(&expected), "{game}");
    let less = (least - 1).to_string();
    let arguments = [game, "--threads", "2", "--memory", &less];
    let refused = build(&path.join("less"), &arguments).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let (error, figure) = (String::from_utf8_lossy(&refused.stderr), indicatif::BinaryBytes(least));
    assert!(error.contains(&format!("needs {figure} of memory")), "{error}");
    let names: Vec<String> = contents(&path.join("rows")).into_iter().map(|file| file.0).collect();
    assert_eq!(names, [format!("{game}.morpion")]);
}

#[test]
fn layers_larger_than_memory_are_solved_with_their_rows_in_files() {
    is_built_with_least_memory("beginner4");
}

#[test]
#[ignore = "long: 44 million entries with links, and without, about 10 seconds; .ci/run runs it"]
fn layers_with_and_without_links_are_solved_with_their_rows_in_files() {
    is_built_with_least_memory("teeko");
    is_built_with_least_memory("swap5");
}

#[test]
#[ignore = "long: 152 million entries, about 1 minute"]
fn a_larger_game_is_solved_with_a_fraction_of_its_layers_in_memory() {
    is_built_with_least_memory("beginner5");
}

#[test]
#[ignore = "long: 152 million entries, about 1 minute"]
fn a_larger_game_with_movement_takes_no_more_memory_than_planned() {
    is_enough(&["beginner5"]);
}

#[test]
fn placement_takes_no_more_memory_than_planned() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("placed.toml");
    let rules = "name = \"placed\"\n[board]\nrows = 3\ncolumns = 6\n[lines]\nlength = 3\n";
    std::fs::write(&file, rules).unwrap();
    is_enough(&[file.to_str().unwrap()]);
}
