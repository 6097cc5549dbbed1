//! The plan of a build counts the rows that are made.

use morpion_games::catalogue::standard;
use morpion_games::reach::walk::arrangements;
use morpion_machine::progress::Unobserved;
use morpion_solver::layout::lay_out;
use morpion_solver::sets::FoldedSets;

#[test]
fn rows_are_counted_before_they_are_made() {
    for game in standard().filter(|game| arrangements(game) < 1 << 26) {
        let layout = lay_out(&game, None, &Unobserved).unwrap();
        let sets = FoldedSets::fold(&layout, &Unobserved).unwrap();
        for map in &layout.maps {
            let folded = sets.orbits(map.size).rows() as u64;
            assert_eq!(map.rows, folded, "{} {}", game.name(), map.size);
        }
    }
}
