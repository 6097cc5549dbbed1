//! Wrong usage gets one clear error that names the right one.

use crate::refused::{refused, run};

#[test]
fn an_address_in_the_place_of_a_game_names_the_option() {
    for address in ["127.0.0.1:8080", "8080"] {
        refused(&run(&["serve", address]), &[&format!("write --listen {address}")]);
    }
}

#[test]
fn first_steps_that_fail_name_the_next_one() {
    refused(&run(&["query", "X../.O./..X o"]), &["is a position: write the game before it"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    let movement = "rows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto";
    for (body, words) in [
        (format!("{movement} = \"knight\""), ["own.toml:10: moves.to", "steps = [[1, 2]]"]),
        (format!("{movement} = \"capture\""), ["moves.to", "\"What is refused\" in RULES.md"]),
        (
            "rows = 6\ncolumns = 6\n[lines]\nlength = 6".into(),
            ["own: board: 8 pieces of a side", "`each` in [pieces]"],
        ),
    ] {
        std::fs::write(&file, format!("name = \"own\"\n[board]\n{body}")).unwrap();
        let out = folder.path().to_str().unwrap();
        let error = run(&["build", file.to_str().unwrap(), "--out", out]);
        refused(&error, &words);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no file is left");
    }
}

#[test]
fn a_misspelt_name_gets_only_the_nearest_names() {
    for (name, expected) in [
        ("teko", "did you mean teeko?"),
        ("Classic", "did you mean classic?"),
        ("nineholes", "did you mean nine-holes?"),
        ("three-mens-moris", "did you mean three-mens-morris?"),
    ] {
        for command in ["info", "build", "query"] {
            let output = run(&[command, name]);
            refused(&output, &[expected]);
            assert!(!String::from_utf8_lossy(&output.stderr).contains("shisima"));
        }
    }
}

#[test]
fn wrong_usage_has_its_status_and_a_message() {
    for arguments in [
        &["count"][..],
        &["query"],
        &["build", "--threads", "0"],
        &["build", "--memory", "lots"],
        &["dance"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("error:"), "{output:?}");
    }
}

/// The tests use the program as it is built by default.
#[test]
fn a_program_without_clusters_says_so() {
    for arguments in [
        &["build", "swap", "--cluster", "hosts.txt", "--process", "0"][..],
        &["build", "swap", "--process", "0", "--cluster", "hosts.txt"],
        &["build", "swap", "--workers", "2", "--cluster", "hosts.txt", "--process", "0"],
        &["plan", "swap", "--cluster", "2"],
    ] {
        let output = run(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("built without clusters: build it with"), "{error}");
    }
    for command in ["build", "plan"] {
        assert!(!String::from_utf8_lossy(&run(&[command, "--help"]).stdout).contains("--cluster"));
    }
}
