//! Solves a placement layer with distances from the next layer. The operator's results in the waiter's rows are sent to
//! the rows of the table, except the most common code.

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::entry::Entry;
use crate::solve::exchange::{Inbox, Outbox, Places};
use crate::solve::operator::layer_rules::LayerRules;
use crate::solve::operator::place::PlacePieces;
use crate::solve::operator::placing::Placing;
use crate::solve::operator::supersets::Supersets;
use crate::solve::operator::{general, sliced};
use crate::solve::planes::STRIP_ROWS;
use crate::solve::pool::Pool;
use crate::solve::rows::Rows;
use crate::solve::shape::Shape;
use crate::solve::transposition::Transposition;
use morpion_lookup::raw::rank::subsets;
use morpion_lookup::{Counts, Over};
use morpion_machine::isa::{dispatch, pack};
use std::sync::atomic::{AtomicBool, Ordering};

/// State that the blocks of a layer share.
pub struct Placement<'f, E> {
    sets: &'f FoldedSets,
    shape: Shape,
    placing: Placing,
    /// The codes of a position whose waiter has a line, and of a position in which the mover cannot place a piece.
    line: E,
    no_move: E,
    transposition: Transposition<'f>,
    /// The mover's sets by column, as sets of the cells that a waiter leaves.
    movers: Vec<u64>,
    scratch: Pool<Scratch<E>>,
    /// True if a distance did not fit.
    pub too_deep: AtomicBool,
}

struct Scratch<E> {
    operated: Vec<E>,
    lanes: Vec<[E; STRIP_ROWS]>,
    images: Vec<u64>,
}

impl<E> Default for Scratch<E> {
    fn default() -> Self {
        Scratch { operated: Vec::new(), lanes: Vec::new(), images: Vec::new() }
    }
}

