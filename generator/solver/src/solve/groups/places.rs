//! Places of positions in a table: layer, row and column, with the orders of pieces that age.
//!
//! Converts an entry to its position, and a position to all of its entries. A row whose set has symmetries of its own contains
//! several entries of one position: its images under these symmetries.

use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::stabilisers::Stabilisers;
use morpion_lookup::raw::rank::{binomial, subsets};
use morpion_lookup::raw::{
    AGED, CELLS, MapSection, Permutation, Position, SHIFT, Sequence, Words, order, orders,
};
use morpion_lookup::{Counts, Game};
use morpion_reach::arrangements::Arrangements;

/// The places of all positions of a game.
pub struct Places<'s> {
    sets: &'s FoldedSets,
    layers: Vec<LayerPlaces>,
    /// The orders of images.
    turns: Turns,
    /// For each size and row, the symmetries other than the identity that keep the representative.
    stabilisers: Vec<Stabilisers>,
    /// For each size, the sets of numbers of cells that some set of the other side leaves, by rank. For games with lines that take.
    numbered: Vec<Vec<u64>>,
}

/// Rows and columns of a layer.
#[derive(Clone, Copy, Debug)]
pub struct LayerPlaces {
    arrangements: Arrangements,
    /// Pieces of the mover on the board.
    pub size: u8,
    /// Pieces of the waiter.
    pub other_size: u8,
    /// The words above the cells, without orders.
    pub above: Position,
    /// Numbers of orders of the mover's and of the waiter's pieces.
    orders: [usize; 2],
    /// Number of rows; 0 for a layer that has ended.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// True if the rows are the waiter's and the columns the mover's.
    pub is_turned: bool,
}

impl LayerPlaces {
    /// The places of layer number `index`. If they are turned, the rows are the waiter's and the columns the mover's.
    fn new(sets: &FoldedSets, index: usize, is_turned: bool) -> LayerPlaces {
        let (game, layer) = (sets.game(), &sets.game().graph().layers[index]);
        let Counts { mover, waiter } = layer.counts;
        let Words { mut above, mut orders } = game.words(index);
        let mut counts = layer.counts;
        if is_turned {
            (counts, orders) = (Counts { mover: waiter, waiter: mover }, [orders[1], orders[0]]);
            above = Position { mover: above.waiter, waiter: above.mover };
        }
        let words = Words { above, orders };
        let arrangements = Arrangements::new(game.board(), counts).with_words(words);
        let orders = orders.map(|orders| orders as usize);
        let rows = if layer.ended { 0 } else { sets.orbits(counts.mover).rows() * orders[0] };
        let columns = arrangements.columns() as usize;
        LayerPlaces {
            arrangements,
            size: counts.mover,
            other_size: counts.waiter,
            above,
            orders,
            rows,
            columns,
            is_turned,
        }
    }

    /// Number of entries.
    pub fn entries(&self) -> usize {
        self.rows * self.columns
    }

    /// The entry of a position whose mover has the representative of orbit number `row`.
    #[inline]
    pub fn key_in(&self, row: usize, position: Position) -> usize {
        let row = row * self.orders[0] + order(position.mover) as usize;
        row * self.columns + self.column(position)
    }

    /// The column of a position.
    #[inline]
    pub fn column(&self, position: Position) -> usize {
        self.arrangements.column(position) as usize
    }
}

impl<'s> Places<'s> {
    /// The places of the game of these sets.
    pub fn new(sets: &'s FoldedSets) -> Places<'s> {
        let game = sets.game();
        let layers =
            (0..game.graph().layers.len()).map(|layer| LayerPlaces::new(sets, layer, false));
        let stabilisers = (0..=game.cells()).map(|size| match sets.has_rows(size) {
            true => Stabilisers::new(sets, size),
            false => Stabilisers::default(),
        });
        let turns = Turns::new(sets);
        let numbered = (0..=game.cells())
            .map(|size| subsets(cells_left(game, size).into(), size.into()).collect());
        Places {
            sets,
            turns,
            layers: layers.collect(),
            stabilisers: stabilisers.collect(),
            numbered: numbered.collect(),
        }
    }

    /// The game.
    pub fn game(&self) -> &'s Game {
        self.sets.game()
    }

