//! Questions about many positions at once, which are given as arrays of words: scores, moves, planes, symmetric forms and texts.

use crate::buffer::{Array, Columns, positions};
use crate::errors::of_table;
use crate::rules::Game;
use crate::source::ask_detached;
use crate::table::Table;
use morpion_core::{Sequence, orbit};
use morpion_games::reach::arrangements::Arrangements;
use morpion_lookup::{Position, ProbeError, Side};
use pyo3::prelude::*;

/// Number of positions that are looked up between two checks for Ctrl-C.
const UNIT: usize = 1 << 16;

#[pymethods]
impl Table {
    /// Values, distances, kinds of draw and error numbers of positions, as arrays.
    fn _probe(&self, py: Python<'_>, movers: &[u8], waiters: &[u8]) -> PyResult<[Array; 4]> {
        let table = self.get(py)?;
        let positions = positions(movers, waiters);
        let (mut columns, mut errors) = (Columns::default(), Vec::new());
        ask_detached(py, &table, |table| {
            let mut answers = Vec::new();
            for unit in positions.chunks(UNIT) {
                Python::attach(|py| py.check_signals())?;
                let read = table.probe_many(unit, &mut answers);
                read.map_err(|error| Python::attach(|py| of_table(py, error)))?;
                for answer in &answers {
                    columns.push(answer.ok());
                    errors.push(answer.err().map_or(0, |kind| kind as u8));
                }
            }
            PyResult::Ok(())
        })??;
        let [value, plies, draw] = columns.into_arrays();
        Ok([value, plies, draw, Array::new(errors, "B")])
    }

    /// A row of bits for the legal moves and a row for the perfect moves of each position, and error numbers. Action 0 is the lowest bit of
    /// the first byte of a row.
    fn _moves(
        &self,
        py: Python<'_>,
        game: &Game,
        movers: &[u8],
        waiters: &[u8],
    ) -> PyResult<[Array; 3]> {
        let table = self.get(py)?;
        let positions = positions(movers, waiters);
        let width = game.width();
        let mut legal = vec![0u8; positions.len() * width];
        let (mut best, mut errors) = (legal.clone(), vec![0u8; positions.len()]);
        ask_detached(py, &table, |table| {
            let rows = legal.chunks_exact_mut(width).zip(best.chunks_exact_mut(width));
            for (index, ((legal, best), &position)) in rows.zip(&positions).enumerate() {
                if index % UNIT == 0 {
                    Python::attach(|py| py.check_signals())?;
                }
                match table.ranked_moves(position) {
                    Ok(ranked) => {
                        ranked.iter().for_each(|found| game.mark(legal, found.mv));
                        ranked.best().iter().for_each(|found| game.mark(best, found.mv));
                    }
                    Err(ProbeError::Read(error)) => {
                        return Err(Python::attach(|py| of_table(py, error)));
                    }
                    Err(error) => errors[index] = error.kind() as u8,
                }
            }
            Ok(())
        })??;
        let [legal, best] = [legal, best].map(|bits| Array::rows(bits, "B", width));
        Ok([legal, best, Array::new(errors, "B")])
    }
}

#[pymethods]
impl Game {
    /// Boards, pieces in hand and ages of positions. Without pieces in hand their numbers are 0; without ages their array is empty.
    fn _planes(&self, movers: &[u8], waiters: &[u8]) -> [Array; 3] {
        let (cells, has_ages) = (self.rules.cells(), self.rules.has_ages());
        let (mut boards, mut hands, mut ages) = (Vec::new(), Vec::new(), Vec::new());
        for position in positions(movers, waiters) {
            let Position { mover, waiter } = position;
            let side = |cell: u8| (mover >> cell & 1) as i8 - (waiter >> cell & 1) as i8;
            boards.extend((0..cells).map(|cell| side(cell) as u8));
            if has_ages {
                let row = ages.len();
                ages.resize(row + usize::from(cells), 0);
                for word in [mover, waiter] {
                    for (&cell, age) in Sequence::of(word).cells().iter().zip(1..) {
                        ages[row + usize::from(cell)] = age;
                    }
                }
            }
            hands.extend([position.hands().mover, position.hands().waiter]);
        }
        let cells = usize::from(cells);
        let planes = [(boards, cells), (hands, 2), (ages, cells)];
        planes.map(|(bytes, columns)| Array::rows(bytes, "b", columns))
    }

    /// The words of the first symmetric form of each position, and the number of symmetric forms of each position.
    fn _orbits(&self, py: Python<'_>, movers: &[u8], waiters: &[u8]) -> [Array; 3] {
        let positions = positions(movers, waiters);
        let orbits = positions.into_iter().map(|position| {
            let orbit = orbit(position, self.symmetries());
            (orbit.first().copied().unwrap_or(position), (orbit.len() as u16).to_ne_bytes())
        });
        let (first, sizes): (Vec<Position>, Vec<_>) = py.detach(|| orbits.unzip());
        let [movers, waiters] = Array::pair(&first);
        [movers, waiters, Array::new(sizes.into_flattened(), "H")]
    }

    /// Texts of positions with these sides to move, 0 for X and 1 for O. Without `sides`, the pieces determine the side; if either side may
    /// be to move, X is.
    fn _texts(&self, movers: &[u8], waiters: &[u8], sides: Option<&[u8]>) -> Vec<String> {
        let text = |(index, raw): (usize, Position)| {
            let told = sides.and_then(|sides| sides.get(index));
            let side = told.map(|&side| if side == 0 { Side::X } else { Side::O });
            self.rules.situation(raw, side).to_string()
        };
        positions(movers, waiters).into_iter().enumerate().map(text).collect()
    }

    /// Number of arrangements of each layer, in the order of play.
    fn _layer_counts(&self) -> Vec<u64> {
        let layers = 0..self.rules.graph().layers.len();
        layers.map(|layer| self.arrangements(layer).1).collect()
    }

    /// The words of the positions of layer number `layer` with these 64-bit numbers. Numbers of arrangements that are not positions are
    /// skipped.
    fn _numbered(&self, py: Python<'_>, layer: usize, numbers: &[u8]) -> [Array; 2] {
        let (arrangements, all) = self.arrangements(layer);
        let numbers = numbers.as_chunks().0.iter().map(|&number| u64::from_ne_bytes(number));
        let found: Vec<Position> = py.detach(|| {
            let positions = numbers.filter(|&number| number < all);
            let positions = positions.map(|number| arrangements.position(number));
            positions.filter(|&position| self.rules.check(position).is_ok()).collect()
        });
        Array::pair(&found)
    }
}

impl Game {
    /// The arrangements of layer number `layer`, and their number.
    fn arrangements(&self, layer: usize) -> (Arrangements, u64) {
        let arrangements =
            Arrangements::of_layer(&self.rules, layer, Position { mover: 0, waiter: 0 });
        let count = u64::try_from(arrangements.count()).unwrap_or(u64::MAX);
        (arrangements, count)
    }
}
