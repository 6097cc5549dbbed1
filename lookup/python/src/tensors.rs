//! The parts of a table as arrays: layers, maps, and the scores of entries.

use crate::buffer::{Array, Columns};
use crate::errors::of_probe;
use crate::source::ask_detached;
use crate::table::Table;
use morpion_core::{Layer, LayerSection};
use pyo3::prelude::*;

/// A layer: pieces of mover and waiter on the board, pieces of mover and waiter in hand, rows, and columns.
type LayerRow = (u8, u8, u8, u8, u64, u64);

#[pymethods]
impl Table {
    /// The layers, in the order of play.
    fn _layers(&self, py: Python<'_>) -> PyResult<Vec<LayerRow>> {
        let table = self.get(py)?;
        let layers = table.game().graph().layers.iter().zip(&table.raw().header().layers);
        let row = |(layer, section): (&Layer, &LayerSection)| {
            let (board, hand) = (layer.counts, layer.hands);
            (board.mover, board.waiter, hand.mover, hand.waiter, section.rows, section.columns)
        };
        Ok(layers.map(row).collect())
    }

    /// Row and symmetry of each set of `size` cells, by the rank of the set, as 32-bit integers; empty if the table has no such sets.
    fn _map(&self, py: Python<'_>, size: u8) -> PyResult<[Array; 2]> {
        let table = self.get(py)?;
        let (rows, symmetries): (Vec<_>, Vec<_>) = ask_detached(py, &table, |table| {
            let entries = (0..).map_while(|rank| table.raw().map_entry(size, rank));
            entries.map(|(row, image)| ((row as u32).to_ne_bytes(), image.to_ne_bytes())).unzip()
        })?;
        Ok([rows, symmetries].map(|numbers| Array::new(numbers.into_flattened(), "I")))
    }

    /// Values, distances and kinds of draw of all entries of a layer, row by row. An entry without a position has value 0, distance -1 and draw 0.
    fn _entries(&self, py: Python<'_>, layer: usize) -> PyResult<[Array; 3]> {
        let table = self.get(py)?;
        let (raw, mut columns) = (table.raw(), Columns::default());
        let header = raw.header();
        let section = header.layers.get(layer).map_or((0, 0), |layer| (layer.rows, layer.columns));
        let keys = (0..section.0).flat_map(|row| (0..section.1).map(move |column| (row, column)));
        let read = ask_detached(py, &table, |table| {
            for (row, column) in keys {
                let code = table.raw().code(layer, row, column)?;
                columns.push(header.encoding.decode(code));
            }
            Ok(())
        })?;
        read.map_err(|error| of_probe(py, error))?;
        Ok(columns.into_arrays())
    }
}
