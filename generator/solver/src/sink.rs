//! Serialises a table: header and maps, the layers as they are solved, and the census.
//!
//! The solver visits the rows of a layer in order, the [`TableSink`] counts and checksums them, and a writer stores the
//! bytes, unpacked or packed.

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::census::{self, Counted};
use crate::solve::keeper::{Keeper, VisitLayer};
use morpion_core::{ALIGNMENT, Census, Header, MAGIC, VERSION, preamble, serialise};
use morpion_machine::sealed::Writer;
use std::io::{self, Read, Write};

/// A table that is written to a file or to memory.
pub struct TableSink<W> {
    /// Writer of the bytes.
    pub writer: Writer<W>,
    /// The counts of the written layers.
    pub counted: Vec<Counted>,
    /// The offsets of all layers in the table.
    pub offsets: Vec<u64>,
}

impl<W: Write> TableSink<W> {
    /// Writes everything before the layers: the header and the maps.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn begin(out: W, layout: &Header, sets: &FoldedSets) -> io::Result<TableSink<W>> {
        let mut writer = Writer::new(out);
        let bytes = layout.to_bytes().map_err(io::Error::other)?;
        writer.write(&preamble(MAGIC, VERSION, &bytes))?;
        for map in &layout.maps {
            let map = &sets.orbits(map.size).map;
            writer.write(&map.iter().flat_map(|entry| entry.to_le_bytes()).collect::<Vec<_>>())?;
            writer.pad(ALIGNMENT)?;
        }
        Ok(TableSink::resume(writer, Vec::new(), layout))
    }

    /// Continues after the layers that are written already, with these counts.
    pub fn resume(writer: Writer<W>, counted: Vec<Counted>, layout: &Header) -> TableSink<W> {
        let layers = layout.layers.iter();
        TableSink { writer, counted, offsets: layers.map(|layer| layer.offset).collect() }
    }

    /// Writes a layer that was just solved.
    ///
    /// # Errors
    /// If the layer or the writer fails.
    pub fn write_layer(&mut self, layer: &VisitLayer) -> Result<(), SolveError> {
        let counted = layer(&mut |bytes| Ok(self.writer.write(bytes)?))?;
        self.counted.push(counted);
        Ok(self.writer.pad(ALIGNMENT)?)
    }

    /// Writes the census and the checksums, which close the file.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(self) -> Result<W, SolveError> {
        finish(self.writer, &census::assemble(self.counted))
    }
}

/// A table in memory has no checkpoint, but its layers can be read back.
impl Keeper for TableSink<Vec<u8>> {
    fn write(&mut self, layer: &VisitLayer) -> Result<(), SolveError> {
        self.write_layer(layer)
    }

    fn solved_layer(&mut self, layer: usize) -> io::Result<Box<dyn Read + '_>> {
        let at = self.offsets[layer] as usize;
        Ok(Box::new(&self.writer.out()[at..]))
    }
}

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