    /// The sets of the players.
    pub fn sets(&self) -> &'s FoldedSets {
        self.sets
    }

    /// The symmetries other than the identity that keep the representative of a row of sets of `size`.
    #[inline]
    pub fn stabiliser(&self, size: u8, row: usize) -> &[u16] {
        let Stabilisers { all, numbers } = &self.stabilisers[usize::from(size)];
        &all[usize::from(numbers[row])]
    }

    /// The sets of `size` numbers of cells by rank, so that the columns of a row are the first ones. Only for games with lines that take.
    pub fn numbered(&self, size: u8) -> &[u64] {
        &self.numbered[usize::from(size)]
    }

    /// Number of symmetries.
    pub fn symmetries(&self) -> usize {
        self.sets.symmetries().len()
    }

    /// Rows and columns of layer number `layer`.
    pub fn layer(&self, layer: usize) -> &LayerPlaces {
        &self.layers[layer]
    }

    /// The places of layer number `layer` by the rows of the waiter and the columns of the mover; `None` if the waiter's sets have no
    /// rows.
    pub fn turned(&self, layer: usize) -> Option<LayerPlaces> {
        let Counts { waiter, .. } = self.game().graph().layers[layer].counts;
        self.sets.has_rows(waiter).then(|| LayerPlaces::new(self.sets, layer, true))
    }

    /// Number of sets in the orbit of a row.
    pub fn length(&self, places: &LayerPlaces, row: usize) -> u32 {
        let &LayerPlaces { size, orders, .. } = places;
        self.sets.orbits(size).lengths[row / orders[0]]
    }

    /// The word of a row: the mover's.
    pub fn mover(&self, places: &LayerPlaces, row: usize) -> u64 {
        let &LayerPlaces { size, orders, above, .. } = places;
        let set = self.sets.orbits(size).representatives[row / orders[0]];
        word(set, above.mover, row % orders[0])
    }

    /// The position of an entry.
    pub fn position(&self, places: &LayerPlaces, row: usize, column: usize) -> Position {
        let &LayerPlaces { arrangements, orders, above, .. } = places;
        let mover = self.mover(places, row);
        let set = arrangements.waiter(mover & CELLS, (column / orders[1]) as u64);
        Position { mover, waiter: word(set, above.waiter, column % orders[1]) }
    }

    /// Visits all columns of a row in order, each with the waiter's word.
    pub fn each_column(&self, places: &LayerPlaces, row: usize, mut visit: impl FnMut(usize, u64)) {
        let &LayerPlaces { arrangements, orders, above, .. } = places;
        let sets = arrangements.waiters(self.mover(places, row) & CELLS);
        for (rank, set) in sets.enumerate() {
            for order in 0..orders[1] {
                visit(rank * orders[1] + order, word(set, above.waiter, order));
            }
        }
    }

    /// The images of a word under all symmetries.
    pub fn images(&self, word: u64) -> Vec<u64> {
        (0..self.symmetries()).map(|symmetry| self.image(symmetry, word)).collect()
    }

    /// Visits all entries of a position, given the mover's word and the images of the waiter's. Makes one visit
    /// for each symmetry that keeps the mover's set, and equally many to each entry.
    #[inline]
    pub fn each_key(
        &self,
        places: &LayerPlaces,
        mover: u64,
        waiter: impl Fn(usize) -> u64,
        mut visit: impl FnMut(usize),
    ) {
        let (row, symmetry, mover) = self.folded(places, mover);
        let waiter = waiter(symmetry);
        visit(places.key_in(row, Position { mover, waiter }));
        for &symmetry in self.stabiliser(places.size, row) {
            let [mover, waiter] = [mover, waiter].map(|word| self.image(symmetry.into(), word));
            visit(places.key_in(row, Position { mover, waiter }));
        }
    }

    /// The orbit of a mover's set, the symmetry that leads to its representative, and the image of the mover's word.
    #[inline]
    pub fn folded(&self, places: &LayerPlaces, mover: u64) -> (usize, usize, u64) {
        let orbits = self.sets.orbits(places.size);
        let rank = orbits.ranker.rank(mover & CELLS) as usize;
        let (row, symmetry) = orbits.split(orbits.map[rank]);
        let above = match mover & AGED {
            0 => Some(mover & !CELLS),
            _ => self.turns.above(symmetry, rank, mover),
        };
        let image = above.map(|above| orbits.representatives[row] | above);
        (row, symmetry, image.unwrap_or_else(|| self.sets.symmetries()[symmetry].apply(mover)))
    }

    /// The image of a word under symmetry number `symmetry`.
    #[inline]
    pub fn image(&self, symmetry: usize, word: u64) -> u64 {
        if symmetry == 0 {
            return word;
        }
        let (set, size) = (word & CELLS, (word & CELLS).count_ones() as u8);
        let above = match word & AGED {
            0 => Some(word & !CELLS),
            _ if !self.sets.has_rows(size) => None,
            _ => {
                let rank = self.sets.orbits(size).ranker.rank(set) as usize;
                self.turns.above(symmetry, rank, word)
            }
        };
        let set = self.sets.images().get(symmetry, set);
        let image = set.zip(above).map(|(set, above)| set | above);
        image.unwrap_or_else(|| self.sets.symmetries()[symmetry].apply(word))
    }
}

