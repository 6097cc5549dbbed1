//! A whole table as it is written: to a file or to memory, from its beginning to its end.

use crate::solve::census::{self, Counted};
use crate::solve::frame::Frame;
use crate::solve::movement::{Layer, Stage};
use crate::solve::operator::Operator;
use crate::solve::shared::Shared;
use crate::solve::{Fault, Shape, placement, values};
use morpion_games::progress::Progress;
use morpion_lookup::format::{ALIGNMENT, Census, MAGIC, serialise};
use morpion_lookup::{Counts, Encoding, Game};
use morpion_machine::sealed::Writer;
use std::io::{self, Write};

/// Writes everything before the layers: the header and the maps.
///
/// # Errors
/// Those of `out`.
pub fn begin<W: Write>(out: W, table: &Frame) -> io::Result<Writer<W>> {
    let mut writer = Writer::new(out);
    let header = table.header();
    writer.write_header(MAGIC, header)?;
    for map in &header.maps {
        writer.write(&table.map_bytes(map))?;
        writer.pad(ALIGNMENT)?;
    }
    Ok(writer)
}

/// Writes the census and the sums, which close the file.
///
/// # Errors
/// Those of the writer.
pub fn finish<W: Write>(mut writer: Writer<W>, census: &Census) -> Result<W, Fault> {
    let census = serialise(census)?;
    writer.write(&(census.len() as u64).to_le_bytes())?;
    writer.write(&census)?;
    Ok(writer.finish()?)
}

/// What a run goes on from: the layers that are written already, the last of the game first.
#[derive(Default)]
pub struct ResumePoint {
    /// They, counted.
    pub counted: Vec<Counted>,
    /// The bytes of the layer written last; empty where none is.
    pub last: Vec<u8>,
    /// The movement layer under way.
    pub movement: Option<MovementPoint>,
}

/// A movement layer that is solved up to a distance.
pub struct MovementPoint {
    /// Its codes as bytes.
    pub codes: Vec<u8>,
    /// The greatest distance among them.
    pub distance: u16,
}

/// Keeps checkpoints, so that an interrupted run can go on.
pub trait CheckpointSink<W> {
    /// One more layer is written: `layers` in all.
    ///
    /// # Errors
    /// Where the checkpoint cannot be written.
    fn layer(&mut self, writer: &mut Writer<W>, layers: usize) -> Result<(), Fault>;

    /// Whether it is time for a checkpoint inside a movement layer.
    fn is_due(&self) -> bool;

    /// The movement layer, which is the first to be written, is solved up to a distance.
    ///
    /// # Errors
    /// Where the checkpoint cannot be written.
    fn movement(&mut self, writer: &mut Writer<W>, codes: &[u8]) -> Result<(), Fault>;
}

/// Keeps none.
pub struct NoCheckpoints;

impl<W> CheckpointSink<W> for NoCheckpoints {
    fn layer(&mut self, _: &mut Writer<W>, _: usize) -> Result<(), Fault> {
        Ok(())
    }

    fn is_due(&self) -> bool {
        false
    }

    fn movement(&mut self, _: &mut Writer<W>, _: &[u8]) -> Result<(), Fault> {
        Ok(())
    }
}

/// Solves `game` in memory and gives the bytes of its table with distances, of one byte or of two where they need it.
///
/// # Errors
/// Where the game is too large, or the observer asks for a stop.
pub fn solve(game: &Game, operator: Operator, progress: &dyn Progress) -> Result<Vec<u8>, Fault> {
    match solve_as(game, Encoding::Plies8, operator, progress) {
        Err(Fault::TooDeep(_)) => solve_as(game, Encoding::Plies16, operator, progress),
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
) -> Result<Vec<u8>, Fault> {
    let table = Frame::new(game, encoding)?;
    let writer = begin(Vec::new(), &table)?;
    let run = Run { table: &table, operator, progress };
    run.write(writer, &mut NoCheckpoints, ResumePoint::default())
}

/// The solving of one game into one writer.
pub struct Run<'a> {
    /// The game.
    pub table: &'a Frame,
    /// Which operator works.
    pub operator: Operator,
    /// Who looks on.
    pub progress: &'a dyn Progress,
}

