//! `morpion arena`, as a teacher uses it.

use morpion_tests::morpion;
use serde_json::Value;
use std::process::Output;

fn arena(arguments: &[&str]) -> Output {
    morpion([&["arena"], arguments].concat()).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = arena(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn all_players_meet_each_other_and_are_judged() {
    let results = json(&["classic", "--games", "10", "--seed", "4"]);
    let matches = results["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 7 * 7);
    assert_eq!(matches.iter().filter(|one| one["x"] == one["o"]).count(), 7);
    for one in matches {
        let count = |key: &str| one[key].as_u64().unwrap();
        assert_eq!(count("x_wins") + count("draws") + count("o_wins"), 10, "{one}");
        assert_eq!((count("repetitions"), count("broken_off")), (0, 0));
        assert!((50..=90).contains(&count("plies")), "{one}");
    }
    let names = |key: &str| -> Vec<&str> {
        let rows = results[key].as_array().unwrap();
        rows.iter().map(|row| row["player"].as_str().unwrap()).collect()
    };
    assert_eq!(names("scores"), names("judgements"));
    for score in results["scores"].as_array().unwrap() {
        let total = ["wins", "draws", "losses"].map(|key| score[key].as_u64().unwrap());
        assert_eq!(total.iter().sum::<u64>(), 6 * 2 * 10);
        if score["player"] == "perfect:random" {
            assert_eq!(score["losses"], 0);
        }
    }
    assert_eq!(results["sampled"], false);
    for judgement in results["judgements"].as_array().unwrap() {
        assert_eq!(judgement["positions"], 5478 - 958);
        let perfect = judgement["player"] == "perfect:random";
        assert_eq!(judgement["worst"].is_null(), perfect, "{judgement}");
        assert_eq!(judgement["kept"] == 1.0, perfect, "{judgement}");
        let searches = ["minimax:2", "alphabeta:4"].iter().any(|name| judgement["player"] == *name);
        assert_eq!(judgement["nodes"].as_u64().is_some_and(|nodes| nodes > 4520), searches);
    }
}

/// Shares calculated by hand, on three cells of which the first is a line by itself.
#[test]
fn shares_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("three.toml");
    let rules = "name = \"three\"\n[board]\ncells = 3\n[lines]\nsets = [[0], [1, 2]]\n";
    std::fs::write(&file, rules).unwrap();
    let results = json(&[file.to_str().unwrap(), "--players", "random,perfect", "--games", "1"]);
    // Open positions: the empty board; 1 or 2 taken by X; both taken, one by each side. Each is won in 1 on cell 0. Both other
    // moves from the empty board lose in 2, and so does the other move with one cell taken. With both taken there is no other move.
    let random = &results["judgements"][0];
    assert_eq!((&random["player"], &random["positions"]), (&"random".into(), &5.into()));
    let expected = (1.0 / 3.0 + 0.5 + 0.5 + 1.0 + 1.0) / 5.0;
    for (key, share) in [
        ("kept", expected),
        ("perfect", expected),
        ("wins_thrown", 1.0 - expected),
        ("wins_lost", 1.0 - expected),
        ("slower_wins", 0.0),
    ] {
        assert!((random[key].as_f64().unwrap() - share).abs() < 1e-12, "{key} {random}");
    }
    assert!(random["draws_lost"].is_null() && random["sooner_losses"].is_null());
    let worst = &random["worst"];
    assert_eq!(worst["position"], "... x");
    assert_eq!((&worst["value"], &worst["plies"]), (&"win".into(), &1.into()));
    assert_eq!((&worst["plays"], &worst["plays_value"]), (&"1".into(), &"loss".into()));
    assert_eq!((&worst["plays_plies"], &worst["best"][0]), (&2.into(), &"0".into()));
    assert!((worst["probability"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12);
}

#[test]
fn a_seed_gives_the_same_results_with_any_number_of_threads() {
    let run = |threads: &str, seed: &str| {
        let arguments =
            ["arena", "tapatan", "--games", "20", "--sample", "200", "--json", "--seed", seed];
        let output = morpion(arguments).env("RAYON_NUM_THREADS", threads).output().unwrap();
        assert!(output.status.success());
        output.stdout
    };
    let once = run("1", "5");
    assert_eq!(once, run("3", "5"));
    assert_ne!(once, run("3", "6"));
}

#[test]
fn the_printed_table_and_the_json_agree() {
    let arguments = ["swap", "--games", "4", "--players", "rules,perfect:trap,random"];
    let text = String::from_utf8(arena(&arguments).stdout).unwrap();
    assert!(text.contains("choices in all 3,602 positions"), "{text}");
    assert!(text.contains("perfect:trap  none"), "{text}");
    let results = json(&arguments);
    let worst = &results["judgements"][0]["worst"];
    let [position, mv] = ["position", "plays"].map(|key| worst[key].as_str().unwrap());
    assert!(text.contains(&format!("rules         {position}  plays {mv} ")), "{text}");
    assert_eq!(results["matches"].as_array().unwrap().len(), 3 * 3);
}

#[test]
fn large_games_are_sampled_and_games_without_a_table_are_only_played() {
    let results =
        json(&["beginner4", "--games", "1", "--players", "rules,minimax:1", "--sample", "50"]);
    assert_eq!(results["sampled"], true);
    assert_eq!(results["judgements"][0]["positions"], 50);
    let arguments = ["classic5k5", "--games", "1", "--players", "random,rules", "--json"];
    let output = arena(&arguments);
    assert!(output.status.success());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("not judged, for lack of a table: classic5k5"), "{errors}");
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(results["judgements"].is_null());
    assert_eq!(results["matches"].as_array().unwrap().len(), 2 * 2);
}

#[test]
fn bad_usage_is_refused() {
    for (arguments, expected) in [
        (&["classic", "--players", "random,chess"][..], "player \"chess\": write random"),
        (&["classic", "--players", "rules,rules"], "rules is listed twice"),
        (&["classic", "--players", "perfect,perfect:first"], "perfect:first is listed twice"),
        (&["classic", "--games", "-1"], "--games"),
        (&["nothing"], "no game named \"nothing\""),
        (&["classic5k5"], "perfect:random plays from a table (choose others with --players)"),
    ] {
        let output = arena(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
        assert!(output.stdout.is_empty());
    }
}
