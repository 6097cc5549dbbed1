//! One perfect line of play as text.
//!
//! Formats the positions and moves of a line of play.

use morpion_core::Game;
use morpion_lookup::{LineEnd, LineOfPlay};
use serde::Serialize;

/// A line as text, returned by `query --line --json` and by the server. The keys of its JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineAnswer {
    /// The game's name.
    pub game: String,
    /// The positions in canonical form, one more than the moves.
    pub positions: Vec<String>,
    /// The moves.
    pub moves: Vec<String>,
    /// Index of the position that the last one repeats, if the line closes a cycle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<usize>,
    /// `line`, `full` or `stuck` if the game ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<&'static str>,
}

impl LineAnswer {
    /// Formats a line of `game`.
    pub fn new(game: &Game, line: &LineOfPlay) -> LineAnswer {
        LineAnswer {
            game: game.name().to_owned(),
            positions: line.positions.iter().map(|&at| game.format_position(at)).collect(),
            moves: line.moves.iter().map(|best| game.format_move(best.mv)).collect(),
            cycle: if let Some(LineEnd::Cycle(before)) = line.end { Some(before) } else { None },
            over: if let Some(LineEnd::Over(over)) = line.end { Some(over.name()) } else { None },
        }
    }
}
