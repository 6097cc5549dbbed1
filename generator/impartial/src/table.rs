//! Files of Grundy values, whichever game they are of: `*.grundy`.
//!
//! In comes a header; out goes a writer of the sealed file, which the values follow. What is in it, `tables/FORMAT.md` says.

use morpion_grundy::{Header, MAGIC};
use morpion_machine::sealed;
use std::io::{self, Write};
use std::path::Path;

/// The ending of a table's file name.
pub const EXTENSION: &str = "grundy";

/// Whether a file of this name is a table of Grundy values.
#[must_use]
pub fn is_named(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension == EXTENSION)
}

/// A writer of a table whose header is written; the values follow.
///
/// # Errors
/// Those of `out`.
pub fn begin<W: Write>(out: W, header: &Header) -> io::Result<sealed::Writer<W>> {
    let mut writer = sealed::Writer::new(out);
    writer.write_header(MAGIC, header)?;
    Ok(writer)
}
