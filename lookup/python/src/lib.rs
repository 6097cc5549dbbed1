//! Python module `morpion`. Its names and types are listed in `morpion.pyi`; docstrings are here.

mod answers;
mod batch;
mod cells;
mod display;
mod errors;
mod facts;
mod find;
mod game;
mod judge;
mod line;
mod listed;
mod position;
mod reach;
mod rules;
mod source;
mod table;
mod training;

use pyo3::prelude::*;

/// Perfect play for morpion (tic-tac-toe) and its family.
///
/// >>> morpion.open_game("swap").best("XX./OO./XO. x")
/// ['a3-c1']
#[pymodule]
fn morpion(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<table::Table>()?;
    module.add_class::<rules::Game>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<reach::Positions>()?;
    answers::add_classes(module)?;
    module.add_class::<batch::Scores>()?;
    module.add_class::<line::Line>()?;
    module.add_class::<judge::Judgement>()?;
    module.add_class::<judge::Fault>()?;
    module.add_class::<training::TrainingArrays>()?;
    module.add_function(wrap_pyfunction!(source::builtin_names, module)?)?;
    module.add_function(wrap_pyfunction!(find::open_game, module)?)?;
    let error = py.get_type::<errors::MorpionError>();
    // The index of an error outside a batch.
    error.setattr("index", py.None())?;
    module.add("MorpionError", error)?;
    module.add("PositionError", py.get_type::<errors::PositionError>())?;
    module.add("TableError", py.get_type::<errors::TableFault>())?;
    module.add("ERROR_KINDS", batch::error_kinds(py)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
