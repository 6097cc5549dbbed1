//! Sealed files: a header with its own checksum, a body, and a checksum for every MiB of both. `tables/FORMAT.md`
//! defines the bytes.
//!
//! Writes the magic, the header and the body in order, then the checksums. Tables of perfect play, tables of Grundy
//! values and checkpoints are such files.

use morpion_core::{Sums, fields::Encode, preamble, serialise};
use std::io::{self, Write};

/// Writes a sealed file in order.
pub struct Writer<W> {
    out: W,
    sums: Sums,
    written: u64,
}

impl<W: Write> Writer<W> {
    /// Creates a writer at the beginning of `out`.
    pub fn new(out: W) -> Self {
        Writer { out, sums: Sums::default(), written: 0 }
    }

    /// Writes the preamble of a kind of file with only one version.
    ///
    /// # Errors
    /// If the header is too long, or `out` fails.
    pub fn write_header(&mut self, magic: [u8; 8], header: &impl Encode) -> io::Result<()> {
        self.write(&preamble(magic, 1, &serialise(header).map_err(io::Error::other)?))
    }

    /// Writes the next bytes of the body.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.sums.update(bytes);
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Writes zeros up to a multiple of `unit`.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn pad(&mut self, unit: u64) -> io::Result<()> {
        let zeros = self.written.next_multiple_of(unit) - self.written;
        self.write(&vec![0; zeros as usize])
    }

    /// Writes the checksums, which end the file.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.pad(8)?;
        self.out.write_all(&self.sums.finish())?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Number of bytes written so far.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// The checksums that would complete the file if it ended here.
    pub fn sums(&self) -> Vec<u8> {
        self.sums.clone().finish()
    }

    /// The underlying writer.
    pub fn out(&mut self) -> &mut W {
        &mut self.out
    }

    /// Continues the same file in another writer.
    pub fn continue_to<V: Write>(self, out: V) -> Writer<V> {
        Writer { out, sums: self.sums, written: self.written }
    }
}
