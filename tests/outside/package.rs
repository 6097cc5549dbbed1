//! The crates as they would be published.

use morpion_tests::{repository, run};
use std::process::Command;

/// The crates that are published, each after those it depends on.
const CRATES: [&str; 13] = [
    "morpion-lookup",
    "morpion-tables",
    "morpion-grundy",
    "morpion-machine",
    "morpion-games",
    "morpion-solver",
    "morpion-verify",
    "morpion-report",
    "morpion-impartial",
    "morpion-play",
    "morpion-serve",
    "morpion-cluster",
    "morpion-generator",
];

#[test]
#[ignore = "long: compiles every crate anew, about 5 minutes"]
fn the_crates_package_and_the_lookup_crate_passes_its_tests_alone() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    run(Command::new(env!("CARGO"))
        .args(["package", "--no-verify", "--allow-dirty", "--target-dir"])
        .arg(&target)
        .args(CRATES.iter().flat_map(|name| ["--package", name]))
        .current_dir(repository()));
    let version = env!("CARGO_PKG_VERSION");
    let unpacked = |name: &str| folder.path().join(format!("{name}-{version}"));
    for name in CRATES {
        let archive = target.join(format!("package/{name}-{version}.crate"));
        run(Command::new("tar").arg("xzf").arg(archive).current_dir(folder.path()));
    }
    run(Command::new(env!("CARGO"))
        .args(["test", "--quiet"])
        .env("CARGO_TARGET_DIR", target.join("alone"))
        .current_dir(unpacked("morpion-lookup")));
    // The program finds its siblings in the folders beside it instead of a registry.
    let patches = CRATES.iter().flat_map(|name| {
        let path = unpacked(name).display().to_string();
        ["--config".to_owned(), format!("patch.crates-io.{name}.path={path:?}")]
    });
    run(Command::new(env!("CARGO"))
        .args(["build", "--quiet"])
        .args(patches)
        .env("CARGO_TARGET_DIR", target.join("alone"))
        .current_dir(unpacked("morpion-generator")));
}
