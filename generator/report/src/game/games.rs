//! Number of games: ways to play from the start to the end, by length and by result.
//!
//! Ply by ply from the start, each class of symmetric positions gets the number of ways to reach it. Symmetric positions have as many
//! ways, so that classes also suffice to count every game.

use super::count::Symmetry;
use super::least::Least;
use crate::error::ReportError;
use morpion_core::{Position, Score, Side};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;
use serde::{Serialize, Serializer};
use std::collections::HashMap;

/// Number of games. With a symmetry, games are the same whose positions are symmetric, each by a symmetry of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Games {
    /// Number of all games.
    #[serde(serialize_with = "as_text")]
    pub games: u128,
    /// Number of games with 0, 1, … moves.
    #[serde(serialize_with = "as_texts")]
    pub games_by_length: Vec<u128>,
    /// Number of games that X wins, that O wins, and that are drawn.
    #[serde(serialize_with = "as_texts")]
    pub games_by_result: [u128; 3],
}

/// Written as text, since many JSON readers round numbers above 2⁵³.
fn as_text<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

fn as_texts<S: Serializer>(numbers: &[u128], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.iter().map(u128::to_string))
}

/// Bytes of a position with its number in a hash table that has just grown.
const BYTES: u64 = 80;

/// Counts the games that are possible in a table's game.
///
/// Takes up to 80 bytes for each entry of two layers, and at most `memory` bytes.
///
/// # Errors
/// If the game continues by moving pieces, if memory does not suffice, or if `progress` requests a stop.
pub fn games(
    table: &Table,
    symmetry: Symmetry,
    memory: Option<u64>,
    progress: &dyn Progress,
) -> Result<Games, ReportError> {
    let game = table.game();
    let name = || game.name().to_owned();
    if game.graph().has_cycles() {
        return Err(ReportError::Movement { game: name() });
    }
    let entries = table.raw().header().layers.iter().map(|layer| layer.entries());
    let two = entries.clone().zip(entries.skip(1)).map(|(one, next)| one + next).max();
    let needed = BYTES * two.unwrap_or(1);
    if let Some(most) = memory.filter(|most| needed > *most) {
        return Err(ReportError::Memory { game: name(), needed, most });
    }
    let folding = if symmetry == Symmetry::None { Symmetry::Rules } else { symmetry };
    let least = Least::new(game.cells(), folding.permutations(game, progress)?);
    let (mut by_length, mut by_result) = (Vec::new(), [0u128; 3]);
    let mut present = HashMap::from([(game.start().raw, 1u128)]);
    let too_many = || ReportError::TooManyGames { game: name() };
    while !present.is_empty() {
        progress.check()?;
        let (mut ended, mut next) = (0u128, HashMap::new());
        // X moves first, and the sides move in turn.
        let mover = if by_length.len() % 2 == 0 { Side::X } else { Side::O };
        for (position, ways) in present {
            let add = |sum: &mut u128| {
                *sum = sum.checked_add(ways)?;
                Some(())
            };
            if let Some(over) = game.end_at(position) {
                let result = match (game.final_score(over), mover) {
                    (Score::Draw { .. }, _) => 2,
                    (Score::Win { .. }, Side::X) | (Score::Loss { .. }, Side::O) => 0,
                    _ => 1,
                };
                add(&mut ended).and_then(|()| add(&mut by_result[result])).ok_or_else(too_many)?;
                continue;
            }
            let after = |mv| least.of(game.apply(position, mv));
            let mut children: Vec<Position> = game.moves_at(position).map(after).collect();
            if symmetry != Symmetry::None {
                children.sort_unstable();
                children.dedup();
            }
            for child in children {
                add(next.entry(child).or_insert(0)).ok_or_else(too_many)?;
            }
        }
        by_length.push(ended);
        present = next;
    }
    let all = by_length.iter().try_fold(0u128, |sum, &games| sum.checked_add(games));
    Ok(Games {
        games: all.ok_or_else(too_many)?,
        games_by_length: by_length,
        games_by_result: by_result,
    })
}
