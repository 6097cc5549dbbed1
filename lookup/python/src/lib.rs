//! Python module `morpion`. What it offers, with its types, stands in `morpion.pyi`; docstrings stand here.

mod answers;
mod batch;
mod errors;
mod position;
mod source;
mod table;

use pyo3::prelude::*;

/// The names of the tables inside this module.
///
/// >>> morpion.builtin_names()[:3]
/// ['classic', 'misere', 'swap']
#[pyfunction]
fn builtin_names() -> Vec<&'static str> {
    morpion_lookup::builtin_names().collect()
}

/// Perfect play for morpion (tic-tac-toe) and its family.
///
/// >>> morpion.Table.builtin("swap").best("XX./OO./XO. x")
/// ['a3-c1']
#[pymodule]
fn morpion(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<table::Table>()?;
    module.add_class::<answers::Score>()?;
    module.add_class::<answers::Move>()?;
    module.add_class::<batch::Scores>()?;
    module.add_function(wrap_pyfunction!(builtin_names, module)?)?;
    let error = py.get_type::<errors::MorpionError>();
    // What an error outside a batch has.
    error.setattr("index", py.None())?;
    module.add("MorpionError", error)?;
    module.add("PositionError", py.get_type::<errors::PositionError>())?;
    module.add("TableError", py.get_type::<errors::TableFault>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
