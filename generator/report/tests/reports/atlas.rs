use crate::{own_table, table};
use morpion_core::Encoding;
use morpion_games::catalogue::standard_game;
use morpion_machine::progress::Unobserved;
use morpion_report::atlas::{answers, rules};
use morpion_report::registry::Solved;

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
    let texts: std::collections::HashSet<String> = games.iter().map(|name| text(name)).collect();
    assert_eq!(texts.len(), games.len());
    assert!(text("tapatan").contains("16 links"));
    assert!(text("nine-holes").contains("12 links"));
}

#[test]
fn passing_changes_no_value_of_swap() {
    let swap = table("swap", Encoding::Plies8);
    let solved = Solved::of(&swap, &Unobserved).unwrap();
    let text = answers(&swap, &solved, &Unobserved).unwrap();
    assert!(text.contains("| with a pass | allowing a pass changes nothing |"), "{text}");
}

/// The rules of these mills would be invalid with a pass, so there is nothing to compare.
#[test]
fn a_game_that_no_pass_fits_has_answers() {
    let mills = own_table(
        "rows = 2\ncolumns = 4\n[lines]\nlength = 3\n[pieces]\neach = 4\n[moves]\nto = \"king\"\n\
         [mills]\nleast = 3\nfull = \"draw\"\n",
    );
    let solved = Solved::of(&mills, &Unobserved).unwrap();
    let text = answers(&mills, &solved, &Unobserved).unwrap();
    assert!(text.contains("| value of the start |") && !text.contains("with a pass"), "{text}");
}
