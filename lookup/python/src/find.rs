//! Finds tables by the names of their games, inside this module and in the standard folders.

use morpion_lookup::{Bytes, Source, Table, Tables};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// The names of the tables inside this module.
///
/// >>> morpion.builtin_names()[:3], "teeko" in morpion.builtin_names()
/// (['classic', 'misere', 'swap'], True)
#[pyfunction]
pub(crate) fn builtin_names() -> Vec<&'static str> {
    Table::builtin_names().chain(morpion_tables::names()).collect()
}

/// The unpacked bytes of the table of this name inside this module; None if there is no such table.
#[pyfunction]
pub(crate) fn builtin<'py>(py: Python<'py>, name: &str) -> Option<Bound<'py, PyBytes>> {
    let Some(packed) = morpion_tables::packed(name) else {
        return Some(PyBytes::new(py, Table::builtin(name).ok()?.source().in_memory()?));
    };
    let unpacked = Bytes::detect(packed.into()).and_then(Bytes::loaded).ok()?;
    Some(PyBytes::new(py, unpacked.in_memory()?))
}

/// Returns the table file of a game in the standard folders and `tables`, the names of all games there, and the list of folders.
#[pyfunction]
pub(crate) fn search(name: &str) -> (Option<PathBuf>, Vec<String>, Vec<PathBuf>) {
    let tables = Tables::standard_with(Some("tables".into()));
    (tables.find(name), tables.names(), tables.folders().to_vec())
}
