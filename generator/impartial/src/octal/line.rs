//! A line of play of a sum of heaps.

use super::answer::{AnswerError, HeapMove};
use super::normal::answer;
use morpion_grundy::{Code, GrundyTable};
use morpion_machine::progress::Progress;
use schemars::JsonSchema;
use serde::Serialize;

/// A line in which the winner plays perfectly until no move is left. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HeapLine {
    /// The game's code.
    pub code: String,
    /// The heaps before each move and after the last one.
    pub positions: Vec<Vec<u64>>,
    /// The moves.
    pub moves: Vec<HeapMove>,
}

/// Plays from a sum of heaps in normal play.
///
/// # Errors
/// If the table has no value for a heap, or `progress` requests a stop.
pub fn line(
    table: &GrundyTable,
    heaps: Vec<u64>,
    progress: &dyn Progress,
) -> Result<HeapLine, AnswerError> {
    let (code, _) = table.octal()?;
    let mut line = HeapLine { code: code.to_string(), positions: Vec::new(), moves: Vec::new() };
    let mut next = Some(heaps);
    while let Some(heaps) = next {
        let best = answer(table, &heaps, 1, progress)?.moves.into_iter().next();
        // In a lost sum all moves are equally good.
        let mv = best.or_else(|| any_move(code, &heaps));
        next = mv.as_ref().map(|mv| after(&heaps, mv));
        line.positions.push(heaps);
        line.moves.extend(mv);
    }
    Ok(line)
}

/// The first legal move of the first heap that has one.
fn any_move(code: &Code, heaps: &[u64]) -> Option<HeapMove> {
    let mut moves = heaps.iter().flat_map(|&heap| (0..=heap).map(move |take| (heap, take)));
    moves.find_map(|(heap, take)| {
        let leave = match (code.digit(take), heap - take) {
            (digit, 0) if digit & 1 != 0 => vec![],
            (digit, left @ 1..) if digit & 2 != 0 => vec![left],
            (digit, left @ 2..) if digit & 4 != 0 => vec![1, left - 1],
            _ => return None,
        };
        Some(HeapMove { heap, take, leave })
    })
}

/// The heaps after a move, without empty heaps.
fn after(heaps: &[u64], mv: &HeapMove) -> Vec<u64> {
    let mut heaps = heaps.to_vec();
    if let Some(place) = heaps.iter().position(|heap| *heap == mv.heap) {
        heaps.splice(place..=place, mv.leave.iter().copied());
    }
    heaps.retain(|heap| *heap > 0);
    heaps
}
