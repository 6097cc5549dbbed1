//! `tables/ATLAS.md` is the output of `morpion atlas`.
//!
//! The everyday tests regenerate the sections of games that are solved in seconds, and the parts of the others that need no table.
//! The long tests regenerate the whole page.

use crate::comparison::comparison;
use morpion_core::Game;
use morpion_games::catalogue::{Table, short_title, standard, standard_game, standard_text};
use morpion_games::rules::parse;
use morpion_generator::family::atlas::{answers, introduction, result, rules};
use morpion_generator::family::registry::Solved;
use morpion_machine::progress::Unobserved;
use morpion_report::picture::draw;
use morpion_tests::{HUGE, built, everyday_tables, large_tables, morpion, run, solved};
use std::collections::{HashMap, HashSet};
use std::path::Path;

const AGAIN: &str =
    "make it anew: morpion atlas > tables/ATLAS.md, and the boards with MORPION_WRITE=1";

/// The introduction of the page, and its sections by the name of the game.
fn page() -> (String, Vec<(String, String)>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables/ATLAS.md");
    let text = std::fs::read_to_string(file).unwrap();
    let mut parts = text.split("\n## ");
    let before = parts.next().unwrap().to_string();
    let games = parts.map(|part| {
        (part.lines().next().unwrap().to_string(), format!("## {}\n", part.trim_end()))
    });
    (before, games.collect())
}

#[test]
fn a_title_is_text_and_a_table_without_a_rule_file_is_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    let rules = "name = \"own\"\ntitle = \"<b>a</b> [b](c) `d` *e* | f\"\n[board]\ncells = 4\n[lines]\nsets = [[0, 1]]\n[pieces]\neach = 2\n\
        [moves]\noldest = \"first\"\n";
    std::fs::write(&file, rules).unwrap();
    built(folder.path(), &[file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    let atlas = || {
        let output = run(morpion(["atlas", "own"]).current_dir(&folder).args(["--tables", "."]));
        String::from_utf8(output.stdout).unwrap()
    };
    let escaped = "\\<b\\>a\\</b\\> \\[b\\](c) \\`d\\` \\*e\\* \\| f.";
    assert!(atlas().contains(escaped), "{}", atlas());
}

#[test]
fn rules_that_differ_by_a_diagonal_are_described_differently() {
    let text = |name: &str| {
        let words = rules(&standard_game(name).unwrap());
        words.split_once("Rules: ").unwrap().1.replace(name, "")
    };
    let games = [
        "tapatan",
        "nine-holes",
        "nine-holes-any",
        "nine-holes-diagonals",
        "picaria",
        "swap",
        "swap-pass",
        "achi",
        "rota",
        "shisima",
    ];
    let texts: HashSet<String> = games.iter().map(|name| text(name)).collect();
    assert_eq!(texts.len(), games.len());
    assert!(text("tapatan").contains("16 links"));
    assert!(text("nine-holes").contains("12 links"));
}

#[test]
fn passing_changes_no_value_of_swap() {
    let swap = solved(&standard_game("swap").unwrap());
    let facts = Solved::of(&swap, &Unobserved).unwrap();
    let text = answers(&swap, &facts, &Unobserved).unwrap();
    assert!(text.contains("| with a pass | allowing a pass changes nothing |"), "{text}");
}

/// The rules of these mills would be invalid with a pass, so there is nothing to compare.
#[test]
fn a_game_that_no_pass_fits_has_answers() {
    let rules = "name = \"t\"\n[board]\nrows = 2\ncolumns = 4\n[lines]\nlength = 3\n[pieces]\neach = 4\n\
        [moves]\nto = \"king\"\n[mills]\nleast = 3\nfull = \"draw\"\n";
    let mills = solved(&parse("t", rules).unwrap());
    let facts = Solved::of(&mills, &Unobserved).unwrap();
    let text = answers(&mills, &facts, &Unobserved).unwrap();
    assert!(text.contains("| value of the start |") && !text.contains("with a pass"), "{text}");
}

#[test]
#[ignore = "long: solves the small games, about 20 seconds; .ci/run runs it"]
fn sections_of_small_games_and_all_rules_are_up_to_date() {
    let (before, games) = page();
    let results: String =
        before.split_inclusive('\n').filter(|line| line.starts_with("| [")).collect();
    assert_eq!(before, introduction(&results), "{AGAIN}");
    assert_eq!(results.lines().count(), standard().count(), "{AGAIN}");
    let names: Vec<String> = standard().map(|game| game.name().to_owned()).collect();
    assert_eq!(games.iter().map(|game| game.0.clone()).collect::<Vec<_>>(), names, "{AGAIN}");
    let games: HashMap<String, String> = games.into_iter().collect();
    for game in standard() {
        let section = &games[game.name()];
        let made = rules(&game);
        assert!(section.starts_with(&made), "{made}\n{AGAIN}");
        let fingerprint = format!("| fingerprint of the rules | `{:016x}` |", game.fingerprint());
        assert!(section.contains(&fingerprint), "{}: {AGAIN}", game.name());
    }
    assert_eq!(made_anew(everyday_tables(|name| name != LONGEST)), 30);
}

/// The game whose section takes longer than the sections of all other everyday games.
const LONGEST: &str = "quixo4";

#[test]
#[ignore = "long: all positions of quixo4, about 10 seconds; .ci/run runs it"]
fn the_longest_section_of_a_small_game_is_up_to_date() {
    assert_eq!(made_anew(everyday_tables(|name| name == LONGEST)), 1);
}

#[test]
fn the_page_has_a_picture_of_every_board() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables");
    let text = std::fs::read_to_string(folder.join("ATLAS.md")).unwrap();
    let mut linked: Vec<&str> =
        text.split("](boards/").skip(1).map(|rest| rest.split_once(')').unwrap().0).collect();
    let names: Vec<String> = standard().map(|game| format!("{}.svg", game.name())).collect();
    assert_eq!(linked, names, "{AGAIN}");
    for (game, name) in standard().zip(&names) {
        let file = folder.join("boards").join(name);
        if std::env::var_os("MORPION_WRITE").is_some() {
            std::fs::write(&file, draw(&game)).unwrap();
        }
        let picture = std::fs::read_to_string(file).unwrap();
        assert!(picture == draw(&game), "{name}: {AGAIN}");
    }
    linked.sort_unstable();
    let files = std::fs::read_dir(folder.join("boards")).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, linked, "{AGAIN}");
}

