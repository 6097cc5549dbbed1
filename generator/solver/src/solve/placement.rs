//! Solves a layer whose moves all leave it, from layers that are solved. The operator's results in the waiter's rows are sent to
//! the rows of the table, except the most common code.

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::ages::Ages;
use crate::solve::entry::Entry;
use crate::solve::exchange::{Inbox, Outbox, Places};
use crate::solve::outside::{Outside, Scratch};
use crate::solve::planes::STRIP_ROWS;
use crate::solve::rows::Rows;
use crate::solve::shape::Shape;
use crate::solve::transposition::Transposition;
use morpion_core::rank::cells;
use morpion_lookup::Over;
use morpion_machine::isa::pack;
use morpion_machine::threads::Pool;
use std::sync::atomic::{AtomicBool, Ordering};

/// State that the blocks of a layer share.
pub struct Placement<'f, E> {
    sets: &'f FoldedSets,
    shape: Shape,
    pub outside: Outside<'f, E>,
    /// The codes of a position whose waiter has a line, and of a position in which the mover has no move.
    line: E,
    no_move: E,
    transposition: Transposition<'f>,
    images: Pool<Vec<u64>>,
    /// True if a distance did not fit.
    pub too_deep: AtomicBool,
}

/// Visits the strips of a block, with the codes after moves that take nothing, and add no piece or one.
pub type EachStrip<'s, E> = dyn Fn(&mut dyn FnMut(usize, [&[E]; 2]) -> Result<(), SolveError>) -> Result<(), SolveError>
    + 's;

impl<'f, E: Entry> Placement<'f, E> {
    /// Prepares a layer.
    pub fn new(sets: &'f FoldedSets, ages: &'f Ages, shape: Shape) -> Placement<'f, E> {
        let game = sets.game();
        let outside = Outside::new(sets, shape);
        Placement {
            sets,
            shape,
            line: E::over(game, Over::Line),
            no_move: E::over(game, outside.rules.blocked_reason()),
            outside,
            transposition: Transposition::new(sets, ages, &shape),
            images: Pool::default(),
            too_deep: AtomicBool::new(false),
        }
    }

    /// The most common code, estimated from the first strip of the children after a placement. The table does not depend on the choice.
    pub fn common(&self, children: &Rows<E>) -> Result<E, SolveError> {
        let mut counts = vec![0u64; usize::from(E::none().code()) + 1];
        children.read_strip(0, &mut |strip, children| {
            self.strip(strip, [&[], children], |scratch| {
                scratch.best.iter().for_each(|code| counts[usize::from(code.code())] += 1);
            })
        })?;
        let most = (0..E::none().code()).max_by_key(|&code| counts[usize::from(code)]);
        Ok(E::new(most.unwrap_or_default()))
    }

    /// Computes the codes in the waiter's rows of a strip.
    fn strip(
        &self,
        strip: usize,
        quiet: [&[E]; 2],
        visit: impl FnOnce(&mut Scratch<E>),
    ) -> Result<(), SolveError> {
        let Placement { sets, shape, .. } = self;
        self.outside.strip(strip, quiet, |scratch| {
            let ends = sets.game().raw().graph().takes.is_none();
            let orders = shape.words.orders[1] as usize;
            let has_line = sets.has_line(shape.counts.waiter);
            for (row, out) in
                (strip * STRIP_ROWS..).zip(scratch.best.chunks_mut(shape.source_columns))
            {
                if ends && has_line[row / orders] {
                    out.fill(self.line);
                    continue;
                }
                for entry in out {
                    let Some(code) = entry.parent() else {
                        self.too_deep.store(true, Ordering::Relaxed);
                        return Ok(());
                    };
                    *entry = if code == E::none() { self.no_move } else { code };
                }
            }
            visit(scratch);
            Ok(())
        })
    }

    /// Sends the results in one block of the waiter's rows.
    pub fn send(
        &self,
        strips: &EachStrip<E>,
        common: E,
        outbox: &mut Outbox,
    ) -> Result<(), SolveError> {
        strips(&mut |strip, quiet| {
            let mut images = self.images.take();
            self.strip(strip, quiet, |scratch| {
                let (first, columns) = (strip * STRIP_ROWS, self.shape.source_columns);
                let rows = scratch.best.len() / columns;
                self.transposition.waiter_images(first..first + rows, &mut images);
                let mut places = Places::new(
                    &self.transposition,
                    self.shape.columns,
                    &self.outside.columns.words,
                    first,
                    &images,
                    outbox,
                );
                for (row, codes) in scratch.best.chunks_exact(columns).enumerate() {
                    send_row(codes, row, common, &mut places);
                }
                places.flush();
            })?;
            self.images.put(images);
            Ok(())
        })
    }

    /// Creates a block of the layer in which every valid arrangement has the common code.
    pub fn make(&self, rows: &Rows<E>, block: usize, common: E) -> Result<(), SolveError> {
        let ends = self.sets.game().raw().graph().lines_end();
        let has_line = self.sets.has_line(self.shape.counts.mover);
        let orders = self.shape.words.orders[0] as usize;
        rows.make(block, &mut |strip, codes| {
            let rows = codes.chunks_exact_mut(self.shape.columns).zip(strip * STRIP_ROWS..);
            let valid = rows.filter(|(_, row)| !ends || !has_line[row / orders]);
            valid.for_each(|(codes, _)| codes.fill(common));
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
        for column in cells(pack(&flags)).map(usize::from) {
            places.send(row, tile * 64 + column, codes[column].code());
        }
    }
}
