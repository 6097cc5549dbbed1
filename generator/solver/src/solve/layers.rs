//! The front door of the solver: all layers of a game in one loop, from the last to the first.
//!
//! In: the folded sets, the kind of entry (`EntryKind`), and where to resume ([`ResumePoint`]). Out: every layer's bytes,
//! handed to a [`LayerSink`] as soon as they are known, and at the end the census.

use crate::error::SolveError;
use crate::layout::{Layout, values_of_movement};
use crate::sets::FoldedSets;
use crate::solve::census::{self, Counted};
use crate::solve::movement::{MovementLayer, Stage};
use crate::solve::operator::Operator;
use crate::solve::shared::Shared;
use crate::solve::{Shape, movement, placement, values};
use morpion_games::progress::Progress;
use morpion_lookup::raw::{Census, Encoding};
use morpion_lookup::{Counts, Stuck};
use std::borrow::Cow;
use std::marker::PhantomData;

/// Receives the layers of a table, from the last of the game to the first, and may keep what is done on the way.
pub trait LayerSink {
    /// The next layer is solved: its bytes as they stand in the table, in pieces.
    ///
    /// # Errors
    /// Where it cannot be written.
    fn layer(&mut self, pieces: &mut dyn Iterator<Item = Cow<'_, [u8]>>) -> Result<(), SolveError>;

    /// Whether it is time to keep what is done of a movement layer.
    fn is_due(&self) -> bool {
        false
    }

    /// The movement layer, the first of all, is solved up to a distance: its codes as bytes, which may be kept. Called
    /// where [`LayerSink::is_due`], and before a stop.
    ///
    /// # Errors
    /// Where they cannot be kept.
    fn movement(&mut self, codes: &[u8]) -> Result<(), SolveError> {
        let _ = codes;
        Ok(())
    }
}

/// Where an interrupted run resumes: after the layers already written. The default is the beginning.
#[derive(Default)]
pub struct ResumePoint {
    /// The layers that are written, from the last of the game on, counted.
    pub counted: Vec<Counted>,
    /// The bytes of the layer written last; empty where none is.
    pub last: Vec<u8>,
    /// The movement layer under way, where no layer is written yet.
    pub movement: Option<MovementPoint>,
}

/// A movement layer that is solved up to a distance.
pub struct MovementPoint {
    /// Its codes as bytes.
    pub codes: Vec<u8>,
    /// The greatest distance among them.
    pub distance: u16,
}

/// Solves the layers that are not written yet and hands them to `sink`. Returns the census of all.
///
/// # Errors
/// Where a distance does not fit the encoding, the observer asks for a stop, or the sink fails.
pub fn layers(
    sets: &FoldedSets,
    encoding: Encoding,
    operator: Operator,
    from: ResumePoint,
    progress: &dyn Progress,
    sink: &mut dyn LayerSink,
) -> Result<Census, SolveError> {
    let run = Run { sets, operator, progress };
    match encoding {
        Encoding::Plies8 => run.layers::<Distances<u8>>(from, sink),
        Encoding::Plies16 => run.layers::<Distances<u16>>(from, sink),
        Encoding::Wdl => run.layers::<Values>(from, sink),
    }
}

/// Bytes of memory that solving takes at its peak, with the threads of this pool, beside the folded sets.
pub fn memory(layout: &Layout) -> u64 {
    let of_layer = |counts: &Counts| match layout.header().encoding {
        Encoding::Plies8 => Distances::<u8>::memory(layout, *counts),
        Encoding::Plies16 => Distances::<u16>::memory(layout, *counts),
        Encoding::Wdl => Values::memory(layout, *counts),
    };
    layout.game().layers().iter().map(of_layer).max().unwrap_or(0)
}

/// Whether nothing comes after a layer: the board is full, or all pieces are placed.
fn is_last(layout: &Layout, shape: &Shape) -> bool {
    let Counts { mover, waiter } = shape.counts;
    shape.child_columns == 0
        || layout.game().rules().pieces.is_some_and(|each| mover == each && waiter == each)
}

/// What all layers of one run are solved with.
struct Run<'a> {
    sets: &'a FoldedSets,
    operator: Operator,
    progress: &'a dyn Progress,
}

impl Run<'_> {
    fn layers<K: EntryKind>(
        &self,
        from: ResumePoint,
        sink: &mut dyn LayerSink,
    ) -> Result<Census, SolveError> {
        let ResumePoint { mut counted, last, mut movement } = from;
        let mut children: Option<K::Codes> = (!counted.is_empty()).then(|| K::read(last));
        let entries = |&counts: &Counts| Shape::of(self.sets, counts).entries() as u64;
        let ahead: Vec<Counts> =
            self.sets.game().layers().into_iter().rev().skip(counted.len()).collect();
        self.progress.whole(ahead.iter().map(entries).sum());
        for counts in ahead {
            self.progress.layer(counts, entries(&counts));
            let codes = match children.take() {
                Some(children) => K::placement(self, counts, children)?,
                None if self.sets.game().is_movement(counts) => {
                    K::movement(self, counts, movement.take(), sink)?
                }
                None => K::last(self, counts),
            };
            counted.push(K::count(self, counts, &codes));
            sink.layer(&mut K::pieces(&codes))?;
            children = Some(codes);
        }
        Ok(census::assemble(counted))
    }
}

