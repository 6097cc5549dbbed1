//! The positions on which players are judged: all that play can reach, or a random sample of all arrangements.

use crate::dice::Dice;
use morpion_core::{Game, Position};
use morpion_games::reach::arrangements::{Arrangements, layers};
use morpion_games::reach::reached::Reached;
use morpion_games::reach::walk::{self, Sides, arrangements};

/// Maximum number of arrangements of a game for which all reachable positions are judged.
const ALL_POSITIONS: u128 = 100_000;

/// Default number of positions in a sample.
const SAMPLE: u32 = 10_000;

/// The positions of a judgement.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The positions, none of which is over.
    pub positions: Vec<Position>,
    /// `true` if the positions are a sample.
    pub sampled: bool,
}

impl Judged {
    /// A [`sample`] of `number` positions. Without a number, all [`reachable`] positions if the game has at most 100,000
    /// arrangements, and otherwise a sample of 10,000.
    pub fn of(game: &Game, number: Option<u32>, seed: u64) -> Judged {
        let sampled = number.is_some() || arrangements(game) > ALL_POSITIONS;
        let positions = match sampled {
            true => sample(game, number.unwrap_or(SAMPLE) as usize, seed),
            false => reachable(game),
        };
        Judged { positions, sampled }
    }
}

/// All positions that play can reach from the start and that are not over, ordered by number of pieces, then by cells. The
/// positions are kept in memory, so the game must be small.
pub fn reachable(game: &Game) -> Vec<Position> {
    let layers = walk::reachable(game, game.start().raw, Sides::Together).expect("a small game");
    let positions = layers.iter().flat_map(Reached::positions);
    positions.filter(|&position| game.end_at(position).is_none()).collect()
}

/// Draws `number` positions at random from all arrangements in which the game is not over, whether or not play reaches them. All
/// these arrangements are equally likely, and one may be drawn twice. The result is sorted as in [`reachable`]. It has fewer
/// positions if nearly all arrangements are finished games.
pub fn sample(game: &Game, number: usize, seed: u64) -> Vec<Position> {
    let layers: Vec<Arrangements> = layers(game).collect();
    let sizes: Vec<u64> =
        layers.iter().map(|layer| u64::try_from(layer.count()).unwrap_or(u64::MAX)).collect();
    let total = sizes.iter().fold(0, |total: u64, &size| total.saturating_add(size));
    let mut dice = Dice::stream(seed, u64::MAX);
    let mut positions = Vec::with_capacity(number);
    // If fewer than one arrangement in a thousand can continue, fewer positions are returned.
    for _ in 0..1000 * number {
        if positions.len() == number {
            break;
        }
        let mut at = dice.below(total);
        let mut layer = 0;
        while at >= sizes[layer] {
            at -= sizes[layer];
            layer += 1;
        }
        let position = layers[layer].position(at);
        if game.check(position).is_ok() && game.end_at(position).is_none() {
            positions.push(position);
        }
    }
    positions.sort_unstable_by_key(|&position| (pieces(position), position));
    positions
}

fn pieces(position: Position) -> u32 {
    let Position { mover, waiter } = position.cells();
    (mover | waiter).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::catalogue::standard_game;
    use std::collections::HashSet;

    #[test]
    fn the_sample_is_fair_and_the_same_for_a_seed() {
        // In the classic game, every arrangement that is not over can be reached.
        let game = standard_game("classic").unwrap();
        let all = reachable(&game);
        assert_eq!(all.len(), 5478 - 958);
        let sampled = sample(&game, 45_200, 3);
        assert_eq!(sampled.len(), 45_200);
        assert_eq!(sampled, sample(&game, 45_200, 3));
        assert_ne!(sampled, sample(&game, 45_200, 4));
        let all: HashSet<_> = all.into_iter().collect();
        assert!(sampled.iter().all(|position| all.contains(position)));
        // With ten draws per position, a position is missing with probability e⁻¹⁰. The expected number of missing
        // positions is 0.2.
        let seen: HashSet<_> = sampled.into_iter().collect();
        assert!(seen.len() > 4510, "{}", seen.len());
    }

    #[test]
    fn a_start_has_all_its_pieces() {
        let game = standard_game("shisima").unwrap();
        assert!(sample(&game, 100, 1).iter().all(|&position| pieces(position) == 6));
    }
}
