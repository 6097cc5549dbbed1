//! Sources of the bytes of a table: a path, bytes, or a file object of Python, which `morpion/source.py` reads.
//!
//! The first bytes show if a table is packed. Reading a file object needs the interpreter's lock, so a thread releases the lock before it
//! may wait for another thread's read: see [`ask`].

use crate::errors::of_table;
use morpion_lookup::{Bytes, Source, Table, TableError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};
use std::cell::Cell;
use std::path::PathBuf;

/// The table of the Rust library, which the class `Table` of this module contains.
pub(crate) type OpenTable = Table;

/// Opens a table from a path as text, from bytes, or from a `morpion.source.File`.
pub(crate) fn open(given: &Bound<'_, PyAny>, mmap: bool, cache: usize) -> PyResult<OpenTable> {
    let py = given.py();
    let opened = if given.is_instance_of::<PyString>() {
        let path: PathBuf = given.extract()?;
        py.detach(|| match mmap {
            // SAFETY: with `mmap=True`, the caller promises that nobody changes the file while the table is open.
            true => unsafe { Table::map(path) },
            false => Table::open(path),
        })
    } else if let Ok(bytes) = given.cast::<PyBytes>() {
        open_source(py, PyBackedBytes::from(bytes.clone()))
    } else {
        let size = given.getattr("size")?.extract()?;
        open_source(py, File { file: given.clone().unbind(), size })
    };
    let table = opened.map_err(|error| of_table(py, error))?;
    table.source().packed().into_iter().for_each(|packed| packed.set_cache(cache));
    Ok(table)
}

/// Opens a table from a source of plain or packed bytes.
fn open_source(
    py: Python<'_>,
    source: impl Source + Send + Sync + 'static,
) -> Result<OpenTable, TableError> {
    let bytes = Bytes::from_source(source);
    py.detach(|| Table::from_source(Bytes::detect(bytes)?))
}

/// Asks a table. If the table is in memory, the interpreter's lock is kept, because an answer takes nanoseconds. Otherwise the lock is
/// released, because another thread may be using the file object.
pub(crate) fn ask<T: Send>(
    py: Python<'_>,
    table: &OpenTable,
    question: impl FnOnce(&OpenTable) -> T + Send,
) -> PyResult<T> {
    match table.source().in_memory() {
        Some(_) => Ok(question(table)),
        None => ask_detached(py, table, question),
    }
}

/// Asks a table a question that takes long, always without the interpreter's lock.
pub(crate) fn ask_detached<T: Send>(
    py: Python<'_>,
    table: &OpenTable,
    question: impl FnOnce(&OpenTable) -> T + Send,
) -> PyResult<T> {
    // A read by the table is under way in this thread and may hold a lock, so another read would deadlock.
    if READING.get() && table.source().in_memory().is_none() {
        return Err(PyRuntimeError::new_err(
            "a table cannot be used by the file object that it reads",
        ));
    }
    Ok(py.detach(|| question(table)))
}

thread_local! {
    /// True while this thread is inside a file object that a table reads.
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// A `morpion.source.File`, which reads from a file object of the user.
struct File {
    file: Py<PyAny>,
    size: u64,
}

impl Source for File {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        Python::attach(|py| {
            READING.set(true);
            let read = self.file.bind(py).call_method1("read_at", (offset, into.len()));
            READING.set(false);
            into.copy_from_slice(read?.cast::<PyBytes>()?.as_bytes());
            Ok(())
        })
        .map_err(|error: PyErr| TableError::io(error))
    }
}
