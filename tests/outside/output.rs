//! Closed pipes and full disks: every command ends and none panics.
#![cfg(target_os = "linux")]

use morpion_tests::morpion;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Every command that prints facts, in each of its output formats. `.` is a scratch folder that contains the tables of kayles and of
/// cram 2x3, and a rule file.
const COMMANDS: &[&[&str]] = &[
    &["--help"],
    &["--version"],
    &["help", "nim", "query"],
    &["games"],
    &["games", "--json"],
    &["plan", "classic"],
    &["plan", "classic", "--json"],
    &["build", "classic", "--fresh", "--out", "."],
    &["build", "classic", "--fresh", "--out", ".", "--json"],
    &["info", "classic"],
    &["info", "classic", "--json"],
    &["info", "./0.77.grundy"],
    &["query", "classic", ".../.../..."],
    &["query", "classic", ".../.../...", "--json"],
    &["query", "classic"],
    &["count", "classic"],
    &["count", "classic", "--json"],
    &["count", "classic", "--symmetry", "rules"],
    &["judge", "classic", "--games", "1"],
    &["judge", "classic", "--games", "1", "--json"],
    &["judge", "classic", "misere", "--games", "1"],
    &["judge", "classic", "misere", "--games", "1", "--json"],
    &["judge", "classic", "--vary", "lines.length=2,3", "--games", "1"],
    &["judge", "classic", "--vary", "lines.length=2,3", "--games", "1", "--json"],
    &["play", "classic", "--x", "random", "--o", "random"],
    &["play", "classic", "--o", "random"],
    &["verify", "classic"],
    &["verify", "classic", "--json"],
    &["verify", "./0.77.grundy"],
    &["query", "classic", "--line"],
    &["query", "classic", "--line", "--json"],
    &["strategy", "classic"],
    &["strategy", "classic", "--json"],
    &["query", "classic", "--svg"],
    &["atlas", "classic", "--json"],
    &["info", "classic", "--bibtex"],
    &["puzzle", "classic", "--sheet", "./sheet.html"],
    &["info", "classic", "--board", "./board.html"],
    &["serve", "classic", "--export", "./site"],
    &["arena", "classic", "--games", "1", "--players", "random,cubic"],
    &["arena", "classic", "--games", "1", "--players", "random,cubic", "--json"],
    &["atlas", "classic"],
    &["dump", "classic"],
    &["dump", "swap", "--all"],
    &["nim", "games"],
    &["nim", "games", "--json"],
    &["nim", "build", "kayles", "--out", "."],
    &["nim", "build", "kayles", "--out", ".", "--json"],
    &["nim", "info", "kayles"],
    &["nim", "info", "kayles", "--json"],
    &["nim", "query", "kayles", "9", "14"],
    &["nim", "query", "kayles"],
    &["cram", "build", "2x3", "--out", "."],
    &["cram", "build", "2x3", "--out", ".", "--json"],
    &["cram", "query", "2x3", ".../..."],
    &["cram", "query", "2x3"],
    &["cram", "value", "2x3"],
    &["cram", "value", "2x3", "--json"],
    &["completions", "bash"],
    &["man"],
    &["new", "mine", "--out", "."],
    &["puzzle", "classic"],
    &["pack", "./classic.morpion", "--out", "./packed"],
    &["pack", "./packed/classic.morpion.zst", "--undo", "--out", "./unpacked"],
];

/// The standard input of a command: a question or a move.
fn input(arguments: &[&str]) -> &'static [u8] {
    match arguments[0] {
        "nim" => b"9 14\n",
        "cram" => b".../...\n",
        "play" => b"b2\n",
        _ => b".../.../...\n",
    }
}

/// A folder with the tables that the commands use.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [["nim", "build", "kayles"], ["cram", "build", "2x3"]] {
        let mut build = morpion(arguments);
        assert!(build.args(["--out", "."]).current_dir(&folder).output().unwrap().status.success());
    }
    folder
}

fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = morpion(arguments);
    command.current_dir(folder).stdin(Stdio::piped());
    command
}

fn finish(mut command: Command, arguments: &[&str]) -> Output {
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input(arguments));
    child.wait_with_output().unwrap()
}

/// The writing end of a pipe without a reader.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn full_disk() -> Stdio {
    File::options().write(true).open("/dev/full").unwrap().into()
}

