//! What a build will take, before anything is written.

use morpion_lookup::Game;
use morpion_lookup::rank::binomial;

/// Arrangements of the pieces in all layers of a game. Divided by the order of the group, about the entries of its table.
pub fn arrangements(game: &Game) -> u128 {
    let of = |layer: &morpion_lookup::Counts| {
        let (cells, mover) = (u32::from(game.cells()), u32::from(layer.mover));
        u128::from(binomial(cells, mover))
            * u128::from(binomial(cells - mover, u32::from(layer.waiter)))
    };
    game.layers().iter().map(of).sum()
}
