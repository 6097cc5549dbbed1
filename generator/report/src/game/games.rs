//! Number of games: ways to play from the start to the end, by length and by result.
//!
//! Ply by ply from the start, each class of symmetric positions gets the number of ways to reach it. Symmetric positions are reached in
//! equally many ways, so one position of each class suffices to count every game.

use super::count::Symmetry;
use super::least::Least;
use crate::error::ReportError;
use crate::worth::winner;
use morpion_core::{Game, Position, Side};
use morpion_games::catalogue::Table;
use morpion_machine::progress::Progress;
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::mem;

/// Number of games. With a symmetry, two games count once if their positions after each move are symmetric.
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

/// Writes a number as text, since many JSON readers round numbers above 2⁵³.
fn as_text<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

fn as_texts<S: Serializer>(numbers: &[u128], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.iter().map(u128::to_string))
}

/// Bytes of one position with its number of ways, in a hash table that has just grown.
const BYTES: u64 = 80;

/// Sums numbers of games.
fn total(numbers: impl IntoIterator<Item = u128>) -> Result<u128, ReportError> {
    let sum = numbers.into_iter().try_fold(0, u128::checked_add);
    sum.ok_or(ReportError::TooManyGames)
}

fn check_memory(needed: u64, memory: Option<u64>) -> Result<(), ReportError> {
    match memory {
        Some(most) if needed > most => Err(ReportError::Memory { needed, most }),
        _ => Ok(()),
    }
}

/// The positions after some number of moves, with the number of ways to reach each position.
struct Ply<'g> {
    game: &'g Game,
    mover: Side,
    least: Least,
    /// True if moves to symmetric positions are one move.
    is_folded: bool,
    ways: HashMap<Position, u128>,
}

impl<'g> Ply<'g> {
    /// The start of the game.
    fn start(
        game: &'g Game,
        symmetry: Symmetry,
        progress: &dyn Progress,
    ) -> Result<Ply<'g>, ReportError> {
        let is_folded = symmetry != Symmetry::None;
        let least = Least::new(game.cells(), symmetry.folding(game, progress)?);
        let ways = HashMap::from([(game.start().raw, 1)]);
        Ok(Ply { game, mover: game.start().side, least, is_folded, ways })
    }

    /// Replaces the positions by the positions after one more move. Returns the numbers of games that end in these positions: wins of X,
    /// wins of O, and draws.
    ///
    /// # Errors
    /// If a number exceeds 128 bits.
    fn follow(&mut self) -> Result<[u128; 3], ReportError> {
        let (game, mut ended, mut next) = (self.game, [0; 3], HashMap::new());
        for (position, ways) in mem::take(&mut self.ways) {
            if let Some(over) = game.end_at(position) {
                let won_by = winner(game.final_score(over).value(), self.mover);
                let result = won_by.map_or(2, |side| side as usize);
                ended[result] = total([ended[result], ways])?;
                continue;
            }
            let after = |mv| self.least.of(game.apply(position, mv));
            let mut children: Vec<Position> = game.moves_at(position).map(after).collect();
            if self.is_folded {
                children.sort_unstable();
                children.dedup();
            }
            for child in children {
                let sum = next.entry(child).or_insert(0);
                *sum = total([*sum, ways])?;
            }
        }
        (self.ways, self.mover) = (next, self.mover.other());
        Ok(ended)
    }
}

/// Counts the games that can be played from the start of the table's game.
///
/// Takes up to 80 bytes of memory for each entry of two successive layers, and at most `memory` bytes.
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
    if game.graph().has_cycles() {
        return Err(ReportError::Movement);
    }
    let entries = table.raw().header().layers.iter().map(|layer| layer.entries());
    let two = entries.clone().zip(entries.skip(1)).map(|(one, next)| one + next).max();
    check_memory(BYTES * two.unwrap_or(1), memory)?;
    let (mut by_length, mut by_result) = (Vec::new(), [0; 3]);
    let mut ply = Ply::start(game, symmetry, progress)?;
    while !ply.ways.is_empty() {
        progress.check()?;
        let ended = ply.follow()?;
        by_length.push(total(ended)?);
        for (sum, ended) in by_result.iter_mut().zip(ended) {
            *sum = total([*sum, ended])?;
        }
    }
    Ok(Games {
        games: total(by_length.iter().copied())?,
        games_by_length: by_length,
        games_by_result: by_result,
    })
}

/// Counts the lines of play of 1 to `most` moves from the start of a game, to compare implementations of the rules.
///
/// Takes up to 160 bytes of memory for each position that is reached by the same number of moves, and at most `memory` bytes.
///
/// # Errors
/// If memory does not suffice, a number exceeds 128 bits, or `progress` requests a stop.
pub fn lines(
    game: &Game,
    symmetry: Symmetry,
    most: usize,
    memory: Option<u64>,
    progress: &dyn Progress,
) -> Result<Vec<u128>, ReportError> {
    let mut ply = Ply::start(game, symmetry, progress)?;
    let mut lines = Vec::new();
    while lines.len() < most {
        progress.check()?;
        ply.follow()?;
        lines.push(total(ply.ways.values().copied())?);
        check_memory(2 * BYTES * ply.ways.len() as u64, memory)?;
    }
    Ok(lines)
}
