//! Positions from which one side can force a win.
//!
//! Lists all reachable positions that are won for a side. If that side is to move, each has a perfect move.

use crate::error::ReportError;
use morpion_core::{Game, Move, Position, ProbeError, Side, Value};
use morpion_games::catalogue::Table;
use morpion_games::reach::reached::Reached;
use morpion_games::reach::walk::{Sides, arrangements_from, reachable};

/// Maximum number of arrangements to follow, one bit each: 4 GiB, and twice as much while the movement layer is
/// followed.
const LIMIT: u128 = 1 << 35;

/// All positions that can follow a position.
#[derive(Debug)]
pub struct Reach {
    /// The first position and its side to move.
    root: (Position, Side),
    /// The reached positions, in the order of play.
    layers: Vec<Reached>,
}

impl Reach {
    /// Follows all legal moves of both sides from `position` with `side` to move.
    ///
    /// # Errors
    /// If more than 2³⁵ arrangements can follow or they do not fit in memory, or `position` is not a position of the game.
    pub fn new(game: &Game, position: Position, side: Side) -> Result<Reach, ReportError> {
        game.check(position).map_err(ProbeError::from)?;
        let found = arrangements_from(game, position, Sides::Apart);
        if found > LIMIT {
            return Err(ReportError::TooManyArrangements { found, limit: LIMIT });
        }
        Ok(Reach { root: (position, side), layers: reachable(game, position, Sides::Apart)? })
    }

    /// Every reached position that is won for `winner`, in the order of play.
    ///
    /// The iterator is boxed, so that this search is compiled only once.
    pub fn won<'r>(
        &'r self,
        table: &'r Table,
        winner: Side,
    ) -> Box<dyn Iterator<Item = Result<Won, ProbeError>> + 'r> {
        Box::new(self.layers.iter().flat_map(move |layer| {
            let side = if layer.root_moves() { self.root.1 } else { self.root.1.other() };
            let wanted = if side == winner { Value::Win } else { Value::Loss };
            let won = move |position| {
                if table.probe(position)?.value() != wanted {
                    return Ok(None);
                }
                let best = if side == winner { table.best_move(position)? } else { None };
                Ok(Some(Won { position, side, mv: best.map(|best| best.mv) }))
            };
            layer.positions().filter_map(move |position| won(position).transpose())
        }))
    }
}

/// A position that is won for one side.
#[derive(Clone, Copy, Debug)]
pub struct Won {
    /// The position.
    pub position: Position,
    /// The side to move there.
    pub side: Side,
    /// A perfect move, if the winner is to move and the game is not over.
    pub mv: Option<Move>,
}
