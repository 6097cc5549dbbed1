//! `morpion judge`, as the author of a game uses it.

use morpion_tests::morpion;
use serde_json::Value;

/// Runs a command with so many threads, and returns its output.
fn run(arguments: &[&str], threads: &str) -> String {
    let output = morpion(arguments).env("RAYON_NUM_THREADS", threads).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&run(arguments, "2")).unwrap()
}

#[test]
fn facts_are_the_same_with_any_number_of_threads() {
    let of = |threads: &str| run(&["judge", "tapatan", "--games", "20", "--json"], threads);
    assert_eq!(of("1"), of("3"));
}

#[test]
fn the_text_and_the_json_agree() {
    let arguments = ["judge", "classic", "--games", "40"];
    let (text, facts) = (run(&arguments, "2"), json(&[&arguments[..], &["--json"]].concat()));
    let row = |label: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(label));
        line.unwrap_or_else(|| panic!("{label}: {text}")).to_owned()
    };
    assert!(row("start").ends_with(" draw that ends"), "{text}");
    assert!(row("games played").ends_with(" 680, 40 of each pair"), "{text}");
    let random = &facts["levels"][0];
    let percent = |key: &str| 100.0 * random[key].as_f64().unwrap() / 40.0;
    let shares = ["x_wins", "draws", "o_wins"].map(|key| format!("{:.1}", percent(key)));
    assert!(row("random").ends_with(&format!(" {}", shares.join(" / "))), "{text}");
    assert!(row("first moves").contains("a1 ×4  draw that ends, 88 %"), "{text}");
    // A game that X wins has no draws to throw away.
    let won = run(&["judge", "tapatan", "--games", "20"], "2");
    let thrown = won.split_once("draws thrown away").unwrap().1;
    assert!(thrown.find('%') > thrown.find("\n\n"), "{won}");
    assert_eq!(facts["longest_win"]["plies"], 5);
    // All open positions of the classic game can be reached.
    assert_eq!(facts["choices"]["positions"], 5478 - 958);
    assert_eq!(facts["choices"]["sampled"], false);
}

#[test]
fn two_games_are_compared_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "name = \"mine\"\n[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 2\n")
        .unwrap();
    let mine = file.to_str().unwrap();
    let sizes = ["--games", "10"];
    let both = json(&[&["judge", "swap", mine, "--json"], &sizes[..]].concat());
    let alone = |game| json(&[&["judge", game, "--json"], &sizes[..]].concat());
    assert_eq!(both["games"], Value::from(vec![alone("swap"), alone(mine)]));
    let text = run(&[&["judge", "swap", mine], &sizes[..]].concat(), "2");
    let columns = text.lines().map(|line| line.find("mine").or(line.find("win in 3 plies")));
    let columns: Vec<usize> = columns.flatten().take(2).collect();
    assert!(columns.len() == 2 && columns[0] == columns[1], "{text}");
    assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
    let refused = morpion(["judge", "swap", "chess"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn variants_have_a_row_each_or_the_reason_why_they_are_refused() {
    let arguments = ["judge", "swap", "--games", "5", "--vary", "pieces.each=3..5"];
    let arguments = [&arguments[..], &["--vary", "moves.to=king,nowhere"]].concat();
    let answer = json(&[&arguments[..], &["--json"]].concat());
    let games = answer["games"].as_array().unwrap();
    let variants: Vec<(&str, &str)> = games
        .iter()
        .map(|game| {
            (
                game["vary"]["pieces.each"].as_str().unwrap(),
                game["vary"]["moves.to"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = ["3", "4", "5"].map(|each| [(each, "king"), (each, "nowhere")]).concat();
    assert_eq!(variants, expected);
    for (game, (each, to)) in games.iter().zip(expected) {
        let is_refused = each == "5" || to == "nowhere";
        assert_eq!(game["error"].is_string(), is_refused, "{game}");
        assert_eq!(game["appraisal"]["games"] == 5, !is_refused, "{game}");
    }
    // The first variant is another game in the catalogue.
    let king = ["judge", "swap", "--vary", "moves.to=king", "--games", "5", "--json"];
    let (first, same) = (&games[0]["appraisal"], json(&king));
    assert_eq!(first, &same["games"][0]["appraisal"]);
    let text = run(&arguments, "2");
    for line in [
        "swap moves.to=king pieces.each=4 ",
        "swap moves.to=king pieces.each=5 is refused: pieces.each: 5; ",
    ] {
        assert!(text.lines().any(|found| found.starts_with(line)), "{line}: {text}");
    }
    for (vary, message) in [
        ("pieces.eech=3", "write pieces.each"),
        ("pieces.each=5..3", "KEY=A..B"),
        ("pieces.each=1..9999", "more than 1000 variants"),
    ] {
        let refused = morpion(["judge", "swap", "--vary", vary]).output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
        let error = String::from_utf8(refused.stderr).unwrap();
        assert!(error.contains(message), "{error}");
    }
}

/// The program of a shell plays the first legal move, which the table knows, or something else.
#[cfg(unix)]
#[test]
fn a_program_is_judged_by_its_moves() {
    let first = "while read -r p; do case $p in .*) echo a1;; ?.*) echo b1;; ??.*) echo c1;; ???/.*) echo a2;; \
                 ???/?.*) echo b2;; ???/??.*) echo c2;; ???/???/.*) echo a3;; ???/???/?.*) echo b3;; *) echo c3;; esac; done";
    let judge = |player: &str| {
        morpion(["judge", "classic", "--player", player, "--json"]).output().unwrap()
    };
    let output = judge(first);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let judged: Value = serde_json::from_slice(&output.stdout).unwrap();
    // Python counts the same errors of the same policy: 1,869 of 4,520.
    let errors = (1.0 - judged["kept"].as_f64().unwrap()) * 4520.0;
    assert_eq!((judged["positions"].as_u64(), errors.round()), (Some(4520), 1869.0));
    assert_eq!(judged["worst"]["value"], "win");
    for (player, message) in [
        ("cat", "is not a move"),
        ("true", "has ended instead of answering"),
        ("yes b2", "not a legal move"),
    ] {
        let output = judge(player);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(message), "{error}");
    }
}
