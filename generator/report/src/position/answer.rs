//! The answer about one position, printed by `query --json` and by the server.
//!
//! Collects the value and the distance of a position, and of all its moves, as text for JSON.

use super::ranking::{Trap, best, ranking};
use crate::diagram::in_hand;
use crate::worth::Worth;
use morpion_core::{Game, Move, Over, ProbeError, Sequence, Situation};
use morpion_games::catalogue::Table;
use serde::Serialize;

/// The table's answer about a position. The keys of its JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The game's name.
    pub game: String,
    /// The position in canonical form.
    pub position: String,
    /// The worth of the position for the side to move.
    #[serde(flatten)]
    pub worth: Worth,
    /// Pieces in hand, in games whose lines take pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hands: Option<Sides<u64>>,
    /// The cells of the pieces of both sides, the oldest first, in games whose pieces age.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ages: Option<Sides<Vec<String>>>,
    /// `line`, `full`, `stuck`, `own-line` or `few` if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<&'static str>,
    /// Every perfect move.
    pub best: Vec<String>,
    /// All moves in the order of the cells, each with its value for the side that makes it.
    pub moves: Vec<MoveAnswer>,
}

/// A fact about each side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sides<T> {
    /// The fact about X.
    pub x: T,
    /// The fact about O.
    pub o: T,
}

/// One move of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveAnswer {
    /// The move as text.
    #[serde(rename = "move")]
    pub mv: String,
    /// The worth of the move for the side that moves.
    #[serde(flatten)]
    pub worth: Worth,
    /// The position after the move.
    pub position: String,
    /// The cell of the piece that the move takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<String>,
    /// The cell of the second piece that the move takes, if two lines take two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also: Option<String>,
    /// The two cells of a push: the cube that is taken, and the end at which it goes in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub push: Option<[String; 2]>,
    /// Difficulty of answering the move, if it keeps a draw and traps are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trap: Option<Trap>,
}

impl Answer {
    /// Reads the position and its moves from the table. With `traps`, also counts traps, at the cost of [`ranking`].
    ///
    /// # Errors
    /// If the table does not contain the position, or is damaged.
    pub fn new(table: &Table, position: Situation, traps: bool) -> Result<Answer, ProbeError> {
        let game = table.game();
        let score = table.probe(position)?;
        let over = game.end_at(position);
        let mut moves = ranking(table, position.raw, traps)?;
        let mut perfect: Vec<Move> = best(&moves).iter().map(|ranked| ranked.mv).collect();
        perfect.sort();
        moves.sort_by_key(|ranked| ranked.mv);
        Ok(Answer {
            game: game.name().to_owned(),
            position: game.format_position(position),
            worth: score.into(),
            hands: in_hand(game, position).map(|[x, o]| Sides { x, o }),
            ages: ages(game, position),
            over: over.map(Over::name),
            best: perfect.into_iter().map(|mv| game.format_move(mv)).collect(),
            moves: moves
                .into_iter()
                .map(|ranked| {
                    let cell = |cell: u8| game.format_cell(cell);
                    let (take, also, push) = match ranked.mv {
                        Move::Take { take, also, .. } => (Some(cell(take)), also.map(cell), None),
                        Move::Push { from, to } => (None, None, Some([from, to].map(cell))),
                        Move::Place { .. } | Move::Shift { .. } | Move::Pass => (None, None, None),
                    };
                    MoveAnswer {
                        mv: game.format_move(ranked.mv),
                        worth: ranked.score.into(),
                        position: game.format_position(game.after(position, ranked.mv)),
                        take,
                        also,
                        push,
                        trap: ranked.trap,
                    }
                })
                .collect(),
        })
    }
}

/// The cells of pieces, the oldest first; `None` if pieces do not age.
fn ages(game: &Game, position: Situation) -> Option<Sides<Vec<String>>> {
    let (x, o) = position.raw.sides(position.side);
    let names =
        |word| Sequence::of(word).cells().iter().map(|&cell| game.format_cell(cell)).collect();
    game.has_ages().then(|| Sides { x: names(x), o: names(o) })
}
