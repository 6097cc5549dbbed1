//! Explains to a player why a move is illegal.
//!
//! Returns the rule that the move breaks. The game must not be over, and the move must be illegal.

use morpion_core::{Game, Move, Position, SHIFT, Side};
use morpion_report::phrases::capital;
use thiserror::Error;

/// Reason why a move is illegal, as a sentence for the player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Illegal(pub(super) String);

/// Message for a pass that the rules do not allow.
const NO_PASS: &str = "nobody may pass here";

/// The most legal moves that a message shows.
const SHOWN: usize = 12;

/// Finds the reason why a move is illegal.
pub(super) fn explain(game: &Game, position: Position, side: Side, mv: Move) -> Illegal {
    Illegal(reason(game, position, side, mv).unwrap_or_else(|| not_here(game, position, mv)))
}

/// The cell that the piece of a move leaves, `None` for a new piece, and the cell to which it goes.
fn ends(mv: Move) -> Option<(Option<u8>, u8)> {
    match mv {
        Move::Place { to } => Some((None, to)),
        Move::Shift { from, to } => Some((Some(from), to)),
        Move::Take { from, to, .. } => Some((from, to)),
        Move::Push { .. } | Move::Pass => None,
    }
}

/// Names the rule that a move breaks; `None` if the rule has no message of its own.
fn reason(game: &Game, position: Position, side: Side, mv: Move) -> Option<String> {
    let Some((from, to)) = ends(mv) else { return (mv == Move::Pass).then(|| NO_PASS.into()) };
    let graph = game.graph();
    let legal: Vec<Move> = game.moves_at(position).collect();
    let name = |cell: u8| game.format_cell(cell);
    let holds = |set: u64, cell: u8| cell < game.cells() && set >> cell & 1 == 1;
    if let Some(&same) = legal.iter().find(|&&other| ends(other) == Some((from, to))) {
        let is_unnamed = matches!(mv, Move::Place { .. } | Move::Shift { .. });
        let [mv, example] = [mv, same].map(|mv| game.format_move(mv));
        let must_take =
            || format!("{mv} makes a line: name the piece to take too, as in {example}");
        return is_unnamed.then(must_take);
    }
    let moving = legal.iter().any(|&mv| ends(mv).is_some_and(|(from, _)| from.is_some()));
    let each = graph.layers.last().map_or(0, |last| u32::from(last.counts.mover));
    let left = match (game.has_hands(), game.has_ages()) {
        (true, _) => (position.mover >> SHIFT) as u32,
        (_, true) => 0,
        _ => each.saturating_sub(position.mover.count_ones()),
    };
    let layer = game.layer_of(position);
    let allowed = layer.map_or(0, |layer| game.moves(layer).placements);
    let mover = capital(side);
    Some(match from {
        None if moving && left == 0 => {
            format!("{mover} has placed all pieces: name one of them and its new cell")
        }
        Some(_) if !graph.has_cycles() => {
            "pieces never move in this game: name an empty cell".into()
        }
        Some(_) if !moving && left > 0 => {
            format!("{mover} still has pieces to place ({left}): name an empty cell")
        }
        Some(from) if moving && !holds(position.mover, from) => {
            format!("{mover} has no piece on {}", name(from))
        }
        Some(from) if moving && from == to => NO_PASS.into(),
        _ if holds(position.mover | position.waiter, to) => {
            let holder = if holds(position.mover, to) { side } else { side.other() };
            format!("{} is not empty: {} has a piece there", name(to), capital(holder))
        }
        Some(from) if moving => {
            let of_piece = legal.iter().filter_map(|&mv| ends(mv));
            let targets = of_piece.filter(|ends| ends.0 == Some(from)).map(|ends| 1 << ends.1);
            let reach = match targets.fold(0, |reach: u64, to| reach | to) {
                0 => "no cell".into(),
                reach => game.format_cells(reach),
            };
            let (from, to) = (name(from), name(to));
            format!("{from}-{to} is not possible here: the piece on {from} goes to {reach}")
        }
        None if to < game.cells() && allowed != 0 && !holds(allowed, to) => {
            format!("{} may not be used yet: the opening rule forbids it", name(to))
        }
        _ => return None,
    })
}

/// Names legal moves instead of a reason.
fn not_here(game: &Game, position: Position, mv: Move) -> String {
    let mut legal: Vec<String> =
        game.moves_at(position).take(SHOWN + 1).map(|mv| game.format_move(mv)).collect();
    if legal.len() > SHOWN {
        legal[SHOWN] = "…".into();
    }
    format!("{} is not possible here: play one of {}", game.format_move(mv), legal.join(" "))
}
