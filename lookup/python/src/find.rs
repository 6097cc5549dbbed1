//! Opens tables by the names of their games: from a folder, or from inside this module.

use crate::errors::{TableFault, named, of_table};
use crate::source::{CACHE, builtin, builtin_names, open};
use crate::table::Table;
use morpion_lookup::Tables;
use pyo3::prelude::*;
use std::collections::BTreeSet;

/// Opens the table of a game by its name, from the places in which the program `morpion` looks: the folders listed in
/// MORPION_TABLES, `tables` in the current folder, the user's data folder (~/.local/share/morpion), the machine's data folders
/// (/usr/share/morpion), and the tables inside this module.
///
/// A plain file is mapped: replace it by renaming another file over it, and never change it in place. A packed table of at most
/// 64 MiB is unpacked when it is opened. Of a larger one, and of one inside this module, `cache` bytes of unpacked frames are kept.
///
/// Raises TableError. Its kind is "name" if there is no such table; the text lists the searched folders and the known names, and says
/// how to build a table. The kind is "other-rules" if a file has other rules than the table of the same name inside this module.
///
/// >>> morpion.open_game("teeko").probe("...../...../..X../...../..... o")
/// Score(value='draw', plies=None, draw='cycle')
#[pyfunction]
#[pyo3(signature = (name, *, cache = CACHE), text_signature = "(name, *, cache=67108864)")]
pub(crate) fn open_game(py: Python<'_>, name: &str, cache: usize) -> PyResult<Table> {
    let tables = Tables::standard_with(Some("tables".into()));
    let own = builtin(py, name, cache)?;
    // The game's own name, since `name` may be an alias.
    let name = own.as_ref().map_or(name, |(table, _)| &table.game().rules().name);
    if let Some(file) = tables.find(name) {
        let (table, given) = open(file.as_os_str().into_pyobject(py)?.as_any(), true, cache)?;
        let check = table.expect_name(name).and_then(|()| match &own {
            Some((own, _)) => table.expect_rules(own.game()),
            None => Ok(()),
        });
        check.map_err(|error| of_table(py, error, Some(&file)))?;
        return Table::new(py, (table, given));
    }
    if let Some(own) = own {
        return Table::new(py, own);
    }
    let mut known: BTreeSet<String> = tables.names().into_iter().collect();
    known.extend(builtin_names().into_iter().map(String::from));
    let known = known.into_iter().collect::<Vec<_>>().join(", ");
    let folders: Vec<String> =
        tables.folders().iter().map(|folder| folder.display().to_string()).collect();
    let name = name.chars().take(64).collect::<String>();
    let text = format!(
        "no table of {name:?} in {} or in this module: build it with the program (morpion build NAME), copy its file into one of these folders, or use one of {known}",
        folders.join(", ")
    );
    Err(named::<TableFault>(py, "name", text))
}