impl<'f, E: Entry> Placement<'f, E> {
    /// Prepares the layer `counts`.
    pub fn new(sets: &'f FoldedSets, counts: Counts) -> Placement<'f, E> {
        let (shape, game) = (Shape::of(sets, counts), sets.game());
        let code = |over| E::of(game.final_score(over)).unwrap_or_default();
        Placement {
            sets,
            shape,
            placing: Placing::new(&LayerRules::new(game, counts)),
            line: code(Over::Line),
            no_move: code(game.graph().blocked_reason),
            transposition: Transposition::new(sets, counts),
            movers: subsets(shape.cells_left, u32::from(counts.mover)).collect(),
            scratch: Pool::default(),
            too_deep: AtomicBool::new(false),
        }
    }

    /// Bytes of memory that all threads share, and bytes of each thread.
    pub fn memory(shape: &Shape, order: usize) -> [u64; 2] {
        // Children, packed and as lanes, and parents; or a packed strip of the layer and its pending entries.
        let strips = (3 * shape.child_columns + shape.source_columns).max(6 * shape.columns);
        let own = strips * STRIP_ROWS * E::BYTES + STRIP_ROWS * order * 8;
        let supersets = Supersets::memory(shape.cells_left, shape.counts.mover.into());
        let shared =
            supersets + shape.source_columns as u64 * 8 + Transposition::memory(shape.rows as u64);
        [shared, own as u64]
    }

    /// The most common code, estimated from the first block of the children. The table does not depend on the choice.
    pub fn common(&self, children: &Rows<E>) -> Result<E, SolveError> {
        let mut counts = vec![0u64; usize::from(E::none().code()) + 1];
        children.read(0, &mut |strip, children| {
            let mut scratch = self.scratch.take();
            self.operate(strip, children, &mut scratch);
            scratch.operated.iter().for_each(|code| counts[usize::from(code.code())] += 1);
            self.scratch.put(scratch);
            Ok(())
        })?;
        let most = (0..E::none().code()).max_by_key(|&code| counts[usize::from(code)]);
        Ok(E::new(most.unwrap_or_default()))
    }

    /// Computes the codes in the waiter's rows of one strip from the same rows of the children.
    fn operate(&self, strip: usize, children: &[E], scratch: &mut Scratch<E>) {
        let Placement { sets, shape: Shape { counts, child_columns, source_columns, .. }, .. } =
            *self;
        let first = strip * STRIP_ROWS;
        let rows = first..first + children.len() / child_columns;
        let rules = LayerRules::new(sets.game(), counts);
        let waiters = &sets.orbits(counts.waiter).representatives[rows.clone()];
        let Scratch { operated, lanes, .. } = scratch;
        operated.clear();
        operated.resize(rows.len() * source_columns, E::default());
        match &self.placing {
            Placing::Pieces(supersets) => dispatch(PlacePieces {
                supersets,
                allowed: sliced::allowed_lanes(&rules, waiters).as_deref(),
                children,
                child_columns,
                out: operated,
                lanes,
            }),
            Placing::General(operator) => {
                let moves = general::row_moves(&rules, waiters);
                operator.best(&moves, children, child_columns, operated);
            }
        }
        let has_line = &sets.has_line(counts.waiter)[rows];
        for (out, &has_line) in operated.chunks_mut(source_columns).zip(has_line) {
            if has_line {
                out.fill(self.line);
                continue;
            }
            for entry in out {
                let Some(code) = entry.parent() else {
                    return self.too_deep.store(true, Ordering::Relaxed);
                };
                *entry = if code == E::none() { self.no_move } else { code };
            }
        }
    }

    /// Sends the results from one block of the children.
    pub fn send(
        &self,
        children: &Rows<E>,
        block: usize,
        common: E,
        outbox: &mut Outbox,
    ) -> Result<(), SolveError> {
        children.read(block, &mut |strip, children| {
            let mut scratch = self.scratch.take();
            self.operate(strip, children, &mut scratch);
            let Scratch { operated, images, .. } = &mut scratch;
            let (first, columns) = (strip * STRIP_ROWS, self.shape.source_columns);
            self.transposition.waiter_images(first..first + operated.len() / columns, images);
            let mut places = Places::new(
                &self.transposition,
                self.shape.columns,
                &self.movers,
                first,
                images,
                outbox,
            );
            for (row, codes) in operated.chunks_exact(columns).enumerate() {
                send_row(codes, row, common, &mut places);
            }
            places.flush();
            self.scratch.put(scratch);
            Ok(())
        })
    }

    /// Creates a block of the layer in which every valid arrangement has the common code.
    pub fn make(&self, rows: &Rows<E>, block: usize, common: E) -> Result<(), SolveError> {
        let has_line = self.sets.has_line(self.shape.counts.mover);
        rows.make(block, &mut |strip, codes| {
            let rows = codes.chunks_exact_mut(self.shape.columns);
            for (row, _) in rows.zip(&has_line[strip * STRIP_ROWS..]).filter(|row| !*row.1) {
                row.fill(common);
            }
            Ok(true)
        })
    }

    /// Writes the pending entries of a block.
    pub fn write(&self, rows: &Rows<E>, block: usize, inbox: &Inbox) -> Result<(), SolveError> {
        if inbox.waiting(self.shape.strips_of(block)).is_empty() {
            return Ok(());
        }
        rows.change(block, &mut |strip, codes| {
            let arrived = inbox.take(strip)?;
            for arrived in &arrived {
                arrived.each(codes, put(arrived.code))?;
            }
            Ok(!arrived.is_empty())
        })
    }
}

/// Writes a code to an entry, unless the arrangement is invalid.
pub fn put<E: Entry>(code: u16) -> impl FnMut(u32, &mut E) {
    let code = E::new(code);
    move |_, entry| {
        if *entry != E::none() {
            *entry = code;
        }
    }
}

/// Sends the entries of one of the waiter's rows that do not have the common code.
fn send_row<E: Entry>(codes: &[E], row: usize, common: E, places: &mut Places) {
    for (tile, codes) in codes.chunks(64).enumerate() {
        let mut flags = [0; 64];
        for (flag, &code) in flags.iter_mut().zip(codes) {
            *flag = u8::from(code != common);
        }
        let mut rest = pack(&flags);
        while rest != 0 {
            let column = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            places.send(row, tile * 64 + column, codes[column].code());
        }
    }
}
