//! Explains to a player why a move is illegal.
//!
//! Returns the rule that the move breaks. The game must not be over, and the move must be illegal.

use super::ending::Ending;
use morpion_core::SHIFT;
use morpion_lookup::raw::Position;
use morpion_lookup::{Game, Move, Side};
use thiserror::Error;

/// Reason why a move is illegal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Illegal {
    /// The game is over.
    #[error("the game is over: {0}")]
    Over(Ending),
    /// The target cell is occupied.
    #[error("{cell} is not empty: {holder} has a piece there")]
    Taken {
        /// The cell.
        cell: String,
        /// `X` or `O`.
        holder: char,
    },
    /// The opening rule forbids the cell.
    #[error("{cell} may not be used yet: the opening rule forbids it")]
    Forbidden {
        /// The cell.
        cell: String,
    },
    /// The player still has pieces to place, and cannot move one.
    #[error("{side} still has pieces to place ({left}): name an empty cell")]
    StillPlacing {
        /// `X` or `O`.
        side: char,
        /// The number of pieces left to place.
        left: u32,
    },
    /// The rules do not let pieces move.
    #[error("pieces never move in this game: name an empty cell")]
    NeverMoving,
    /// The player has placed all pieces.
    #[error("{side} has placed all pieces: name one of them and its new cell")]
    AllPlaced {
        /// `X` or `O`.
        side: char,
    },
    /// The player does not have a piece on the cell.
    #[error("{side} has no piece on {cell}")]
    NotThere {
        /// `X` or `O`.
        side: char,
        /// The cell.
        cell: String,
    },
    /// The cells are not linked.
    #[error("{from} and {to} are not linked: from {from} a piece goes to {reach}")]
    NotLinked {
        /// The cell that the piece leaves.
        from: String,
        /// The target cell.
        to: String,
        /// The cells linked with `from`.
        reach: String,
    },
    /// The move makes a line, and names no piece to take.
    #[error("{mv} makes a line: name the piece to take too, as in {example}")]
    MustTake {
        /// The move.
        mv: String,
        /// A legal move of the same piece.
        example: String,
    },
    /// The game does not have such moves, or the position does not allow the move for a reason that has no message of its own.
    #[error("{mv} is not possible here: play one of {legal}")]
    NotHere {
        /// The move.
        mv: String,
        /// The first legal moves.
        legal: String,
    },
    /// The rules do not allow a pass.
    #[error("nobody may pass here")]
    NoPass,
}

/// The most legal moves that a message shows.
const SHOWN: usize = 12;

/// Finds the reason why a move is illegal.
pub(super) fn explain(game: &Game, position: Position, side: Side, mv: Move) -> Illegal {
    reason(game, position, side, mv).unwrap_or_else(|| not_here(game, position, mv))
}

/// The cells that a move of a piece leaves, if it is not new, and goes to.
fn ends(mv: Move) -> Option<(Option<u8>, u8)> {
    match mv {
        Move::Place { to } => Some((None, to)),
        Move::Shift { from, to } => Some((Some(from), to)),
        Move::Take { from, to, .. } => Some((from, to)),
        Move::Push { .. } | Move::Pass => None,
    }
}

/// The rule that a move breaks; `None` if it has no message of its own.
fn reason(game: &Game, position: Position, side: Side, mv: Move) -> Option<Illegal> {
    let Some((from, to)) = ends(mv) else { return (mv == Move::Pass).then_some(Illegal::NoPass) };
    let graph = game.raw().graph();
    let legal: Vec<Move> = game.raw().legal_moves(position).collect();
    let name = |cell: u8| game.format_cell(cell);
    let letter = |side: Side| side.letter().to_ascii_uppercase();
    let holds = |set: u64, cell: u8| cell < game.cells() && set >> cell & 1 == 1;
    if let Some(&same) = legal.iter().find(|&&other| ends(other) == Some((from, to))) {
        let is_unnamed = matches!(mv, Move::Place { .. } | Move::Shift { .. });
        let [mv, example] = [mv, same].map(|mv| game.format_move(mv));
        return is_unnamed.then_some(Illegal::MustTake { mv, example });
    }
    let moving = legal.iter().any(|&mv| ends(mv).is_some_and(|(from, _)| from.is_some()));
    let each = graph.layers.last().map_or(0, |last| u32::from(last.counts.mover));
    let left = match (game.raw().has_hands(), game.raw().has_ages()) {
        (true, _) => (position.mover >> SHIFT) as u32,
        (_, true) => 0,
        _ => each.saturating_sub(position.mover.count_ones()),
    };
    let allowed = game.raw().layer_of(position).and_then(|layer| game.raw().placements(layer));
    let neighbours = |from: u8| match game.raw().links() {
        None => "any empty cell".into(),
        Some(_) => game.format_cells(game.raw().neighbours(from)),
    };
    match from {
        None if moving && left == 0 => Some(Illegal::AllPlaced { side: letter(side) }),
        Some(_) if !graph.has_cycles() => Some(Illegal::NeverMoving),
        Some(_) if !moving && left > 0 => Some(Illegal::StillPlacing { side: letter(side), left }),
        Some(from) if moving && !holds(position.mover, from) => {
            Some(Illegal::NotThere { side: letter(side), cell: name(from) })
        }
        Some(from) if moving && from == to => Some(Illegal::NoPass),
        _ if holds(position.mover | position.waiter, to) => {
            let holder = if holds(position.mover, to) { side } else { side.other() };
            Some(Illegal::Taken { cell: name(to), holder: letter(holder) })
        }
        Some(from) if moving => {
            Some(Illegal::NotLinked { from: name(from), to: name(to), reach: neighbours(from) })
        }
        None if to < game.cells() && allowed.is_some_and(|cells| !holds(cells, to)) => {
            Some(Illegal::Forbidden { cell: name(to) })
        }
        _ => None,
    }
}

/// Names legal moves instead of a reason.
fn not_here(game: &Game, position: Position, mv: Move) -> Illegal {
    let mut legal: Vec<String> =
        game.raw().legal_moves(position).take(SHOWN + 1).map(|mv| game.format_move(mv)).collect();
    if legal.len() > SHOWN {
        legal[SHOWN] = "…".into();
    }
    Illegal::NotHere { mv: game.format_move(mv), legal: legal.join(" ") }
}
