//! One perfect line of play.
//!
//! In: a table and a position. Out: the positions and moves to the end of the game, or until a position is repeated.

#[cfg(feature = "schema")]
use super::schema;
use morpion_games::catalogue::Table;
use morpion_lookup::{Damage, Move, Over, Position, ProbeError, Side};
use serde::Serialize;
use std::collections::HashMap;

/// A game played perfectly by both sides from some position on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The positions with the side to move, the first one first: one more than there are moves.
    pub positions: Vec<(Position, Side)>,
    /// The moves between them.
    pub moves: Vec<Move>,
    /// Where it leads.
    pub end: End,
}

/// Where a line leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// To a finished game.
    Over(Over),
    /// To a repetition: the last position is that of this index, with the same side to move.
    Cycle(usize),
}

/// Plays on from `position`, both sides by the first perfect move of [`Table::ranked_moves`], to the end or until a position
/// is repeated.
///
/// A win or a loss always ends, after exactly its distance in half-moves. Costs one lookup of all moves a half-move.
///
/// # Errors
/// As [`Table::ranked_moves`].
pub fn line(table: &Table, position: Position, side: Side) -> Result<Line, ProbeError> {
    line_until(table, position, side, &|| Ok(()))
}

/// [`line()`], stopped as soon as `check` fails, which is called before every move.
///
/// # Errors
/// As [`line()`], and the error of `check`.
pub fn line_until<E: From<ProbeError>>(
    table: &Table,
    position: Position,
    side: Side,
    check: &dyn Fn() -> Result<(), E>,
) -> Result<Line, E> {
    let (mut at, mut side) = (position, side);
    let mut line = Line { positions: Vec::new(), moves: Vec::new(), end: End::Cycle(0) };
    let mut seen = HashMap::new();
    loop {
        check()?;
        line.positions.push((at, side));
        if let Some(before) = seen.insert((at, side), line.moves.len()) {
            line.end = End::Cycle(before);
            return Ok(line);
        }
        let Some(best) = table.ranked_moves(at)?.first().copied() else {
            let over = table.over(at)?;
            line.end = End::Over(over.ok_or(ProbeError::Damaged(Damage::Entry))?);
            return Ok(line);
        };
        line.moves.push(best.mv);
        (at, side) = (at.after(best.mv), side.other());
    }
}

/// A line as text, as `line --json` and the server give it. The keys of its JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Line))]
pub struct LineAnswer {
    /// The game's name.
    pub game: String,
    /// The positions in their strict form, one more than there are moves.
    pub positions: Vec<String>,
    /// The moves between them.
    pub moves: Vec<String>,
    /// Only where the line closes a cycle: the index of the position that the last one repeats.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub cycle: Option<usize>,
    /// `line`, `full` or `stuck`, where the game comes to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = schema::Over, nullable = false))]
    pub over: Option<&'static str>,
}

impl LineAnswer {
    /// The text of a line of this table's game.
    pub fn new(table: &Table, line: &Line) -> LineAnswer {
        let game = table.game();
        let position = |&(position, side): &(Position, Side)| game.format_position(position, side);
        LineAnswer {
            game: game.rules().name.clone(),
            positions: line.positions.iter().map(position).collect(),
            moves: line.moves.iter().map(|&mv| game.format_move(mv)).collect(),
            cycle: if let End::Cycle(before) = line.end { Some(before) } else { None },
            over: if let End::Over(over) = line.end { Some(over.name()) } else { None },
        }
    }
}
