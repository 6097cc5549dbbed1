//! The movement layer: it leads back into itself, so it is solved by distance.

use crate::solve::entry::Entry;
use crate::solve::finished::finished;
use crate::solve::frame::Frame;
use crate::solve::operator::row::{self, Step};
use crate::solve::operator::sliced::{self, Moves};
use crate::solve::operator::{Operator, Scene};
use crate::solve::planes::{Bits, LANES};
use crate::solve::shared::Shared;
use crate::solve::turn::{Place, TILE, Turn};
use crate::solve::{Fault, Shape, TooDeep};
use morpion_games::progress::Progress;
use morpion_games::symmetry::ranker::Ranker;
use morpion_machine::isa::{Isa, Kernel, dispatch, expand};
use morpion_machine::memory::prefetch;

use morpion_lookup::rank::subsets;
use morpion_lookup::{Counts, Score};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// A movement layer while it is being solved.
///
/// `codes` is the layer as it will stand in the table; 0 is undecided until nothing more can be decided, and a draw by
/// cycle then. All positions at a distance are found before one of them is written, so that the order of work changes
/// nothing.
pub struct Layer<'f, E> {
    frame: &'f Frame,
    counts: Counts,
    shape: Shape,
    turn: Turn<'f>,
    /// Of each row of the waiter: the images of its representative.
    images: Vec<u64>,
    /// What the sliced operator works with; nothing for the plain one.
    moves: Option<Moves>,
    codes: Vec<E>,
    decided: Vec<Bits>,
    /// Children that are lost, and those that are not won, as of the last step; loaded anew where `dirty`.
    lost: Vec<Bits>,
    open: Vec<Bits>,
    dirty: Vec<AtomicBool>,
    wins: Vec<Bits>,
    losses: Vec<Bits>,
    distance: u16,
    stage: Stage,
}

/// What is being looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Wins and losses, by distance.
    Values,
    /// Among the draws those that end.
    Ends,
    /// Nothing: the layer is solved.
    Done,
}

impl<'f, E: Shared> Layer<'f, E> {
    /// The layer with its finished positions decided and nothing else.
    pub fn new(frame: &'f Frame, counts: Counts, operator: Operator) -> Layer<'f, E> {
        let codes = finished(frame, counts);
        Layer::resume(frame, counts, operator, codes, 0, Stage::Values)
    }

    /// The layer as it was at an earlier time: all distances up to `distance` decided.
    pub fn resume(
        frame: &'f Frame,
        counts: Counts,
        operator: Operator,
        codes: Vec<E>,
        distance: u16,
        stage: Stage,
    ) -> Layer<'f, E> {
        let shape = Shape::of(frame, counts);
        let dead = frame.dead(counts.waiter);
        let mut decided = Vec::new();
        for block in 0..shape.source_rows.div_ceil(LANES) {
            // Rows whose waiter has a line are finished, and lanes beyond the last row are none.
            let mut lanes = Bits::NONE;
            (0..LANES)
                .filter(|lane| *dead.get(block * LANES + lane).unwrap_or(&true))
                .for_each(|lane| lanes.set(lane));
            decided.extend(std::iter::repeat_n(lanes, shape.source_columns));
        }
        let planes = decided.len();
        let turn = Turn::new(frame, counts);
        let moves = match operator {
            Operator::Row => None,
            Operator::Sliced => Some(Moves::new(&Scene { game: frame.game(), counts })),
        };
        Layer {
            frame,
            counts,
            shape,
            images: (0..shape.source_rows).flat_map(|row| turn.waiter_images(row)).collect(),
            turn,
            moves,
            codes,
            decided,
            lost: vec![Bits::NONE; planes],
            open: vec![Bits::NONE; planes],
            dirty: (0..shape.rows.div_ceil(sliced::TILE) * tiles(shape.columns))
                .map(|_| AtomicBool::new(true))
                .collect(),
            wins: vec![Bits::NONE; planes],
            losses: vec![Bits::NONE; planes],
            distance,
            stage,
        }
    }

    /// Decides the next distance, or the next draws that end. Gives how many entries were decided.
    ///
    /// # Errors
    /// Where the distance does not fit the entries, or the observer asks for a stop; the codes are then as they were before, and the
    /// layer can be resumed from them.
    pub fn step(&mut self, progress: &dyn Progress) -> Result<u64, Fault> {
        let next = self.distance + 1;
        let won = match self.stage {
            Stage::Values => E::draw_end(),
            Stage::Ends => E::new(E::draw_end().code() + 1),
            Stage::Done => return Ok(0),
        };
        self.find(won, progress)?;
        let codes = match self.stage {
            Stage::Values => {
                [Score::Win { plies: Some(next) }, Score::Loss { plies: Some(next) }].map(E::of)
            }
            _ => [Some(E::draw_end()); 2],
        };
        let decided = self.write(codes)?;
        progress.advance(decided);
        self.distance = next;
        if decided == 0 {
            self.stage = match self.stage {
                Stage::Values if self.codes.par_iter().any(|&code| code == E::draw_end()) => {
                    // What counts as won changes, and with it every plane.
                    self.dirty.iter().for_each(|dirty| dirty.store(true, Ordering::Relaxed));
                    Stage::Ends
                }
                _ => Stage::Done,
            };
        }
        Ok(decided)
    }

