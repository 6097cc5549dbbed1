//! All arrangements of a game's layers, line or not, in each order of pieces that age.

use morpion_core::Orders;
use morpion_core::rank::{expand, subsets};
use morpion_lookup::{Game, Position};

/// The arrangements, each with the number of its layer. Layers that have ended have none.
pub fn arrangements(game: &Game) -> Vec<(usize, Position)> {
    let layers = game.graph().layers.iter().enumerate();
    layers.filter(|(_, layer)| !layer.ended).flat_map(|(index, _)| of_layer(game, index)).collect()
}

fn of_layer(game: &Game, index: usize) -> impl Iterator<Item = (usize, Position)> + '_ {
    let (counts, words) = (game.graph().layers[index].counts, game.words(index));
    let Orders { mover: rows, waiter: columns } = words.orders;
    let pairs = subsets(game.cells().into(), counts.mover.into()).flat_map(move |mover| {
        let left = game.board() & !mover;
        let waiters = subsets(left.count_ones(), counts.waiter.into());
        waiters.map(move |waiter| Position { mover, waiter: expand(waiter, left) })
    });
    pairs.flat_map(move |cells| {
        let orders = (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)));
        orders.map(move |(row, column)| (index, words.position(cells, row, column)))
    })
}
