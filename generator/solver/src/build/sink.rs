//! Serialises a table: header and maps, the layers as they are solved, and the census.
//!
//! The solver visits the rows of a layer in order, the [`TableSink`] counts and checksums them, and a writer stores the
//! bytes, plain or packed.

use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::census::{self, Counted};
use crate::solve::checkpoint::Checkpoint;
use crate::solve::sink::{Sink, VisitLayer};
use morpion_format::WriteHeader;
use morpion_lookup::raw::{ALIGNMENT, Census, MAGIC, serialise};
use morpion_machine::sealed::Writer;
use std::io::{self, Write};

/// A table that is written to a file or to memory.
pub struct TableSink<W> {
    /// Writer of the bytes.
    pub writer: Writer<W>,
    /// The counts of the written layers.
    pub counted: Vec<Counted>,
}

impl<W: Write> TableSink<W> {
    /// Writes everything before the layers: the header and the maps.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn begin(out: W, layout: &Layout, sets: &FoldedSets) -> io::Result<TableSink<W>> {
        let (mut writer, header) = (Writer::new(out), layout.header());
        let bytes = header.to_bytes().map_err(io::Error::other)?;
        writer.write_preamble(MAGIC, header.version(), &bytes)?;
        for map in &header.maps {
            let map = &sets.orbits(map.size).map;
            writer.write(&map.iter().flat_map(|entry| entry.to_le_bytes()).collect::<Vec<_>>())?;
            writer.pad(ALIGNMENT)?;
        }
        Ok(TableSink { writer, counted: Vec::new() })
    }

    /// Writes the census and the checksums, which close the file.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(self) -> Result<W, SolveError> {
        finish(self.writer, &census::assemble(self.counted))
    }
}

impl<W: Write> Sink for TableSink<W> {
    fn write(&mut self, layer: &VisitLayer) -> Result<(), SolveError> {
        let counted = layer(&mut |bytes| Ok(self.writer.write(bytes)?))?;
        self.counted.push(counted);
        Ok(self.writer.pad(ALIGNMENT)?)
    }
}

/// A table in memory has no checkpoint.
impl Checkpoint for TableSink<Vec<u8>> {}

/// Writes the census and the checksums, which close the file.
///
/// # Errors
/// If the writer fails.
pub fn finish<W: Write>(mut writer: Writer<W>, census: &Census) -> Result<W, SolveError> {
    let census = serialise(census)?;
    writer.write(&(census.len() as u64).to_le_bytes())?;
    writer.write(&census)?;
    Ok(writer.finish()?)
}
