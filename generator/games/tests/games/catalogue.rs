//! Names lead to the games and tables of the program and of its user.

use morpion_games::catalogue::{Folders, LookupError, short_title, standard, standard_game};
use morpion_games::rules::{NamedGame, read_named};
use morpion_lookup::Table;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The rule files of the standard games.
fn presets() -> impl Iterator<Item = PathBuf> {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/presets")).unwrap();
    folder.map(|file| file.unwrap().path())
}

#[test]
fn every_preset_is_a_standard_game_named_after_its_file() {
    let names: BTreeSet<String> = standard().map(|game| game.name().to_owned()).collect();
    let stem = |file: PathBuf| file.file_stem().unwrap().to_str().unwrap().to_owned();
    assert_eq!(names, presets().map(stem).collect());
    assert_eq!(names.len(), standard().count());
}

#[test]
fn no_name_stands_for_two_standard_games() {
    let mut names = BTreeSet::new();
    for file in presets() {
        let NamedGame { game, aliases, .. } = read_named(&file).unwrap();
        let name = game.name().to_owned();
        for alias in &aliases {
            let table = Table::builtin(alias).expect("the library knows the aliases");
            assert_eq!(table.game().name(), name, "{alias}");
        }
        for name in aliases.iter().chain([&name]) {
            assert!(names.insert(name.clone()), "{name} stands for two games");
        }
    }
    assert!(names.len() > standard().count(), "{names:?}");
    assert_eq!(standard_game("tic-tac-toe").unwrap().name(), "classic");
    assert_eq!(standard_game("three-mens-morris").unwrap().name(), "tapatan");
}

#[test]
fn short_titles_are_distinct() {
    let games: Vec<_> = standard().collect();
    let titles: BTreeSet<&str> = games.iter().map(short_title).collect();
    assert_eq!(titles.len(), games.len(), "{titles:?}");
}

#[test]
fn own_games_are_found_by_file_name_and_alias_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| std::fs::write(folder.path().join(file), text).unwrap();
    let body = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3";
    write("mine.toml", &format!("name = \"mine\"\naliases = [\"my-own\"]\n{body}"));
    write("broken.toml", "name");
    let folders = Folders::new(Some(folder.path().into()));
    for name in ["mine", "my-own", folder.path().join("mine.toml").to_str().unwrap()] {
        assert_eq!(folders.game(name).unwrap().name(), "mine", "{name}");
    }
    assert!(
        matches!(folders.open("my-own"), Err(LookupError::NotBuilt { name, .. }) if name == "mine")
    );
    assert!(matches!(folders.game("broken"), Err(LookupError::Rules(_))));
    assert!(folders.names().iter().any(|name| name == "mine"));
    assert!(!folders.names().iter().any(|name| name == "broken"));
    let nearest = |name: &str| match folders.game(name) {
        Err(LookupError::Unknown { nearest, .. }) => nearest,
        other => panic!("{other:?}"),
    };
    assert_eq!(nearest("my-onw")[0], "my-own");
    assert_eq!(nearest("teko"), ["teeko"]);
    assert_eq!(nearest("Classic")[0], "classic");
    assert_eq!(nearest("backgammon"), [""; 0]);
}
