//! Exceptions for the errors of the library, whose classes are in `morpion/errors.py`.
//!
//! An error of the library becomes an exception whose attribute `kind` is the short name of the error. An exception that a file
//! object of the user raised is raised again unchanged.

use morpion_lookup::{PositionError, ProbeError, ReadError, TableError, TextError};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::io;
use std::path::Path;

/// An exception of a class in `morpion.errors`, with its short name.
fn named(py: Python<'_>, class: &str, kind: &str, text: String) -> PyErr {
    let class = py.import("morpion.errors").and_then(|errors| errors.getattr(class));
    match class.and_then(|class| class.call1((text, kind))) {
        Ok(error) => PyErr::from_value(error),
        Err(other) => other,
    }
}

pub(crate) fn of_position(py: Python<'_>, kind: &str, text: impl Into<String>) -> PyErr {
    named(py, "PositionError", kind, text.into())
}

pub(crate) fn in_table(py: Python<'_>, kind: &str, text: impl Into<String>) -> PyErr {
    named(py, "TableError", kind, text.into())
}

pub(crate) fn of_check(py: Python<'_>, error: PositionError) -> PyErr {
    of_position(py, error.kind().name(), error.to_string())
}

pub(crate) fn of_text(py: Python<'_>, error: &TextError) -> PyErr {
    of_position(py, error.kind().name(), error.to_string())
}

pub(crate) fn of_probe(py: Python<'_>, error: ProbeError) -> PyErr {
    match error {
        ProbeError::Position(error) => of_check(py, error),
        ProbeError::Read(error) => of_read(py, error, None),
        damaged => in_table(py, damaged.kind().name(), damaged.to_string()),
    }
}

/// The exception for an error of a table, which was read from `path` if there is one.
pub(crate) fn of_table(py: Python<'_>, error: TableError, path: Option<&Path>) -> PyErr {
    match error {
        TableError::Read(error) => of_read(py, error, path),
        other => in_table(py, other.kind().name(), with_path(path, &other)),
    }
}

/// The exception for bytes that cannot be read: raised by the file object, a subclass of `OSError`, or damage to a packed table.
pub(crate) fn of_read(py: Python<'_>, error: ReadError, path: Option<&Path>) -> PyErr {
    let kind = error.kind();
    let error = match error.into_inner().downcast::<PyErr>() {
        Ok(raised) => return *raised,
        Err(error) => error,
    };
    match error.downcast::<io::Error>() {
        Ok(error) => of_io(py, &error, path),
        Err(error) => in_table(py, kind.name(), with_path(path, &error)),
    }
}

/// Python turns an `OSError` with number, text and file name into the right subclass.
fn of_io(py: Python<'_>, error: &io::Error, path: Option<&Path>) -> PyErr {
    let Some(number) = error.raw_os_error() else {
        return PyOSError::new_err(with_path(path, error));
    };
    let text = py.import("os").and_then(|os| os.call_method1("strerror", (number,)));
    match text {
        Ok(text) => PyOSError::new_err((
            number,
            text.unbind(),
            path.map(Path::as_os_str).map(std::ffi::OsStr::to_os_string),
        )),
        Err(other) => other,
    }
}

fn with_path(path: Option<&Path>, error: &dyn std::fmt::Display) -> String {
    match path {
        Some(path) => format!("{}: {error}", path.display()),
        None => error.to_string(),
    }
}
