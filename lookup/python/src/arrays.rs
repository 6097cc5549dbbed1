//! Arithmetic of many positions, given by their words: scores, moves, planes, symmetric forms and texts.

use crate::buffer::{Columns, array, positions, rows, words};
use crate::errors::of_table;
use crate::rules::Game;
use crate::source::{OpenTable, ask_detached};
use crate::table::Table;
use morpion_core::{Sequence, orbit};
use morpion_lookup::raw::Position;
use morpion_lookup::{self as lookup, ErrorKind, ProbeError, Score, Side, Source};
use morpion_reach::arrangements::Arrangements;
use pyo3::prelude::*;

/// Positions between two checks for Ctrl-C.
const CHECK: usize = 1 << 20;

/// Calls `push` with the score of each position or the kind of its error. Call it without the interpreter's lock.
///
/// # Errors
/// If the source cannot be read, and `KeyboardInterrupt` if Ctrl-C was pressed.
fn probe_each(
    table: &OpenTable,
    positions: &[Position],
    mut push: impl FnMut(Result<Score, ErrorKind>),
) -> PyResult<()> {
    /// Positions that are looked up at once, if the table is in memory or not.
    const UNITS: [usize; 2] = [256, 1 << 16];
    let length = UNITS[usize::from(table.source().in_memory().is_none())];
    let mut answers = Vec::new();
    for positions in positions.chunks(CHECK) {
        Python::attach(|py| py.check_signals())?;
        for unit in positions.chunks(length) {
            let read = table.probe_many(unit, &mut answers);
            read.map_err(|error| Python::attach(|py| of_table(py, error)))?;
            answers.iter().for_each(|&answer| push(answer));
        }
    }
    Ok(())
}

#[pymethods]
impl Table {
    /// Values, distances, kinds of draw and errors of positions.
    fn _probe<'py>(
        &self,
        py: Python<'py>,
        movers: &[u8],
        waiters: &[u8],
    ) -> PyResult<[Bound<'py, PyAny>; 4]> {
        let table = self.get(py)?;
        let positions = positions(movers, waiters);
        let (mut columns, mut errors) = (Columns::default(), Vec::new());
        ask_detached(py, &table, |table| {
            probe_each(table, &positions, |answer| {
                columns.push(answer.ok());
                errors.push(answer.err().map_or(0, |kind| kind as u8));
            })
        })??;
        let [value, plies, draw] = columns.into_arrays(py)?;
        Ok([value, plies, draw, array(py, &errors, "B")?])
    }

    /// Legal and perfect moves of positions as bits, the first action in the lowest bit of the first byte, and errors.
    fn _moves<'py>(
        &self,
        py: Python<'py>,
        movers: &[u8],
        waiters: &[u8],
    ) -> PyResult<[Bound<'py, PyAny>; 3]> {
        let (table, game) = (self.get(py)?, self.rules());
        let positions = positions(movers, waiters);
        let width = game.actions_in_order().len().div_ceil(8);
        let mut legal = vec![0u8; positions.len() * width];
        let (mut best, mut errors) = (legal.clone(), vec![0u8; positions.len()]);
        ask_detached(py, &table, |table| {
            for (index, &position) in positions.iter().enumerate() {
                if index % (CHECK / 16) == 0 {
                    Python::attach(|py| py.check_signals())?;
                }
                let ranked = match table.ranked_moves(position) {
                    Ok(ranked) => ranked,
                    Err(ProbeError::Read(error)) => {
                        return Err(Python::attach(|py| of_table(py, error)));
                    }
                    Err(error) => {
                        errors[index] = error.kind() as u8;
                        continue;
                    }
                };
                let (row, perfect) = (index * width, ranked.best().len());
                for (place, found) in ranked.iter().enumerate() {
                    let action = game.action(found.mv);
                    let (byte, bit) = (row + action / 8, 1 << (action % 8));
                    legal[byte] |= bit;
                    best[byte] |= if place < perfect { bit } else { 0 };
                }
            }
            Ok(())
        })??;
        let [legal, best] = [legal, best].map(|bits| rows(py, &bits, "B", width));
        Ok([legal?, best?, array(py, &errors, "B")?])
    }
}

