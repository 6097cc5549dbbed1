//! The rules of one layer, as operators need them.

use morpion_core::{Counts, Game, Layer, Moves, Over};

/// Numbers of pieces: the mover's pieces that a move adds, and the waiter's pieces that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub new: u8,
    pub taken: u8,
}

/// The rules of a layer, as seen from the waiter's rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerRules<'g> {
    /// The rules.
    pub game: &'g Game,
    /// Number of the layer.
    pub layer: usize,
    /// The pieces of the layer.
    pub counts: Counts,
    /// The moves of the layer.
    pub moves: &'g Moves,
}

impl<'g> LayerRules<'g> {
    /// The rules of layer number `layer`.
    pub fn new(game: &'g Game, layer: usize) -> LayerRules<'g> {
        LayerRules {
            game,
            layer,
            counts: game.graph().layers[layer].counts,
            moves: game.moves(layer),
        }
    }

    /// Number of cells that the waiter leaves. In the waiter's rows, these cells are numbered from 0.
    pub fn cells_left(&self) -> u32 {
        u32::from(self.game.cells()) - u32::from(self.counts.waiter)
    }

    /// Returns true if the children are in the same layer group.
    pub fn is_cyclic(&self) -> bool {
        self.game.graph().is_cyclic(self.layer)
    }

    /// The cells on which one more piece may be placed.
    pub fn placed(&self) -> u64 {
        if self.moves.oldest.is_none() { self.moves.placements } else { 0 }
    }

    /// Returns true if a blocked side passes.
    pub fn blocked_pass(&self) -> bool {
        self.is_cyclic() && self.game.graph().passes_if_blocked()
    }

    /// Reason why the game is over if the mover has no move.
    pub fn blocked_reason(&self) -> Over {
        let (graph, Counts { mover, waiter }) = (self.game.graph(), self.counts);
        match graph.full {
            Some(_) if mover + waiter == self.game.cells() => Over::Full,
            _ => graph.blocked_reason,
        }
    }

    /// The layer after a move with this change; `None` if the game does not have this layer.
    pub fn after(&self, Change { new, taken }: Change) -> Option<usize> {
        let layers = &self.game.graph().layers;
        let Layer { counts, hands, .. } = layers[self.layer];
        let counts =
            Counts { mover: counts.waiter.checked_sub(taken)?, waiter: counts.mover + new };
        let hands = Counts { mover: hands.waiter, waiter: hands.mover.saturating_sub(new) };
        layers.iter().position(|layer| (layer.counts, layer.hands) == (counts, hands))
    }
}
