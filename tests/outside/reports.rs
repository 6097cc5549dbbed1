//! Files of other programs and of people who tried this one: each case of `reports/cases.tsv` has its status and its texts.

use morpion_tests::{morpion, repository};
use std::fs::{self, File};
use std::process::Stdio;

/// The words of a command line, in which quotes join words.
fn words(text: &str) -> Vec<&str> {
    let parts = text.split('"').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    words.collect()
}

#[test]
fn every_case_has_its_status_and_its_texts() {
    let folder = repository().join("tests/reports");
    let cases = fs::read_to_string(folder.join("cases.tsv")).unwrap();
    let mut wrong = Vec::new();
    for case in cases.lines().filter(|line| !line.starts_with('#')) {
        let [command, status, texts] = case.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{case}: three fields")
        };
        let (arguments, input) = command.split_once(" < ").unwrap_or((command, ""));
        let is_variable = |word: &&str| word.contains('=') && word.starts_with("MORPION_");
        let (variables, arguments): (Vec<_>, Vec<_>) =
            words(arguments).into_iter().partition(is_variable);
        let mut program = morpion(arguments);
        program.envs(variables.iter().filter_map(|variable| variable.split_once('=')));
        let input = match input {
            "" => Stdio::null(),
            file => File::open(folder.join(file)).unwrap().into(),
        };
        let output = program.current_dir(&folder).stdin(input).output().unwrap();
        let said = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat();
        let is_said = |text: &str| match text.trim().strip_prefix("! ") {
            Some(never) => !said.contains(never),
            None => said.contains(text.trim()),
        };
        if output.status.code() != status.parse().ok() || !texts.split('…').all(is_said) {
            wrong.push(format!("{case}\n{:?}\n{said}", output.status));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
