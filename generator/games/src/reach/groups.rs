//! Groups of layers that lead to each other.
//!
//! [`groups`] divides the layers of a game such that play never returns to a group that it has left. The movement layer is a group by
//! itself. In games with pushes or with lines that take, the layers with m and w and with w and m pieces are a group. [`layers_after`]
//! tells which layers are needed to solve a layer.

use morpion_core::{Counts, Effect, Game, Layer, Step, Takes};
use std::ops::{Range, RangeInclusive};

/// The groups of a game's layers, as ranges of their numbers in the order of play. Moves lead to the same group or to later ones.
pub fn groups(game: &Game) -> Vec<Range<usize>> {
    let layers = &game.graph().layers;
    // Moves that take a piece or push in a new one lead to later layers.
    divided(layers.len(), |layer| layers[layer].next.map(usize::from))
}

/// Divides `0..layers` into the shortest ranges such that no layer leads to an earlier range. `after` returns the least layer to which a
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

/// The numbers of the layers to which moves of layer number `layer` may lead, judged by the numbers of pieces alone.
pub fn layers_after(game: &Game, layer: usize) -> Vec<usize> {
    let (graph, Layer { counts, hands, .. }) = (game.graph(), game.graph().layers[layer]);
    let taken = graph.takes.map_or(0, Takes::most);
    // Returns true if the layer `after` has `more` additional pieces of the mover on the board, and `placed` fewer in its hand.
    let is_after = |after: &Layer, more: RangeInclusive<u8>, placed: u8| {
        let hand = hands.mover.saturating_sub(placed);
        after.counts.waiter.checked_sub(counts.mover).is_some_and(|new| more.contains(&new))
            && (counts.waiter.saturating_sub(taken)..=counts.waiter).contains(&after.counts.mover)
            && after.hands == Counts { mover: hands.waiter, waiter: hand }
    };
    let leads = |step: &Step, after: &Layer| match step.effect {
        Effect::Move if step.from.is_none() => is_after(after, 1..=1, 1),
        Effect::Move | Effect::Pass => is_after(after, 0..=0, 0),
        // A push may bring a new piece in.
        Effect::Push { .. } => is_after(after, 0..=1, 0),
        // The oldest piece is still on the board if a line ends the game before this piece is lifted.
        Effect::Replace { .. } => is_after(after, 0..=1, 1),
    };
    let is_reached = |after: &Layer| {
        graph.steps(layer).iter().any(|step| leads(step, after))
            || graph.passes_if_blocked() && is_after(after, 0..=0, 0)
    };
    (0..graph.layers.len()).filter(|&number| is_reached(&graph.layers[number])).collect()
}
