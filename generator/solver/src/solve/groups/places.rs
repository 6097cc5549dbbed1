//! Places of positions in a table: layer, row and column, with the orders of pieces that age.
//!
//! Converts an entry to its position, and a position to all of its entries. A row whose set has symmetries of its own contains
//! several entries of one position: its images under these symmetries.

use crate::sets::FoldedSets;
use morpion_lookup::Game;
use morpion_lookup::raw::{AGED, Arrangements, CELLS, Position, SHIFT, order};

/// The places of all positions of a game.
pub struct Places<'s> {
    sets: &'s FoldedSets,
    layers: Vec<LayerPlaces>,
    /// For each size and row, the symmetries other than the identity that keep the representative.
    stabilisers: Vec<Vec<Box<[u16]>>>,
}

/// Rows and columns of a layer.
#[derive(Clone, Copy, Debug)]
pub struct LayerPlaces {
    arrangements: Arrangements,
    /// Pieces of the mover on the board.
    pub size: u8,
    /// Pieces in hand of the mover and of the waiter, as parts of their words.
    hands: [u64; 2],
    /// Numbers of orders of the mover's and of the waiter's pieces.
    orders: [usize; 2],
    /// Number of rows; 0 for a layer that has ended.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
}

impl LayerPlaces {
    /// Number of entries.
    pub fn entries(&self) -> usize {
        self.rows * self.columns
    }
}

impl<'s> Places<'s> {
    /// The places of the game of these sets.
    pub fn new(sets: &'s FoldedSets) -> Places<'s> {
        let (game, order) = (sets.game(), sets.symmetries().len());
        let layers = game.graph().layers.iter().enumerate().map(|(index, layer)| {
            let arrangements = Arrangements::new(game.board(), layer.counts);
            let orders = game.orders(index).map(|orders| orders as usize);
            let (size, hands) = (layer.counts.mover, [layer.hands.mover, layer.hands.waiter]);
            let rows = if layer.ended { 0 } else { sets.orbits(size).rows() * orders[0] };
            let columns = arrangements.columns() as usize * orders[1];
            let hands = hands.map(|hand| u64::from(hand) << SHIFT);
            LayerPlaces { arrangements, size, hands, orders, rows, columns }
        });
        let stabilisers = (0..=game.cells()).map(|size| {
            if !sets.has_rows(size) {
                return Vec::new();
            }
            let orbits = sets.orbits(size);
            let keep = |(&set, &length): (&u64, &u32)| {
                let has_any = (length as usize) < order;
                let images = sets.images().all(set).enumerate().skip(1);
                let keeping = images.filter(|&(_, image)| has_any && image == set);
                keeping.map(|(symmetry, _)| symmetry as u16).collect()
            };
            orbits.representatives.iter().zip(&orbits.lengths).map(keep).collect()
        });
        Places { sets, layers: layers.collect(), stabilisers: stabilisers.collect() }
    }

    /// The game.
    pub fn game(&self) -> &'s Game {
        self.sets.game()
    }

    /// Number of symmetries.
    pub fn symmetries(&self) -> usize {
        self.sets.symmetries().len()
    }

    /// Rows and columns of layer number `layer`.
    pub fn layer(&self, layer: usize) -> &LayerPlaces {
        &self.layers[layer]
    }

    /// Number of sets in the orbit of a row of a layer.
    pub fn length(&self, layer: usize, row: usize) -> u32 {
        let LayerPlaces { size, orders, .. } = self.layers[layer];
        self.sets.orbits(size).lengths[row / orders[0]]
    }

    /// The mover's word in a row of a layer.
    pub fn mover(&self, layer: usize, row: usize) -> u64 {
        let LayerPlaces { size, orders, hands, .. } = self.layers[layer];
        let set = self.sets.orbits(size).representatives[row / orders[0]];
        self.word(set, row % orders[0], hands[0])
    }

    /// The position of an entry.
    pub fn position(&self, layer: usize, row: usize, column: usize) -> Position {
        let LayerPlaces { arrangements, orders, hands, .. } = self.layers[layer];
        let mover = self.mover(layer, row);
        let set = arrangements.waiter(mover & CELLS, (column / orders[1]) as u64);
        Position { mover, waiter: self.word(set, column % orders[1], hands[1]) }
    }

    /// Visits all columns of a row in order, each with the waiter's word.
    pub fn each_column(&self, layer: usize, row: usize, mut visit: impl FnMut(usize, u64)) {
        let LayerPlaces { arrangements, orders, hands, .. } = self.layers[layer];
        let sets = arrangements.waiters(self.mover(layer, row) & CELLS);
        for (rank, set) in sets.enumerate() {
            for order in 0..orders[1] {
                visit(rank * orders[1] + order, self.word(set, order, hands[1]));
            }
        }
    }

    /// The first entry of a position of layer number `layer`.
    pub fn key(&self, layer: usize, position: Position) -> usize {
        let (row, position) = self.folded(layer, position);
        self.key_in(layer, row, position)
    }

    /// Visits all entries of a position of layer number `layer`. One entry may be visited several times, but all equally often: as
    /// often as there are symmetries that keep the mover's set, in total.
    pub fn each_key(&self, layer: usize, position: Position, mut visit: impl FnMut(usize)) {
        let (row, position) = self.folded(layer, position);
        visit(self.key_in(layer, row, position));
        for &symmetry in &self.stabilisers[usize::from(self.layers[layer].size)][row] {
            visit(self.key_in(layer, row, self.image(symmetry.into(), position)));
        }
    }

    /// The orbit of the mover's set, and the image of the position whose mover has its representative.
    fn folded(&self, layer: usize, position: Position) -> (usize, Position) {
        let orbits = self.sets.orbits(self.layers[layer].size);
        let rank = orbits.ranker.rank(position.mover & CELLS);
        let (row, symmetry) = orbits.split(orbits.map[rank as usize]);
        (row, self.image(symmetry, position))
    }

    /// The image of a position under symmetry number `symmetry`.
    fn image(&self, symmetry: usize, position: Position) -> Position {
        let image = |word: u64| match word & AGED {
            0 => word & !CELLS | self.sets.images().get(symmetry, word & CELLS).unwrap_or(0),
            _ => self.sets.symmetries()[symmetry].apply(word),
        };
        Position { mover: image(position.mover), waiter: image(position.waiter) }
    }

    /// The entry of a position whose mover has the representative of orbit number `row`.
    fn key_in(&self, layer: usize, row: usize, position: Position) -> usize {
        let LayerPlaces { arrangements, orders, columns, .. } = self.layers[layer];
        let column = arrangements.column(position.cells()) as usize * orders[1];
        let row = row * orders[0] + order(position.mover) as usize;
        row * columns + column + order(position.waiter) as usize
    }

    /// The word of a set with a number of its order, or with pieces in hand.
    fn word(&self, set: u64, order: usize, hand: u64) -> u64 {
        match set != 0 && self.game().has_ages() {
            true => set | AGED | (order as u64) << SHIFT,
            false => set | hand,
        }
    }
}
