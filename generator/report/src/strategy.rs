//! Positions that one side can force.
//!
//! Lists all positions that can follow and are won for a side, and a perfect move if it is to
//! move, a perfect move.

use morpion_games::catalogue::Table;
use morpion_games::reach::{Reached, Sides, arrangements_from, reachable};
use morpion_lookup::raw::Position;
use morpion_lookup::{Game, Move, ProbeError, Side, Value};
use thiserror::Error;

/// The most arrangements that are walked through, a bit each: 4 GiB, and in the movement layer once more as many while
/// they are walked through.
const LIMIT: u64 = 1 << 35;

/// Reason why there is no strategy.
#[derive(Debug, Error)]
pub enum StrategyError {
    /// The table gives no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Too much can happen from this position on.
    #[error(
        "{found} arrangements can follow this position, expected at most {LIMIT}: ask about a later one"
    )]
    TooMany {
        /// Number of arrangements.
        found: u64,
    },
}

/// All that can happen from one position on.
#[derive(Debug)]
pub struct Reach {
    /// The position it starts from, and the side to move there.
    root: (Position, Side),
    /// In the order of play.
    layers: Vec<Reached>,
}

impl Reach {
    /// Walks through everything that can follow `position` with `side` to move, both sides playing any legal moves.
    ///
    /// # Errors
    /// If that is more than 2³⁵ arrangements, or `position` is not a position of the game.
    pub fn new(game: &Game, position: Position, side: Side) -> Result<Reach, StrategyError> {
        game.check(position).map_err(ProbeError::from)?;
        let found = arrangements_from(game, position, Sides::Apart);
        if found > LIMIT {
            return Err(StrategyError::TooMany { found });
        }
        Ok(Reach { root: (position, side), layers: reachable(game, position, Sides::Apart) })
    }

    /// Every position that can be reached and is won for `winner`, in the order of play.
    ///
    /// One boxed iterator, so that this search is compiled here, once, whoever goes through it.
    pub fn won<'r>(
        &'r self,
        table: &'r Table,
        winner: Side,
    ) -> Box<dyn Iterator<Item = Result<Won, ProbeError>> + 'r> {
        Box::new(self.layers.iter().flat_map(move |layer| {
            let side = if layer.root_moves() { self.root.1 } else { self.root.1.other() };
            layer
                .positions()
                .filter_map(move |position| won(table, position, side, winner).transpose())
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
    /// The first perfect move, if that side is the winner and the game is not over.
    pub mv: Option<Move>,
}

/// Result of a position for `winner`; `None` if it does not win.
fn won(
    table: &Table,
    position: Position,
    side: Side,
    winner: Side,
) -> Result<Option<Won>, ProbeError> {
    let wanted = if side == winner { Value::Win } else { Value::Loss };
    if table.probe(position)?.value() != wanted {
        return Ok(None);
    }
    let best = if side == winner { table.best(position)? } else { None };
    Ok(Some(Won { position, side, mv: best.map(|best| best.mv) }))
}