#[test]
#[ignore = "long: counts all positions of the large games, about 30 minutes, and 15 for the builds where no table is found"]
fn sections_of_large_games_are_up_to_date() {
    assert_eq!(made_anew(large_tables()), 14);
}

/// Compares the sections of these games with new ones. Returns the number of sections.
fn made_anew(tables: impl Iterator<Item = (String, Table)>) -> usize {
    let (before, games) = page();
    let games: HashMap<String, String> = games.into_iter().collect();
    let mut compared = 0;
    for (name, table) in tables {
        let solved = Solved::of(&table, &Unobserved).unwrap();
        assert!(before.contains(&result(&solved)), "{name}: {AGAIN}");
        let answers = answers(&table, &solved, &Unobserved).unwrap();
        let made = format!("{}\n{answers}", rules(table.game()));
        assert_eq!(games[&name], made, "{AGAIN}");
        compared += 1;
    }
    compared
}

#[test]
fn the_program_prints_the_requested_sections() {
    let output = morpion(["atlas", "tapatan", "swap"]).output().unwrap();
    assert!(output.status.success());
    let games: HashMap<String, String> = page().1.into_iter().collect();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, format!("{}\n{}", games["tapatan"], games["swap"]), "{AGAIN}");
}

/// The rules of the own games of the records, as the page describes them.
fn recorded(heading: &str, column: usize) -> Game {
    let (name, replaced) = match heading {
        "Five pieces each on 6×6" => {
            ("beginner6", [("each = 6", "each = 5"), ("\"any\"", ["\"any\"", "\"king\""][column])])
        }
        "Disappearing tic-tac-toe on 5×5" => {
            ("disappearing4x4", [("rows = 4", "rows = 5"), ("columns = 4", "columns = 5")])
        }
        _ => {
            let mut games = standard();
            return games
                .find(|game| [game.name(), short_title(game)].contains(&heading))
                .unwrap_or_else(|| panic!("{heading}: no such game"));
        }
    };
    let mut text = standard_text(name).unwrap().to_owned();
    for (from, to) in replaced {
        assert!(text.contains(from), "{name}: {from}");
        text = text.replace(from, to);
    }
    parse(name, &text).unwrap()
}

#[test]
fn fingerprints_of_the_records_are_those_of_the_rules() {
    let text = include_str!("../../generator/RECORDS.md");
    let (mut heading, mut compared) = ("", 0);
    for line in text.lines() {
        heading = line.split_once("# ").map_or(heading, |(_, heading)| heading);
        let Some(row) = line.strip_prefix("| fingerprint of the rules | ") else { continue };
        for (column, found) in row.trim_end_matches(" |").split(" | ").enumerate() {
            let expected = format!("`{:016x}`", recorded(heading, column).fingerprint());
            assert_eq!(found, expected, "{heading}");
            compared += 1;
        }
    }
    assert_eq!(compared, 6);
}

