//! Bad input of every kind gives one clear error and exit status 2, writes nothing and never panics.

use morpion_core::Source;
use morpion_tests::morpion;
use std::path::Path;
use std::process::Output;

/// Runs the program. Expects status 2 and one line of error that contains all of `words`.
pub fn refused(output: &Output, words: &[&str]) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(output.stdout.is_empty(), "{output:?}");
    assert_eq!(error.lines().count(), 1, "{error}");
    for word in words {
        assert!(error.contains(word), "{error:?} does not say {word:?}");
    }
}

pub fn run(arguments: &[&str]) -> Output {
    morpion(arguments).output().unwrap()
}

#[test]
#[cfg(unix)]
fn a_folder_of_tables_whose_name_is_not_utf_8_is_refused_before_anything_is_written() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join(OsStr::from_bytes(b"n\xff"));
    std::fs::create_dir(&named).unwrap();
    for (command, option) in [("build", "--out"), ("pack", "--out"), ("info", "--tables")] {
        let output = morpion([command, "rota", option]).arg(&named).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {error}");
        assert!(error.contains("the name is not UTF-8: choose another folder"), "{error}");
    }
    assert_eq!(std::fs::read_dir(named).unwrap().count(), 0);
    for arguments in [&["query", "classic"][..], &["info"], &["puzzle", "--number"]] {
        let output = morpion(arguments).arg(OsStr::from_bytes(b"X\xff")).output().unwrap();
        refused(&output, &["\"X\\xFF\" is not UTF-8 text"]);
    }
}

#[test]
fn an_invalid_rule_file_is_one_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let square = "[board]\nrows = 3\ncolumns = 3\n";
    let lines = "[lines]\nlength = 3\n";
    for (body, words) in [
        (format!("colour = \"red\"\n{square}{lines}"), vec!["unknown key `colour`"]),
        (format!("{square}{lines}[goal]\nmisery = true"), vec!["unknown key `misery`", "misere"]),
        (format!("{square}cells = 9\n{lines}"), vec!["board", "`cells` beside `rows`"]),
        (format!("{square}[lines]\nlength = 3\nsets = [[0, 1]]"), vec!["`sets` and `length`"]),
        (format!("{square}[lines]\nsets = [[0, 1, 9]]"), vec!["lines.sets", "cell 9", "0 to 8"]),
        (format!("{square}[lines]\nlength = 4"), vec!["lines.length", "longer than every row"]),
        (format!("{square}{lines}[pieces]\neach = 5"), vec!["pieces.each", "5; write"]),
        (format!("{square}{lines}[moves]\nto = \"any\""), vec!["moves", "[pieces]"]),
        (
            format!(
                "{square}{lines}[pieces]\neach = 3\n[moves]\nto = \"any\"\n[opening]\nstart = \"XX./.../OO. x\""
            ),
            vec!["opening.start", "2 X and 2 O"],
        ),
        (
            format!(
                "{square}{lines}[pieces]\neach = 3\n[moves]\nto = \"any\"\n[opening]\nstart = \"XXX/.../OO. x\""
            ),
            vec!["opening.start"],
        ),
        (
            format!("{square}{lines}[pieces]\neach = 3\n[moves]\nto = \"edges\"\nedges = [[0, 9]]"),
            vec!["moves.edges", "cell 9"],
        ),
        ("[board]\nrows = 7\ncolumns = 7\n[lines]\nlength = 3".into(), vec!["49 cells", "36"]),
        // Listing the lines of this file would take 72 GB. Reading the next one would take 84 times its length.
        (
            "[board]\nrows = 36\ncolumns = 1\n[lines]\nlength = 18\nwithin = \"full\"\ngaps = true"
                .into(),
            vec!["lines: 9075135300 lines", "4,096"],
        ),
        (format!("{square}{lines}#{}", "x".repeat(1 << 20)), vec!["longer than 1048576 bytes"]),
        ("this is no TOML".into(), vec!["TOML"]),
    ] {
        let file = folder.path().join("bad.toml");
        std::fs::write(&file, format!("name = \"bad\"\n{body}")).unwrap();
        let file = file.to_str().unwrap();
        refused(
            &run(&["build", file, "--out", out.to_str().unwrap()]),
            &[&["bad.toml"], &words[..]].concat(),
        );
        refused(&run(&["query", file, "........."]), &["bad.toml"]);
        assert!(!out.exists(), "nothing is written");
    }
    refused(&run(&["build", "missing.toml"]), &["missing.toml"]);
    refused(&run(&["build", "chess"]), &["no game named \"chess\"; morpion games lists all"]);
    refused(
        &run(&["build", "swap", "--encoding", "wdl", "--out", out.to_str().unwrap()]),
        &["values alone are for games that end by placing"],
    );
    assert!(!out.exists());
}

