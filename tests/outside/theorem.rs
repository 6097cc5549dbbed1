//! The theorem behind every table, `tests/theorem`: Coq accepts its proofs, which use no axioms.

use morpion_tests::{needs, repository};
use std::path::Path;
use std::process::Command;

/// The files, each after those that it needs.
const FILES: [&str; 3] = ["Meaning", "Converse", "Orbits"];

/// Compiles a file of a folder and returns what it prints.
fn compile(folder: &Path, name: &str) -> String {
    let file = format!("{name}.v");
    let mut command = Command::new("coqc");
    let output = command.args(["-q", "-R", ".", "Morpion", &file]).current_dir(folder).output();
    let output = output.unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{file}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[cfg_attr(not(has_coq), ignore = "needs Coq 8.16 or later")]
fn the_theorems_are_proved_without_axioms() {
    needs(&["coq"]);
    let folder = tempfile::tempdir().unwrap();
    for name in FILES {
        let source = repository().join(format!("tests/theorem/{name}.v"));
        std::fs::copy(&source, folder.path().join(format!("{name}.v"))).unwrap();
        let printed = compile(folder.path(), name);
        let asked =
            std::fs::read_to_string(source).unwrap().matches("\nPrint Assumptions ").count();
        assert!(asked > 0);
        assert_eq!(printed, "Closed under the global context\n".repeat(asked), "{name}");
    }
}
