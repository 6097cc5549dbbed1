//! A build that is killed, stopped or out of disk space resumes to the same bytes, even after edits of the rule file. It never claims
//! to have saved more than it did.

use crate::dying::Dying;
use morpion_builder::usage::free_disk;
use morpion_builder::{self as builds, Options};
use morpion_core::{Encoding, Game};
use morpion_games::{catalogue, rules};
use morpion_machine::progress::{Progress, Unobserved};
use morpion_solver::table;
use morpion_tests::{build, built, contents, error_text, morpion};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// A random generator (xorshift) for moments and places of kills.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Teeko on four rows, which takes a fraction of a second.
const SMALL: &str = "name = \"teeko\"\ntitle = \"Teeko, a row less\"\n[board]\nrows = 4\ncolumns = 5\n[lines]\nlength = 4\n\
    add = [[0, 1, 5, 6], [1, 2, 6, 7], [2, 3, 7, 8], [3, 4, 8, 9], [5, 6, 10, 11], [6, 7, 11, 12], [7, 8, 12, 13],\n\
    [8, 9, 13, 14], [10, 11, 15, 16], [11, 12, 16, 17], [12, 13, 17, 18], [13, 14, 18, 19]]\n\
    [pieces]\neach = 4\n[moves]\nto = \"king\"\n";

/// The rule file of teeko.
fn teeko() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables/teeko.toml");
    std::fs::read_to_string(file).unwrap()
}

/// Edited versions of a rule file, each with a flag that is true if its table equals the original's.
fn edits(text: &str) -> Vec<(String, bool)> {
    let title = text.lines().find(|line| line.starts_with("title")).unwrap();
    let with = |other: &str| text.replace(title, other);
    let moves = text.find("[pieces]").unwrap();
    vec![
        (text.to_string(), true),
        (with(""), false),
        (with(&format!("title = \"{}\"", "long ".repeat(200))), false),
        // The title is as long as the original, so that everything after the header keeps its place.
        (with(&title.replace("Teeko", "Tekoe")), false),
        (format!("# Turned round.\n{}", reordered(text, moves)), true),
    ]
}

/// The same file with its last sections moved before the middle ones.
fn reordered(text: &str, last: usize) -> String {
    let first = text.find("[board]").unwrap();
    format!("{}{}\n{}", &text[..first], &text[last..], &text[first..last])
}

/// A folder in memory, if the system has one with enough room. Every checkpoint waits for the disk, and these tests do
/// not measure its speed.
pub(crate) fn scratch() -> tempfile::TempDir {
    const ROOM: u64 = 512 << 20;
    let memory = Path::new("/dev/shm");
    let has_room = memory.is_dir() && free_disk(memory).is_some_and(|free| free >= ROOM);
    let folder = has_room.then(|| tempfile::tempdir_in(memory).ok()).flatten();
    folder.unwrap_or_else(|| tempfile::tempdir().unwrap())
}

/// The checkpoint of a build, in its folder.
const STATE: &str = ".teeko.rows/worker-0.state";