#[test]
fn all_faults_of_a_rule_file_are_lines_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.toml");
    let text =
        "name = \"bad\"\n[board]\nhex = 2\n\n[lines]\nlength = 9\n[pieces]\neach = 5\n[move]\n";
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let expected = [
        format!(
            "{file}:6: lines.length: 9, longer than every row of the board; write a length that fits"
        ),
        format!(
            "{file}:8: pieces.each: 5; write at least 1, and twice that no more than the cells"
        ),
        format!("{file}:9: move: unknown key `move`; did you mean `moves`?"),
    ];
    let folder = folder.path().to_str().unwrap();
    for arguments in [
        vec!["build", "--out", folder, file],
        vec!["plan", file],
        vec!["play", file],
        vec!["query", file],
        vec!["count", file],
        vec!["info", file],
        vec!["verify", file],
        vec!["pack", file],
        vec!["serve", file],
        vec!["build", file, "--json"],
        vec!["plan", "bad", "--tables", folder],
        vec!["info", "bad", "--tables", folder],
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let errors = String::from_utf8(output.stderr).unwrap();
        let errors: Vec<_> =
            errors.lines().map(|line| line.trim_start_matches("morpion: ")).collect();
        assert_eq!(errors, expected, "{arguments:?}");
    }
}

#[test]
fn a_rule_file_stands_for_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (rules, table, out) = (&path("mine.toml"), &path("mine.morpion"), &path(""));
    let text = "name = \"mine\"\naliases = [\"my-own\"]\n[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 3";
    std::fs::write(rules, text).unwrap();
    let done = |arguments: &[&str]| {
        let output = run(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {error}");
        String::from_utf8(output.stdout).unwrap()
    };
    // The game of a rule file without a table is solved on the fly.
    assert!(done(&["verify", rules]).starts_with("mine: proved"));
    let (info, position) = (done(&["info", rules]), done(&["query", rules, ".../..."]));
    assert!(done(&["games", "--tables", out]).contains("not built"));
    done(&["build", rules, "--out", out]);
    assert!(done(&["games", "--tables", out]).contains("mine.morpion"));
    assert_eq!(info, done(&["info", table]));
    assert_eq!(position, done(&["query", table, ".../..."]));
    assert_eq!(
        done(&["query", "my-own", ".../...", "--tables", out]),
        done(&["query", table, ".../..."]),
    );
    assert_eq!(
        done(&["query", "tic-tac-toe", ".../.../..."]),
        done(&["query", "classic", ".../.../..."]),
    );
    refused(&run(&["build", table]), &["mine.morpion is a table", "rule file"]);
    // Other rules than those of the table.
    std::fs::write(rules, text.replace("length = 3", "length = 2")).unwrap();
    assert_ne!(position, done(&["query", rules, ".../...", "--tables", out]));
    // Aliases are not part of the rules, so the table is the same without them.
    std::fs::write(rules, text.replace("aliases = [\"my-own\"]\n", "")).unwrap();
    let before = std::fs::read(table).unwrap();
    done(&["build", rules, "--out", out, "--fresh"]);
    assert_eq!(std::fs::read(table).unwrap(), before);
}

