//! The positions that play can reach, one after the other.
//!
//! The iterator visits the layers of a game in the order of play. It keeps some bits for each arrangement of the pieces in the present
//! layer and in the next one: on 3×3, the layer with one piece of each side has 9 · 8 arrangements.

use crate::batch::{BATCH, too_many};
use crate::position::Position;
use crate::rules::Game;
use morpion_lookup::raw::Arrangements;
use morpion_lookup::{self as lookup, Counts, Side};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// The positions of a game that play can reach; from Game.positions().
///
/// >>> next(morpion.Table.builtin("classic").game.positions())
/// Position('.../.../... x')
#[pyclass(module = "morpion")]
pub(crate) struct Positions {
    game: Py<Game>,
    layers: std::vec::IntoIter<Counts>,
    present: Option<Layer>,
    next: Option<Layer>,
    /// The first number in the present layer that has not been visited.
    number: u64,
}

/// Positions of one layer, by the numbers of their arrangements.
struct Layer {
    counts: Counts,
    arrangements: Arrangements,
    reached: Vec<u64>,
    /// The reached positions in which O was to move when play first came there.
    of_o: Vec<u64>,
}

impl Layer {
    /// A layer of which no position is reached.
    fn new(game: &lookup::Game, counts: Counts) -> PyResult<Layer> {
        let arrangements = Arrangements::new(game.board(), counts);
        let count = arrangements.count();
        let empty = || -> PyResult<Vec<u64>> {
            let words = usize::try_from(count.div_ceil(64)).unwrap_or(usize::MAX);
            let mut bits = Vec::new();
            let text = || {
                format!(
                    "{count} arrangements in a layer need two bits each, more than there is memory for"
                )
            };
            bits.try_reserve_exact(words).map_err(|_| PyMemoryError::new_err(text()))?;
            bits.resize(words, 0);
            Ok(bits)
        };
        Ok(Layer { counts, arrangements, reached: empty()?, of_o: empty()? })
    }

    /// Adds a position. Returns its number if it is new.
    fn insert(&mut self, position: lookup::raw::Position, side: Side) -> Option<u64> {
        let number = self.arrangements.number(position);
        let (word, bit) = ((number / 64) as usize, 1 << (number % 64));
        if self.reached[word] & bit != 0 {
            return None;
        }
        self.reached[word] |= bit;
        if side == Side::O {
            self.of_o[word] |= bit;
        }
        Some(number)
    }

    fn get(&self, number: u64) -> (lookup::raw::Position, Side) {
        let is_of_o = self.of_o[(number / 64) as usize] >> (number % 64) & 1 == 1;
        (self.arrangements.position(number), if is_of_o { Side::O } else { Side::X })
    }
}

/// The least number in a set of bits that is at least `from`.
fn first(bits: &[u64], from: u64) -> Option<u64> {
    let mut word = (from / 64) as usize;
    let mut found = bits.get(word)? & (!0 << (from % 64));
    while found == 0 {
        word += 1;
        found = *bits.get(word)?;
    }
    Some(word as u64 * 64 + u64::from(found.trailing_zeros()))
}

impl Positions {
    pub(crate) fn new(game: &Bound<'_, Game>) -> PyResult<Positions> {
        let rules = &game.get().rules;
        let mut layers = rules.layers().into_iter();
        let mut first = layers.next().map(|counts| Layer::new(rules, counts)).transpose()?;
        let start = rules.start();
        if let Some(first) = &mut first {
            first.insert(start.raw, start.side);
        }
        let game = game.clone().unbind();
        Ok(Positions { game, layers, present: None, next: first, number: 0 })
    }

    /// The next position, in the present layer or in the next one.
    pub(crate) fn advance(
        &mut self,
        py: Python<'_>,
    ) -> PyResult<Option<(lookup::raw::Position, Side)>> {
        loop {
            if let Some(present) = &self.present
                && let Some(number) = first(&present.reached, self.number)
            {
                self.number = number + 1;
                return Ok(Some(present.get(number)));
            }
            let Some(present) = self.next.take() else { return Ok(None) };
            self.present = Some(present);
            self.number = 0;
            // After an error, the layer is incomplete.
            py.detach(|| self.follow()).inspect_err(|_| self.present = None)?;
        }
    }

    /// All remaining positions, up to BATCH.
    pub(crate) fn all(mut self, py: Python<'_>) -> PyResult<Vec<(lookup::raw::Position, Side)>> {
        let mut found = Vec::new();
        while let Some(position) = self.advance(py)? {
            if found.len() == BATCH {
                return Err(too_many(py));
            }
            found.push(position);
        }
        Ok(found)
    }

    /// Follows all moves from the present layer: those that stay in it, and those to the next one.
    fn follow(&mut self) -> PyResult<()> {
        let game = &self.game.get().rules;
        let Some(present) = &mut self.present else { return Ok(()) };
        let mut next = self.layers.next().map(|counts| Layer::new(game, counts)).transpose()?;
        // In waves, so that each position gets the side that reaches it first.
        let mut wave = present.reached.clone();
        loop {
            let mut found = None;
            let (mut from, mut visited) = (0, 0u32);
            while let Some(number) = first(&wave, from) {
                (from, visited) = (number + 1, visited.wrapping_add(1));
                if visited.is_multiple_of(1 << 20) {
                    Python::attach(|py| py.check_signals())?;
                }
                let (position, side) = present.get(number);
                if game.over(position).is_some() {
                    continue;
                }
                for mv in game.legal_moves(position) {
                    let (child, side) = (game.apply(position, mv), side.other());
                    let pieces = (child.mover.count_ones(), child.waiter.count_ones());
                    if pieces != (present.counts.mover.into(), present.counts.waiter.into()) {
                        next.as_mut().and_then(|next| next.insert(child, side));
                    } else if let Some(number) = present.insert(child, side) {
                        let found = found.get_or_insert_with(|| vec![0; wave.len()]);
                        found[(number / 64) as usize] |= 1 << (number % 64);
                    }
                }
            }
            match found {
                Some(found) => wave = found,
                None => break,
            }
        }
        self.next = next;
        Ok(())
    }
}

#[pymethods]
impl Positions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Position>> {
        let found = self.advance(py)?;
        Ok(found.map(|(position, side)| Position::new(&self.game, py, position, side)))
    }
}
