//! The sets of cells that a symmetry of the rules keeps, and colours that tell cells apart by the sets they lie in.
//!
//! In: a game. Out: whether a permutation keeps the sets, and colours of the cells that every symmetry keeps. On 3×3 a
//! corner lies in three lines, a side in two, the centre in four: one round of refinement gives three colours.

use morpion_lookup::raw::Permutation;
use morpion_lookup::raw::rank::cells;
use morpion_lookup::{Game, MAX_CELLS, Travel};

/// A colour for each cell. Colours are hashes of what surrounds a cell alone, not of its number or
/// of the order in which anything is listed: a symmetry that keeps one colouring keeps every refinement of it. Two hashes that
/// collide leave cells together that could be told apart, which costs time and nothing else.
pub(super) type Colours = [u64; MAX_CELLS as usize];

/// What a set of cells means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum EdgeKind {
    Line,
    Link,
    Restricted,
}

/// The sets of cells that a symmetry has to map onto sets of the same kind: a hypergraph with coloured edges.
pub(super) struct Structure {
    cells: u8,
    /// Ascending, each once.
    edges: Vec<Edge>,
}

/// A set of cells, and the set that goes with it: what prolongs a line, else nothing.
type Edge = (EdgeKind, u64, u64);

impl Structure {
    /// The lines, links and restricted cells of a game. Moves to any cell link all cells alike and are left out.
    pub fn of(game: &Game) -> Structure {
        let rules = game.rules();
        let lines = rules.lines_with_prolongations();
        let mut edges: Vec<Edge> =
            lines.map(|(line, prolongation)| (EdgeKind::Line, line, prolongation)).collect();
        if let Some(Travel::Links(links)) = rules.movement.as_ref().map(|movement| &movement.to) {
            edges.extend(links.iter().map(|&(a, b)| (EdgeKind::Link, 1 << a | 1 << b, 0)));
        }
        edges.extend(rules.opening.map(|opening| (EdgeKind::Restricted, opening.forbidden, 0)));
        edges.sort_unstable();
        Structure { cells: game.cells(), edges }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        usize::from(self.cells)
    }

    /// Whether `permutation` maps every set onto one of its kind. (It is one to one, so none is left over.)
    pub fn is_kept_by(&self, permutation: &Permutation) -> bool {
        let image = |&(kind, set, with): &Edge| {
            (kind, permutation.apply(set), if with == 0 { 0 } else { permutation.apply(with) })
        };
        self.edges.iter().all(|edge| self.edges.binary_search(&image(edge)).is_ok())
    }

    /// One round of colour refinement: the new colour of a cell is a hash of its old one and of the sets it lies in, by
    /// their kinds and the colours of their cells. Returns a hash of all the new colours, whichever cells have them.
    pub fn refine(&self, colours: &mut Colours) -> u64 {
        let mut surroundings = [0u64; MAX_CELLS as usize];
        let sum =
            |set: u64| cells(set).fold(0u64, |sum, cell| sum.wrapping_add(colours[cell as usize]));
        for &(kind, set, with) in &self.edges {
            // Hashed differently, so that a line and its prolongation are not interchangeable.
            let other = if with == 0 { 0 } else { mix(!sum(with)) };
            let edge = mix(sum(set) ^ kind as u64).wrapping_add(other);
            for cell in cells(set) {
                surroundings[cell as usize] = surroundings[cell as usize].wrapping_add(edge);
            }
            for cell in cells(with) {
                surroundings[cell as usize] = surroundings[cell as usize].wrapping_add(mix(edge));
            }
        }
        let mut all = 0u64;
        for (colour, around) in colours.iter_mut().zip(surroundings).take(self.cells()) {
            *colour = mix(mix(*colour).wrapping_add(around));
            all = all.wrapping_add(mix(*colour));
        }
        all
    }

    /// Refines until a round tells no more cells apart, or all are told apart. Returns the hash of each round.
    pub fn refine_fully(&self, colours: &mut Colours) -> Vec<u64> {
        let mut trace = Vec::new();
        let mut classes = self.classes(colours);
        loop {
            trace.push(self.refine(colours));
            let before = std::mem::replace(&mut classes, self.classes(colours));
            if classes == before || classes == self.cells() {
                return trace;
            }
        }
    }

    /// How many colours there are.
    fn classes(&self, colours: &Colours) -> usize {
        let mut distinct = colours[..self.cells()].to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        distinct.len()
    }

    /// The cells of this colour.
    pub fn class(&self, colours: &Colours, colour: u64) -> u64 {
        let cells = colours.iter().take(self.cells()).zip(0..);
        cells.filter(|(other, _)| **other == colour).fold(0, |set, (_, cell)| set | 1 << cell)
    }

    /// A cell of the smallest class of more than one; `None` where all cells have different colours.
    pub fn in_smallest_class(&self, colours: &Colours) -> Option<u8> {
        let size = |colour: &u64| self.class(colours, *colour).count_ones();
        let sizes = colours.iter().take(self.cells()).map(size).zip(0..);
        sizes.filter(|(size, _)| *size > 1).min().map(|(_, cell)| cell)
    }
}

/// Gives `cell` a colour of its own.
pub(super) fn single_out(colours: &mut Colours, cell: u8) {
    let colour = &mut colours[usize::from(cell)];
    *colour = mix(!*colour);
}

/// A bijection of 64 bits without structure: the output function of SplitMix64 (Steele, Lea, Flood: Fast splittable
/// pseudorandom number generators, 2014).
fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
