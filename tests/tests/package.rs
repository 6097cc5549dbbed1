//! The crates as they would be published. Long, since it builds everything anew: `MORPION_LONG=1`.

use std::path::Path;
use std::process::Command;

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{error}");
}

#[test]
fn both_crates_package_and_the_lookup_crate_passes_its_tests_alone() {
    if std::env::var_os("MORPION_LONG").is_none() {
        eprintln!("SKIPPED: packaging the crates takes MORPION_LONG=1");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("target");
    run(Command::new(env!("CARGO"))
        .args(["package", "--no-verify", "--allow-dirty"])
        .args(["--package", "morpion-lookup", "--package", "morpion-generator", "--target-dir"])
        .arg(&target)
        .current_dir(root));
    let version = env!("CARGO_PKG_VERSION");
    for name in ["morpion-lookup", "morpion-generator"] {
        let archive = target.join(format!("package/{name}-{version}.crate"));
        run(Command::new("tar").arg("xzf").arg(archive).current_dir(folder.path()));
    }
    let lookup = folder.path().join(format!("morpion-lookup-{version}"));
    run(Command::new(env!("CARGO"))
        .args(["test", "--quiet"])
        .env("CARGO_TARGET_DIR", target.join("alone"))
        .current_dir(&lookup));
    // The generator finds its sibling in the folder beside it instead of a registry.
    let generator = folder.path().join(format!("morpion-generator-{version}"));
    let patch = format!("patch.crates-io.morpion-lookup.path={:?}", lookup.display().to_string());
    run(Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--config", &patch])
        .env("CARGO_TARGET_DIR", target.join("alone"))
        .current_dir(&generator));
}
