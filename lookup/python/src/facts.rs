//! Facts of a table: its rules and its census, as dictionaries.

use crate::batch::array;
use crate::errors::of_table;
use crate::source::{OpenTable, ask_detached};
use crate::table::Table;
use morpion_lookup::raw::Census;
use morpion_lookup::{Game, Travel};
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

    /// Number of arrangements by layer, value and distance, as columns of one length: "mover", "waiter" (pieces), "value" (1, 0, -1),
    /// "plies" (-1 without a distance), "draw" (1 ends, 2 by cycle, else 0), "count". Arrangements that are not positions are omitted.
    ///
    /// >>> census = morpion.Table.builtin("classic").census
    /// >>> sorted(census), sum(census["count"])
    /// (['count', 'draw', 'mover', 'plies', 'value', 'waiter'], 5478)
    #[getter]
    fn census<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = self.get(py)?;
        let census = ask_detached(py, &table, |table| table.raw().census())?;
        let census = census.map_err(|error| of_table(py, error, None))?;
        columns(py, &table, &census)
    }
}

fn columns<'py>(
    py: Python<'py>,
    table: &OpenTable,
    census: &Census,
) -> PyResult<Bound<'py, PyDict>> {
    let header = table.raw().header();
    let has_distances = table.has_distances();
    let (mut mover, mut waiter, mut value, mut draw) = (vec![], vec![], vec![], vec![]);
    let (mut plies, mut count) = (Vec::<u8>::new(), Vec::<u8>::new());
    for (layer, counts) in header.layers.iter().zip(&census.layers) {
        let mut push = |of: i8, distance: i16, kind: u8, number: u64| {
            if number > 0 {
                mover.push(layer.counts.mover);
                waiter.push(layer.counts.waiter);
                value.push(of as u8);
                draw.push(kind);
                plies.extend(distance.to_ne_bytes());
                count.extend(number.to_ne_bytes());
            }
        };
        for (of, numbers) in [(1, &counts.wins), (-1, &counts.losses)] {
            for (distance, &number) in numbers.iter().enumerate() {
                push(of, if has_distances { distance as i16 } else { -1 }, 0, number);
            }
        }
        push(0, -1, 1, counts.draws_end);
        push(0, -1, 2, counts.draws_cycle);
    }
    let dict = PyDict::new(py);
    for (name, bytes, format) in [
        ("mover", &mover, "B"),
        ("waiter", &waiter, "B"),
        ("value", &value, "b"),
        ("plies", &plies, "h"),
        ("draw", &draw, "B"),
        ("count", &count, "Q"),
    ] {
        dict.set_item(name, array(py, bytes, format)?)?;
    }
    Ok(dict)
}

fn named_cells(game: &Game, set: u64) -> Vec<String> {
    let cells = (0..game.cells()).filter(|cell| set >> cell & 1 == 1);
    cells.map(|cell| game.format_cell(cell)).collect()
}
