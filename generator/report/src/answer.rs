//! The answer about one position, printed by `query --json` and by the server.
//!
//! Collects the value and the distance of a position, and of all its moves, as text for JSON.

use super::ranking::{Ranked, Trap, ranking};
use super::schema;
use morpion_games::catalogue::Table;
use morpion_lookup::raw::{SHIFT, Sequence};
use morpion_lookup::{DrawKind, Game, Move, Over, Position, ProbeError};
use schemars::JsonSchema;
use serde::Serialize;

/// The table's answer about a position. The keys of its JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Answer {
    /// The game's name.
    pub game: String,
    /// The position in canonical form.
    pub position: String,
    /// `win`, `draw` or `loss`, for the side to move.
    #[schemars(with = "schema::ValueName")]
    pub value: &'static str,
    /// Half-moves to the end under perfect play; `null` for a draw or if the table has no distances.
    pub plies: Option<u16>,
    /// `end` or `cycle` if the value is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "schema::DrawName")]
    pub draw: Option<&'static str>,
    /// Pieces in hand, in games whose lines take pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Sides<u64>")]
    pub hands: Option<Sides<u64>>,
    /// The cells of the pieces of both sides, the oldest first, in games whose pieces age.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Sides<Vec<String>>")]
    pub ages: Option<Sides<Vec<String>>>,
    /// `line`, `full`, `stuck`, `own-line` or `few` if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "schema::OverName")]
    pub over: Option<&'static str>,
    /// Every perfect move.
    pub best: Vec<String>,
    /// All moves in the order of the cells, each with its value for the side that makes it.
    pub moves: Vec<MoveAnswer>,
}

/// A fact about each side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Sides<T> {
    /// The fact about X.
    pub x: T,
    /// The fact about O.
    pub o: T,
}

/// One move of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MoveAnswer {
    /// The move as text.
    #[serde(rename = "move")]
    pub mv: String,
    /// `win`, `draw` or `loss`, for the side that moves.
    #[schemars(with = "schema::ValueName")]
    pub value: &'static str,
    /// Half-moves to the end, from the position before the move; `null` for a draw or if the table has no distances.
    pub plies: Option<u16>,
    /// `end` or `cycle` if the value is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "schema::DrawName")]
    pub draw: Option<&'static str>,
    /// The position after the move.
    pub position: String,
    /// The cell of the piece that the move takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub take: Option<String>,
    /// The two cells of a push: the cube that is taken, and the end at which it goes in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[String; 2]")]
    pub push: Option<[String; 2]>,
    /// Difficulty of answering the move, if it keeps a draw and traps are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Trap")]
    pub trap: Option<Trap>,
}

impl Answer {
    /// Reads the position and its moves from the table. Counts traps if asked to, at the cost of [`ranking`].
    ///
    /// # Errors
    /// If the table does not contain the position, or is damaged.
    pub fn new(table: &Table, position: Position, traps: bool) -> Result<Answer, ProbeError> {
        let game = table.game();
        let score = table.probe(position)?;
        let over = game.over(position);
        let mut moves = ranking(table, position.raw, traps)?;
        let best = moves.first().map(|best| best.score.preference());
        moves.sort_by_key(|ranked| ranked.mv);
        let is_best = |ranked: &&Ranked| Some(ranked.score.preference()) == best;
        let perfect = moves.iter().filter(is_best);
        Ok(Answer {
            game: game.rules().name.clone(),
            position: position.to_string(),
            value: score.value().name(),
            plies: score.plies(),
            draw: score.draw().map(DrawKind::name),
            hands: hands(game, position),
            ages: ages(game, position),
            over: over.map(Over::name),
            best: perfect.map(|ranked| game.format_move(ranked.mv)).collect(),
            moves: moves
                .into_iter()
                .map(|ranked| MoveAnswer {
                    mv: game.format_move(ranked.mv),
                    value: ranked.score.value().name(),
                    plies: ranked.score.plies(),
                    draw: ranked.score.draw().map(DrawKind::name),
                    position: game.after(position, ranked.mv).to_string(),
                    take: match ranked.mv {
                        Move::Take { take, .. } => Some(game.format_cell(take)),
                        _ => None,
                    },
                    push: match ranked.mv {
                        Move::Push { from, to } => {
                            Some([from, to].map(|cell| game.format_cell(cell)))
                        }
                        _ => None,
                    },
                    trap: ranked.trap,
                })
                .collect(),
        })
    }
}

/// Pieces in hand; `None` if the game has no such pieces.
fn hands(game: &Game, position: Position) -> Option<Sides<u64>> {
    let (x, o) = position.raw.sides(position.side);
    game.rules().further.mills.map(|_| Sides { x: x >> SHIFT, o: o >> SHIFT })
}

/// The cells of pieces, the oldest first; `None` if pieces do not age.
fn ages(game: &Game, position: Position) -> Option<Sides<Vec<String>>> {
    let (x, o) = position.raw.sides(position.side);
    let names =
        |word| Sequence::of(word).cells().iter().map(|&cell| game.format_cell(cell)).collect();
    game.rules().further.oldest.map(|_| Sides { x: names(x), o: names(o) })
}
