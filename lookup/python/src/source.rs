//! Sources of the bytes of a table: a path, bytes, or a file object of Python.
//!
//! The first bytes determine if a table is packed. File objects are read with the interpreter's lock, so a thread that may wait for
//! one releases the lock first: see [`ask`].

use crate::errors::of_table;
use morpion_lookup::{Bytes, Source, Table, TableError};
use pyo3::exceptions::{PyEOFError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The library's table, which this module's own class contains.
pub(crate) type OpenTable = Table;

/// Opens a table: a path as text, bytes, or else a file object.
pub(crate) fn open(given: &Bound<'_, PyAny>, mmap: bool, cache: usize) -> PyResult<OpenTable> {
    let py = given.py();
    let table = if given.is_instance_of::<PyString>() {
        open_path(py, &given.extract::<PathBuf>()?, mmap)?
    } else if let Ok(bytes) = given.cast::<PyBytes>() {
        open_source(py, PyBackedBytes::from(bytes.clone()))?
    } else {
        open_source(py, FileObject::new(given)?)?
    };
    table.source().packed().into_iter().for_each(|packed| packed.set_cache(cache));
    Ok(table)
}

fn open_path(py: Python<'_>, path: &Path, mmap: bool) -> PyResult<OpenTable> {
    let table = py.detach(|| match mmap {
        // SAFETY: with `mmap=True`, the caller promises that nobody changes the file while the table is open.
        true => unsafe { Table::map(path) },
        false => Table::open(path),
    });
    table.map_err(|error| of_table(py, error))
}

/// Opens a table over plain or packed bytes.
fn open_source(py: Python<'_>, source: impl Source + Send + Sync + 'static) -> PyResult<OpenTable> {
    let bytes = Bytes::from_source(source);
    let opened = py.detach(|| Table::from_source(Bytes::detect(bytes)?));
    opened.map_err(|error| of_table(py, error))
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
    // The thread would wait for itself.
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

/// Anything with `seek` and `read`: an open file, an object of fsspec.
struct FileObject {
    file: Py<PyAny>,
    size: u64,
    /// Locked from `seek` to `read`. Threads wait for it only without the interpreter's lock, which its owner may need.
    place: Mutex<()>,
}

impl FileObject {
    fn new(file: &Bound<'_, PyAny>) -> PyResult<FileObject> {
        let end = file.call_method1("seek", (0, 2))?;
        // Some `seek` methods return None.
        let end = if end.is_none() { file.call_method0("tell")? } else { end };
        Ok(FileObject { file: file.clone().unbind(), size: end.extract()?, place: Mutex::new(()) })
    }

    fn read(&self, py: Python<'_>, offset: u64, into: &mut [u8]) -> PyResult<()> {
        let file = self.file.bind(py);
        file.call_method1("seek", (offset,))?;
        let mut filled = 0;
        while filled < into.len() {
            let wanted = into.len() - filled;
            let found = file.call_method1("read", (wanted,))?;
            let found = found.cast::<PyBytes>().map_err(|_| {
                let name = found.get_type().name().map_or("no bytes".into(), |n| n.to_string());
                PyTypeError::new_err(format!(
                    "read() of the file object returned {name}, expected bytes"
                ))
            })?;
            let found = found.as_bytes();
            if found.is_empty() || found.len() > wanted {
                let (length, at) = (found.len(), offset + filled as u64);
                return Err(PyEOFError::new_err(format!(
                    "read() of the file object returned {length} bytes at {at} of {}, expected {wanted}",
                    self.size
                )));
            }
            into[filled..][..found.len()].copy_from_slice(found);
            filled += found.len();
        }
        Ok(())
    }
}

impl Source for FileObject {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        let _place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        Python::attach(|py| {
            READING.set(true);
            let read = self.read(py, offset, into);
            READING.set(false);
            read.map_err(TableError::io)
        })
    }
}
