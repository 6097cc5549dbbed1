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
    assert!(row("games played").ends_with(" 400, 40 of each pair"), "{text}");
    let random = &facts["levels"][0];
    let percent = |key: &str| 100.0 * random[key].as_f64().unwrap() / 40.0;
    let shares = ["x_wins", "draws", "o_wins"].map(|key| format!("{:.1}", percent(key)));
    assert!(row("random").ends_with(&format!(" {}", shares.join(" / "))), "{text}");
    assert!(row("first moves").contains("a1 ×4  draw that ends, 88 %"), "{text}");
    // A game that X wins has no draws to throw away.
    let won = run(&["judge", "tapatan", "--games", "20"], "2");
    let thrown = won.split_once("draws thrown away").unwrap().1;
    assert!(thrown.find('%') > thrown.find("shares of games"), "{won}");
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
