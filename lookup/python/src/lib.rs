//! Python module `morpion._core`: tables, games, single positions, and arrays of positions. The package `morpion` around it is written in
//! Python, in `python/morpion`. `_core.pyi` in that folder lists the classes, types and functions of this module.

mod arrays;
mod buffer;
mod errors;
mod find;
mod game;
mod judge;
mod reach;
mod rules;
mod solve;
mod source;
mod table;
mod tensors;
mod turns;

use pyo3::prelude::*;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<table::Table>()?;
    module.add_class::<rules::Game>()?;
    module.add_class::<judge::Errors>()?;
    module.add_class::<reach::Walk>()?;
    module.add_function(wrap_pyfunction!(find::builtin_names, module)?)?;
    module.add_function(wrap_pyfunction!(find::builtin, module)?)?;
    module.add_function(wrap_pyfunction!(find::search, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve, module)?)?;
    module.add_function(wrap_pyfunction!(solve::game_of_rules, module)?)?;
    module.add_function(wrap_pyfunction!(solve::standard_rules, module)?)?;
    module.add("ERROR_KINDS", buffer::error_kinds(module.py())?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
