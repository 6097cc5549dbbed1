//! Facts of a table: its rules and its census, as a dictionary and rows.

use crate::errors::of_table;
use crate::source::ask_detached;
use crate::table::{Table, fields};
use morpion_lookup::Game;
use morpion_lookup::raw::Travel;
use pyo3::prelude::*;
use pyo3::types::PyDict;

#[pymethods]
impl Table {
    /// The rules: cells and lines by name, pieces of each side, moves, mills, opening, start, misère, by their keys in rule files.
    ///
    /// >>> rules = morpion.Table.builtin("tapatan").rules
    /// >>> rules["pieces"], rules["lines"][0], rules["moves"]["links"][:2]
    /// (3, ['a1', 'b1', 'c1'], [('a1', 'b1'), ('a1', 'a2')])
    #[getter]
    #[pyo3(name = "rules")]
    fn rule_facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = self.get(py)?;
        let game = table.game();
        let rules = game.rules();
        let cells = |set: u64| named_cells(game, set);
        let dict = PyDict::new(py);
        dict.set_item("name", &rules.name)?;
        dict.set_item("title", &rules.title)?;
        dict.set_item("cells", cells(u64::MAX))?;
        dict.set_item("lines", rules.lines.iter().map(|&line| cells(line)).collect::<Vec<_>>())?;
        let extends = rules.prolongations.iter().map(|&set| cells(set)).collect::<Vec<_>>();
        dict.set_item("extends", extends)?;
        dict.set_item("pieces", rules.pieces)?;
        dict.set_item("misere", rules.misere)?;
        let moves = rules.movement.as_ref().map(|movement| {
            let dict = PyDict::new(py);
            let names = |cell: u8| game.format_cell(cell);
            let links: Vec<(String, String)> = (0..game.cells())
                .flat_map(|from| (from..game.cells()).map(move |to| (from, to)))
                .filter(|&(from, to)| from != to && game.neighbours(from) >> to & 1 == 1)
                .filter(|_| movement.to != Travel::Push)
                .map(|(from, to)| (names(from), names(to)))
                .collect();
            dict.set_item("to", movement.to.name())?;
            dict.set_item("links", links)?;
            dict.set_item("stay", movement.stay)?;
            dict.set_item("stuck", movement.stuck.name())?;
            dict.set_item("oldest", rules.further.oldest.map(|oldest| oldest.name()))?;
            PyResult::Ok(dict)
        });
        dict.set_item("moves", moves.transpose()?)?;
        let mills = rules.further.mills.as_ref().map(|mills| {
            let dict = PyDict::new(py);
            dict.set_item("takes", mills.takes.name())?;
            dict.set_item("least", mills.least)?;
            dict.set_item("fly", mills.fly)?;
            dict.set_item("full", mills.full.map(|full| full.name()))?;
            dict.set_item("mixed", mills.mixed)?;
            PyResult::Ok(dict)
        });
        dict.set_item("mills", mills.transpose()?)?;
        let opening = rules.opening.as_ref().map(|opening| {
            let dict = PyDict::new(py);
            dict.set_item("forbidden", cells(opening.forbidden))?;
            dict.set_item("during", opening.during.name())?;
            PyResult::Ok(dict)
        });
        dict.set_item("opening", opening.transpose()?)?;
        dict.set_item("start", game.start().to_string())?;
        Ok(dict)
    }

    /// Mover's and waiter's pieces, value, kind of draw, distance and count of each row of the census.
    fn _census(&self, py: Python<'_>) -> PyResult<Vec<CensusRow>> {
        let table = self.get(py)?;
        let census = ask_detached(py, &table, |table| table.raw().census())?;
        let census = census.map_err(|error| of_table(py, error, None))?;
        let mut rows = Vec::new();
        for (layer, census) in table.raw().header().layers.iter().zip(&census.layers) {
            let [mover, waiter] = [layer.counts.mover, layer.counts.waiter];
            rows.extend(census.scores(table.has_distances()).map(|(score, count)| {
                let (value, plies, draw) = fields(score);
                (mover, waiter, value, draw, plies, count)
            }));
            let invalid = (mover, waiter, "invalid", None, None, census.none);
            rows.extend((census.none > 0).then_some(invalid));
        }
        Ok(rows)
    }
}

/// A row of the census.
type CensusRow = (u8, u8, &'static str, Option<&'static str>, Option<u16>, u64);

fn named_cells(game: &Game, set: u64) -> Vec<String> {
    let cells = (0..game.cells()).filter(|cell| set >> cell & 1 == 1);
    cells.map(|cell| game.format_cell(cell)).collect()
}