#[pymethods]
impl Game {
    /// The content of words above their cells: "hands" for the pieces in hand, "ages" for the order of pieces that age, or None.
    ///
    /// >>> [morpion.Table.builtin(name).game.above for name in ("disappearing", "classic")]
    /// ['ages', None]
    #[getter]
    fn above(&self) -> Option<&'static str> {
        let in_hand = |layer: &morpion_core::Layer| layer.hands != Default::default();
        match self.rules.raw().has_ages() {
            true => Some("ages"),
            false => self.rules.raw().graph().layers.iter().any(in_hand).then_some("hands"),
        }
    }

    /// Boards, pieces in hand and ages of positions.
    fn _planes<'py>(
        &self,
        py: Python<'py>,
        movers: &[u8],
        waiters: &[u8],
    ) -> PyResult<[Option<Bound<'py, PyAny>>; 3]> {
        let (cells, above) = (usize::from(self.rules.cells()), self.above());
        let positions = positions(movers, waiters);
        let mut boards = Vec::with_capacity(positions.len() * cells);
        let (mut hands, mut ages) = (Vec::new(), Vec::new());
        for position in positions {
            let sides =
                |cell| (position.mover >> cell & 1) as i8 - (position.waiter >> cell & 1) as i8;
            boards.extend((0..cells).map(|cell| sides(cell) as u8));
            let in_hand = position.hands();
            hands.extend([in_hand.mover, in_hand.waiter]);
            if above == Some("ages") {
                let row = ages.len();
                ages.resize(row + cells, 0);
                for word in [position.mover, position.waiter] {
                    for (&cell, age) in Sequence::of(word).cells().iter().zip(1..) {
                        ages[row + usize::from(cell)] = age;
                    }
                }
            }
        }
        let plane = |of: Option<&str>, bytes: &[u8], columns| {
            (of.is_none() || of == above).then(|| rows(py, bytes, "b", columns)).transpose()
        };
        let hands = plane(Some("hands"), &hands, 2)?;
        Ok([plane(None, &boards, cells)?, hands, plane(Some("ages"), &ages, cells)?])
    }

    /// The words of the first symmetric form of each position, and the number of its forms.
    fn _orbits<'py>(
        &self,
        py: Python<'py>,
        movers: &[u8],
        waiters: &[u8],
    ) -> PyResult<[Bound<'py, PyAny>; 3]> {
        let positions = positions(movers, waiters);
        let orbits = positions.into_iter().map(|position| {
            let orbit = orbit(position, self.symmetries());
            (orbit.first().copied().unwrap_or(position), orbit.len() as u16)
        });
        let (first, sizes): (Vec<Position>, Vec<u16>) = py.detach(|| orbits.unzip());
        let sizes: Vec<u8> = sizes.into_iter().flat_map(u16::to_ne_bytes).collect();
        Ok([
            words(py, first.iter().map(|position| position.mover))?,
            words(py, first.iter().map(|position| position.waiter))?,
            array(py, &sizes, "H")?,
        ])
    }

    /// Texts of positions with these sides to move, 0 for X and 1 for O. Without `sides`, X is to move where the pieces do not say it.
    #[pyo3(signature = (movers, waiters, sides = None))]
    fn _texts(&self, movers: &[u8], waiters: &[u8], sides: Option<&[u8]>) -> Vec<String> {
        let board = self.rules.start().board;
        let text = |(index, raw): (usize, Position)| {
            let told = match sides.and_then(|sides| sides.get(index)) {
                Some(&side) => Some(if side == 0 { Side::X } else { Side::O }),
                None => self.rules.raw().turn(raw),
            };
            lookup::Position { board, raw, side: told.unwrap_or(Side::X) }.to_string()
        };
        positions(movers, waiters).into_iter().enumerate().map(text).collect()
    }

    /// The arrangements of layer number `layer` from number `first` to before `first + count`, without those that are not positions.
    /// None after the last arrangement of the layer.
    fn _arrangements<'py>(
        &self,
        py: Python<'py>,
        layer: usize,
        first: u64,
        count: u64,
    ) -> PyResult<Option<[Bound<'py, PyAny>; 2]>> {
        let arrangements =
            Arrangements::of_layer(&self.rules, layer, Position { mover: 0, waiter: 0 });
        let all = u64::try_from(arrangements.count()).unwrap_or(u64::MAX);
        if layer >= self.rules.raw().graph().layers.len() || first >= all {
            return Ok(None);
        }
        let end = all.min(first.saturating_add(count));
        let found: Vec<Position> = py.detach(|| {
            let positions = (first..end).map(|number| arrangements.position(number));
            positions.filter(|&position| self.rules.raw().check(position).is_ok()).collect()
        });
        let movers = words(py, found.iter().map(|position| position.mover))?;
        Ok(Some([movers, words(py, found.iter().map(|position| position.waiter))?]))
    }
}
