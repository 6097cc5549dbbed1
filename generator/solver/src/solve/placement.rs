//! Solves a layer whose moves all leave it, from layers that are solved. The operator's results in the waiter's rows are sent to
//! the rows of the table, except the most common code.

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::code::Code;
use crate::solve::exchange::{Inbox, Outbox, Places};
use crate::solve::finished::Finished;
use crate::solve::outside::Outside;
use crate::solve::planes::{STRIP_ROWS, STRIPS};
use crate::solve::rows::{Rows, Solved};
use crate::solve::shape::Shape;
use crate::solve::store::Storage;
use crate::solve::transposition::Transposition;
use morpion_core::rank::cells;
use morpion_machine::isa::pack;

/// State that the blocks of a layer share.
pub struct Placement<'f, E> {
    pub outside: Outside<'f, E>,
    /// The code of a position in which the mover has no move.
    no_move: E,
    transposition: Transposition<'f>,
}

impl<'f, E: Code> Placement<'f, E> {
    /// Prepares a layer.
    pub fn new(sets: &'f FoldedSets, shape: Shape, storage: &Storage) -> Placement<'f, E> {
        let game = &sets.layout.game;
        let outside = Outside::new(sets, shape, storage);
        Placement {
            no_move: E::over(game, outside.rules.blocked_reason()),
            outside,
            transposition: Transposition::new(sets, &shape),
        }
    }

    /// The most common code, estimated from the first strip of the children after a placement. The table does not depend on the choice.
    pub fn common(&self, solved: &Solved<E>) -> Result<E, SolveError> {
        let mut counts = vec![0u64; usize::from(E::none().code()) + 1];
        self.outside.strip(solved, 0, |best| {
            let codes = best.iter().filter_map(|&best| self.code(best));
            codes.for_each(|code| counts[usize::from(code.code())] += 1);
            Ok(())
        })?;
        let most = (0..E::none().code()).max_by_key(|&code| counts[usize::from(code)]);
        Ok(E::new(most.unwrap_or_default()))
    }

    /// The code of a position whose best child has this preference; `None` if its distance does not fit.
    #[inline(always)]
    fn code(&self, best: E) -> Option<E> {
        best.parent().map(|code| if code == E::none() { self.no_move } else { code })
    }

    /// Sends the results in one block of the waiter's rows.
    pub fn send(
        &self,
        solved: &Solved<E>,
        block: usize,
        common: E,
        outbox: &mut Outbox,
    ) -> Result<(), SolveError> {
        let Outside { sets, shape, .. } = self.outside;
        let strips = shape.source_rows.div_ceil(STRIP_ROWS);
        let (ends, orders) = (!sets.layout.game.graph().may_take(), shape.words.orders.waiter);
        for strip in block * STRIPS..strips.min((block + 1) * STRIPS) {
            self.outside.strip(solved, strip, |codes| {
                // Without a branch for each entry, so that the loop can use vectors.
                let mut fits = true;
                for entry in &mut *codes {
                    let found = self.code(*entry);
                    fits &= found.is_some();
                    *entry = found.unwrap_or(E::none());
                }
                if !fits {
                    return Err(SolveError::TooDeep);
                }
                let (first, columns) = (strip * STRIP_ROWS, shape.source_columns);
                let rows = first..first + codes.len() / columns;
                let movers = &self.outside.columns.words;
                let mut places = Places::new(&self.transposition, movers, rows, outbox);
                let has_line = sets.has_line(shape.counts.waiter);
                for (row, codes) in codes.chunks_exact(columns).enumerate() {
                    // If lines end the game, positions whose waiter has a line are over. They were filled before.
                    if !ends || !has_line[(first + row) / orders as usize] {
                        send_row(codes, row, common, &mut places);
                    }
                }
                places.flush();
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Writes the pending entries of a block. A block in memory exists already; any other block is created here, with its finished
    /// positions.
    pub fn write(
        &self,
        rows: &Rows<E>,
        block: usize,
        finished: &Finished<E>,
        inbox: &Inbox,
    ) -> Result<(), SolveError> {
        let is_made = block < rows.in_memory();
        let mut write = |strip: usize, codes: &mut [E]| {
            if !is_made {
                finished.fill(strip, codes);
            }
            for arrived in inbox.take(strip) {
                arrived.each(codes, put(arrived.code))?;
            }
            Ok(())
        };
        if rows.change(block, &mut write)? { Ok(()) } else { rows.make(block, &mut write) }
    }
}

/// Writes a code to an entry, unless the arrangement is invalid.
pub fn put<E: Code>(code: u16) -> impl FnMut(u32, &mut E) {
    let code = E::new(code);
    move |_, entry| {
        if *entry != E::none() {
            *entry = code;
        }
    }
}

/// Sends the entries of one of the waiter's rows that do not have the common code.
fn send_row<E: Code>(codes: &[E], row: usize, common: E, places: &mut Places) {
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
