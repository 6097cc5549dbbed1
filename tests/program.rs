//! Help that fits the terminal, the version, completions and manual pages of the program.

use morpion_tests::morpion;
use std::collections::BTreeSet;

fn stdout(arguments: &[&str]) -> String {
    let output = morpion(arguments).env_remove("COLUMNS").output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The headings above lists of commands.
const HEADINGS: [&str; 6] = ["Commands:", "Solve:", "Ask:", "Play:", "Publish:", "Other:"];

/// The subcommands that the help of a command lists.
fn commands(help: &str) -> Vec<String> {
    let lists = help.split("\n\n").filter_map(|block| block.split_once('\n'));
    let lists = lists.filter(|(heading, _)| HEADINGS.contains(heading));
    // A line with a deeper indent continues the description above it.
    let names = lists.flat_map(|(_, list)| list.lines()).filter(|line| !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(String::from).collect()
}

/// Calls `visit` with every command, as words, and both of its helps.
fn each_help(words: &[&str], visit: &mut impl FnMut(&[&str], &str)) -> usize {
    let help = stdout(&[words, &["--help"]].concat());
    visit(words, &help);
    visit(words, &stdout(&[words, &["-h"]].concat()));
    let below = commands(&help);
    1 + below.iter().map(|name| each_help(&[words, &[name]].concat(), visit)).sum::<usize>()
}

#[test]
fn the_help_of_every_command_fits_80_columns() {
    let mut wide = Vec::new();
    let seen = each_help(&[], &mut |words, help| {
        let lines = help.lines().filter(|line| line.chars().count() > 80);
        wide.extend(lines.map(|line| format!("{}: {line}", words.join(" "))));
    });
    assert!(wide.is_empty(), "{}", wide.join("\n"));
    assert!(seen >= 29, "{seen}");
}

#[test]
fn the_version_names_the_program() {
    assert_eq!(stdout(&["--version"]), concat!("morpion ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn tables_of_games_fit_80_columns() {
    for arguments in [&["games"][..], &["plan", "nine-holes-diagonals", "classic5k4"]] {
        let text = stdout(arguments);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn every_shell_gets_completions_of_every_command() {
    let mut names = BTreeSet::new();
    each_help(&[], &mut |words, _| names.extend(words.last().map(|word| word.to_string())));
    assert!(names.len() > 20, "{names:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        let is_part = |c: char| c.is_alphanumeric() || c == '-';
        let words: BTreeSet<&str> = script.split(|c| !is_part(c)).collect();
        for name in &names {
            assert!(words.contains(&name[..]), "{shell}: {name}");
        }
    }
    let output = morpion(["completions", "csh"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn every_command_gets_a_manual_page() {
    assert!(stdout(&["man"]).contains(".TH morpion 1"));
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    stdout(&["man", pages.to_str().unwrap()]);
    let mut seen = 0;
    each_help(&[], &mut |words, _| {
        let name = [&["morpion"], words].concat().join("-");
        let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
        seen += 1;
    });
    assert!(seen >= 58, "{seen}");
}
