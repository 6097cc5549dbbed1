//! What the outside tests share: the program, scratch folders, facts.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The `morpion` program of the profile that is being tested, built first where it is not up to date.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = std::env::current_exe().expect("a test has a path");
        let profile = test.ancestors().nth(2).expect("tests lie in TARGET/PROFILE/deps");
        let mut build = Command::new(env!("CARGO"));
        build
            .args(["build", "--quiet", "--package", "morpion-generator", "--bin", "morpion"])
            .arg("--target-dir")
            .arg(profile.parent().expect("a profile lies in the target folder"))
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "the program does not build");
        profile.join(format!("morpion{}", std::env::consts::EXE_SUFFIX))
    })
}

/// A command of the program, away from tables that happen to lie around: `MORPION_TABLES` and the user's data folder
/// are not looked into.
pub fn morpion<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new(program());
    command.args(arguments).env_remove("MORPION_TABLES").env("XDG_DATA_HOME", "/nonexistent");
    command
}
