//! Groups of layers: they are left for good, and every move leads to a layer that is listed.

use morpion_games::catalogue::standard;
use morpion_games::reach::arrangements::layers;
use morpion_games::reach::groups::{divided, groups, layers_after};

#[test]
fn groups_are_layers_alone_or_with_their_mirror() {
    let mut pairs = 0;
    for game in standard() {
        let (graph, groups) = (game.graph(), groups(&game));
        assert!(groups.iter().cloned().flatten().eq(0..graph.layers.len()));
        for group in groups {
            let next = graph.layers[group.start].next.map(usize::from);
            let is_cyclic = next.is_some_and(|next| group.contains(&next));
            assert!(group.clone().all(|layer| game.graph().is_cyclic(layer) == is_cyclic));
            if let [first, second] = group.clone().collect::<Vec<_>>()[..] {
                let [a, b] = [first, second].map(|layer| graph.layers[layer].counts);
                assert_eq!((a.mover, a.waiter), (b.waiter, b.mover));
                assert!(is_cyclic);
                pairs += 1;
            } else {
                assert_eq!(group.len(), 1, "{}", game.name());
            }
        }
    }
    assert!(pairs > 100, "{pairs}");
}

#[test]
fn a_way_back_joins_all_layers_between() {
    let after = [Some(1), None, Some(4), Some(3), Some(2), Some(6), None];
    assert_eq!(divided(7, |layer| after[layer]), [0..1, 1..2, 2..5, 5..6, 6..7]);
}

#[test]
fn moves_lead_to_the_layers_after() {
    for game in standard() {
        let graph = game.graph();
        for arranged in layers(&game) {
            let after = layers_after(&game, arranged.layer());
            let stride = (arranged.count() / 200) as u64 * 2 + 1;
            for number in (0..arranged.count() as u64).step_by(stride as usize) {
                let position = arranged.position(number);
                for mv in game.moves_at(position) {
                    let reached = game.layer_of(game.apply(position, mv));
                    let reached = reached.filter(|&layer| !graph.layers[layer].ended);
                    let is_listed = reached.is_none_or(|layer| after.contains(&layer));
                    assert!(is_listed, "{} {position:?} {mv:?}", game.name());
                }
            }
        }
    }
}
