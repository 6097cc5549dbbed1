//! The parts of a table as arrays: symmetries, maps, and the scores of layers.

use crate::buffer::{Columns, array};
use crate::errors::of_probe;
use crate::source::ask_detached;
use crate::table::Table;
use pyo3::prelude::*;

#[pymethods]
impl Table {
    /// The images of the cells under each symmetry.
    fn _symmetries(&self) -> Vec<Vec<u32>> {
        let images = |images: &[u8]| images.iter().map(|&cell| u32::from(cell)).collect();
        self.rules().symmetries().iter().map(|symmetry| images(symmetry.images())).collect()
    }

    /// Pieces of mover and waiter on the board and in hand, and rows and columns, of each layer.
    fn _layers(&self, py: Python<'_>) -> PyResult<Vec<[u64; 6]>> {
        let table = self.get(py)?;
        let layers = table.game().raw().graph().layers.iter().zip(&table.raw().header().layers);
        Ok(layers
            .map(|(layer, section)| {
                let pieces = [layer.counts.mover, layer.counts.waiter];
                let hands = [layer.hands.mover, layer.hands.waiter];
                let [mover, waiter] = pieces.map(u64::from);
                let [of_mover, of_waiter] = hands.map(u64::from);
                [mover, waiter, of_mover, of_waiter, section.rows, section.columns]
            })
            .collect())
    }

    /// Row and symmetry of each set of `size` cells, by its rank, 32-bit integers; empty if the table has no such sets.
    fn _map<'py>(&self, py: Python<'py>, size: u8) -> PyResult<[Bound<'py, PyAny>; 2]> {
        let table = self.get(py)?;
        let entries = ask_detached(py, &table, |table| {
            (0..).map_while(|rank| table.raw().map_entry(size, rank)).collect::<Vec<_>>()
        })?;
        let bytes = |number: u32| number.to_ne_bytes();
        let rows: Vec<u8> = entries.iter().flat_map(|&(row, _)| bytes(row as u32)).collect();
        let symmetries: Vec<u8> =
            entries.iter().flat_map(|&(_, symmetry)| bytes(symmetry)).collect();
        Ok([array(py, &rows, "I")?, array(py, &symmetries, "I")?])
    }

    /// Values, distances and kinds of draw of all entries of a layer, row by row, with value 0, distance -1 and draw 0 where there is no such position.
    fn _entries<'py>(&self, py: Python<'py>, layer: usize) -> PyResult<[Bound<'py, PyAny>; 3]> {
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
        columns.into_arrays(py)
    }
}
