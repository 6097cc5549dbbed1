//! The positions of one layer, by number: all arrangements of its pieces, whether or not play reaches them.

use crate::reach::arrangements::Arrangements;
use morpion_core::{Game, Layer, Position};
use std::ops::Deref;
use std::sync::OnceLock;

/// The name of a layer: the pieces of the side to move and of the side waiting on the board, and in hand if there are some.
pub fn layer_name(layer: &Layer) -> String {
    let Layer { counts, hands, .. } = layer;
    let mut name = format!("({}, {})", counts.mover, counts.waiter);
    if *hands != Default::default() {
        name.push_str(&format!(" + ({}, {})", hands.mover, hands.waiter));
    }
    name
}

/// The positions of each layer that has entries.
pub fn layers(game: &Game) -> impl Iterator<Item = Arranged> + '_ {
    let none = Position { mover: 0, waiter: 0 };
    let with_entries = (0..).zip(&game.graph().layers).filter(|(_, layer)| !layer.ended);
    with_entries.map(move |(index, _)| Arranged::new(game, index, none))
}

/// The positions of one layer, some of whose pieces may be fixed.
#[derive(Debug)]
pub struct Arranged {
    layer: usize,
    arrangements: Arrangements,
    /// [`Arrangements::numbered`]. Listed once, because every visit needs them.
    numbered: OnceLock<Vec<u64>>,
}

impl Deref for Arranged {
    type Target = Arrangements;

    fn deref(&self) -> &Arrangements {
        &self.arrangements
    }
}

impl Arranged {
    /// The positions of layer number `layer` with these pieces, of the mover and of the waiter, on their cells.
    pub fn new(game: &Game, layer: usize, fixed: Position) -> Arranged {
        let arrangements = Arrangements::of_layer(game, layer, fixed);
        Arranged { layer, arrangements, numbered: OnceLock::new() }
    }

    /// Number of the layer.
    pub fn layer(&self) -> usize {
        self.layer
    }

    /// The positions of a row, by column.
    pub fn in_row(&self, row: u64) -> impl Fn(u64) -> Position + '_ {
        let numbered = self.numbered.get_or_init(|| self.arrangements.numbered());
        self.arrangements.in_row(row, numbered)
    }
}