/// Kills builds of a game named teeko in groups of three. The first dies at a safe point after its first checkpoint,
/// the second at any moment after it has resumed, and the third at any moment after an edit of the rule file. `memory`
/// limits the builds.
fn kill(rule_file: &str, times: usize, memory: Option<u64>) {
    let folder = scratch();
    let [file, out] = ["teeko.toml", "out"].map(|name| folder.path().join(name));
    let limit = memory.map(|memory| memory.to_string());
    let mut arguments = vec![file.to_str().unwrap(), "--checkpoint", "0"];
    arguments.extend(limit.iter().flat_map(|limit| ["--memory", limit]));
    let checkpoint = out.join(STATE);
    let edits = edits(rule_file);
    let mut tables = Vec::new();
    for (text, is_first) in &edits {
        tables.push(solved(&rules::parse("teeko.toml", text).unwrap(), Encoding::Plies8));
        assert_eq!(tables[0] == tables[tables.len() - 1], *is_first);
    }
    std::fs::write(&file, rule_file).unwrap();
    let whole = built(&out, &arguments)[0]["seconds"].as_f64().unwrap();
    assert!(std::fs::read(out.join("teeko.morpion")).unwrap() == tables[0]);
    std::fs::remove_file(out.join("teeko.morpion")).unwrap();
    let (mut dice, mut current) = (Dice(0x5EED_0F7E_E601), 0);
    let (mut finished, mut resumed) = (0, 0);
    for number in 0..times {
        if number % 3 == 2 {
            current = dice.below(tables.len());
            std::fs::write(&file, &edits[current].0).unwrap();
        } else {
            resumed += usize::from(checkpoint.exists());
        }
        if number % 3 == 0 {
            let (rules, out, kept) = (&file, &out, &checkpoint);
            // Different safe points, of which the first is as early as possible.
            let later = if number == 0 { 0 } else { dice.below(200) as u64 };
            Dying { rules, out, memory, packed: false, kept, later }.build();
        } else {
            let mut child = build(&out, &arguments).spawn().unwrap();
            std::thread::sleep(Duration::from_secs_f64(whole * dice.below(800) as f64 / 1000.0));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        if out.join("teeko.morpion").exists() {
            // The build ended before the kill, so the next one starts afresh.
            finished += 1;
            let table = std::fs::read(out.join("teeko.morpion")).unwrap();
            assert!(table == tables[current], "after kill {number}, edit {current}");
            std::fs::remove_file(out.join("teeko.morpion")).unwrap();
        }
    }
    println!("{times} kills: {resumed} left a checkpoint, {finished} came too late");
    assert!(resumed > 0, "no kill left a checkpoint");
    built(&out, &arguments);
    assert!(contents(&out) == [("teeko.morpion".to_string(), tables[current].clone())]);
}

#[test]
#[ignore = "waits for random times before it kills builds; .ci/run runs it"]
fn a_build_killed_at_random_moments_ends_with_the_same_bytes() {
    kill(SMALL, 9, None);
}

#[test]
#[ignore = "waits for random times before it kills builds; .ci/run runs it"]
fn a_build_with_little_memory_killed_at_random_moments_ends_with_the_same_bytes() {
    // Here memory is smaller than the layers.
    kill(&teeko(), 6, Some(25 << 20));
}

#[test]
#[ignore = "long: two hundred builds of teeko, about 10 minutes"]
fn a_build_killed_two_hundred_times_ends_with_the_same_bytes() {
    kill(&teeko(), 200, None);
}

/// The files of a finished build of teeko.
fn finished_teeko() -> &'static [(String, Vec<u8>)] {
    static FINISHED: OnceLock<[(String, Vec<u8>); 1]> = OnceLock::new();
    let bytes = || solved(&catalogue::standard_game("teeko").unwrap(), Encoding::Plies8);
    FINISHED.get_or_init(|| [("teeko.morpion".to_string(), bytes())])
}

/// Runs an action once, at the first safe point at which a checkpoint exists. The action decides whether to stop there.
struct AtCheckpoint<F> {
    file: PathBuf,
    action: Mutex<Option<F>>,
}

impl<F: FnOnce() -> bool + Send> AtCheckpoint<F> {
    /// Builds teeko with all checkpoints; returns the message of the error.
    fn build(out: &Path, action: F) -> Result<(), String> {
        let progress = AtCheckpoint { file: out.join(STATE), action: Mutex::new(Some(action)) };
        let options = Options { checkpoint: Duration::ZERO, ..Options::default() };
        let game = catalogue::standard_game("teeko").unwrap();
        let result = builds::build(&game, out, &options, &progress);
        assert!(progress.action.into_inner().unwrap().is_none(), "nothing was kept");
        result.map(drop).map_err(|error| error_text(&error))
    }
}

impl<F: FnOnce() -> bool + Send> Progress for AtCheckpoint<F> {
    fn stop(&self) -> bool {
        let mut action = self.action.lock().unwrap();
        let now = action.is_some() && self.file.exists();
        now && action.take().is_some_and(|action| action())
    }
}

#[test]
fn a_stop_is_kept_and_a_second_build_is_refused_by_the_lock() {
    let out = tempfile::tempdir().unwrap();
    let mut second = None;
    let message = AtCheckpoint::build(out.path(), || {
        second = Some(build(out.path(), &["teeko"]).output().unwrap());
        true
    });
    let second = second.unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&second.stderr).contains("another build of this table is running")
    );
    let message = message.unwrap_err();
    assert!(message.contains("the same command resumes"), "{message}");
    assert!(!out.path().join("teeko.morpion").exists());
    built(out.path(), &["teeko"]);
    assert!(contents(out.path()) == finished_teeko());
}

