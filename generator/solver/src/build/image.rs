//! A whole table as it is written: to a file or to memory, from its beginning to its end.

use crate::solve::census::{self, Counted};
use crate::solve::frame::Frame;
use crate::solve::movement::{Layer, Stage};
use crate::solve::operator::Operator;
use crate::solve::shared::Shared;
use crate::solve::{Fault, Shape, placement, values};
use morpion_games::progress::Progress;

use morpion_lookup::format::{ALIGNMENT, Census, MAGIC, Sums, frame, serialise};
use morpion_lookup::{Counts, Encoding, Game};
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

    /// A writer behind `sums.1` bytes that are written already and have these sums.
    pub fn resume(out: W, sums: (Sums, u64)) -> Writer<W> {
        Writer { out, sums: sums.0, written: sums.1 }
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

    /// Writes the census and the sums, which close the file.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(&mut self, census: &Census) -> Result<(), Fault> {
        let census = serialise(census)?;
        self.write(&(census.len() as u64).to_le_bytes())?;
        self.write(&census)?;
        self.pad(8)?;
        let sums = std::mem::take(&mut self.sums).finish();
        self.out.write_all(&sums)?;
        self.out.flush()?;
        Ok(())
    }

    /// How many bytes have been written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// The sums of the whole units that have been written.
    pub fn sums(&self) -> &[u8] {
        self.sums.finished()
    }

    /// Where the bytes go.
    pub fn out(&mut self) -> &mut W {
        &mut self.out
    }
}

/// What a run has behind it, and what it goes on from.
#[derive(Default)]
pub struct Behind {
    /// The layers that are written, from the last of the game on, counted.
    pub counted: Vec<Counted>,
    /// The bytes of the layer written last; empty where none is.
    pub last: Vec<u8>,
    /// The movement layer under way.
    pub movement: Option<MovementBehind>,
}

/// A movement layer that is solved up to a distance.
pub struct MovementBehind {
    /// Its codes as bytes.
    pub codes: Vec<u8>,
    /// The distance.
    pub distance: u16,
    /// What is being looked for.
    pub stage: Stage,
}

/// Who keeps what is done, so that an interrupted run can go on.
pub trait Keeper<W> {
    /// A layer is written: all that is in `counted` is in the file.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn layer(&mut self, writer: &mut Writer<W>, counted: &[Counted]) -> Result<(), Fault>;

    /// Whether it is time to keep a movement layer.
    fn is_due(&self) -> bool;

    /// The movement layer is solved up to a distance.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn movement(
        &mut self,
        writer: &mut Writer<W>,
        codes: &[u8],
        distance: u16,
        stage: Stage,
    ) -> Result<(), Fault>;
}

/// Keeps nothing.
pub struct Forgetful;

impl<W> Keeper<W> for Forgetful {
    fn layer(&mut self, _: &mut Writer<W>, _: &[Counted]) -> Result<(), Fault> {
        Ok(())
    }

    fn is_due(&self) -> bool {
        false
    }

    fn movement(&mut self, _: &mut Writer<W>, _: &[u8], _: u16, _: Stage) -> Result<(), Fault> {
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
    let mut writer = Writer::new(Vec::new());
    writer.begin(&table)?;
    let run = Run { table: &table, operator, progress };
    run.write(&mut writer, &mut Forgetful, Behind::default())?;
    Ok(writer.out)
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
    /// Solves the layers that are not behind, and writes them and what closes the file.
    ///
    /// # Errors
    /// Where a distance does not fit, the observer asks for a stop, or writing or keeping fails.
    pub fn write<W: Write>(
        &self,
        writer: &mut Writer<W>,
        keeper: &mut dyn Keeper<W>,
        behind: Behind,
    ) -> Result<(), Fault> {
        let census = match self.table.header().encoding {
            Encoding::Plies8 => self.plies::<u8, W>(writer, keeper, behind)?,
            Encoding::Plies16 => self.plies::<u16, W>(writer, keeper, behind)?,
            Encoding::Wdl => self.values(writer, keeper, behind)?,
        };
        writer.finish(&census)
    }

    /// The layers still to be solved, in order.
    fn ahead(&self, behind: &Behind) -> Vec<Counts> {
        let mut layers = self.table.game().layers();
        layers.truncate(layers.len().saturating_sub(behind.counted.len()));
        layers.reverse();
        layers
    }

    fn begin_layer(&self, counts: Counts) {
        self.progress.layer(counts, Shape::of(self.table, counts).entries() as u64);
    }

    fn plies<E: Shared, W: Write>(
        &self,
        writer: &mut Writer<W>,
        keeper: &mut dyn Keeper<W>,
        behind: Behind,
    ) -> Result<Census, Fault> {
        let &Run { table, operator, progress } = self;
        let ahead = self.ahead(&behind);
        let Behind { mut counted, last, mut movement } = behind;
        let mut children: Option<Vec<E>> = (!counted.is_empty()).then(|| E::read(last));
        for counts in ahead {
            self.begin_layer(counts);
            let codes = match children.take() {
                Some(children) => placement::solve(table, counts, children, operator, progress)?,
                None if table.game().is_movement(counts) => {
                    self.movement(counts, writer, keeper, movement.take())?
                }
                None => placement::last(table, counts),
            };
            counted.push(census::of_plies(table, counts, &codes));
            // In pieces, since the bytes of wide entries are made anew.
            for entries in codes.chunks(1 << 20) {
                writer.write(&E::bytes(entries))?;
            }
            writer.pad(ALIGNMENT)?;
            keeper.layer(writer, &counted)?;
            children = Some(codes);
        }
        Ok(census::assemble(counted))
    }

    fn movement<E: Shared, W: Write>(
        &self,
        counts: Counts,
        writer: &mut Writer<W>,
        keeper: &mut dyn Keeper<W>,
        behind: Option<MovementBehind>,
    ) -> Result<Vec<E>, Fault> {
        let &Run { table, operator, progress } = self;
        let mut layer = match behind {
            Some(MovementBehind { codes, distance, stage }) => {
                Layer::<E>::resume(table, counts, operator, E::read(codes), distance, stage)
            }
            None => Layer::<E>::new(table, counts, operator),
        };
        while layer.stage() != Stage::Done {
            let stepped = layer.step(progress);
            progress.distance(layer.distance());
            // A stop leaves the layer as it was after the last whole step, which is worth keeping.
            if keeper.is_due() || matches!(stepped, Err(Fault::Stopped(_))) {
                keeper.movement(
                    writer,
                    &E::bytes(layer.codes()),
                    layer.distance(),
                    layer.stage(),
                )?;
            }
            stepped?;
        }
        Ok(layer.into_codes())
    }

    fn values<W: Write>(
        &self,
        writer: &mut Writer<W>,
        keeper: &mut dyn Keeper<W>,
        behind: Behind,
    ) -> Result<Census, Fault> {
        let &Run { table, operator, progress } = self;
        let ahead = self.ahead(&behind);
        let Behind { mut counted, last, .. } = behind;
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
            keeper.layer(writer, &counted)?;
            children = Some(packed);
        }
        Ok(census::assemble(counted))
    }
}
