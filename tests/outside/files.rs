//! Every file is replaced atomically. Links are followed, modes are kept, and only regular files are replaced.
#![cfg(unix)]

use morpion_tests::{morpion, program};
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The commands that write files, each with a file that it writes into its working folder.
const WRITERS: &[(&[&str], &str)] = &[
    (&["build", "classic", "--out", "."], "classic.morpion"),
    (&["play", "classic", "--x", "random", "--o", "random", "--save", "game.json"], "game.json"),
    (&["strategy", "classic", "--html", "lesson.html"], "lesson.html"),
    (&["puzzle", "classic", "--sheet", "sheet.html"], "sheet.html"),
    (&["info", "classic", "--board", "board.html"], "board.html"),
    (&["pack", "classic", "--out", "."], "classic.morpion.zst"),
    (&["nim", "build", "0.07", "--out", "."], "0.07.grundy"),
    (&["cram", "build", "2x3", "--out", "."], "cram-2x3.grundy"),
    (&["serve", "classic", "--export", "."], "index.html"),
];

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = morpion(arguments);
    command.current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn done(folder: &Path, arguments: &[&str]) {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?} {output:?}");
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap().mode() & 0o7777
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn existing_files_keep_their_mode_and_new_ones_follow_the_umask() {
    for (arguments, name) in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        let script = "umask 027; exec \"$@\"";
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh"]).arg(program()).args(*arguments);
        command.current_dir(folder.path()).stdin(Stdio::null());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?} {output:?}");
        assert_eq!(mode(&file), 0o640, "{arguments:?}");
        let made = names(folder.path());
        for kept in [0o644, 0o600, 0o664] {
            fs::set_permissions(&file, Permissions::from_mode(kept)).unwrap();
            let before = fs::metadata(&file).unwrap().ino();
            done(folder.path(), arguments);
            assert_eq!(mode(&file), kept, "{arguments:?}");
            assert_ne!(fs::metadata(&file).unwrap().ino(), before, "{arguments:?} wrote in place");
        }
        assert_eq!(names(folder.path()), made, "{arguments:?}");
    }
}

#[test]
fn links_are_followed_to_their_files() {
    for (arguments, name) in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        let (near, far) = (folder.path().join("near"), folder.path().join("far"));
        fs::create_dir(&near).unwrap();
        fs::create_dir(&far).unwrap();
        symlink("../far/file", near.join(name)).unwrap();
        // At first the link dangles. Then it leads to the file of the first run.
        for _ in 0..2 {
            done(&near, arguments);
            assert!(near.join(name).is_symlink(), "{arguments:?}");
            assert_eq!(names(&far), ["file"], "{arguments:?}");
            assert!(fs::metadata(far.join("file")).unwrap().len() > 50, "{arguments:?}");
        }
    }
}

#[test]
fn only_regular_files_are_replaced() {
    for (arguments, name) in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        let kinds: [&dyn Fn(); 3] = [&|| pipe(&file), &|| fs::create_dir(&file).unwrap(), &|| {
            symlink("/dev/null", &file).unwrap()
        }];
        for make in kinds {
            make();
            let output = run(folder.path(), arguments);
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{arguments:?} {error}");
            let is_named = error.contains(name) && error.contains("not a regular file");
            assert!(is_named, "{arguments:?} {error}");
            assert!(!fs::symlink_metadata(&file).unwrap().is_file(), "{arguments:?}");
            let is_left = |name: &&String| name.starts_with('.');
            assert_eq!(names(folder.path()).iter().find(is_left), None, "{arguments:?}");
            if file.is_dir() {
                fs::remove_dir(&file).unwrap();
            } else {
                fs::remove_file(&file).unwrap();
            }
        }
    }
}

#[test]
fn a_link_with_the_name_of_an_unfinished_build_is_not_followed() {
    let build = ["build", "classic", "--out", "."];
    for name in [".classic.partial", ".classic.rows"] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let precious = b"\x89MORPSTA precious".repeat(100);
        let kinds: [&dyn Fn(); 4] = [
            &|| symlink("precious", path(name)).unwrap(),
            &|| symlink("nowhere", path(name)).unwrap(),
            &|| fs::hard_link(path("precious"), path(name)).unwrap(),
            &|| pipe(&path(name)),
        ];
        for lay in kinds {
            fs::write(path("precious"), &precious).unwrap();
            lay();
            let output = run(folder.path(), &build);
            if name.ends_with("partial") {
                let error = String::from_utf8_lossy(&output.stderr).into_owned();
                assert_eq!(output.status.code(), Some(2), "{error}");
                assert!(
                    error.contains(name)
                        && (error.contains("not a regular file") || error.contains("hard links")),
                    "{error}"
                );
                fs::remove_file(path(name)).unwrap();
                done(folder.path(), &build);
            }
            assert!(path("classic.morpion").is_file());
            assert_eq!(names(folder.path()), ["classic.morpion", "precious"]);
            assert_eq!(fs::read(path("precious")).unwrap(), precious);
            fs::remove_file(path("classic.morpion")).unwrap();
        }
    }
}

#[test]
fn a_record_that_cannot_be_saved_is_refused_before_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["play", "classic", "--x", "human", "--save", "/dev/full"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("/dev/full: not a regular file"));
}

/// A project keeps tables in its own folder; otherwise they are in the user's data folder. A table is found by name
/// from the folder in which it was built, and the program prints its path.
#[test]
fn tables_are_written_to_a_folder_that_is_searched() {
    let data = tempfile::tempdir().unwrap();
    for (mark, expected) in [(None, data.path().join("morpion")), (Some("tables"), "tables".into())]
        .into_iter()
        .chain([(Some("Cargo.toml"), "tables".into())])
    {
        let folder = tempfile::tempdir().unwrap();
        match mark {
            Some("tables") => fs::create_dir(folder.path().join("tables")).unwrap(),
            Some(file) => fs::write(folder.path().join(file), "").unwrap(),
            None => {}
        }
        let run = |arguments: &[&str]| {
            let mut command = morpion(arguments);
            command.env("XDG_DATA_HOME", data.path()).current_dir(folder.path());
            let output = command.stdin(Stdio::null()).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap()
        };
        let file = expected.join("beginner4.morpion");
        assert!(run(&["build", "beginner4"]).contains(file.to_str().unwrap()));
        assert!(folder.path().join(&file).is_file());
        assert!(run(&["info", "beginner4"]).contains("win in 5"));
        assert!(run(&["nim", "build", "0.07"]).contains("0.07.grundy"));
        assert!(folder.path().join(expected.join("0.07.grundy")).is_file());
        assert_eq!(folder.path().join("tables").exists(), mark.is_some());
    }
}
