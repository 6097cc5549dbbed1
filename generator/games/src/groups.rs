//! Groups of layers that lead to each other.
//!
//! [`groups`] divides the layers of a game such that play never returns to a group that it has left. The movement layer is a group
//! alone. In games with pushes or with lines that take, the layers with m and w and with w and m pieces are a group.

use morpion_lookup::Game;
use std::ops::Range;

/// The groups of a game's layers, as ranges of their numbers in the order of play. Moves lead to the same group or to later ones.
pub fn groups(game: &Game) -> Vec<Range<usize>> {
    let layers = &game.graph().layers;
    // Moves that take a piece or push in a new one lead to later layers.
    divided(layers.len(), |layer| layers[layer].next.map(usize::from))
}

/// Divides `0..layers` into the shortest ranges from which nothing leads to an earlier one. `after` returns the least layer to which a
/// move leads, or `None` if a layer has no moves.
pub fn divided(layers: usize, after: impl Fn(usize) -> Option<usize>) -> Vec<Range<usize>> {
    let (mut groups, mut end, mut least) = (Vec::new(), layers, layers);
    for layer in (0..layers).rev() {
        least = after(layer).map_or(least, |after| after.min(least));
        if least >= layer {
            groups.push(layer..end);
            end = layer;
        }
    }
    groups.reverse();
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::standard;

    #[test]
    fn groups_are_layers_alone_or_with_their_mirror() {
        let mut pairs = 0;
        for game in standard() {
            let (graph, groups) = (game.graph(), groups(&game));
            assert!(groups.iter().cloned().flatten().eq(0..graph.layers.len()));
            for group in groups {
                let next = graph.layers[group.start].next.map(usize::from);
                let is_cyclic = next.is_some_and(|next| group.contains(&next));
                assert!(group.clone().all(|layer| graph.is_cyclic(layer) == is_cyclic));
                if let [first, second] = group.clone().collect::<Vec<_>>()[..] {
                    let [a, b] = [first, second].map(|layer| graph.layers[layer].counts);
                    assert_eq!((a.mover, a.waiter), (b.waiter, b.mover));
                    assert!(is_cyclic);
                    pairs += 1;
                } else {
                    assert_eq!(group.len(), 1, "{}", game.rules().name);
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
}