    /// Finds the undecided positions that have a lost child, and those whose children are all won; an entry is won that
    /// is at least 1 and less than `won`, and lost that is above the draws that end.
    fn find(&mut self, won: E, progress: &dyn Progress) -> Result<(), Fault> {
        let columns = self.shape.source_columns;
        let scene = Scene { game: self.frame.game(), counts: self.counts };
        let ranker = Ranker::new(scene.cells_left(), u32::from(self.counts.mover));
        let waiters = &self.frame.orbits(self.counts.waiter).representatives;
        let isa = Isa::detect();
        let blocks = waiters.par_chunks(LANES).zip(self.codes.par_chunks(columns * LANES));
        let found = self.decided.par_chunks_mut(columns).zip(self.wins.par_chunks_mut(columns));
        let found = found.zip(self.losses.par_chunks_mut(columns));
        let children = self.lost.par_chunks_mut(columns).zip(self.open.par_chunks_mut(columns));
        let children = children.zip(self.dirty.par_chunks(LANES / TILE * tiles(columns)));
        blocks.zip(found.zip(children)).try_for_each(|((waiters, rows), (found, children))| {
            let ((decided, wins), losses) = found;
            let ((lost, open), dirty) = children;
            progress.check()?;
            wins.fill(Bits::NONE);
            losses.fill(Bits::NONE);
            let found = Found { decided, wins, losses };
            match &self.moves {
                None => find_by_rows(&scene, &ranker, waiters, rows, won, found),
                Some(moves) => {
                    let links = match moves {
                        Moves::Free(_) => Vec::new(),
                        Moves::Linked(_) => sliced::link_lanes(&scene, waiters),
                    };
                    let children = Children { rows, lost, open, dirty };
                    let links = &links;
                    dispatch(isa, Find { moves, links, stay: scene.stay(), won, children, found });
                }
            }
            Ok(())
        })
    }

    /// Writes what was found to the table's rows; `codes` are those of a win and of a loss.
    fn write(&mut self, codes: [Option<E>; 2]) -> Result<u64, Fault> {
        let columns = self.shape.source_columns;
        let movers: Vec<u64> =
            subsets(self.shape.cells_left, u32::from(self.counts.mover)).collect();
        let table = E::share(&mut self.codes);
        let isa = Isa::detect();
        let (turn, images) = (&self.turn, self.images.as_slice());
        let table_columns = self.shape.columns;
        let dirty = &self.dirty;
        let mut written = 0;
        for (found, code) in [&self.wins, &self.losses].into_iter().zip(codes) {
            // A distance that does not fit is a fault only where there is a position at it.
            let push = |(index, planes): (usize, &[Bits])| {
                let first = index * PUSH_COLUMNS;
                dispatch(
                    isa,
                    Push {
                        turn,
                        images,
                        first,
                        columns,
                        planes,
                        movers: &movers,
                        table,
                        table_columns,
                        dirty,
                        code,
                    },
                )
            };
            written += found
                .par_chunks(PUSH_COLUMNS)
                .enumerate()
                .map(push)
                .try_reduce(|| 0, |a, b| Ok(a + b))?;
        }
        Ok(written)
    }

    /// What is being looked for now.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The greatest distance that is decided, or beyond it the number of steps.
    pub fn distance(&self) -> u16 {
        self.distance
    }

    /// The layer's codes.
    pub fn codes(&self) -> &[E] {
        &self.codes
    }

    /// The layer's codes, once it is solved.
    pub fn into_codes(self) -> Vec<E> {
        self.codes
    }
}

/// The planes of one block that a step fills.
struct Found<'a> {
    decided: &'a mut [Bits],
    wins: &'a mut [Bits],
    losses: &'a mut [Bits],
}

/// A step of one block, by the plain operator.
fn find_by_rows<E: Entry>(
    scene: &Scene,
    ranker: &Ranker,
    waiters: &[u64],
    rows: &[E],
    won: E,
    found: Found,
) {
    let columns = found.decided.len();
    for (lane, (&waiter, children)) in waiters.iter().zip(rows.chunks_exact(columns)).enumerate() {
        let links = scene.links(waiter);
        let movers = subsets(scene.cells_left(), u32::from(scene.counts.mover));
        for (column, mover) in movers.enumerate() {
            if found.decided[column].get(lane) {
                continue;
            }
            let is_won = |code: E| code != E::default() && code < won;
            let is_lost = |code: E| code > E::draw_end();
            match row::step(scene, ranker, &links, mover, children, is_won, is_lost) {
                Step::Win => found.wins[column].set(lane),
                Step::Loss => found.losses[column].set(lane),
                Step::Open => continue,
            }
            found.decided[column].set(lane);
        }
    }
}

/// Tiles beside each other in a row of so many columns.
fn tiles(columns: usize) -> usize {
    columns.div_ceil(sliced::TILE)
}

