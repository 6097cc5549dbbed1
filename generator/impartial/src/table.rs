//! Files of Grundy values, `*.grundy`. `tables/GRUNDY.md` describes their bytes.

use morpion_grundy::{Header, MAGIC};
use morpion_machine::sealed;
use std::io::{self, Write};
use std::path::Path;

/// Extension of a table's file name.
pub const EXTENSION: &str = "grundy";

/// Checks that a file name has the extension of Grundy tables.
#[must_use]
pub fn is_named(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension == EXTENSION)
}

/// Writes the header of a table, and returns the writer for its values.
///
/// # Errors
/// If `out` fails.
pub fn begin<W: Write>(out: W, header: &Header) -> io::Result<sealed::Writer<W>> {
    let mut writer = sealed::Writer::new(out);
    writer.write_header(MAGIC, header)?;
    Ok(writer)
}
