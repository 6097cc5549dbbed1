//! The files of a release: the workflows, the citation, and the commands that they name.

use morpion_tests::{morpion, repository, run};
use std::collections::BTreeSet;
use std::fs;

fn text(file: &str) -> String {
    fs::read_to_string(repository().join(file)).unwrap()
}

/// The names and texts of the workflows.
fn workflows() -> Vec<(String, String)> {
    let folder = repository().join(".github/workflows");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut workflows: Vec<(String, String)> = files
        .map(|file| {
            let name = file.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(&file).unwrap())
        })
        .collect();
    workflows.sort();
    workflows
}

#[test]
fn every_command_of_a_workflow_exists() {
    let steps: BTreeSet<String> = text(".ci/release")
        .lines()
        .filter_map(|line| line.strip_prefix("#     .ci/release "))
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect();
    let script = text(".ci/release");
    let (mut used, mut scripts) = (BTreeSet::new(), 0);
    for (name, workflow) in workflows() {
        for line in workflow.lines().map(str::trim) {
            if let Some((_, command)) = line.split_once("bash ") {
                let mut words = command.split(' ');
                let file = words.next().unwrap();
                assert!(repository().join(file).is_file(), "{name}: {line}");
                scripts += 1;
                if file == ".ci/release" {
                    used.insert(words.next().unwrap().to_owned());
                }
            }
            if let Some(file) = line.strip_prefix("uses: ./") {
                assert!(repository().join(file).is_file(), "{name}: {line}");
            }
        }
    }
    assert!(scripts > 10, "{scripts} commands");
    assert!(used.is_subset(&steps), "{used:?} {steps:?}");
    // A wheel is built by the action of its project, for all systems.
    assert_eq!(steps.difference(&used).collect::<Vec<_>>(), ["wheel"]);
    for step in steps {
        let is_function = script.contains(&format!("\n{step}() {{"));
        assert!(is_function || script.contains(&format!("\n  {step}) ")), "{step}");
    }
}

/// A job that needs a job that does not exist makes the whole workflow invalid.
#[test]
fn the_jobs_of_a_workflow_exist_and_only_its_last_ones_may_write() {
    for (name, workflow) in workflows() {
        let (_, jobs) = workflow.split_once("\njobs:\n").unwrap();
        let is_job =
            |line: &&str| line.starts_with("  ") && !line.starts_with("   ") && line.ends_with(':');
        let names: BTreeSet<&str> =
            jobs.lines().filter(is_job).map(|line| line.trim().trim_end_matches(':')).collect();
        assert!(!names.is_empty(), "{name}");
        for needs in jobs.lines().filter_map(|line| line.trim().strip_prefix("needs: ")) {
            for job in needs.trim_matches(['[', ']']).split(", ") {
                assert!(names.contains(job), "{name}: {needs}");
            }
        }
        assert!(workflow.contains("\npermissions:\n  contents: read\n"), "{name}");
        for job in jobs.split("\n\n").filter(|job| job.contains(": write")) {
            assert!(job.contains("needs: "), "{name}: {job}");
        }
    }
}

#[test]
fn a_citation_names_version_year_fingerprint_and_checksum() {
    let citation = text("CITATION.cff");
    let value = |key: &str| {
        let line = citation.lines().find_map(|line| line.strip_prefix(&format!("{key}: ")));
        line.unwrap_or_else(|| panic!("{key}")).to_owned()
    };
    assert_eq!(value("version"), env!("CARGO_PKG_VERSION"));
    assert!(value("repository-code").starts_with("\"https://"));
    let output = run(&mut morpion(["info", "tapatan", "--bibtex"]));
    let entry = String::from_utf8(output.stdout).unwrap();
    let info = run(&mut morpion(["info", "tapatan", "--json"]));
    let info: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
    for part in [
        "@misc{morpion-tapatan,\n".into(),
        format!("  year = {{{}}},\n", &value("date-released")[..4]),
        format!("morpion {}}}", env!("CARGO_PKG_VERSION")),
        format!("\\texttt{{{}}}", info["fingerprint"].as_str().unwrap()),
        "start: win in 9 plies, 886 entries".into(),
        "xxh3-64 \\texttt{8a38d50f60a80f80}".into(),
    ] {
        assert!(entry.contains(&part), "{part}: {entry}");
    }
    assert_eq!(entry.matches('{').count(), entry.matches('}').count());
    let output = morpion(["info", "kayles", "--bibtex"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}
