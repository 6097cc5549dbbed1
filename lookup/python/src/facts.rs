//! Facts of a table: its rules and its census, as dictionaries.

use crate::errors::of_table;
use crate::source::ask_detached;
use crate::table::Table;
use morpion_lookup::raw::Travel;
use morpion_lookup::{DrawKind, Game};
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

    /// Number of arrangements by layer, value and distance, as columns of one length: "mover", "waiter" (pieces), "value", "draw",
    /// "plies", "count". Rows and words are those of `morpion info --csv`: the value "invalid" counts arrangements whose mover
    /// already owns a line, and None stands for a missing value.
    ///
    /// >>> census = morpion.Table.builtin("classic").census
    /// >>> [(column, items[:3]) for column, items in census.items()]
    /// [('mover', [0, 0, 1]), ('waiter', [0, 1, 1]), ('value', ['draw', 'draw', 'win']), ('draw', ['end', 'end', None]), ('plies', [None, None, 5]), ('count', [1, 9, 48])]
    #[getter]
    fn census<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = self.get(py)?;
        let census = ask_detached(py, &table, |table| table.raw().census())?;
        let census = census.map_err(|error| of_table(py, error, None))?;
        let mut rows = Vec::new();
        for (layer, census) in table.raw().header().layers.iter().zip(&census.layers) {
            // A list of bytes would become `bytes`.
            let [mover, waiter] = [layer.counts.mover, layer.counts.waiter].map(u32::from);
            let scores = census.scores(table.has_distances()).map(|(score, count)| {
                let draw = score.draw().map(DrawKind::name);
                (mover, waiter, score.value().name(), draw, score.plies(), count)
            });
            rows.extend(scores);
            let invalid = (mover, waiter, "invalid", None, None, census.none);
            rows.extend((census.none > 0).then_some(invalid));
        }
        let dict = PyDict::new(py);
        dict.set_item("mover", rows.iter().map(|row| row.0).collect::<Vec<_>>())?;
        dict.set_item("waiter", rows.iter().map(|row| row.1).collect::<Vec<_>>())?;
        dict.set_item("value", rows.iter().map(|row| row.2).collect::<Vec<_>>())?;
        dict.set_item("draw", rows.iter().map(|row| row.3).collect::<Vec<_>>())?;
        dict.set_item("plies", rows.iter().map(|row| row.4).collect::<Vec<_>>())?;
        dict.set_item("count", rows.iter().map(|row| row.5).collect::<Vec<_>>())?;
        Ok(dict)
    }
}

fn named_cells(game: &Game, set: u64) -> Vec<String> {
    let cells = (0..game.cells()).filter(|cell| set >> cell & 1 == 1);
    cells.map(|cell| game.format_cell(cell)).collect()
}