/// The most cells that the waiter leaves to a mover with `size` pieces in a game with lines that take; 0 in other games.
fn cells_left(game: &Game, size: u8) -> u8 {
    let graph = game.graph();
    let layers = graph.layers.iter().filter(|layer| graph.takes.is_some() && !layer.ended);
    // A move may add a piece.
    let has_size = |&Counts { mover, .. }: &Counts| (mover..=mover + 1).contains(&size);
    let of_size = layers.map(|layer| layer.counts).filter(has_size);
    of_size.map(|counts| game.cells() - counts.waiter).max().unwrap_or(0)
}

/// Bytes of memory that the sets take which [`Places::numbered`] lists.
pub fn numbered_memory(game: &Game) -> u64 {
    let sets = |size: u8| binomial(cells_left(game, size).into(), size.into());
    (0..=game.cells()).map(sets).sum::<u64>() * 8
}

/// The word of a set with these bits above the cells and the number of an order.
fn word(set: u64, above: u64, order: usize) -> u64 {
    set | above | (order as u64) << SHIFT
}

/// The orders of the images of pieces that age, by tables: for a few pieces, since there are as many tables as orders.
pub struct Turns {
    /// By number of pieces: the orders in which a symmetry puts the ascending cells of a set, by symmetry and rank of the set.
    turned: Vec<Vec<u16>>,
    /// By number of pieces: the order of the image, by the order in which the cells are put and the order of the pieces.
    composed: Vec<Vec<u16>>,
    /// Number of sets of each size.
    sets: Vec<usize>,
}

impl Turns {
    fn new(sets: &FoldedSets) -> Turns {
        let game = sets.game();
        let sizes = if game.has_ages() { 0..=game.cells().min(MAX_TURNED) } else { 0..=0 };
        let count = |size: u8| binomial(game.cells().into(), size.into()) as usize;
        let pieces = |size: u8, number| Sequence::of(word((1 << size) - 1, AGED, number));
        let turned = |size: u8| {
            let of_symmetry = |symmetry: &Permutation| {
                let sets = subsets(game.cells().into(), size.into());
                let first = move |set: u64| order(symmetry.apply(set | AGED)) as u16;
                sets.map(first).collect::<Vec<u16>>()
            };
            sets.symmetries().iter().flat_map(of_symmetry).collect()
        };
        let composed = |size: u8| {
            let orders = orders(size) as usize;
            let place = |turn: usize| {
                let turn = pieces(size, turn);
                (0..orders).map(move |number| {
                    let mut image = Sequence::default();
                    let pieces = pieces(size, number);
                    pieces
                        .cells()
                        .iter()
                        .for_each(|&piece| image.push(turn.cells()[usize::from(piece)]));
                    order(image.word()) as u16
                })
            };
            (0..orders).flat_map(place).collect()
        };
        let is_used = |size: &u8| game.has_ages() && *size > 0 && sets.has_rows(*size);
        let tables = |table: &dyn Fn(u8) -> Vec<u16>| {
            sizes
                .clone()
                .map(|size| if is_used(&size) { table(size) } else { Vec::new() })
                .collect()
        };
        Turns {
            turned: tables(&turned),
            composed: tables(&composed),
            sets: sizes.clone().map(count).collect(),
        }
    }

    /// Bytes of memory that the tables take.
    pub fn memory(layout: &Layout) -> u64 {
        let game = layout.game();
        let maps = layout.header().maps.iter();
        let maps = maps.filter(|map| game.has_ages() && (1..=MAX_TURNED).contains(&map.size));
        let turned = layout.header().symmetries.len() as u64;
        let of_size = |map: &MapSection| {
            turned * binomial(game.cells().into(), map.size.into()) + orders(map.size).pow(2)
        };
        maps.map(of_size).sum::<u64>() * 2
    }

    /// The bits above the cells of the image of a word under a symmetry, given the rank of its set; `None` if there are too many
    /// pieces.
    #[inline]
    fn above(&self, symmetry: usize, rank: usize, word: u64) -> Option<u64> {
        let size = (word & CELLS).count_ones() as usize;
        let turn = *self.turned.get(size)?.get(symmetry * self.sets[size] + rank)?;
        let orders = orders(size as u8) as usize;
        let image = self.composed[size].get(usize::from(turn) * orders + order(word) as usize)?;
        Some(AGED | u64::from(*image) << SHIFT)
    }
}

/// The most pieces of which all orders have a table.
const MAX_TURNED: u8 = 6;
