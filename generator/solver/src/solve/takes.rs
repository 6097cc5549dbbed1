//! The children after takes. They are in the rows of the waiter's remaining sets, and are sent to the rows of the waiter's sets before the
//! take.
//!
//! A finished layer is read in order. For each of its rows, which has a set C of the side to move, and each piece that was taken, the set B
//! with this piece has a row of its own. There, each set A of the side that made a line gets the preference of (C, A), if that is the best
//! so far.

use crate::error::SolveError;
use crate::sets::FoldedSets;
use crate::solve::code::Code;
use crate::solve::exchange::{Inbox, Outbox};
use crate::solve::operator::columns::Columns;
use crate::solve::operator::layer_rules::{Change, LayerRules};
use crate::solve::operator::lines::{each_with_line, in_lines, lines_within};
use crate::solve::planes::{STRIP_ROWS, STRIPS};
use crate::solve::rows::Rows;
use crate::solve::shape::Shape;
use crate::solve::store::{Contents, Storage};
use crate::solve::transposition::Transposition;
use morpion_core::rank::{cells, subsets};
use morpion_machine::isa::{Kernel, dispatch, expand};

/// The children after moves with one change of the pieces, by the waiter's rows before the take.
pub struct Taken<'f, E> {
    sets: &'f FoldedSets,
    /// The moves.
    pub change: Change,
    /// The layer of the children.
    pub child: Shape,
    /// The waiter's rows, with the columns of the mover's sets after the move.
    pub shape: Shape,
    transposition: Transposition<'f>,
    /// The sets of the side that has taken, by column of the children.
    takers: Columns,
    /// The best preferences that arrived, for the blocks that are in memory. Other blocks have no rows.
    rows: Rows<E>,
    /// The preferences that arrived for other blocks.
    pub inbox: Inbox,
}

impl<'f, E: Code> Taken<'f, E> {
    /// The children after moves of a layer; `None` if the game does not have the layer of the children, or is over in that layer.
    pub fn new(
        sets: &'f FoldedSets,
        rules: &LayerRules,
        change: Change,
        storage: &Storage,
    ) -> Option<Taken<'f, E>> {
        let has_entries = |layer: &usize| !sets.layout.game.graph().layers[*layer].ended;
        let child = Shape::of(&sets.layout, rules.after(change).filter(has_entries)?);
        let shape = Shape::of(&sets.layout, rules.after(Change { taken: 0, ..change })?);
        let left = u32::from(sets.layout.game.cells() - child.counts.mover);
        Some(Taken {
            sets,
            change,
            child,
            shape,
            transposition: Transposition::new(sets, &shape),
            takers: Columns::new(left, child.counts.waiter.into(), false),
            rows: Rows::new(storage, shape, Contents::Taken(rules.layer), 0),
            inbox: Inbox::default(),
        })
    }

    /// Makes room for the children of a block if it is in memory.
    ///
    /// # Errors
    /// Never.
    pub fn make(&self, block: usize) -> Result<(), SolveError> {
        if block >= self.rows.in_memory() {
            return Ok(());
        }
        self.rows.make(block, &mut |_, best| {
            best.fill(E::default());
            Ok(())
        })
    }

    /// Returns the preferences of the best children of a strip, row by row. Removes the pending preferences of the strip from the inbox.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn strip(&self, strip: usize) -> Result<Vec<E>, SolveError> {
        let mut codes = Vec::new();
        if strip / STRIPS < self.rows.in_memory() {
            self.rows.copy_strip(strip, &mut codes)?;
        }
        codes.resize(self.shape.entries_of(strip), E::default());
        for arrived in self.inbox.take(strip) {
            let best = E::new(arrived.code);
            arrived.each(&mut codes, |_, entry| *entry = (*entry).max(best))?;
        }
        Ok(codes)
    }

    /// Sends the children in a block of a solved layer.
    ///
    /// # Errors
    /// If the rows cannot be read.
    pub fn send(
        &self,
        rows: &Rows<E>,
        block: usize,
        outbox: &mut Outbox,
    ) -> Result<(), SolveError> {
        rows.read(block, &mut |strip, codes| {
            for (row, codes) in
                self.child.rows_of(strip).zip(codes.chunks_exact(self.child.columns))
            {
                dispatch(SendRow { children: self, row, codes, outbox });
            }
            Ok(())
        })
    }
}

/// Sends the children in one row.
struct SendRow<'r, 'f, 'o, 's, E> {
    children: &'r Taken<'f, E>,
    row: usize,
    codes: &'r [E],
    outbox: &'o mut Outbox<'s>,
}

impl<E: Code> Kernel for SendRow<'_, '_, '_, '_, E> {
    type Output = ();
    const WIDE: bool = false;

    #[inline(always)]
    fn run<const BITS: bool>(self) {
        let SendRow { children, row, codes, outbox } = self;
        let game = &children.sets.layout.game;
        let mover = children.child.mover(children.sets, row);
        let left = game.board() & !mover;
        let lines = lines_within(game, left);
        let mut with_line = vec![0u64; codes.len().div_ceil(64)];
        each_with_line(&lines, left.count_ones(), children.child.counts.waiter.into(), |set| {
            let column = children.takers.of(set) as usize;
            with_line[column / 64] |= 1 << (column % 64);
        });
        let mut found = Vec::new();
        for (word, &bits) in with_line.iter().enumerate() {
            for column in cells(bits).map(|bit| word * 64 + usize::from(bit)) {
                let set = children.takers.words[column];
                if children.change.taken == 1 || in_lines(&lines, set)[1] != 0 {
                    found.push((expand::<BITS>(set, left), codes[column].preference()));
                }
            }
        }
        let mut places = Vec::new();
        for numbers in subsets(left.count_ones(), children.change.taken.into()) {
            let taken = expand::<BITS>(numbers, left);
            if taken & !game.takeable(mover | taken) == 0 {
                let row = children.places::<BITS>(&found, mover, taken, &mut places);
                children.write(row, &places, outbox);
            }
        }
    }
}

impl<E: Code> Taken<'_, E> {
    /// Finds the row of the waiter's set before a take, and the columns and preferences of children in it. Returns the row.
    #[inline(always)]
    fn places<const BITS: bool>(
        &self,
        found: &[(u64, E)],
        mover: u64,
        taken: u64,
        places: &mut Vec<(u32, E)>,
    ) -> usize {
        let Taken { transposition, sets, .. } = self;
        let rank = transposition.rank_and_prefetch(mover | taken);
        let (row, symmetry) = transposition.fold(rank);
        let images = &sets.images;
        places.clear();
        for &(set, preference) in found {
            if set & taken != 0 {
                continue;
            }
            let image = images.get(symmetry, set).unwrap_or_default();
            let place = transposition.place::<BITS, false>(row, || 0, image);
            transposition.each_place::<BITS, false>(&place, |place| {
                places.push((place.column, preference));
            });
        }
        row
    }

    /// Writes children to `row` if it is in memory, and sends them otherwise.
    fn write(&self, row: usize, places: &[(u32, E)], outbox: &mut Outbox) {
        let (strip, first) = (row / STRIP_ROWS, row % STRIP_ROWS * self.shape.columns);
        let written = self.rows.write_now(strip, |best| {
            let best = &mut best[first..first + self.shape.columns];
            for &(column, preference) in places {
                let best = &mut best[column as usize];
                *best = (*best).max(preference);
            }
            Ok(())
        });
        if !matches!(written, Ok(true)) {
            for &(column, preference) in places {
                outbox.add(preference.code(), strip, first as u32 + column);
            }
        }
    }
}
