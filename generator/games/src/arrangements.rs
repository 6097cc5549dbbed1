//! Counts and numbers the arrangements of pieces on the board, also those that play cannot reach.
//!
//! Converts between an arrangement of a layer and its number. On 3×3 the layer (1, 1) has 9 · 8 = 72 arrangements:
//! number 0 has the mover on a1 and the waiter on b1, number 8 the mover on b1.

use morpion_lookup::raw::Position;
use morpion_lookup::raw::rank::{binomial, expand, unrank};
use morpion_lookup::{Counts, Game};

/// The number of arrangements in all layers of a game. Divided by the order of the group, it approximates the number of
/// entries of the table.
pub fn arrangements(game: &Game) -> u128 {
    game.layers().into_iter().map(|counts| u128::from(in_layer(game, counts))).sum()
}

/// The number of arrangements of one layer.
pub fn in_layer(game: &Game, counts: Counts) -> u64 {
    binomial(u32::from(game.cells()), u32::from(counts.mover)) * columns(game, counts)
}

/// The arrangement with this number, which is below [`in_layer`]. Arrangements are ordered by the mover's set, then by
/// the waiter's.
pub fn nth(game: &Game, counts: Counts, number: u64) -> Position {
    let columns = columns(game, counts);
    let mover = unrank(u32::from(counts.mover), number / columns);
    let waiter = unrank(u32::from(counts.waiter), number % columns);
    Position { mover, waiter: expand(waiter, game.board() & !mover) }
}

/// Number of the waiter's sets for each of the mover's sets.
fn columns(game: &Game, counts: Counts) -> u64 {
    binomial(u32::from(game.cells()) - u32::from(counts.mover), u32::from(counts.waiter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::standard_game;
    use std::collections::BTreeSet;

    #[test]
    fn every_number_is_another_arrangement_in_ascending_order() {
        let game = standard_game("classic").unwrap();
        for counts in game.layers() {
            let all: Vec<Position> =
                (0..in_layer(&game, counts)).map(|number| nth(&game, counts, number)).collect();
            assert!(all.is_sorted());
            let distinct: BTreeSet<Position> = all.iter().copied().collect();
            assert_eq!(distinct.len(), all.len());
            for position in all {
                assert_eq!(position.mover & position.waiter, 0);
                assert_eq!(position.mover.count_ones(), u32::from(counts.mover));
                assert_eq!(position.waiter.count_ones(), u32::from(counts.waiter));
            }
        }
        // The sum over k pieces of C(9, k) · C(k, k / 2).
        assert_eq!(arrangements(&game), 6046);
    }
}
