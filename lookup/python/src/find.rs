//! Tables by the names of their games: inside this module, and in the usual folders.

use morpion_lookup::{Source, Table, Tables};
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

/// The bytes of the table of this name inside this module, plain or packed.
#[pyfunction]
pub(crate) fn builtin<'py>(py: Python<'py>, name: &str) -> Option<Bound<'py, PyBytes>> {
    let plain = || Some(Table::builtin(name)?.source().in_memory()?.to_vec());
    let bytes = morpion_tables::packed(name).map(<[u8]>::to_vec).or_else(plain)?;
    Some(PyBytes::new(py, &bytes))
}

/// The file of a game in the usual folders, all names there, and the folders.
#[pyfunction]
pub(crate) fn search(name: &str) -> (Option<PathBuf>, Vec<String>, Vec<PathBuf>) {
    let tables = Tables::standard_with(Some("tables".into()));
    (tables.find(name), tables.names(), tables.folders().to_vec())
}
