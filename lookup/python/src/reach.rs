//! The positions that play can reach, one after the other.
//!
//! The iterator visits the layers of a game in the order of play. It keeps some bits for each arrangement of the pieces in the present
//! layers and in those that follow: on 3×3, the layer with one piece of each side has 9 · 8 arrangements.

use crate::batch::{BATCH, too_many};
use crate::position::Position;
use crate::rules::Game;
use morpion_lookup::raw::{self, Arrangements};
use morpion_lookup::{self as lookup, Side};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// The positions of a game that play can reach; from Game.positions().
///
/// >>> next(morpion.Table.builtin("classic").game.positions())
/// Position('.../.../... x')
#[pyclass(module = "morpion")]
pub(crate) struct Positions {
    game: Py<Game>,
    /// The reached layers whose moves have not been followed, by their indices.
    reached: BTreeMap<usize, Layer>,
    /// Layers whose moves have been followed, to be visited in this order.
    followed: VecDeque<Layer>,
    /// The first number in the layer at the front that has not been visited.
    number: u64,
}

/// Positions of one layer, by the numbers of their arrangements.
struct Layer {
    arrangements: Arrangements,
    reached: Vec<u64>,
    /// The reached positions in which O was to move when play first came there.
    of_o: Vec<u64>,
}

impl Layer {
    /// Layer number `index`, of which no position is reached.
    fn new(game: &lookup::Game, index: usize) -> PyResult<Layer> {
        let none = raw::Position { mover: 0, waiter: 0 };
        let arrangements = Arrangements::of_layer(game, index, none);
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
        Ok(Layer { arrangements, reached: empty()?, of_o: empty()? })
    }

    /// Adds a position. Returns its number if it is new.
    fn insert(&mut self, position: raw::Position, side: Side) -> Option<u64> {
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

    fn get(&self, number: u64) -> (raw::Position, Side) {
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
        let (mut first, start) = (Layer::new(rules, 0)?, rules.start());
        first.insert(start.raw, start.side);
        let game = game.clone().unbind();
        let reached = BTreeMap::from([(0, first)]);
        Ok(Positions { game, reached, followed: VecDeque::new(), number: 0 })
    }

    /// The next position, in the present layer or in a later one.
    pub(crate) fn advance(&mut self, py: Python<'_>) -> PyResult<Option<(raw::Position, Side)>> {
        loop {
            if let Some(present) = self.followed.front() {
                if let Some(number) = first(&present.reached, self.number) {
                    self.number = number + 1;
                    return Ok(Some(present.get(number)));
                }
                self.followed.pop_front();
                self.number = 0;
            } else if self.reached.is_empty() {
                return Ok(None);
            } else {
                // After an error, layers are incomplete.
                py.detach(|| self.follow()).inspect_err(|_| self.reached.clear())?;
            }
        }
    }

    /// All remaining positions, up to BATCH.
    pub(crate) fn all(mut self, py: Python<'_>) -> PyResult<Vec<(raw::Position, Side)>> {
        let mut found = Vec::new();
        while let Some(position) = self.advance(py)? {
            if found.len() == BATCH {
                return Err(too_many(py));
            }
            found.push(position);
        }
        Ok(found)
    }

    /// Follows all moves from the first reached layer, and from the next one if their moves lead to each other.
    fn follow(&mut self) -> PyResult<()> {
        let game = &self.game.get().rules;
        let Some((&index, _)) = self.reached.first_key_value() else { return Ok(()) };
        let group = layers_together(game, index);
        // In waves, so that each position gets the side that reaches it first.
        let layers = self.reached.range(group.clone());
        let mut wave: Vec<_> =
            layers.map(|(&index, layer)| (index, layer.reached.clone())).collect();
        let mut visited = 0u32;
        while !wave.is_empty() {
            let mut found = BTreeMap::new();
            for (index, numbers) in wave {
                let mut from = 0;
                while let Some(number) = first(&numbers, from) {
                    (from, visited) = (number + 1, visited.wrapping_add(1));
                    if visited.is_multiple_of(1 << 20) {
                        Python::attach(|py| py.check_signals())?;
                    }
                    let Some(layer) = self.reached.get(&index) else { break };
                    let (position, side) = layer.get(number);
                    if game.over(position).is_some() {
                        continue;
                    }
                    for mv in game.legal_moves(position) {
                        let child = game.apply(position, mv);
                        let Some(index) = game.layer_of(child) else { continue };
                        let layer = match self.reached.entry(index) {
                            Entry::Occupied(layer) => layer.into_mut(),
                            Entry::Vacant(place) => place.insert(Layer::new(game, index)?),
                        };
                        let new = layer.insert(child, side.other());
                        if let Some(number) = new.filter(|_| group.contains(&index)) {
                            let none = || vec![0; layer.reached.len()];
                            let found = found.entry(index).or_insert_with(none);
                            found[(number / 64) as usize] |= 1 << (number % 64);
                        }
                    }
                }
            }
            wave = found.into_iter().collect();
        }
        let later = self.reached.split_off(&group.end);
        self.followed.extend(std::mem::replace(&mut self.reached, later).into_values());
        Ok(())
    }
}

/// The indices of the layers that lead to each other, among them `index`: two neighbours, or one layer.
fn layers_together(game: &lookup::Game, index: usize) -> Range<usize> {
    let graph = game.graph();
    let layer = graph.layers.get(index).filter(|_| game.is_cyclic(index));
    let next = layer.and_then(|layer| layer.next).map_or(index, usize::from);
    index.min(next)..index.max(next) + 1
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