#[test]
fn an_invalid_position_is_one_clear_error() {
    for (game, position, words) in [
        ("classic", "X.O/.../..", vec!["8 cells, expected 9"]),
        ("classic", "X.O/.../...X.", vec!["11 cells, expected 9"]),
        ("classic", "X.O./../...", vec!["row 1", "4 cells"]),
        ("classic", "XX./.../... o", vec!["2 X and 0 O"]),
        ("classic", "X../.../... x", vec!["x to move, expected o"]),
        ("classic", "XXX/OOO/... x", vec!["both sides have a line"]),
        ("classic", "XXX/OO./O.. x", vec!["the side to move already has a line"]),
        ("classic", "X.?/.../...", vec!["'?'", "place 3"]),
        ("classic", "", vec!["0 cells"]),
        ("swap", "XXO/OO./X..", vec!["the side to move is missing"]),
        ("swap", "XXO/OOO/XX. x", vec!["4 X and 4 O"]),
        ("shisima", "X../.../... o", vec!["1 X and 0 O"]),
    ] {
        let output = run(&["query", game, position]);
        assert_eq!(output.status.code(), Some(2), "{position} {output:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(words.iter().all(|word| error.contains(word)), "{position}: {error}");
        let json = run(&["query", game, position, "--json"]);
        let answer: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(json.status.code(), Some(2));
        assert_eq!(answer["input"], position);
        assert!(
            words.iter().all(|word| answer["error"].as_str().unwrap().contains(word)),
            "{answer}"
        );
    }
}

#[test]
fn a_bad_line_does_not_stop_the_lines_after_it() {
    use std::io::Write;
    let mut query = morpion(["query", "classic", "--json"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    query
        .stdin
        .take()
        .unwrap()
        .write_all(b".../.../... x\n\nnonsense\n(1,0,0,0,1,0,2,0,2)\n")
        .unwrap();
    let output = query.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["value"], "draw");
    assert_eq!(answers[1]["input"], "nonsense");
    assert_eq!(answers[2]["position"], "X../.X./O.O x");
}

/// A line that is too long or not UTF-8 gets an error in its place. The other lines get their answers.
#[test]
fn a_line_of_invalid_text_does_not_stop_the_lines_after_it() {
    use std::io::Write;
    let long = vec![b'.'; (1 << 20) + 1];
    for (arguments, good) in [
        (&["query", "classic"][..], &b".../.../..."[..]),
        (&["nim", "query", "kayles"], b"9 14"),
        (&["cram", "query", "2x3"], b".../..."),
    ] {
        let lines: [&[u8]; 5] = [good, b"\xff\xfe\xfd", &long, b"\x1b[2J\xc3", good];
        let input = lines.join(&b'\n');
        for json in [true, false] {
            let mut command = morpion(arguments);
            let mut child = command
                .args(json.then_some("--json"))
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            let mut pipe = child.stdin.take().unwrap();
            let input = input.clone();
            let writer = std::thread::spawn(move || pipe.write_all(&input).unwrap());
            let output = child.wait_with_output().unwrap();
            writer.join().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
            let found: Vec<&str> = if json {
                let mut answers = text.lines();
                assert!(answers.next().unwrap().contains("\"value\""), "{text}");
                assert!(answers.next_back().unwrap().contains("\"value\""), "{text}");
                answers.collect()
            } else {
                errors.lines().collect()
            };
            assert_eq!(found.len(), 3, "{found:?}");
            let expected =
                ["byte 0xff at position 1", "longer than 1048576 bytes", "byte 0xc3 at position 5"];
            for (found, expected) in found.iter().zip(expected) {
                assert!(found.contains(expected), "{found}");
                assert!(!found.contains(char::is_control), "{found:?}");
            }
        }
    }
}

/// Control sequences in file names and other quoted input must not reach the terminal or imitate a line of output.
#[cfg(unix)]
#[test]
fn control_characters_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let evil = "a\u{1b}[2J\nmorpion: proved\u{9b}m\u{7f}";
    let shown = "a\\u{1b}[2J\\nmorpion: proved\\u{9b}m\\u{7f}";
    let file = |ending: &str| format!("{}/{evil}{ending}", folder.path().display());
    std::fs::write(file(".toml"), "name = \"x\"\n\u{1b}[2J = 1").unwrap();
    std::fs::write(file(".morpion"), "nothing").unwrap();
    std::fs::write(file(".grundy"), "nothing").unwrap();
    std::fs::write(file(".json"), "nothing").unwrap();
    let (toml, table, grundy, record) =
        (&file(".toml"), &file(".morpion"), &file(".grundy"), &file(".json"));
    let missing = &file("-missing.morpion");
    for arguments in [
        &["query", table, "........."][..],
        &["query", missing, "........."],
        &["query", evil, "........."],
        &["query", "classic", evil],
        &["info", table],
        &["verify", grundy],
        &["count", toml],
        &["build", toml],
        &["play", "--load", record],
        &["play", "classic", "--x", evil],
        &["nim", "query", evil, "1"],
        &["nim", "query", "kayles", evil],
        &["nim", "info", grundy],
        &["nim", "build", "kayles", "--out", table],
        &["cram", "query", "2x3", evil],
        &["serve", table],
        // Usage errors, reported by the argument parser.
        &[evil],
        &["build", "classic", "--memory", evil],
        &["build", "classic", "--encoding", evil],
        &["cram", "value", evil],
        &["info", "classic", evil],
    ] {
        let output = run(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {error}");
        assert!(error.contains(shown), "{arguments:?} {error:?}");
        assert!(!error.contains(|c: char| c.is_control() && c != '\n'), "{error:?}");
        assert!(!error.lines().any(|line| line.starts_with("morpion: proved")), "{error:?}");
    }
    // Results that name files.
    for arguments in [
        &["build", "classic", "--out", &file("")][..],
        &["nim", "build", "kayles", "--out", &file("")],
        &["nim", "info", &format!("{}/0.77.grundy", file(""))],
        &["games", "--tables", &file("")],
        &["play", "classic", "--x", "random", "--o", "random", "--save", &file("-game")],
    ] {
        let output = run(arguments);
        assert!(output.status.success(), "{arguments:?} {output:?}");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains(shown), "{arguments:?} {text:?}");
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    }
}

/// A pipe with the name of a table or a rule file is refused at once, instead of waiting for a writer.
#[cfg(unix)]
#[test]
fn pipes_with_the_name_of_a_table_are_not_waited_for() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for name in
        ["swap.morpion", "swap.toml", "own.morpion", "own.toml", "0.77.grundy", "own.grundy"]
    {
        let made = std::process::Command::new("mkfifo").arg(folder.join(name)).status().unwrap();
        assert!(made.success());
    }
    let tables = folder.to_str().unwrap();
    for arguments in [
        &["query", "swap", ".../.../...", "--tables", tables][..],
        &["nim", "query", "kayles", "5", "--tables", tables],
        &["nim", "games", "--tables", tables],
        &["games", "--tables", tables],
    ] {
        assert_eq!(run(arguments).status.code(), Some(0), "{arguments:?}");
    }
    refused(&run(&["query", "own", ".........", "--tables", tables]), &["no game named \"own\""]);
    let beside = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for (arguments, name) in [
        (&["query", &beside("own.morpion"), "........."][..], "own.morpion"),
        (&["info", &beside("own.grundy")], "own.grundy"),
        (&["verify", &beside("own.morpion")], "own.morpion"),
        (&["nim", "query", &beside("own.grundy"), "5"], "own.grundy"),
        (&["nim", "info", &beside("own.grundy")], "own.grundy"),
        (&["serve", &beside("own.morpion")], "own.morpion"),
    ] {
        refused(&run(arguments), &[name, "not a regular file"]);
    }
    let sound = morpion_tests::server::tables().join("classic.morpion");
    std::fs::copy(sound, folder.join("classic.morpion")).unwrap();
    let mut serve = morpion(["serve", "--listen", "127.0.0.1:0", "--tables", tables])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(serve.stdout.take().unwrap()).read_line(&mut line).unwrap();
    serve.kill().unwrap();
    serve.wait().unwrap();
    assert!(line.contains("1 game at http://127.0.0.1:"), "{line}");
}

