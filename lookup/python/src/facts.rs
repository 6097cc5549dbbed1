//! Facts of a table: its rules and its census, as a dictionary and rows.

use crate::errors::of_table;
use crate::source::ask_detached;
use crate::table::{Table, fields};
use morpion_lookup::Game;
use pyo3::prelude::*;
use pyo3::types::PyDict;

#[pymethods]
impl Table {
    /// The game as a dictionary: cells, lines, what extends them and links by name (None if a piece moves to
    /// any cell), the start, and `text`, the rule file. The words of the rules are in the text: read it with `tomllib`.
    ///
    /// >>> import tomllib
    /// >>> rules = morpion.Table.builtin("tapatan").rules
    /// >>> tomllib.loads(rules["text"])["pieces"]["each"], rules["lines"][0], rules["links"][:2]
    /// (3, ['a1', 'b1', 'c1'], [('a1', 'b1'), ('a1', 'a2')])
    #[getter]
    #[pyo3(name = "rules")]
    fn rule_facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = self.get(py)?;
        let game = table.game();
        let cells = |set: u64| named_cells(game, set);
        let sets = |sets: &[u64]| sets.iter().map(|&set| cells(set)).collect::<Vec<_>>();
        let links = game.raw().links().map(|links| {
            let name = |(a, b)| (game.format_cell(a), game.format_cell(b));
            links.into_iter().map(name).collect::<Vec<_>>()
        });
        let dict = PyDict::new(py);
        dict.set_item("name", game.name())?;
        dict.set_item("title", game.title())?;
        dict.set_item("cells", cells(u64::MAX))?;
        dict.set_item("lines", sets(game.lines()))?;
        dict.set_item("extends", sets(game.raw().prolongations()))?;
        dict.set_item("links", links)?;
        dict.set_item("start", game.start().to_string())?;
        dict.set_item("text", &game.about().rules)?;
        Ok(dict)
    }

    /// Mover's and waiter's pieces, value, kind of draw, distance and count of each row of the census.
    fn _census(&self, py: Python<'_>) -> PyResult<Vec<CensusRow>> {
        let table = self.get(py)?;
        let census = ask_detached(py, &table, |table| table.raw().census())?;
        let census = census.map_err(|error| of_table(py, error))?;
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
