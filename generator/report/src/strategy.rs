//! What one side can force from a position on: all positions won for it, and a move for each that is its turn.
//!
//! The positions that play can reach are marked in sets of bits, one bit an arrangement, a layer at a time: a bit set
//! takes an eighth of what the table's own arrangements would, so that even the larger games can be walked through
//! completely.

use morpion_lookup::raw::rank::{binomial, compress, expand, rank, unrank};
use morpion_lookup::{Counts, Game, Move, Position, ProbeError, Side, Table, Value};
use thiserror::Error;

/// The most arrangements that are walked through: 4 GiB of bits.
pub const LIMIT: u64 = 1 << 35;

/// Why there is no strategy to be had.
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
        /// How many arrangements there are.
        found: u64,
    },
}

/// All that can happen from one position on.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The position it starts from.
    root: Position,
    /// In the order of play.
    layers: Vec<Layer>,
}

/// The positions of one layer with one side to move that play can reach.
#[derive(Clone, Debug)]
struct Layer {
    side: Side,
    counts: Counts,
    /// Cells of the mover and of the waiter that they have for sure: those of the first position, while pieces are
    /// placed.
    fixed: Position,
    /// The cells that are left.
    free: u64,
    /// One bit an arrangement of the other pieces on the free cells.
    reached: Vec<u64>,
}

impl Layer {
    fn new(game: &Game, counts: Counts, side: Side, root: Position, root_side: Side) -> Layer {
        let fixed = match (game.is_movement(counts), side == root_side) {
            (true, _) => Position { mover: 0, waiter: 0 },
            (false, true) => root,
            (false, false) => Position { mover: root.waiter, waiter: root.mover },
        };
        let free = game.board() & !(fixed.mover | fixed.waiter);
        Layer { side, counts, fixed, free, reached: Vec::new() }
    }

    /// Pieces of mover and waiter that are not fixed.
    fn sizes(&self) -> (u32, u32) {
        (
            u32::from(self.counts.mover) - self.fixed.mover.count_ones(),
            u32::from(self.counts.waiter) - self.fixed.waiter.count_ones(),
        )
    }

    fn columns(&self) -> u64 {
        let (mover, waiter) = self.sizes();
        binomial(self.free.count_ones() - mover, waiter)
    }

    fn arrangements(&self) -> u64 {
        binomial(self.free.count_ones(), self.sizes().0).saturating_mul(self.columns())
    }

    fn index(&self, position: Position) -> u64 {
        let left = self.free & !position.mover;
        rank(compress(position.mover & self.free, self.free)) * self.columns()
            + rank(compress(position.waiter & left, left))
    }

    fn position(&self, index: u64) -> Position {
        let (mover, waiter) = self.sizes();
        let own = expand(unrank(mover, index / self.columns()), self.free);
        let other = expand(unrank(waiter, index % self.columns()), self.free & !own);
        Position { mover: self.fixed.mover | own, waiter: self.fixed.waiter | other }
    }

    /// Marks a position; false where it was marked before.
    fn mark(&mut self, position: Position) -> bool {
        let index = self.index(position);
        let word = &mut self.reached[(index / 64) as usize];
        let bit = 1 << (index % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        self.reached.iter().enumerate().flat_map(move |(at, &word)| {
            morpion_lookup::raw::rank::cells(word)
                .map(move |bit| self.position(at as u64 * 64 + u64::from(bit)))
        })
    }
}

impl Reach {
    /// Walks through everything that can follow `position` with `side` to move, both sides playing any legal moves.
    ///
    /// # Errors
    /// Where that is more than [`LIMIT`], or `position` is none of the game.
    pub fn new(game: &Game, position: Position, side: Side) -> Result<Reach, StrategyError> {
        let counts = game.check(position).map_err(ProbeError::from)?;
        let first = game.layer_index(counts).unwrap_or_default();
        let mut layers = Vec::new();
        let mut turn = side;
        for &counts in &game.layers()[first..] {
            layers.push(Layer::new(game, counts, turn, position, side));
            if game.is_movement(counts) {
                layers.push(Layer::new(game, counts, turn.other(), position, side));
            }
            turn = turn.other();
        }
        let found = layers.iter().fold(0u64, |sum, layer| sum.saturating_add(layer.arrangements()));
        if found > LIMIT {
            return Err(StrategyError::TooMany { found });
        }
        for layer in &mut layers {
            layer.reached = vec![0; layer.arrangements().div_ceil(64) as usize];
        }
        layers[0].mark(position);
        for at in 0..layers.len() {
            let (before, after) = layers.split_at_mut(at + 1);
            let layer = &before[at];
            if game.is_movement(layer.counts) {
                let [first, second] = &mut layers[at..] else { break };
                walk_movement(game, first, second);
                break;
            }
            let Some(next) = after.first_mut() else { break };
            for position in layer.positions().filter(|position| !game.has_line(position.waiter)) {
                game.legal_moves(position).for_each(|mv| {
                    next.mark(position.after(mv));
                });
            }
        }
        Ok(Reach { root: position, layers })
    }

    /// The position everything starts from.
    pub fn root(&self) -> Position {
        self.root
    }

    /// Calls `visit` with every position that can be reached and is won for `winner`, the side to move there, and the
    /// first perfect move where that side is the winner and the game goes on. They come in the order of play.
    ///
    /// # Errors
    /// Where the table gives no answer, and those of `visit`.
    pub fn won<E: From<ProbeError>>(
        &self,
        table: &Table,
        winner: Side,
        mut visit: impl FnMut(Position, Side, Option<Move>) -> Result<(), E>,
    ) -> Result<(), E> {
        for layer in &self.layers {
            let wanted = if layer.side == winner { Value::Win } else { Value::Loss };
            for position in layer.positions() {
                if table.probe(position)?.value() != wanted {
                    continue;
                }
                let mv = if layer.side == winner { table.best(position)? } else { None };
                visit(position, layer.side, mv.map(|best| best.mv))?;
            }
        }
        Ok(())
    }
}

/// Marks everything that can be reached by moving pieces from what is marked in `layers`, of which the first has one
/// side to move and the second the other.
fn walk_movement(game: &Game, first: &mut Layer, second: &mut Layer) {
    let mut open: Vec<(Position, bool)> =
        first.positions().map(|position| (position, false)).collect();
    while let Some((position, in_second)) = open.pop() {
        if game.has_line(position.waiter) {
            continue;
        }
        for mv in game.legal_moves(position) {
            let child = position.after(mv);
            let layer = if in_second { &mut *first } else { &mut *second };
            if layer.mark(child) {
                open.push((child, !in_second));
            }
        }
    }
}
