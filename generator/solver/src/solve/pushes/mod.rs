//! Solves layer groups of games that push.
//!
//! A push permutes all cells. For one set of the waiter, all children by one push lie in one row of the table: the row of the image of
//! this set. Their columns are the images of the mover's sets. So work goes by rows. A move costs five reads: two of small tables that map
//! a set, two of small tables that rank the image, and one of the child.
//!
//! Codes are in rows of the mover, as in the table. Positions have four bits more, in rows of the waiter ([`marks`]), because all moves
//! from and to a row of the waiter are found together.
//!
//! 1. *Begin* ([`begin`]): each position that is not over gets the code that its best child outside gives it. The code is not final,
//!    because another child may be better. A position without such a child, or whose best such child is a draw that ends, is *unknown*
//!    ([`Code::none`]).
//! 2. *Send* ([`passes`]), in pass *d*: the entries in distance *d* are sent to the parents in the layer group. The parent of a loss is
//!    marked as won, if it is open, and the parent of a win as touched, if it may be lost. A loss in *d* + 1 that a child outside gave
//!    is still to be confirmed: it becomes unknown, and touched.
//! 3. *Decide*, in pass *d*: marked positions are won in *d* + 1. Touched positions that are unknown and whose children are all won
//!    are lost in *d* + 1.
//! 4. Positions that are unknown in the end are draws. Draws that end are decided like losses, and known draws that end count as wins.
//!
//! In pass *d* a code is known if its distance is at most *d*. Other codes are ignored, so it does not matter in which order the threads
//! write them. A position has several entries and several bits if its sets have symmetries. All of its entries are written at once. A bit
//! may remain for a position that is decided already, which costs a read of its code.
//!
//! The driver of other games shares its layer groups, entries, columns, census and keeper. Its blocks do not suit pushes. The children of
//! one row by different pushes are in different rows, so a block cannot be solved from its own rows. Sending the children to the rows of
//! their parents would take 4 bytes for each child of each entry, and an entry of quixo4 has 17 children in the mean. So all rows of a
//! group are in memory, a checkpoint is written after a group, and a cluster cannot build these games.

mod begin;
mod links;
mod marks;
mod passes;

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::census::{Counted, count_rows};
use crate::solve::code::{AtomicCode, Code, Codes};
use crate::solve::keeper::{Keeper, VisitBytes, each_group};
use crate::solve::operator::columns::Columns;
use crate::solve::planes::STRIP_ROWS;
use crate::solve::pushes::marks::Marks;
use crate::solve::shape::Shape;
use crate::solve::transposition::{Location, Transposition};
use morpion_core::{Effect, ErrorKind, Game, Images, Permutation, Position, Step, TableError};
use morpion_games::symmetry::orbits::inverse;
use morpion_machine::isa::expand;
use morpion_machine::memory::filled;
use morpion_machine::progress::Progress;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

/// Number of entries whose cache lines are prefetched before they are read or written.
const PENDING: usize = 64;

/// The greatest number of cells, which fixes the length of tables. Larger boards have more than 10¹¹ positions.
const MOST: usize = 26;

/// Returns true if the moves of a game push.
pub fn are_moves(game: &Game) -> bool {
    // Only a push may complete a line of the other side.
    game.graph().own_lines
}

/// Checks that the tables of ranks and images are large enough for the board of a game that pushes.
fn check_size(game: &Game) -> Result<(), TableError> {
    let cells = game.cells();
    let fault = || format!("a board of {cells} cells with pushes, expected at most {MOST}");
    let is_fine = usize::from(cells) <= MOST;
    is_fine.then_some(()).ok_or_else(|| TableError::new(ErrorKind::Header, fault()))
}

/// Solves the remaining layer groups of a game that pushes on the threads of this pool, and writes their layers to `keeper`. The layers
/// after a layer group are read back from `keeper`.
///
/// # Errors
/// If the board is too large, a distance does not fit the entries, the observer requests a stop, or files cannot be read or written.
pub fn solve<E: Code>(
    sets: &FoldedSets,
    keeper: &mut dyn Keeper,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let game = &sets.layout.game;
    check_size(game)?;
    each_group(sets, keeper.done().layers, keeper, progress, &mut |group, keeper| {
        let pushes = Pushes::<E>::new(sets, group.clone());
        let codes = pushes.solve_group(keeper, progress)?;
        for (layer, codes) in group.clone().zip(&codes).rev() {
            keeper.write(&|visit: &mut VisitBytes| visit_layer::<E>(sets, layer, codes, visit))?;
        }
        Ok(())
    })
}

