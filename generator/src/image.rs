//! A whole table as it is written: to a file or to memory, from its beginning to its end.

use crate::solver::census;
use crate::solver::frame::Frame;
use crate::solver::movement::{Layer, Shared, Stage};
use crate::solver::operator::Operator;
use crate::solver::{Fault, Shape, Watch, placement};
use morpion_lookup::Game;
use morpion_lookup::format::{ALIGNMENT, Census, MAGIC, Sums, frame, serialise};
use std::io::{self, Write};

/// Writes a table in order, keeping its checksums.
pub struct Writer<W> {
    out: W,
    sums: Sums,
    written: u64,
}

impl<W: Write> Writer<W> {
    /// A writer at the beginning of `out`.
    pub fn new(out: W) -> Writer<W> {
        Writer { out, sums: Sums::default(), written: 0 }
    }

    /// Writes the next bytes.
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

    /// Writes everything before the layers.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn begin(&mut self, table: &Frame) -> Result<(), Fault> {
        let header = table.header();
        self.write(&frame(MAGIC, header)?)?;
        for map in &header.maps {
            self.write(&table.map_bytes(map))?;
            self.pad(ALIGNMENT)?;
        }
        Ok(())
    }

    /// Writes the census and the sums, and gives `out` back with the length of the file.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(mut self, census: &Census) -> Result<(W, u64), Fault> {
        let census = serialise(census)?;
        self.write(&(census.len() as u64).to_le_bytes())?;
        self.write(&census)?;
        self.pad(8)?;
        let sums = self.sums.finish();
        self.out.write_all(&sums)?;
        self.out.flush()?;
        Ok((self.out, self.written + sums.len() as u64))
    }
}

/// Solves `game` in memory and gives the bytes of its table, with distances of one byte, or of two where they need it.
///
/// # Errors
/// Where the game is too large, or the watcher says stop.
pub fn solve(game: &Game, operator: Operator, watch: &dyn Watch) -> Result<Vec<u8>, Fault> {
    match write::<u8, _>(game, operator, watch, Vec::new()) {
        Err(Fault::TooDeep(_)) => {
            write::<u16, _>(game, operator, watch, Vec::new()).map(|(bytes, _)| bytes)
        }
        solved => solved.map(|(bytes, _)| bytes),
    }
}

/// Solves `game` and writes its table, with distances of the width of `E`. Gives `out` back with the length of the file.
///
/// # Errors
/// Where a distance does not fit, the game is too large, the watcher says stop, or `out` fails.
pub fn write<E: Shared, W: Write>(
    game: &Game,
    operator: Operator,
    watch: &dyn Watch,
    out: W,
) -> Result<(W, u64), Fault> {
    let table = Frame::new(game, E::ENCODING)?;
    let mut writer = Writer::new(out);
    writer.begin(&table)?;
    let mut counted = Vec::new();
    let mut children: Vec<E> = Vec::new();
    for &counts in game.layers().iter().rev() {
        watch.layer(counts, Shape::of(&table, counts).entries() as u64);
        let codes = if game.is_movement(counts) {
            let mut layer = Layer::<E>::new(&table, counts, operator);
            while layer.stage() != Stage::Done {
                layer.step(watch)?;
                watch.distance(layer.distance());
            }
            layer.into_codes()
        } else if children.is_empty() {
            placement::last(&table, counts)
        } else {
            placement::solve(&table, counts, &children, operator, watch)?
        };
        counted.push(census::of_plies(&table, counts, &codes));
        let mut bytes = Vec::new();
        E::write(&codes, &mut bytes);
        writer.write(&bytes)?;
        writer.pad(ALIGNMENT)?;
        children = codes;
    }
    writer.finish(&census::assemble(counted))
}
