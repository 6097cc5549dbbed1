//! Names lead to the standard games.

use morpion_games::catalogue::{short_title, standard, standard_game, standard_named};
use morpion_games::rules::NamedGame;
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
    for NamedGame { game, aliases, .. } in standard_named() {
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
