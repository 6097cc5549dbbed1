//! Exceptions for the errors of the library.
//!
//! An error of the library becomes an exception whose attribute `kind` is the short name of the error. An exception that a file
//! object of the user raised is raised again unchanged.

use morpion_lookup::{ProbeError, ReadError, TableError, TextError};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::type_object::PyTypeInfo;
use std::io;
use std::path::Path;

/// The exceptions, under their import names, by which worker processes find them.
mod exceptions {
    use pyo3::create_exception;
    use pyo3::exceptions::PyValueError;
    create_exception!(
        morpion,
        MorpionError,
        PyValueError,
        "An error. `kind` is its short name, the same in every language. `index` is the index of the position in a batch.

>>> error = morpion.Table.builtin(\"classic\").probe_many([\".../.../...\", \"X\"])[1]
>>> error.kind, error.index
('size', 1)"
    );
    create_exception!(
        morpion,
        PositionError,
        MorpionError,
        "A value that is not a position of the game, or not a move.

>>> morpion.Table.builtin(\"classic\").probe(\"XXXX\")
Traceback (most recent call last):
morpion.PositionError: 4 cells, expected 9"
    );
    create_exception!(
        morpion,
        TableError,
        MorpionError,
        "A missing, damaged or closed table.

>>> morpion.Table.builtin(\"chess\")  # doctest: +ELLIPSIS
Traceback (most recent call last):
morpion.TableError: no built-in table \"chess\": use one of classic, ..."
    );
}
pub(crate) use exceptions::{MorpionError, PositionError, TableError as TableFault};

/// An exception with its short name as the attribute `kind`.
pub(crate) fn named<E: PyTypeInfo>(py: Python<'_>, kind: &str, text: impl Into<String>) -> PyErr {
    let error = PyErr::from_type(py.get_type::<E>(), text.into());
    match error.value(py).setattr("kind", kind) {
        Ok(()) => error,
        Err(other) => other,
    }
}

pub(crate) fn of_text(py: Python<'_>, error: &TextError) -> PyErr {
    named::<PositionError>(py, error.kind().name(), error.to_string())
}

pub(crate) fn of_probe(py: Python<'_>, error: ProbeError) -> PyErr {
    match error {
        ProbeError::Position(error) => {
            named::<PositionError>(py, error.kind().name(), error.to_string())
        }
        ProbeError::Read(error) => of_read(py, error, None),
        damaged => named::<TableFault>(py, damaged.kind().name(), damaged.to_string()),
    }
}

/// Adds the index of a position in a batch to the error and its text. Exceptions of other classes are unchanged.
pub(crate) fn in_batch(py: Python<'_>, error: PyErr, index: usize) -> PyErr {
    let value = error.value(py);
    if !value.is_instance_of::<MorpionError>() {
        return error;
    }
    let text = format!("position {index}: {value}");
    match value.setattr("args", (text,)).and_then(|()| value.setattr("index", index)) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// The exception for an error of a table, which was read from `path` if there is one.
pub(crate) fn of_table(py: Python<'_>, error: TableError, path: Option<&Path>) -> PyErr {
    match error {
        TableError::Read(error) => of_read(py, error, path),
        other => named::<TableFault>(py, other.kind().name(), with_path(path, &other)),
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
        Err(error) => named::<TableFault>(py, kind.name(), with_path(path, &error)),
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