/// The game takes many seconds, and the first checkpoint exists after one.
#[cfg(unix)]
#[test]
fn a_signal_stops_a_build_at_its_checkpoint() {
    let out = scratch();
    let arguments = ["beginner5", "--checkpoint", "0", "--memory", "1G"];
    let mut child = build(out.path(), &arguments).spawn().unwrap();
    let kept = out.path().join(".beginner5.rows/worker-0.state");
    while !kept.exists() {
        assert!(child.try_wait().unwrap().is_none(), "the build ended before it kept anything");
        std::thread::sleep(Duration::from_millis(1));
    }
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{error}");
    assert!(error.contains("the same command resumes"), "{error}");
    assert!(kept.exists() && !out.path().join("beginner5.morpion").exists());
}

#[cfg(unix)]
#[test]
fn a_signal_stops_a_sample_larger_than_any_table() {
    let sample = ["verify", "classic", "--sample", "1000000000000000000", "--progress", "always"];
    let mut child = morpion(sample).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    // The first line of progress comes while entries are checked.
    let mut error = BufReader::new(child.stderr.take().unwrap());
    error.read_line(&mut String::new()).unwrap();
    let status = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(status.unwrap().success());
    error.read_to_string(&mut String::new()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[cfg(target_os = "linux")]
#[test]
fn as_many_threads_as_processors_are_enough() {
    let out = scratch();
    let arguments = ["beginner5", "--threads", "10000", "--memory", "1G"];
    let mut child = build(out.path(), &arguments).spawn().unwrap();
    let most = 4 * std::thread::available_parallelism().unwrap().get() + 8;
    for _ in 0..200 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("Threads:"));
        let threads: usize = line.map_or(1, |line| line.trim().parse().unwrap());
        assert!(threads <= most, "{threads}");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// `pack` writes for seconds, and its temporary file exists from the beginning.
#[test]
fn a_later_pack_removes_what_a_killed_one_left() {
    let out = scratch();
    let mut table = morpion(["pack", "teeko", "--undo", "--out"]);
    assert!(table.arg(out.path()).output().unwrap().status.success());
    let pack = |level: &str| {
        let mut command = morpion(["pack", "--level", level]);
        command.arg(out.path().join("teeko.morpion")).stdout(Stdio::null());
        command
    };
    let mut child = pack("22").spawn().unwrap();
    let names = || std::fs::read_dir(out.path()).unwrap().map(|file| file.unwrap().file_name());
    let is_unfinished =
        |name: std::ffi::OsString| name.to_str().unwrap().starts_with(".teeko.morpion.zst.");
    while !names().any(is_unfinished) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(names().any(is_unfinished), "the kill came too late");
    assert!(pack("1").status().unwrap().success());
    let mut names: Vec<_> = names().collect();
    names.sort();
    assert_eq!(names, ["teeko.morpion", "teeko.morpion.zst"]);
}

#[test]
fn damaged_leftovers_are_not_resumed_and_fresh_removes_them() {
    let out = scratch();
    let reference = solved(&catalogue::standard_game("tapatan").unwrap(), Encoding::Plies8);
    let expected = [("tapatan.morpion".to_string(), reference)];
    for arguments in [&["tapatan"][..], &["tapatan", "--fresh"]] {
        std::fs::create_dir_all(out.path().join(".tapatan.rows")).unwrap();
        let state = out.path().join(".tapatan.rows/worker-0.state");
        std::fs::write(state, b"\x89MORPSTA nonsense").unwrap();
        std::fs::write(out.path().join(".tapatan.partial"), b"nonsense").unwrap();
        built(out.path(), arguments);
        assert!(contents(out.path()) == expected, "{arguments:?}");
    }
}

#[test]
#[cfg_attr(not(has_tmpfs), ignore = "needs the right to mount a tmpfs")]
fn a_full_disk_costs_nothing_but_time() {
    let mount = |size: &str, remount: &str, folder: &Path| {
        let options = format!("{remount}size={size}");
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let out = tempfile::tempdir().unwrap();
    assert!(mount("14m", "", out.path()), "a small file system cannot be mounted");
    // The plan reports that the table does not fit.
    let refused = build(out.path(), &["teeko"]).output().unwrap();
    let left = contents(out.path());
    // The plan is right for an empty disk, but it cannot know that other programs fill the disk meanwhile.
    assert!(mount("60m", "remount,", out.path()));
    let filler = out.path().join("filler");
    let mut filled = None;
    let message = AtCheckpoint::build(out.path(), || {
        filled = Some(std::fs::write(&filler, vec![1; 60 << 20]));
        false
    });
    std::fs::remove_file(&filler).unwrap();
    let again = built(out.path(), &["teeko"]);
    let same = contents(out.path()) == finished_teeko();
    assert!(Command::new("umount").arg(out.path()).status().unwrap().success());
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("on disk"), "{refused:?}");
    assert!(left.is_empty(), "a refused build left {}", left[0].0);
    assert!(filled.unwrap().is_err(), "the disk was to be full");
    let message = message.unwrap_err();
    assert!(message.contains("No space left on device"), "{message}");
    assert!(message.contains("the same command resumes"), "{message}");
    assert!(same && again.len() == 1);
}

/// Requests a stop after this many safe points.
struct StopAfter(AtomicU64);

impl Progress for StopAfter {
    fn stop(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_err()
    }
}

/// Builds until the observer requests a stop at the safe point number `checks`. Returns the message.
pub(crate) fn stopped_after(
    checks: u64,
    game: &Game,
    encoding: Encoding,
    checkpoint: u64,
    out: &Path,
) -> Result<(), String> {
    let progress = StopAfter(AtomicU64::new(checks));
    let checkpoint = Duration::from_secs(checkpoint);
    let options = Options { encoding: Some(encoding), checkpoint, ..Options::default() };
    builds::build(game, out, &options, &progress).map(drop).map_err(|error| error_text(&error))
}

/// Games with each kind of layer, and their encodings: values alone, distances, movement, and movement with draws that
/// end.
pub(crate) fn games() -> Vec<(Game, Encoding)> {
    let blocked = "name = \"blocked\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n\
        [pieces]\neach = 4\n[moves]\nto = \"drawn\"\nstuck = \"draw\"";
    let wide = "name = \"wide\"\n[board]\nrows = 3\ncolumns = 4\n[lines]\nlength = 3\n\
        [opening]\nforbidden = [0, 5]\nduring = \"placing\"";
    let standard = |name| catalogue::standard_game(name).unwrap();
    vec![
        (rules::parse("wide.toml", wide).unwrap(), Encoding::Wdl),
        (standard("misere"), Encoding::Plies8),
        (standard("tapatan"), Encoding::Plies8),
        (standard("tapatan"), Encoding::Plies16),
        (rules::parse("blocked.toml", blocked).unwrap(), Encoding::Plies8),
    ]
}

pub(crate) fn solved(game: &Game, encoding: Encoding) -> Vec<u8> {
    table::solve_as(game, encoding, &Unobserved).unwrap()
}

#[test]
fn a_stop_promises_no_more_than_is_kept() {
    let (mut kept, mut nothing) = (0, 0);
    for (game, encoding) in games() {
        let name = game.name();
        let reference = solved(&game, encoding);
        for interval in [0, 3600] {
            let mut checks = 0;
            loop {
                let out = scratch();
                let Err(message) = stopped_after(checks, &game, encoding, interval, out.path())
                else {
                    break;
                };
                let is_kept = out.path().join(format!(".{name}.rows/worker-0.state")).exists();
                assert_eq!(message.contains("the same command resumes"), is_kept, "{message}");
                if is_kept {
                    kept += 1;
                } else {
                    nothing += 1;
                    assert!(message.contains("nothing is kept"), "{message}");
                    assert!(contents(out.path()).is_empty(), "{name}");
                }
                stopped_after(u64::MAX, &game, encoding, 3600, out.path()).unwrap();
                let expected = [(format!("{name}.morpion"), reference.clone())];
                assert!(contents(out.path()) == expected, "{name} stopped after {checks} checks");
                checks += 1 + checks / 4;
            }
        }
    }
    assert!(kept > 20 && nothing > 20, "{kept} {nothing}");
}
