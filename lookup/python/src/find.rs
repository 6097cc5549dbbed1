//! Opens tables by the names of their games: from a folder, from the package morpion-tables, or from inside this module.

use crate::errors::{TableFault, named, of_table};
use crate::source::{CACHE, open, open_builtin};
use crate::table::Table;
use morpion_lookup::Tables;
use pyo3::exceptions::PyModuleNotFoundError;
use pyo3::prelude::*;
use std::collections::BTreeSet;

/// The package that contains larger tables.
const PACKAGE: &str = "morpion_tables";

/// Opens the table of a game by its name. The table is searched for in the folders listed in MORPION_TABLES, in the user's data
/// folder (~/.local/share/morpion), which the program `morpion` builds tables into, in the machine's data folders
/// (/usr/share/morpion), in the package morpion-tables, and inside this module.
///
/// A plain file is mapped: replace it by renaming another file over it, and never change it in place. A packed table of at most
/// 64 MiB is unpacked when it is opened. Of a larger one, `cache` bytes of unpacked frames are kept.
///
/// Raises TableError. Its kind is "name" if there is no such table; the text lists the known names and the searched places. The kind
/// is "other-rules" if a file has other rules than the table of the same name inside this module.
///
/// >>> morpion.open_game("swap").name
/// 'swap'
#[pyfunction]
#[pyo3(signature = (name, *, cache = CACHE), text_signature = "(name, *, cache=67108864)")]
pub(crate) fn open_game(py: Python<'_>, name: &str, cache: usize) -> PyResult<Table> {
    let tables = Tables::standard();
    if let Some(file) = tables.find(name) {
        let given = file.as_os_str().into_pyobject(py)?;
        let (table, given) = open(&given, true, cache)?;
        table.expect_name(name).map_err(|error| of_table(py, error, Some(&file)))?;
        return Table::new(py, (table, given));
    }
    let package = match py.import(PACKAGE) {
        Ok(package) => Some(package),
        Err(error) if error.is_instance_of::<PyModuleNotFoundError>(py) => None,
        Err(error) => return Err(error),
    };
    let mut packaged: Vec<String> = Vec::new();
    if let Some(package) = &package {
        packaged = package.call_method0("names")?.extract()?;
        if packaged.iter().any(|known| known == name) {
            return Table::new(py, open(&package.call_method1("path", (name,))?, false, cache)?);
        }
    }
    if let Some(table) = morpion_lookup::Table::builtin(name) {
        return Table::new(py, open_builtin(table));
    }
    let mut known: BTreeSet<String> = tables.names().into_iter().collect();
    known.extend(packaged);
    let known = known.into_iter().collect::<Vec<_>>().join(", ");
    let looked: Vec<String> =
        tables.folders().iter().map(|folder| folder.display().to_string()).collect();
    let package = if package.is_some() { "" } else { ", which is not installed" };
    let name = name.chars().take(64).collect::<String>();
    let text = format!(
        "no table of {name:?} in {}, in the package morpion-tables{package}, or in morpion itself: use one of {known}, or build it with the program morpion",
        looked.join(", ")
    );
    Err(named::<TableFault>(py, "name", text))
}
