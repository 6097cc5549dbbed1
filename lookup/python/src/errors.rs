//! Exceptions for the errors of the library, whose classes are in `morpion/errors.py`.
//!
//! An error of the library becomes an exception whose attribute `kind` is the short name of the error. An exception that a file
//! object of the user raised is raised again unchanged.

use morpion_lookup::{PositionError, ProbeError, TableError};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::io;

/// Makes an exception of this class of `morpion.errors`, with a text and the short name of its kind.
fn named(py: Python<'_>, class: &str, kind: &str, text: String) -> PyErr {
    let class = py.import("morpion.errors").and_then(|errors| errors.getattr(class));
    match class.and_then(|class| class.call1((text, kind))) {
        Ok(error) => PyErr::from_value(error),
        Err(other) => other,
    }
}

pub(crate) fn closed(py: Python<'_>) -> PyErr {
    named(py, "TableError", "closed", "the table is closed".into())
}

pub(crate) fn of_check(py: Python<'_>, error: PositionError) -> PyErr {
    named(py, "PositionError", error.kind().name(), error.to_string())
}

pub(crate) fn of_probe(py: Python<'_>, error: ProbeError) -> PyErr {
    match error {
        ProbeError::Position(fault) => of_check(py, fault),
        ProbeError::Read(error) => of_table(py, error),
        damaged => named(py, "TableError", damaged.kind().name(), damaged.to_string()),
    }
}

/// Makes the exception for a table that cannot be opened or read. If a file object raised an exception, returns this exception. If the
/// system reported an error, returns a subclass of `OSError`, and otherwise a `TableError`.
pub(crate) fn of_table(py: Python<'_>, error: TableError) -> PyErr {
    let (kind, text) = (error.kind(), error.to_string());
    let path = error.path().map(OsString::from);
    let error = match error.into_inner().downcast::<PyErr>() {
        Ok(raised) => return *raised,
        Err(error) => error,
    };
    match error.downcast::<io::Error>() {
        Ok(error) => of_io(py, &error, path, text),
        Err(_) => named(py, "TableError", kind.name(), text),
    }
}

/// Makes an `OSError`. Python chooses the right subclass if it has the number of the error.
fn of_io(py: Python<'_>, error: &io::Error, path: Option<OsString>, text: String) -> PyErr {
    let Some(number) = error.raw_os_error() else { return PyOSError::new_err(text) };
    match py.import("os").and_then(|os| os.call_method1("strerror", (number,))) {
        Ok(text) => PyOSError::new_err((number, text.unbind(), path)),
        Err(other) => other,
    }
}