/// Reads a solved layer back.
fn load<E: Code>(
    sets: &FoldedSets,
    layer: usize,
    keeper: &mut dyn Keeper,
) -> Result<Vec<E>, SolveError> {
    /// Number of entries that are read at once: many frames, so that each thread unpacks some.
    const READ: usize = 1 << 22;
    let mut codes = filled(Shape::of(&sets.layout, layer).entries(), E::default());
    let mut next = keeper.solved_layer(layer)?;
    codes.chunks_mut(READ).try_for_each(|codes| E::fill(codes, |into| next.read_exact(into)))?;
    Ok(codes)
}

/// Visits the bytes of the rows of a layer, strip by strip, and counts them. Unknown entries are draws by cycle.
fn visit_layer<E: Code>(
    sets: &FoldedSets,
    layer: usize,
    codes: &[E::Atomic],
    visit: &mut VisitBytes,
) -> Result<Counted, SolveError> {
    let (mut counted, shape) = (Counted::default(), Shape::of(&sets.layout, layer));
    for (strip, codes) in codes.chunks(STRIP_ROWS * shape.columns).enumerate() {
        let codes = codes.iter().map(AtomicCode::get);
        let codes: Vec<E> =
            codes.map(|code| if code == E::none() { E::default() } else { code }).collect();
        count_rows(sets, &shape, strip * STRIP_ROWS, &codes, &mut counted);
        visit(&E::bytes(&codes))?;
    }
    Ok(counted)
}

/// A layer group that is being solved.
pub struct Pushes<'a, E: Code> {
    sets: &'a FoldedSets,
    board: u64,
    /// The pushes, in the order of the cells `from`.
    pushes: Vec<Push>,
    /// The inverse pushes, in the order of the cells `from`.
    pulls: Vec<Push>,
    layers: Vec<GroupLayer<'a>>,
    /// The codes of each layer.
    codes: Vec<Codes<E>>,
    /// True if moves stay in the layer group.
    is_cyclic: bool,
    /// The greatest distance of a code that was given by a child outside.
    deepest: AtomicU16,
    /// Number of entries that are not decided yet, which the progress reports.
    left: AtomicU64,
    /// True if a distance did not fit.
    too_deep: AtomicBool,
    /// True if the first codes contain a draw that ends.
    has_ends: AtomicBool,
}

/// A layer of the group.
struct GroupLayer<'a> {
    shape: Shape,
    /// Number, in the group, of the layer from which moves lead here and to which moves lead from here.
    peer: usize,
    /// The rows of the mover and of the waiter, and the places of positions in the rows of the mover.
    transposition: Transposition<'a>,
    /// The columns of the waiter's rows.
    columns: Columns,
    /// Positions that may be won, or won sooner.
    open: Marks,
    /// Positions that may be lost.
    losable: Marks,
    /// Positions with a child that was just lost.
    won: Marks,
    /// Positions with a child that was just won.
    touched: Marks,
}

impl GroupLayer<'_> {
    /// Finds and visits the first place of each position in a row of the waiter. `positions` has the mover's sets of numbers. The map
    /// entries of several positions are prefetched together, and then `prefetch` is called for their places.
    #[inline(always)]
    fn each_place<const BITS: bool, T: Copy>(
        &self,
        row: usize,
        positions: &[(u32, T)],
        prefetch: impl Fn(&Location),
        mut visit: impl FnMut(&Location, T),
    ) {
        if positions.is_empty() {
            return;
        }
        let transposition = &self.transposition;
        let left = transposition.cells_left::<false>(row);
        let images = transposition.waiter_images(row..row + 1);
        let mut places = Vec::with_capacity(PENDING);
        for positions in positions.chunks(PENDING) {
            let mut ranks = [0; PENDING];
            // This is a loop, because closures of iterators would be compiled without the instructions of the kernel.
            for (rank, &(mover, _)) in ranks.iter_mut().zip(positions) {
                *rank = transposition.rank_and_prefetch(expand::<BITS>(mover.into(), left));
            }
            for &rank in &ranks[..positions.len()] {
                let place = transposition.locate::<BITS, false>(rank, 0, &images);
                prefetch(&place);
                places.push(place);
            }
            for (place, &(_, value)) in places.drain(..).zip(positions) {
                visit(&place, value);
            }
        }
    }

    /// Writes the code of a position to all its entries.
    #[inline(always)]
    fn write<const BITS: bool, E: Code>(&self, codes: &[E::Atomic], place: &Location, code: E) {
        let write = |place: &Location| codes[self.transposition.entry(place)].set(code);
        self.transposition.each_place::<BITS, false>(place, write);
    }
}

/// A push, which permutes the cells, or its inverse.
struct Push {
    /// The cell of the piece that is pushed in or out.
    from: u8,
    permutation: Permutation,
    /// The images of sets under this push.
    images: Images,
}