impl Run<'_> {
    /// Solves the layers that the resume point lacks, and writes them and what closes the file.
    ///
    /// # Errors
    /// Where a distance does not fit, the observer asks for a stop, or the table or a checkpoint cannot be written.
    pub fn write<W: Write>(
        &self,
        mut writer: Writer<W>,
        sink: &mut dyn CheckpointSink<W>,
        from: ResumePoint,
    ) -> Result<W, Fault> {
        let census = match self.table.header().encoding {
            Encoding::Plies8 => self.plies::<u8, W>(&mut writer, sink, from)?,
            Encoding::Plies16 => self.plies::<u16, W>(&mut writer, sink, from)?,
            Encoding::Wdl => self.values(&mut writer, sink, from)?,
        };
        finish(writer, &census)
    }

    /// The layers still to be solved, in order.
    fn ahead(&self, from: &ResumePoint) -> Vec<Counts> {
        let mut layers = self.table.game().layers();
        layers.truncate(layers.len().saturating_sub(from.counted.len()));
        layers.reverse();
        layers
    }

    fn begin_layer(&self, counts: Counts) {
        self.progress.layer(counts, Shape::of(self.table, counts).entries() as u64);
    }

    fn plies<E: Shared, W: Write>(
        &self,
        writer: &mut Writer<W>,
        sink: &mut dyn CheckpointSink<W>,
        from: ResumePoint,
    ) -> Result<Census, Fault> {
        let &Run { table, operator, progress } = self;
        let ahead = self.ahead(&from);
        let ResumePoint { mut counted, last, mut movement } = from;
        let mut children: Option<Vec<E>> =
            (!counted.is_empty()).then(|| E::read(last.into()).into_owned());
        for counts in ahead {
            self.begin_layer(counts);
            let codes = match children.take() {
                Some(children) => placement::solve(table, counts, children, operator, progress)?,
                None if table.game().is_movement(counts) => {
                    self.movement(counts, writer, sink, movement.take())?
                }
                None => placement::last(table, counts),
            };
            counted.push(census::of_plies(table, counts, &codes));
            // In pieces, since the bytes of wide entries are made anew.
            for entries in codes.chunks(1 << 20) {
                writer.write(&E::bytes(entries))?;
            }
            writer.pad(ALIGNMENT)?;
            sink.layer(writer, counted.len())?;
            children = Some(codes);
        }
        Ok(census::assemble(counted))
    }

    fn movement<E: Shared, W: Write>(
        &self,
        counts: Counts,
        writer: &mut Writer<W>,
        sink: &mut dyn CheckpointSink<W>,
        from: Option<MovementPoint>,
    ) -> Result<Vec<E>, Fault> {
        let &Run { table, operator, progress } = self;
        let mut layer = match from {
            Some(MovementPoint { codes, distance }) => Layer::<E>::resume(
                table,
                counts,
                operator,
                E::read(codes.into()).into_owned(),
                distance,
            ),
            None => Layer::<E>::new(table, counts, operator),
        };
        while layer.stage() != Stage::Done {
            let stepped = layer.step(progress);
            progress.distance(layer.distance());
            let is_due = match stepped {
                Ok(_) => sink.is_due(),
                // The layer is as it was after the last whole step, which is worth keeping.
                Err(Fault::Stopped(_)) => true,
                Err(_) => false,
            };
            if is_due {
                sink.movement(writer, &E::bytes(layer.codes()))?;
            }
            stepped?;
        }
        Ok(layer.into_codes())
    }

    fn values<W: Write>(
        &self,
        writer: &mut Writer<W>,
        sink: &mut dyn CheckpointSink<W>,
        from: ResumePoint,
    ) -> Result<Census, Fault> {
        let &Run { table, operator, progress } = self;
        let ahead = self.ahead(&from);
        let ResumePoint { mut counted, last, .. } = from;
        let mut children = (!counted.is_empty()).then_some(last);
        for counts in ahead {
            self.begin_layer(counts);
            let packed = match children.take() {
                None => values::last(table, counts),
                Some(children) => values::solve(table, counts, &children, operator, progress)?,
            };
            counted.push((census::of_wdl(table, counts, &packed), [None, None]));
            writer.write(&packed)?;
            writer.pad(ALIGNMENT)?;
            sink.layer(writer, counted.len())?;
            children = Some(packed);
        }
        Ok(census::assemble(counted))
    }
}
