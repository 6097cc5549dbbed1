//! A table as its bytes: the layers that the solver hands over, between the header and the census.
//!
//! In: a [`Layout`] and its folded sets. Out: the bytes of the table, in order, into memory here and into a file with
//! checkpoints in [`super::checkpoint`].

use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::layers::{LayerSink, ResumePoint, layers};
use crate::solve::operator::Operator;
use morpion_games::progress::Progress;
use morpion_lookup::Game;
use morpion_lookup::raw::{ALIGNMENT, Census, Encoding, MAGIC, serialise};
use morpion_machine::sealed::Writer;
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes everything before the layers: the header and the maps.
///
/// # Errors
/// Those of `out`.
pub fn begin<W: Write>(out: W, layout: &Layout, sets: &FoldedSets) -> io::Result<Writer<W>> {
    let mut writer = Writer::new(out);
    let header = layout.header();
    let bytes = header.to_bytes().map_err(io::Error::other)?;
    writer.write_preamble(MAGIC, header.version(), &bytes)?;
    for map in &header.maps {
        writer.write(&sets.map_bytes(map.size))?;
        writer.pad(ALIGNMENT)?;
    }
    Ok(writer)
}

/// Writes a layer.
///
/// # Errors
/// Those of the writer.
pub(crate) fn write_layer<W: Write>(
    writer: &mut Writer<W>,
    pieces: &mut dyn Iterator<Item = Cow<'_, [u8]>>,
) -> io::Result<()> {
    for piece in pieces {
        writer.write(&piece)?;
    }
    writer.pad(ALIGNMENT)
}

/// Writes the census and the sums, which close the file.
///
/// # Errors
/// Those of the writer.
pub fn finish<W: Write>(mut writer: Writer<W>, census: &Census) -> Result<W, SolveError> {
    let census = serialise(census)?;
    writer.write(&(census.len() as u64).to_le_bytes())?;
    writer.write(&census)?;
    Ok(writer.finish()?)
}

/// Solves `game` in memory and gives the bytes of its table with distances, of one byte or of two where they need it.
///
/// # Errors
/// Where the game is too large, or the observer asks for a stop.
pub fn solve(
    game: &Game,
    operator: Operator,
    progress: &dyn Progress,
) -> Result<Vec<u8>, SolveError> {
    let layout = Layout::new(game, Some(Encoding::Plies8), progress)?;
    let sets = FoldedSets::fold(&layout, progress)?;
    match in_memory(&layout, &sets, operator, progress) {
        Err(SolveError::TooDeep(_)) => {
            let wide = layout.with_encoding(Encoding::Plies16)?;
            in_memory(&wide, &sets, operator, progress)
        }
        solved => solved,
    }
}

/// Solves `game` in memory and gives the bytes of its table in one encoding.
///
/// # Errors
/// Where a distance does not fit, two bits are asked for in a game with movement, the game is too large, or the observer
/// asks for a stop.
pub fn solve_as(
    game: &Game,
    encoding: Encoding,
    operator: Operator,
    progress: &dyn Progress,
) -> Result<Vec<u8>, SolveError> {
    solve_layout(&Layout::new(game, Some(encoding), progress)?, operator, progress)
}

/// Solves in memory what `layout` lays out and gives the bytes of the table.
///
/// # Errors
/// Where a distance does not fit the encoding, or the observer asks for a stop.
pub fn solve_layout(
    layout: &Layout,
    operator: Operator,
    progress: &dyn Progress,
) -> Result<Vec<u8>, SolveError> {
    in_memory(layout, &FoldedSets::fold(layout, progress)?, operator, progress)
}

fn in_memory(
    layout: &Layout,
    sets: &FoldedSets,
    operator: Operator,
    progress: &dyn Progress,
) -> Result<Vec<u8>, SolveError> {
    let mut sink = InMemory(begin(Vec::new(), layout, sets)?);
    let encoding = layout.header().encoding;
    let census = layers(sets, encoding, operator, ResumePoint::default(), progress, &mut sink)?;
    finish(sink.0, &census)
}

/// A table on its way into memory, which keeps no checkpoints.
struct InMemory(Writer<Vec<u8>>);

impl LayerSink for InMemory {
    fn layer(&mut self, pieces: &mut dyn Iterator<Item = Cow<'_, [u8]>>) -> Result<(), SolveError> {
        Ok(write_layer(&mut self.0, pieces)?)
    }
}
