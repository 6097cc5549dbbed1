//! Tables of the orders of images of pieces that age. A table grows with the square of the number of orders, so only sets of few pieces
//! have tables.

use morpion_core::{
    AGED, Header, MapSection, Permutation, SHIFT, Sequence, order, orders,
    rank::{binomial, subsets},
};

/// The orders of images under the symmetries.
#[derive(Debug)]
pub struct Ages {
    /// By number of pieces: the order of the images of a set's ascending cells, by symmetry and rank of the set.
    permuted: Vec<Vec<u16>>,
    /// By number of pieces: the order of the image, by the order from `permuted` and the order of the pieces.
    composed: Vec<Vec<u16>>,
}

/// The greatest number of pieces that has tables.
const MAX_PIECES: u8 = 6;

/// The number of orders, by number of pieces.
const ORDERS: [usize; MAX_PIECES as usize + 1] = [1, 1, 2, 6, 24, 120, 720];

impl Ages {
    /// The tables of a game; empty if no pieces age.
    pub fn new(layout: &Header) -> Ages {
        let game = &layout.game;
        let permuted = |size: u8| {
            let of_symmetry = |symmetry: &Permutation| {
                let sets = subsets(game.cells().into(), size.into());
                let first = move |set: u64| order(symmetry.apply(set | AGED)) as u16;
                sets.map(first).collect::<Vec<u16>>()
            };
            layout.symmetries.iter().flat_map(of_symmetry).collect()
        };
        let pieces = |size: u8, number| Sequence::of(((1 << size) - 1) | AGED | number << SHIFT);
        let composed = |size: u8| {
            let after = |first: u64| {
                let first = pieces(size, first);
                (0..orders(size)).map(move |number| {
                    let mut image = Sequence::default();
                    let pieces = pieces(size, number);
                    let permuted =
                        pieces.cells().iter().map(|&piece| first.cells()[usize::from(piece)]);
                    permuted.for_each(|piece| image.push(piece));
                    order(image.word()) as u16
                })
            };
            (0..orders(size)).flat_map(after).collect()
        };
        let tables = |table: &dyn Fn(u8) -> Vec<u16>| {
            let sizes = 0..=game.cells().min(MAX_PIECES);
            let has_map = |size: u8| layout.maps.iter().any(|map| map.size == size);
            let is_used = |size: u8| game.has_ages() && size > 0 && has_map(size);
            sizes.map(|size| if is_used(size) { table(size) } else { Vec::new() }).collect()
        };
        Ages { permuted: tables(&permuted), composed: tables(&composed) }
    }

    /// Bytes of memory that the tables take.
    pub fn memory(layout: &Header) -> u64 {
        let game = &layout.game;
        let maps = layout.maps.iter();
        let maps = maps.filter(|map| game.has_ages() && (1..=MAX_PIECES).contains(&map.size));
        let permuted = layout.symmetries.len() as u64;
        let of_size = |map: &MapSection| {
            permuted * binomial(game.cells().into(), map.size.into()) + orders(map.size).pow(2)
        };
        maps.map(of_size).sum::<u64>() * 2
    }

    /// The order of the image of a set of `size` pieces that have the order `order`; `None` if sets of this size have no table. `at` is the symmetry
    /// times the number of sets of this size, plus the rank of the set.
    #[inline]
    pub fn order(&self, size: usize, at: usize, order: u64) -> Option<u16> {
        let first = usize::from(*self.permuted.get(size)?.get(at)?);
        let number = first * ORDERS[size] + order as usize;
        self.composed[size].get(number).copied()
    }
}