#[test]
fn every_command_is_tested_here() {
    let folder = tempfile::tempdir().unwrap();
    assert!(morpion(["man"]).arg(folder.path()).output().unwrap().status.success());
    let pages = std::fs::read_dir(&folder).unwrap().map(|page| page.unwrap().file_name());
    let names: Vec<String> =
        pages.map(|page| page.to_str().unwrap().strip_suffix(".1").unwrap().to_string()).collect();
    let is_group = |name: &str| names.iter().any(|other| other.starts_with(&format!("{name}-")));
    for name in names.iter().filter(|name| !is_group(name)) {
        let name = name.strip_prefix("morpion-").unwrap();
        let is_tested = |command: &&[&str]| {
            (1..=command.len()).any(|length| command[..length].join("-") == name)
        };
        assert!(COMMANDS.iter().any(is_tested), "`{name}` is not in COMMANDS");
    }
}

#[test]
fn every_command_ends_quietly_after_its_reader() {
    let folder = folder();
    for arguments in COMMANDS {
        let mut command = command(arguments, folder.path());
        command.stdout(closed_pipe()).stderr(Stdio::piped());
        let output = finish(command, arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
        assert_eq!(error, "", "{arguments:?}");
    }
}

#[test]
fn a_full_disk_is_one_line_and_status_2_from_every_command() {
    let folder = folder();
    for arguments in COMMANDS {
        let mut command = command(arguments, folder.path());
        command.stdout(full_disk()).stderr(Stdio::piped());
        let output = finish(command, arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        let expected = "morpion: standard output: No space left on device (os error 28)\n";
        assert_eq!(error, expected, "{arguments:?}");
    }
}

/// A message that cannot be written is dropped: results and exit status do not change.
#[test]
fn unread_messages_change_nothing() {
    let folder = folder();
    let damaged = folder.path().join("damaged.grundy");
    let mut bytes = std::fs::read(folder.path().join("0.77.grundy")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(damaged, bytes).unwrap();
    let complaining: &[(&[&str], i32)] = &[
        (&["query", "classic", "nonsense", ".../.../..."], 2),
        (&["query", "chess"], 2),
        (&["dance"], 2),
        (&["info"], 2),
        (&["verify", "./damaged.grundy"], 1),
        (&["build", "swap", "--fresh", "--out", ".", "--progress", "always", "--json"], 0),
        (&["nim", "build", "0.07", "--out", ".", "--progress", "always"], 0),
        (&["play", "classic", "--x", "random", "--o", "random", "--save", "./game.json"], 0),
    ];
    for (arguments, status) in complaining {
        for nowhere in [closed_pipe as fn() -> Stdio, full_disk] {
            let mut command = command(arguments, folder.path());
            command.stdout(Stdio::piped()).stderr(nowhere());
            let output = finish(command, arguments);
            assert_eq!(output.status.code(), Some(*status), "{arguments:?}");
            let results = String::from_utf8(output.stdout).unwrap();
            assert_eq!(
                results.is_empty(),
                *status != 0 && arguments[0] != "query" || arguments[1] == "chess",
                "{arguments:?}"
            );
        }
    }
}

/// A reader that stops in the middle of a long output, as `head` does.
#[test]
fn output_can_be_piped_to_head() {
    let folder = folder();
    for arguments in [
        &["dump", "swap", "--all"][..],
        &["dump", "quixo3", "--all"],
        &["games", "--json"],
        &["count", "swap"],
        &["strategy", "nine-holes-diagonals"],
    ] {
        use std::io::{BufRead, BufReader};
        let mut command = command(arguments, folder.path());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.next().unwrap().is_ok(), "{arguments:?}");
        drop(lines);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }
}

#[test]
fn thousands_are_separated_for_people() {
    for arguments in [
        &["count", "classic", "--games", "--symmetry", "board"][..],
        &["info", "classic"],
        &["verify", "classic"],
        &["plan", "teeko"],
        &["strategy", "tapatan"],
        &["nim", "info", "kayles"],
    ] {
        let output = morpion(arguments).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let is_number =
            |word: &&str| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_digit());
        let plain = text.split(|c: char| !c.is_alphanumeric()).find(is_number);
        assert_eq!(plain, None, "{arguments:?}: {text}");
        assert!(!text.is_empty(), "{arguments:?}");
    }
    let counted = morpion(["count", "classic", "--games"]).output().unwrap();
    let counted = String::from_utf8(counted.stdout).unwrap();
    assert!(counted.contains("games         255,168"), "{counted}");
}
