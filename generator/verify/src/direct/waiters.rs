//! Checks the entries of a layer in the order of the waiter's sets.
//!
//! Pieces do not age here. A turn that neither takes nor pushes pieces keeps the waiter's set B, and the waiter moves next. So the
//! children of all positions with one B are in the rows of B, which are read from beginning to end. A push p leads to the rows of pB,
//! whatever the mover's set is.
//!
//! The check visits each B that is a representative, with each set A of the mover among the cells that B leaves. Only the entries of (A, B)
//! are far from each other. A has a symmetry s to its representative, and these entries are in the rows of sA. Their columns are the
//! columns of sB, and of tsB for any symmetry t that keeps sA.
//!
//! Every entry (A', B') is compared in this way. Its A' is a representative. Some symmetry g takes B' to a representative B. The check
//! visits (gA', B). Its symmetry s takes gA' to A' again, so sg keeps A', and so does its inverse t. Then tsB = tsgB' = B'.

use super::folded::{Doubt, Folded, Waiter};
use super::pushing::{self, Pushing};
use super::taking::{self, Taking};

/// A layer whose entries are checked by waiters.
pub(super) struct Waiters<'a> {
    folded: &'a Folded<'a>,
    kind: Kind<'a>,
    /// Number of the waiter's pieces.
    size: u8,
}

enum Kind<'a> {
    Taking(Taking<'a>),
    Pushing(Pushing<'a>),
}

/// The buffers of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    taking: taking::Scratch,
    pushing: pushing::Scratch,
}

impl<'a> Waiters<'a> {
    /// The layer; `None` if it has no entries or other turns, or the table has no rows of the waiter's sets.
    pub fn new(folded: &'a Folded) -> Option<Waiters<'a>> {
        let layer = folded.keys.turns.graph.layers[folded.layer];
        let size = layer.counts.waiter;
        if layer.ended || folded.keys.rows(size).is_empty() {
            return None;
        }
        let taking = || Taking::new(folded).map(Kind::Taking);
        let pushing = || Pushing::new(folded).map(Kind::Pushing);
        let kind = taking().or_else(pushing)?;
        Some(Waiters { folded, kind, size })
    }

    /// Number of waiters.
    pub fn count(&self) -> u64 {
        self.folded.keys.rows(self.size).len() as u64
    }

    /// Checks the entries with the waiter that is the representative of a row.
    pub fn check(&self, row: u64, scratch: &mut Scratch) -> Result<(), Doubt> {
        let keys = self.folded.keys;
        let set = keys.representative(self.size, row);
        let waiter = Waiter::new(row, set, keys.table.game().raw().board());
        match &self.kind {
            Kind::Taking(taking) => taking.check(&waiter, &mut scratch.taking),
            Kind::Pushing(pushing) => pushing.check(&waiter, &mut scratch.pushing),
        }
    }
}