#[test]
fn questions_to_a_standard_game_without_a_table_are_answered_from_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().to_str().unwrap();
    let ask = |arguments: &[&str], tables: &str| {
        let output = run(morpion(arguments).current_dir(&folder).args(["--tables", tables]));
        String::from_utf8(output.stdout).unwrap()
    };
    let page: HashMap<String, String> = page().1.into_iter().collect();
    for name in HUGE {
        let facts: serde_json::Value =
            serde_json::from_str(&ask(&["info", name, "--json"], here)).unwrap();
        for (key, fact) in facts["facts"].as_object().unwrap() {
            let printed = format!("{} | {}", key.replace('_', " "), fact.as_str().unwrap());
            let section = page[name].replace('`', "");
            let records = include_str!("../../generator/RECORDS.md").replace('`', "");
            assert!(section.contains(&printed) || records.contains(&printed), "{name}: {printed}");
        }
        let arrangements = facts["facts"]["arrangements"].as_str().unwrap();
        assert!(ask(&["count", name], here).contains(arrangements), "{name}");
        assert!(ask(&["info", name], here).contains(&format!("morpion build {name} --packed")));
    }
    assert!(ask(&["count", "nine-mens-morris"], here).contains("6e129a0af8e91de084"), "records");
    let cited = ask(&["info", "swap4", "--bibtex"], here);
    built(folder.path(), &["swap4"]);
    assert_eq!(cited, ask(&["info", "swap4", "--bibtex"], here));
    let failed = |arguments: &[&str], expected: &str| {
        let output = morpion(arguments).current_dir(&folder).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(expected), "{error}");
    };
    failed(&["info", "quixo5", "--check"], "quixo5 is not built");
    // Another game under the name of a standard one.
    let rules = standard_text("quixo5").unwrap().replace("rows = 5", "rows = 6");
    std::fs::write(folder.path().join("quixo5.toml"), rules).unwrap();
    failed(&["count", "quixo5.toml"], "quixo5.toml is not built");
}

/// The games on the page of disappearing pieces that are solved in a second.
const SMALL: [&str; 4] =
    ["disappearing", "disappearing-line-first", "disappearing-remove-first", "disappearing-4"];

#[test]
fn games_of_disappearing_pieces_have_the_rows_of_their_page() {
    let page = include_str!("../../tables/DISAPPEARING.md");
    let tables = everyday_tables(|name| SMALL.contains(&name));
    let made = comparison(&tables.map(|(_, table)| table).collect::<Vec<_>>()).unwrap();
    let rows: Vec<&str> = made.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(rows.len() > 2 * SMALL.len(), "{made}");
    for row in rows {
        assert!(page.contains(row), "{row}: run the long test below with MORPION_WRITE=1");
    }
}

#[test]
#[ignore = "long: solves games on 4×4 cells, some minutes"]
fn the_page_of_disappearing_pieces_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables/DISAPPEARING.md");
    let games = standard().filter(|game| game.has_ages());
    let made = comparison(&games.map(|game| solved(&game)).collect::<Vec<_>>()).unwrap();
    if std::env::var_os("MORPION_WRITE").is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    assert_eq!(made, std::fs::read_to_string(file).unwrap());
}

#[test]
fn the_registry_has_the_facts_of_the_page() {
    let output = run(&mut morpion(["atlas", "tapatan", "swap", "--json"]));
    let registry: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(registry["program"], "morpion");
    assert_eq!(registry["version"], env!("CARGO_PKG_VERSION"));
    let (before, games) = page();
    let games: HashMap<String, String> = games.into_iter().collect();
    let solved = registry["games"].as_array().unwrap();
    assert_eq!(solved.len(), 2);
    for game in solved {
        let name = game["game"].as_str().unwrap();
        let section = &games[name];
        let grouped = |key: &str| morpion_report::phrases::grouped(game[key].as_u64().unwrap());
        let text = |key: &str| game[key].as_str().unwrap();
        assert!(section.contains(&format!("| reachable positions | {}:", grouped("positions"))));
        assert!(
            section
                .contains(&format!("| {} entries", grouped("entries")).replace("| ", "| table | "))
        );
        assert!(section.contains(&format!("BLAKE3 `{}` |", text("blake3"))));
        assert!(
            section.contains(&format!("| fingerprint of the rules | `{}` |", text("fingerprint")))
        );
        assert!(section.contains(&format!("`{}`", text("verify"))));
        let longest = &game["longest_win"];
        let longest =
            format!("{} plies, `{}`", longest["plies"], longest["position"].as_str().unwrap());
        assert!(section.contains(&longest), "{longest}");
        assert!(text("rule_file").contains(&format!("name = \"{name}\"")));
        assert!(before.contains(text("method")) && before.contains(text("proof")));
    }
    assert_eq!((&solved[0]["value"], &solved[0]["plies"]), (&"win".into(), &9.into()));
    assert_eq!((&solved[1]["value"], &solved[1]["draw"]), (&"draw".into(), &"cycle".into()));
}