impl Push {
    fn new(from: u8, permutation: Permutation) -> Push {
        let images = Images::new(permutation.images().len() as u8, &[permutation]);
        Push { from, permutation, images }
    }

    /// The push of a step; `None` if the step is another move.
    fn of(step: &Step, cells: u8) -> Option<Push> {
        let (from, path) = match step.effect {
            Effect::Push { path } => (step.from?, path),
            Effect::Move | Effect::Replace { .. } | Effect::Pass => return None,
        };
        let image = |cell: u8| {
            let waiter = 1 << cell;
            let pushed = step.pushed(path, Position { mover: 0, waiter }).waiter;
            (if cell == from { step.to } else { pushed }).trailing_zeros() as u8
        };
        let images: Vec<u8> = (0..cells).map(image).collect();
        Some(Push::new(from, Permutation::new(&images)?))
    }

    /// The inverse push, which leads from a child to its parent.
    fn back(&self) -> Push {
        Push::new(self.permutation.image(self.from), inverse(&self.permutation))
    }
}

impl<'a, E: Code> Pushes<'a, E> {
    /// Prepares a layer group.
    fn new(sets: &'a FoldedSets, layers: Range<usize>) -> Self {
        let game = &sets.layout.game;
        let graph = game.graph();
        let is_cyclic = game.graph().is_cyclic(layers.start);
        let steps = graph.steps(layers.start).iter();
        let mut pushes: Vec<Push> = steps.filter_map(|step| Push::of(step, game.cells())).collect();
        pushes.sort_by_key(|push| push.from);
        let mut pulls: Vec<Push> = pushes.iter().map(Push::back).collect();
        pulls.sort_by_key(|pull| pull.from);
        let group_layer = |layer: usize| {
            let shape = Shape::of(&sets.layout, layer);
            let peer = graph.layers[layer].next.map_or(layer, usize::from);
            let peer = if layers.contains(&peer) { peer } else { layer };
            let columns = Columns::new(shape.cells_left, shape.counts.mover.into(), false);
            let marks = || match is_cyclic {
                true => Marks::new(shape.source_rows, shape.source_columns),
                false => Marks::default(),
            };
            GroupLayer {
                shape,
                peer: peer - layers.start,
                transposition: Transposition::new(sets, &shape),
                open: marks(),
                losable: marks(),
                won: Marks::default(),
                touched: Marks::default(),
                columns,
            }
        };
        let entries = |layer: usize| Shape::of(&sets.layout, layer).entries();
        Pushes {
            sets,
            board: game.board(),
            pushes,
            pulls,
            layers: layers.clone().map(group_layer).collect(),
            codes: layers.clone().map(|layer| E::shared(entries(layer), E::none())).collect(),
            is_cyclic,
            deepest: AtomicU16::new(0),
            left: AtomicU64::new(layers.map(entries).sum::<usize>() as u64),
            too_deep: AtomicBool::new(false),
            has_ends: AtomicBool::new(false),
        }
    }

    /// Solves all layers of the layer group. Returns their codes.
    fn solve_group(
        mut self,
        keeper: &mut dyn Keeper,
        progress: &dyn Progress,
    ) -> Result<Vec<Codes<E>>, SolveError> {
        self.begin(keeper, progress)?;
        if self.is_cyclic {
            for layer in &mut self.layers {
                let marks = || Marks::new(layer.shape.source_rows, layer.shape.source_columns);
                (layer.won, layer.touched) = (marks(), marks());
            }
            self.values(progress)?;
        }
        progress.advance(self.left.into_inner());
        Ok(self.codes)
    }

    /// Fails if a stop was requested, or if a distance did not fit.
    fn checked(&self, progress: &dyn Progress) -> Result<(), SolveError> {
        progress.check()?;
        if self.too_deep.load(Relaxed) { Err(SolveError::TooDeep) } else { Ok(()) }
    }

    /// Returns a code that fits. Otherwise notes in `too_deep` that a distance does not fit.
    fn fitting(&self, code: Option<E>) -> E {
        code.unwrap_or_else(|| {
            self.too_deep.store(true, Relaxed);
            E::none()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_games::rules::parse;

    #[test]
    fn boards_beyond_the_tables_are_refused() {
        for (columns, is_fine) in [(8, true), (9, false)] {
            let text = format!(
                "name = \"t\"\n[board]\nrows = 3\ncolumns = {columns}\n[lines]\nlength = 3\n[moves]\nto = \"push\""
            );
            let game = parse("t.toml", &text).unwrap();
            assert!(are_moves(&game));
            assert_eq!(check_size(&game).is_ok(), is_fine, "{columns}");
        }
    }
}
