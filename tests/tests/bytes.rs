//! A table is the same bytes whatever made it: threads, instruction sets, operators, kills, a full disk.

use morpion_games::catalogue;
use morpion_games::progress::Unobserved;
use morpion_lookup::Encoding;
use morpion_solver::build::image;
use morpion_solver::solve::operator::Operator;
use morpion_tests::morpion;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn build(out: &Path, arguments: &[&str]) -> Command {
    let mut command = morpion(["build", "--out"]);
    command.arg(out).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn built(out: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = build(out, arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The files of a folder with their bytes, hidden ones too.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn shipped_tables_are_what_the_program_builds() {
    let out = tempfile::tempdir().unwrap();
    let names: Vec<String> =
        morpion_lookup::builtin_names().map(String::from).chain(["swap4".into()]).collect();
    let arguments: Vec<&str> = names.iter().map(String::as_str).collect();
    let facts = built(out.path(), &arguments);
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tables");
    let (mut together, mut classic) = (0, 0);
    for (name, fact) in names.iter().zip(&facts) {
        let file = format!("{name}.morpion");
        let fresh = std::fs::read(out.path().join(&file)).unwrap();
        assert!(
            fresh == std::fs::read(tables.join(&file)).unwrap(),
            "{name} differs from the shipped table"
        );
        assert_eq!(fact["bytes"], fresh.len());
        if let Some(table) = morpion_lookup::builtin(name) {
            assert!(table.bytes() == fresh, "{name} differs from the built-in table");
            together += fresh.len();
        }
        if name == "classic" {
            classic = fresh.len();
        }
    }
    assert!(classic < 8_000 && together < 64_000, "{classic} {together}");
    assert_eq!(files(out.path()).len(), names.len(), "only tables are left");
}

#[test]
fn threads_and_instruction_sets_change_no_byte() {
    let reference = tempfile::tempdir().unwrap();
    let games = ["achi", "classic4", "beginner4", "swap4"];
    built(reference.path(), &games);
    built(
        reference.path(),
        &["--rules", &rules("restricted", RESTRICTED, reference.path()), "--encoding", "wdl"],
    );
    for (threads, isa) in [("1", "avx512"), ("2", "plain"), ("5", "avx2"), ("3", "plain")] {
        let out = tempfile::tempdir().unwrap();
        let rules = rules("restricted", RESTRICTED, out.path());
        for arguments in [games.to_vec(), vec!["--rules", &rules, "--encoding", "wdl"]] {
            let output = build(out.path(), &arguments)
                .args(["--threads", threads])
                .env("MORPION_ISA", isa)
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert!(files(out.path()) == files(reference.path()), "{threads} threads, {isa}");
    }
}

/// Restricted placement of values only: 3×4 cells.
const RESTRICTED: &str = "[board]\nrows = 3\ncolumns = 4\n[lines]\nlength = 3\n[opening]\nforbidden = [0, 5]\nduring = \"placing\"";

fn rules(name: &str, body: &str, folder: &Path) -> String {
    let file = folder.join(format!("{name}.toml"));
    std::fs::write(&file, format!("name = \"{name}\"\n{body}")).unwrap();
    file.to_str().unwrap().into()
}

#[test]
fn both_operators_make_the_same_tables() {
    for name in
        ["classic", "swap-pass", "picaria", "achi", "shisima", "classic4", "swap4", "beginner4"]
    {
        let game = catalogue::standard_game(name).unwrap();
        let encodings: &[Encoding] = match game.rules().movement {
            Some(_) => &[Encoding::Plies8, Encoding::Plies16],
            None => &[Encoding::Plies8, Encoding::Plies16, Encoding::Wdl],
        };
        for &encoding in encodings {
            let [row, sliced] = [Operator::Row, Operator::Sliced]
                .map(|operator| image::solve_as(&game, encoding, operator, &Unobserved).unwrap());
            assert!(row == sliced, "{name} {encoding:?}");
        }
    }
}

/// A generator of moments and nothing more (xorshift).
fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

#[test]
fn a_build_killed_at_random_moments_ends_with_the_same_bytes() {
    let (reference, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let whole = built(reference.path(), &["teeko"])[0]["seconds"].as_f64().unwrap();
    let mut seed = 0x5EED_0F7E_E601_u64;
    let (mut kills, mut resumed) = (0, 0);
    while kills < 20 {
        let mut child = build(out.path(), &["teeko", "--checkpoint", "0"]).spawn().unwrap();
        std::thread::sleep(Duration::from_secs_f64(
            whole * 0.6 * (next(&mut seed) % 1000) as f64 / 1000.0,
        ));
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        resumed += usize::from(out.path().join(".teeko.checkpoint").exists());
        if out.path().join("teeko.morpion").exists() {
            // It ended before the kill: once more from the beginning.
            assert!(files(out.path()) == files(reference.path()));
            std::fs::remove_file(out.path().join("teeko.morpion")).unwrap();
        }
    }
    assert!(resumed > 0, "no kill left anything to go on from");
    built(out.path(), &["teeko", "--checkpoint", "0"]);
    assert!(files(out.path()) == files(reference.path()));
}

#[test]
fn a_stop_is_kept_and_a_second_build_is_told_of_the_lock() {
    let (reference, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    built(reference.path(), &["teeko"]);
    let mut first = build(out.path(), &["teeko", "--checkpoint", "0"]).spawn().unwrap();
    while !out.path().join(".teeko.checkpoint").exists() {
        assert!(first.try_wait().unwrap().is_none(), "the build ended before it kept anything");
        std::thread::sleep(Duration::from_millis(1));
    }
    let second = build(out.path(), &["teeko"]).output().unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another build of it holds the lock"));
    let interrupted = Command::new("kill").args(["-INT", &first.id().to_string()]).status();
    assert!(interrupted.unwrap().success());
    let output = first.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("the same command goes on from there")
    );
    assert!(!out.path().join("teeko.morpion").exists());
    built(out.path(), &["teeko"]);
    assert!(files(out.path()) == files(reference.path()));
    // Damaged leftovers are not gone on from; --fresh forgets them in any case.
    std::fs::write(out.path().join(".teeko.checkpoint"), b"\x89MORPCKP nonsense").unwrap();
    std::fs::write(out.path().join(".teeko.partial"), b"nonsense").unwrap();
    built(out.path(), &["teeko"]);
    std::fs::write(out.path().join(".teeko.partial"), b"nonsense").unwrap();
    built(out.path(), &["teeko", "--fresh"]);
    assert!(files(out.path()) == files(reference.path()));
}

#[test]
fn a_full_disk_costs_nothing_but_time() {
    let mount = |size: &str, remount: &str, folder: &Path| {
        let options = format!("{remount}size={size}");
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let (reference, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    if !mount("14m", "", out.path()) {
        eprintln!("SKIPPED a full disk: a small file system cannot be mounted here");
        return;
    }
    built(reference.path(), &["teeko"]);
    // The plan already says that it does not fit.
    let refused = build(out.path(), &["teeko"]).output().unwrap();
    // It is right about an empty disk; that others fill it meanwhile it cannot know.
    assert!(mount("60m", "remount,", out.path()));
    let filler = out.path().join("filler");
    let mut child = build(out.path(), &["teeko", "--checkpoint", "0"]).spawn().unwrap();
    while !out.path().join(".teeko.checkpoint").exists() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(1));
    }
    let filled = std::fs::write(&filler, vec![1; 58 << 20]);
    let output = child.wait_with_output().unwrap();
    std::fs::remove_file(&filler).ok();
    let finished = out.path().join("teeko.morpion").exists();
    let again = built(out.path(), &["teeko"]);
    let same = files(out.path()) == files(reference.path());
    assert!(Command::new("umount").arg(out.path()).status().unwrap().success());
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("on disk"), "{refused:?}");
    assert!(filled.is_err(), "the disk was to be full");
    assert!(finished || output.status.code() == Some(2), "{output:?}");
    assert!(same && again.len() == 1);
}

#[test]
fn what_does_not_fit_is_refused_with_the_planned_figure() {
    let out = tempfile::tempdir().unwrap();
    let plan = morpion(["plan", "classic5k5", "--json"]).output().unwrap();
    let plan: Value = serde_json::from_slice(&plan.stdout).unwrap();
    assert_eq!(plan["entries"], 5_299_650_904_u64);
    assert!(plan["seconds"].as_f64().unwrap() > 0.0);
    let refused = build(out.path(), &["classic5k5", "--memory", "100M"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8_lossy(&refused.stderr);
    let figure = indicatif::BinaryBytes(plan["memory"].as_u64().unwrap()).to_string();
    assert!(error.contains(&figure) && error.contains("100.00 MiB"), "{error} {figure}");
    assert!(files(out.path()).is_empty());
    // What was planned is enough, and not far too much.
    for fact in built(out.path(), &["teeko", "swap5"]) {
        let plan = morpion(["plan", fact["game"].as_str().unwrap(), "--json"]).output().unwrap();
        let plan: Value = serde_json::from_slice(&plan.stdout).unwrap();
        let (planned, taken) =
            (plan["memory"].as_u64().unwrap(), fact["peak_memory"].as_u64().unwrap());
        assert!(planned >= taken && planned < 4 * taken + (64 << 20), "{plan} {fact}");
        assert_eq!(plan["entries"], fact["entries"]);
    }
}
