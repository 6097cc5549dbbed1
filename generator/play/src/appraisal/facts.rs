//! The facts of an appraisal.

use crate::arena::Results;
use morpion_report::census::DeepestText;
use morpion_report::ranking::Trap;
use morpion_report::worth::Worth;
use serde::Serialize;

/// Facts about a game. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Appraisal {
    /// The game's name.
    pub game: String,
    /// The verdict in one sentence.
    pub verdict: String,
    /// Sentences that say how to make the game fairer, and how much skill decides.
    pub remedies: Vec<String>,
    /// The worth of the start for the side that begins.
    #[serde(flatten)]
    pub worth: Worth,
    /// The first moves, the best first.
    pub first_moves: Vec<FirstMoves>,
    /// Numbers of positions with a choice, and of positions in which only one move is good.
    pub choices: Choices,
    /// The longest win of all arrangements; `null` if there is none or the table has no distances.
    pub longest_win: Option<DeepestText>,
    /// Games of each pair of players for each assignment of the colours.
    pub games: u32,
    /// The levels of play, the weakest first.
    pub levels: Vec<Level>,
}

/// First moves that symmetries of the rules take to each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstMoves {
    /// The moves.
    pub moves: Vec<String>,
    /// The worth of each move for the side that makes it.
    #[serde(flatten)]
    pub worth: Worth,
    /// Difficulty of the reply to one of the moves, if these moves keep a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trap: Option<Trap>,
    /// Share of the points, 0 to 1, for the side that begins, if club players continue after one of the moves.
    pub club_points: f64,
}

/// Positions in which the game continues: all that play can reach, or a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Choices {
    /// Number of positions.
    pub positions: u64,
    /// `true` if the positions are a sample of all arrangements.
    pub sampled: bool,
    /// Positions with a choice: won or drawn, with several legal moves.
    pub choices: u64,
    /// Positions with a choice in which exactly one move keeps the value.
    pub only_moves: u64,
}

/// The games of a player against itself and against a perfect player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Level {
    /// The player.
    pub player: String,
    /// Results of the games against itself. A game is broken off after 200 half-moves.
    #[serde(flatten)]
    pub results: Results,
    /// Lengths of the games against itself.
    pub length: Lengths,
    /// Games against a perfect player; `null` for the perfect player.
    pub against_perfect: Option<AgainstPerfect>,
    /// Share of the points, 0 to 1, against the level below, half of the games with each side; `null` for the weakest level.
    pub against_weaker: Option<f64>,
}

/// Lengths of games in half-moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lengths {
    /// Shortest game.
    pub shortest: u32,
    /// Mean of all games.
    pub mean: f64,
    /// Longest game.
    pub longest: u32,
}

/// The games of a player against a perfect player, half of them with each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AgainstPerfect {
    /// Number of games.
    pub games: u32,
    /// Games that the player lost.
    pub losses: u32,
    /// Games in which the player was to move in a drawn position.
    pub drawn: u32,
    /// Games counted in `drawn` that the player lost: it threw the draw away.
    pub draws_lost: u32,
}
