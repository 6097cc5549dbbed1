//! Sealed files: a header under a sum of its own, a body, and a sum for every MiB of both; `tables/FORMAT.md` has the bytes.
//!
//! In: the magic, the header and the body in order. Out: the file. Tables of perfect play, tables of Grundy values
//! and checkpoints are such files.

use morpion_lookup::raw::{Preamble, Sums, preamble};
use std::io::{self, Write};

/// Writes a sealed file from its beginning to its end.
pub struct Writer<W> {
    out: W,
    sums: Sums,
    written: u64,
}

impl<W: Write> Writer<W> {
    /// A writer at the beginning of `out`.
    pub fn new(out: W) -> Self {
        Writer { out, sums: Sums::default(), written: 0 }
    }

    /// Writes what a file begins with: the magic, the version, and the header with its length and sum.
    ///
    /// # Errors
    /// Where the header is too long, and those of `out`.
    pub fn write_header(&mut self, magic: [u8; 8], header: &impl Preamble) -> io::Result<()> {
        self.write(&preamble(magic, header).map_err(io::Error::other)?)
    }

    /// Writes the next bytes of the body.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.sums.update(bytes);
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Writes zeros up to a multiple of `unit`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn pad(&mut self, unit: u64) -> io::Result<()> {
        let zeros = self.written.next_multiple_of(unit) - self.written;
        self.write(&vec![0; zeros as usize])
    }

    /// Ends with the sums.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(mut self) -> io::Result<W> {
        self.pad(8)?;
        self.out.write_all(&self.sums.finish())?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// How many bytes have been written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// The sums that would close the file if it ended here.
    pub fn sums(&self) -> Vec<u8> {
        self.sums.clone().finish()
    }

    /// Where the bytes go.
    pub fn out(&mut self) -> &mut W {
        &mut self.out
    }

    /// The same file, the rest of which goes to `out`.
    pub fn go_on<V: Write>(self, out: V) -> Writer<V> {
        Writer { out, sums: self.sums, written: self.written }
    }
}