/// A kind of entry: how the layers of a table are held in memory while it is solved, and how each is found.
trait EntryKind {
    /// A layer in memory.
    type Codes;

    /// The last layer of a game without movement: lines, or a full board.
    fn last(run: &Run, counts: Counts) -> Self::Codes;

    /// The layer that leads back into itself.
    fn movement(
        run: &Run,
        counts: Counts,
        from: Option<MovementPoint>,
        sink: &mut dyn LayerSink,
    ) -> Result<Self::Codes, SolveError>;

    /// A layer of placement, from the layer after it.
    fn placement(
        run: &Run,
        counts: Counts,
        children: Self::Codes,
    ) -> Result<Self::Codes, SolveError>;

    /// Bytes of memory that solving a layer takes.
    fn memory(layout: &Layout, counts: Counts) -> u64;

    /// Counts a layer.
    fn count(run: &Run, counts: Counts, codes: &Self::Codes) -> Counted;

    /// The bytes of a layer, in pieces, as those of wide entries are a copy.
    fn pieces(codes: &Self::Codes) -> impl Iterator<Item = Cow<'_, [u8]>>;

    /// The layer whose bytes these are.
    fn read(bytes: Vec<u8>) -> Self::Codes;
}

/// Distances, of one byte or of two.
struct Distances<E>(PhantomData<E>);

impl<E: Shared> EntryKind for Distances<E> {
    type Codes = Vec<E>;

    fn last(run: &Run, counts: Counts) -> Vec<E> {
        placement::last(run.sets, counts)
    }

    fn movement(
        run: &Run,
        counts: Counts,
        from: Option<MovementPoint>,
        sink: &mut dyn LayerSink,
    ) -> Result<Vec<E>, SolveError> {
        let &Run { sets, operator, progress } = run;
        let mut layer = match from {
            Some(MovementPoint { codes, distance }) => {
                let codes = E::read(codes.into()).into_owned();
                MovementLayer::<E>::resume(sets, counts, operator, codes, distance)
            }
            None => MovementLayer::<E>::new(sets, counts, operator),
        };
        while layer.stage() != Stage::Done {
            let stepped = layer.step(progress);
            progress.distance(layer.distance());
            let keep = match stepped {
                Ok(_) => sink.is_due(),
                // The layer is as it was after the last whole step, which is worth keeping.
                Err(SolveError::Stopped(_)) => true,
                Err(_) => false,
            };
            if keep {
                sink.movement(&E::bytes(layer.codes()))?;
            }
            stepped?;
        }
        Ok(layer.into_codes())
    }

    fn placement(run: &Run, counts: Counts, children: Vec<E>) -> Result<Vec<E>, SolveError> {
        placement::solve(run.sets, counts, children, run.operator, run.progress)
    }

    fn memory(layout: &Layout, counts: Counts) -> u64 {
        let shape = Shape::planned(layout, counts);
        if layout.game().is_movement(counts) {
            let movement = layout.game().rules().movement.as_ref();
            let passes = movement.is_some_and(|movement| movement.stuck == Stuck::Pass);
            movement::memory::<E>(&shape, layout.header().symmetries.len(), passes)
        } else if is_last(layout, &shape) {
            (shape.entries() * E::BYTES) as u64
        } else {
            placement::memory::<E>(&shape, rayon::current_num_threads())
        }
    }

    fn count(run: &Run, counts: Counts, codes: &Vec<E>) -> Counted {
        census::of_distances(run.sets, counts, codes)
    }

    fn pieces(codes: &Vec<E>) -> impl Iterator<Item = Cow<'_, [u8]>> {
        codes.chunks(1 << 20).map(E::bytes)
    }

    fn read(bytes: Vec<u8>) -> Vec<E> {
        E::read(bytes.into()).into_owned()
    }
}

/// Values alone, two bits an entry. Games with movement have none: without distances a win can circle.
struct Values;

impl EntryKind for Values {
    type Codes = Vec<u8>;

    fn last(run: &Run, counts: Counts) -> Vec<u8> {
        values::last(run.sets, counts)
    }

    fn movement(
        _: &Run,
        _: Counts,
        _: Option<MovementPoint>,
        _: &mut dyn LayerSink,
    ) -> Result<Vec<u8>, SolveError> {
        Err(SolveError::Table(values_of_movement()))
    }

    fn placement(run: &Run, counts: Counts, children: Vec<u8>) -> Result<Vec<u8>, SolveError> {
        values::solve(run.sets, counts, &children, run.operator, run.progress)
    }

    fn memory(layout: &Layout, counts: Counts) -> u64 {
        let shape = Shape::planned(layout, counts);
        if is_last(layout, &shape) {
            shape.entries().div_ceil(4) as u64
        } else {
            values::memory(&shape, rayon::current_num_threads())
        }
    }

    fn count(run: &Run, counts: Counts, codes: &Vec<u8>) -> Counted {
        (census::of_values(run.sets, counts, codes), [None, None])
    }

    fn pieces(codes: &Vec<u8>) -> impl Iterator<Item = Cow<'_, [u8]>> {
        std::iter::once(Cow::Borrowed(&codes[..]))
    }

    fn read(bytes: Vec<u8>) -> Vec<u8> {
        bytes
    }
}
