//! Writes a table of values alone from a table with distances: two bits an entry.
//!
//! Reads the layers in the order of the file, a few MiB at a time, and writes the two bits of each entry. Everything else
//! follows from the header and the census. So a table of any size takes little memory.

use crate::error::SolveError;
use crate::sink::finish;
use morpion_core::{
    ALIGNMENT, Census, Damage, Encoding, Header, MAGIC, ProbeError, TableError, VERSION, preamble,
    serialise,
};
use morpion_games::catalogue::Table;
use morpion_machine::pieces::each_piece;
use morpion_machine::progress::Progress;
use morpion_machine::sealed::Writer;
use morpion_machine::threads;
use std::io::{self, Write};
use std::ops::BitOr;
use thiserror::Error;

/// Bytes of values that a thread computes at a time: few enough for its cache.
const CHUNK: usize = 64 << 10;

/// Reason why a table cannot be reduced to values alone.
#[derive(Debug, Error)]
pub enum ValuesError {
    /// The table has values alone already.
    #[error("the table has no distances: it has values alone already")]
    NoDistances,
    /// Entries of two bits do not distinguish draws that end from draws by cycle.
    #[error(
        "the game has cycles, and {0} of its draws end: two bits do not distinguish them from draws by cycle, so keep the distances"
    )]
    Ends(u64),
    /// The census cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The values of a table with distances.
pub struct Values<'t> {
    table: &'t Table,
    /// The header of the table of values.
    pub header: Header,
    census: Census,
    /// For each code of the table, its two bits; [`NONE`] if two bits cannot express the code.
    codes: Vec<u8>,
}

/// Marks a code that two bits cannot express.
const NONE: u8 = 4;

impl<'t> Values<'t> {
    /// Lays out the table of the values of `table`. Reads its census.
    ///
    /// # Errors
    /// If the table has no distances, its game has cycles and draws that end, or the census cannot be read.
    pub fn of(table: &'t Table) -> Result<Values<'t>, ValuesError> {
        let (header, game) = (table.raw().header(), table.game());
        if !table.has_distances() {
            return Err(ValuesError::NoDistances);
        }
        let mut census = table.raw().census()?;
        let ends = census.layers.iter().map(|layer| layer.draws_end).sum();
        let encoding = match (game.graph().has_cycles(), ends) {
            (false, _) => Encoding::Wdl,
            (true, 0) => Encoding::WdlCycle,
            (true, _) => return Err(ValuesError::Ends(ends)),
        };
        for layer in &mut census.layers {
            for counts in [&mut layer.wins, &mut layer.losses] {
                *counts = vec![counts.iter().sum()];
            }
        }
        let code = |code| match header.encoding.decode(code) {
            None => Some(encoding.no_position()),
            Some(score) => encoding.encode(score),
        };
        let codes = (0..=header.encoding.no_position())
            .map(|number| code(number).map_or(NONE, |code| code as u8));
        let census = Census { layers: census.layers, ..Census::default() };
        let (header, codes) = (header.with_encoding(encoding)?, codes.collect());
        Ok(Values { table, header, census, codes })
    }

    /// Length in bytes of the table of values before it is packed.
    ///
    /// # Errors
    /// If the census is too long.
    pub fn size(&self) -> Result<u64, TableError> {
        Ok(self.header.file_length(serialise(&self.census)?.len() as u64))
    }

    /// Writes the table of values. `progress` receives the number of bytes that are read. The checksums of the old table are not checked.
    ///
    /// # Errors
    /// If the table cannot be read or contradicts its census, the observer requests a stop, or `out` fails.
    pub fn write<W: Write>(&self, out: W, progress: &dyn Progress) -> Result<W, SolveError> {
        let (mut writer, old) = (Writer::new(out), self.table.raw().header());
        let source = self.table.source();
        writer.write(&preamble(MAGIC, VERSION, &self.header.to_bytes()?))?;
        // The two headers have the same length, so their maps are at the same places.
        let layers = old.layers.iter().map(|layer| layer.offset).min().unwrap_or(old.census);
        let maps = writer.written()..layers;
        each_piece::<SolveError>(source, maps, progress, |piece| Ok(writer.write(piece)?))?;
        for layer in old.layers.iter().rev() {
            let bytes = layer.offset..layer.offset + layer.bytes;
            each_piece::<SolveError>(source, bytes, progress, |piece| {
                Ok(writer.write(&self.values(piece)?)?)
            })?;
            writer.pad(ALIGNMENT)?;
        }
        finish(writer, &self.census)
    }

    /// The values of entries, four in a byte.
    fn values(&self, entries: &[u8]) -> Result<Vec<u8>, SolveError> {
        let width = self.table.raw().header().encoding.bits() as usize / 8;
        let mut values = vec![0; (entries.len() / width).div_ceil(4)];
        let seen = threads::each_chunk(&mut values, CHUNK, &|number, values| {
            let entries = &entries[number * CHUNK * 4 * width..];
            let each = values.iter_mut().zip(entries.chunks(4 * width));
            let mut all = 0;
            for (byte, codes) in each {
                for (place, code) in codes.chunks_exact(width).enumerate() {
                    let code = u16::from_le_bytes([code[0], code.get(1).copied().unwrap_or(0)]);
                    let value = self.codes[usize::from(code)];
                    *byte |= (value & 3) << (2 * place);
                    all |= value;
                }
            }
            all
        });
        match seen.into_iter().fold(0, BitOr::bitor) & NONE {
            0 => Ok(values),
            _ => Err(io::Error::other(ProbeError::Damaged(Damage::Entry)).into()),
        }
    }
}
