use crate::table;
use morpion_core::{DrawKind, Encoding, LayerCensus, Permutation, Position, Score};
use morpion_games::reach::arrangements::layers;
use morpion_report::census::{Totals, text};
use morpion_report::orbits;

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
    let table = table("swap", Encoding::Plies8);
    let text = text(&table, &table.raw().census().unwrap(), "arrangements", true);
    for layer in ["(0, 0)", "(2, 3)", "(3, 3)", "all"] {
        assert!(text.lines().any(|line| line.starts_with(layer)), "{text}");
    }
    assert!(text.contains("longest win  5 plies"), "{text}");
}

#[test]
fn orbits_are_the_positions_that_no_symmetry_makes_less() {
    for name in ["swap", "achi", "quixo3", "disappearing", "five-mens-morris"] {
        let table = table(name, Encoding::Plies8);
        let symmetries: Vec<Permutation> = table.raw().header().symmetries.clone();
        let census = orbits::census(&table).unwrap();
        for all in layers(table.game()).filter(|all| all.count() < 1 << 20) {
            let is_least = |position: &Position| {
                let image = |symmetry: &Permutation| Position {
                    mover: symmetry.apply(position.mover),
                    waiter: symmetry.apply(position.waiter),
                };
                symmetries.iter().all(|symmetry| *position <= image(symmetry))
            };
            let least = (0..all.count() as u64).map(|number| all.position(number)).filter(is_least);
            let mut expected = census.layers[all.layer()].clone();
            for position in least {
                let place = table.raw().place(position).unwrap();
                let code = table.raw().code(place.0, place.1, place.2).unwrap();
                let LayerCensus { none, wins, losses, draws_end, draws_cycle } = &mut expected;
                let score = table.raw().header().encoding.decode(code);
                let at = |plies: Option<u16>| usize::from(plies.unwrap_or_default());
                let count = match score {
                    None => none,
                    Some(Score::Draw { kind: DrawKind::Cycle }) => draws_cycle,
                    Some(Score::Draw { kind: DrawKind::End }) => draws_end,
                    Some(Score::Win { plies }) => &mut wins[at(plies)],
                    Some(Score::Loss { plies }) => &mut losses[at(plies)],
                };
                *count = count.checked_sub(1).unwrap();
            }
            let left = expected.wins.iter().chain(&expected.losses).sum::<u64>();
            assert_eq!(
                left + expected.none + expected.draws_end + expected.draws_cycle,
                0,
                "{name}"
            );
        }
    }
}