/// The children of one block: rows of the table, and planes made of them where they have changed.
struct Children<'a, E> {
    rows: &'a [E],
    lost: &'a mut [Bits],
    open: &'a mut [Bits],
    dirty: &'a [AtomicBool],
}

/// A step of one block, by the sliced operator.
struct Find<'a, E> {
    moves: &'a Moves,
    links: &'a [Bits],
    stay: bool,
    won: E,
    children: Children<'a, E>,
    found: Found<'a>,
}

impl<E: Entry> Kernel for Find<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let Find { moves, links, stay, won, children, found: Found { decided, wins, losses } } =
            self;
        let Children { rows, lost, open, dirty } = children;
        let columns = decided.len();
        let mut changed = false;
        for (word, rows) in rows.chunks(columns * sliced::TILE).enumerate() {
            let is_dirty =
                |&tile: &usize| dirty[word * tiles(columns) + tile].swap(false, Ordering::Relaxed);
            let mut dirty = (0..tiles(columns)).filter(is_dirty).peekable();
            while let Some(tile) = dirty.next() {
                let ahead = *dirty.peek().unwrap_or(&tile);
                let starts = [tile, ahead].map(|tile| tile * sliced::TILE);
                sliced::load(rows, columns, starts, won, word, [&mut *lost, &mut *open]);
                changed = true;
            }
        }
        if !changed {
            return;
        }
        // A position is won that has a lost child, and lost that has no child which is not won.
        sliced::exists(moves, links, stay, lost, wins);
        sliced::exists(moves, links, stay, open, losses);
        for ((win, loss), decided) in wins.iter_mut().zip(losses).zip(decided) {
            *win = *win & !*decided;
            *loss = !*loss & !*decided;
            *decided = *decided | *win | *loss;
        }
    }
}

/// Columns of a block that are pushed together.
const PUSH_COLUMNS: usize = 256;

struct Push<'a, 'f, E: Shared> {
    turn: &'a Turn<'f>,
    images: &'a [u64],
    first: usize,
    columns: usize,
    planes: &'a [Bits],
    movers: &'a [u64],
    table: &'a [E::Atomic],
    table_columns: usize,
    dirty: &'a [AtomicBool],
    code: Option<E>,
}

impl<E: Shared> Kernel for Push<'_, '_, E> {
    type Output = Result<u64, TooDeep>;

    #[inline(always)]
    fn run<const BITS: bool>(self) -> Result<u64, TooDeep> {
        let Push { turn, first, columns, planes, movers, table, table_columns, dirty, .. } = self;
        let Some(code) = self.code else {
            // A distance that does not fit is a fault only where a position is at it that was undecided.
            return too_deep::<E>(self);
        };
        let (mut written, tiles) = (0, tiles(table_columns));
        let mut places: Vec<(u32, u32)> = Vec::new();
        for (index, plane) in planes.iter().enumerate() {
            let (block, column) = ((first + index) / columns, (first + index) % columns);
            // First all places, then all writes: these miss the cache, and so wait beside each other.
            places.clear();
            let mut add = |row: usize, column: u32| {
                prefetch(table, row * table_columns + column as usize);
                places.push((row as u32, column));
            };
            for (word, &bits) in plane.0.iter().enumerate() {
                let mut rest = bits;
                while rest != 0 {
                    let row = block * LANES + word * 64 + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let place = self.place::<BITS>(row, movers[column]);
                    add(place.row, place.column);
                    for &symmetry in turn.twins(&place) {
                        add(place.row, turn.twin::<BITS>(&place, symmetry));
                    }
                }
            }
            for (row, column) in places.iter().map(|&(row, column)| (row as usize, column as usize))
            {
                let entry = &table[row * table_columns + column];
                // Entries that are not 0 are finished positions or none.
                if E::load(entry) == E::default() {
                    E::store(entry, code);
                    dirty[row / sliced::TILE * tiles + column / sliced::TILE]
                        .store(true, Ordering::Relaxed);
                    written += 1;
                }
            }
        }
        Ok(written)
    }
}

impl<E: Shared> Push<'_, '_, E> {
    /// Where the position stands in the table whose mover has the set `mover` of the cells that the waiter of `row` leaves.
    #[inline(always)]
    fn place<const BITS: bool>(&self, row: usize, mover: u64) -> Place {
        let rank = self.turn.call(expand::<BITS>(mover, self.turn.left(row)));
        let order = self.turn.order();
        self.turn.place::<BITS>(rank, &self.images[row * order..][..order])
    }
}

/// Whether any of the positions is undecided.
fn too_deep<E: Shared>(push: Push<E>) -> Result<u64, TooDeep> {
    let Push { first, columns, planes, movers, table, table_columns, .. } = push;
    let mut undecided = false;
    for (index, plane) in planes.iter().enumerate() {
        let (block, column) = ((first + index) / columns, (first + index) % columns);
        plane.each(|lane| {
            let place = push.place::<false>(block * LANES + lane, movers[column]);
            let entry = &table[place.row * table_columns + place.column as usize];
            undecided |= E::load(entry) == E::default();
        });
    }
    if undecided { Err(TooDeep) } else { Ok(0) }
}
