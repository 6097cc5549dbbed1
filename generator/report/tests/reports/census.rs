use crate::table;
use morpion_lookup::raw::Encoding;
use morpion_report::census::{Totals, text};

#[test]
fn totals_are_the_sums_and_the_deepest_position_is_as_deep() {
    let table = table("nine-holes-diagonals", Encoding::Plies8);
    let totals = Totals::of(&table).unwrap();
    assert_eq!((totals.wins.len(), totals.losses.len()), (10, 9));
    assert_eq!(totals.wins.iter().sum::<u64>(), 2121);
    assert_eq!(totals.losses.iter().sum::<u64>(), 769);
    let deepest = totals.longest_win.unwrap();
    let position = table.game().parse_position(&deepest.position).unwrap().raw;
    assert_eq!(table.probe(position).unwrap().plies(), Some(deepest.plies));
    assert_eq!(deepest.plies, 9);
}

#[test]
fn the_text_has_a_row_for_every_layer_and_every_distance() {
    let text = text(&table("swap", Encoding::Plies8)).unwrap();
    for layer in ["(0, 0)", "(2, 3)", "(3, 3)", "all"] {
        assert!(text.lines().any(|line| line.starts_with(layer)), "{text}");
    }
    assert!(text.contains("longest win  5 plies"), "{text}");
}