#[test]
fn a_damaged_table_is_one_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let sound = morpion_lookup::Table::builtin("swap").unwrap();
    let put = |name: &str, bytes: &[u8]| {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let flipped = |at: usize| {
        let mut bytes = sound.source().in_memory().unwrap().to_vec();
        bytes[at] ^= 1;
        bytes
    };
    let position = "X../.O./..X o";
    let body = sound.raw().header().layers[3].offset as usize;
    for (name, bytes, word) in [
        (
            "short.morpion",
            sound.source().in_memory().unwrap()[..sound.source().in_memory().unwrap().len() - 1]
                .to_vec(),
            "bytes, expected",
        ),
        (
            "header-only.morpion",
            sound.source().in_memory().unwrap()[..40].to_vec(),
            "40 bytes, expected",
        ),
        ("empty.morpion", Vec::new(), "not a table"),
        ("magic.morpion", flipped(0), "not a table"),
        (
            "version.morpion",
            flipped(8),
            "format version 4, written by a morpion before 0.5.0: build the table again",
        ),
        ("header.morpion", flipped(60), "checksum of the header"),
        ("long.morpion", [sound.source().in_memory().unwrap(), b"x"].concat(), "bytes, expected"),
    ] {
        let file = put(name, &bytes);
        for arguments in [&["query", &file, position][..], &["info", &file], &["verify", &file]] {
            refused(&run(arguments), &[name, word]);
        }
    }
    // Opening does not read the entries, so only the checksums find a changed byte.
    let file = put("body.morpion", &flipped(body));
    let info = run(&["info", &file, "--check"]);
    assert_eq!(info.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&info.stdout).contains("checksum of bytes 0 to"), "{info:?}");
    assert_eq!(run(&["verify", &file]).status.code(), Some(1));
    // The file has the name of another game than the table in it.
    put("tapatan.morpion", sound.source().in_memory().unwrap());
    let other = run(&["query", "tapatan", position, "--tables", folder.path().to_str().unwrap()]);
    refused(&other, &["tapatan.morpion", "other rules"]);
}

#[test]
fn a_folder_that_cannot_be_created_is_one_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let inside = file.join("tables");
    refused(
        &run(&["build", "classic", "--out", inside.to_str().unwrap()]),
        &["cannot create the folder"],
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_one_clear_error() {
    refused(&run(&["build", "classic", "--out", "/proc"]), &["/proc: cannot write there"]);
    assert!(!Path::new("/proc/classic.morpion").exists());
}
