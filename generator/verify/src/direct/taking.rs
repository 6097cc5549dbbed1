//! Checks the entries with one waiter in games whose lines take pieces.

use super::children::{Buffers, Children};
use super::folded::{Doubt, Folded, Waiter};
use super::movers::{self, Movers};
use crate::turns::Pieces;

/// The entries of a layer of a game whose lines take pieces.
pub(super) struct Taking<'a> {
    folded: &'a Folded<'a>,
    children: Vec<Children<'a>>,
    movers: Movers<'a>,
}

/// The buffers of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    children: Buffers,
    best: Vec<u16>,
    movers: movers::Scratch,
}

impl<'a> Taking<'a> {
    /// The entries of a layer, if [`Children`] knows all its turns.
    pub fn new(folded: &'a Folded) -> Option<Taking<'a>> {
        let Folded { keys, scale, codes, layer, .. } = *folded;
        let children = Children::of_layer(keys, scale, codes, layer)?;
        Some(Taking { folded, children, movers: Movers::new(folded) })
    }

    /// Checks the entries with the waiter that is the representative of a row.
    pub fn check(&self, waiter: &Waiter, scratch: &mut Scratch) -> Result<(), Doubt> {
        let Scratch { children: buffers, best, movers } = scratch;
        best.clear();
        best.resize(self.movers.sets.len(), 0);
        for children in &self.children {
            children.raise(waiter, &self.movers.sets, buffers, best)?;
        }
        self.movers.compare(waiter, best, |mover| self.without_value(mover, waiter), movers)
    }

    /// The code of a position whose children have no preference: it has no turn, or all its children are invalid.
    #[cold]
    fn without_value(&self, mover: u64, waiter: &Waiter) -> Option<u16> {
        let Folded { keys, scale, .. } = self.folded;
        if self.children.iter().any(|children| children.has_turn(mover, waiter.left & !mover)) {
            return scale.code(0);
        }
        scale.of(keys.turns.blocked(&Pieces::of(mover), &Pieces::of(waiter.set)))
    }
}
