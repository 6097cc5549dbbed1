use morpion_games::catalogue::standard_game;
use morpion_games::rules::parse;
use morpion_report::phrases::{grouped, rules};

#[test]
fn the_rules_of_known_games() {
    for (name, text) in [
        (
            "classic",
            "3 × 3 cells, 8 lines. Whoever makes a line wins. The sides place in turn until the board is full.",
        ),
        (
            "shisima",
            "9 cells, 4 lines. Whoever makes a line wins. Each side has three pieces on the board from the start. \
             A move takes a piece along one of 16 links to an empty cell. A side that cannot move loses.",
        ),
        (
            "swap-pass",
            "3 × 3 cells, 8 lines. Whoever makes a line wins. Each side places three pieces in turn. \
             Then a move takes a piece to any empty cell. A side may pass.",
        ),
    ] {
        assert_eq!(rules(&standard_game(name).unwrap()), text);
    }
}

#[test]
fn a_board_of_several_parts_is_not_a_grid() {
    for (layout, text) in [("a b c d", "1 × 4 cells"), ("a b   c d", "4 cells")] {
        let rules_text = format!(
            "name = 't'\n[board]\nlayout = '{layout}'\n[lines]\nsets = [['a', 'b']]\n[pieces]\neach = 1"
        );
        let words = rules(&parse("t", &rules_text).unwrap());
        assert!(words.starts_with(text), "{words}");
    }
}

#[test]
fn numbers_are_grouped_by_thousands() {
    for (number, text) in [(0u64, "0"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567")] {
        assert_eq!(grouped(number), text);
    }
}
