//! The sets of cells that a symmetry of the rules keeps, and colours that distinguish cells by the sets they lie in.
//!
//! Every symmetry keeps the colours. On 3×3 a corner lies in three lines, a side in two and the centre in four, so one round of
//! refinement gives three colours.

use morpion_core::{Condition, Effect, Game, MAX_CELLS, Permutation, Step, rank::cells};
use morpion_machine::splitmix::splitmix;

/// A colour for each cell: a hash of its surroundings, independent of the numbers of cells and the order of lists. So a
/// symmetry that keeps a colouring keeps all its refinements. If two hashes collide, two different cells get one colour,
/// which only costs time.
pub(super) type Colours = [u64; MAX_CELLS as usize];

/// The kind of an edge for a line and the cells that prolong it.
const LINE: u64 = 0;

/// The kind of an edge for two neighbours on the path of a push. A symmetry has to keep the order of the path, not only its set of cells.
const NEIGHBOURS: u64 = u64::MAX;

/// The sets of cells that a symmetry has to map onto sets of the same kind: a hypergraph with coloured edges.
pub(super) struct Structure {
    cells: u8,
    /// Ascending, each once.
    edges: Vec<Edge>,
}

/// Sets of cells that are mapped together, with their kind: a line, neighbours, or for a step the number of its phase from 1. The sets of a
/// step are the cell of the lifted piece, its targets, the path of a push, and the sets of its condition.
type Edge = (u64, [u64; 7]);

impl Structure {
    /// Collects the lines and steps of a game.
    pub fn of(game: &Game) -> Structure {
        let lines = game.lines_with_prolongations();
        let mut edges: Vec<Edge> =
            lines.map(|(line, with)| (LINE, [line, with, 0, 0, 0, 0, 0])).collect();
        let path = |step: &Step| match step.effect {
            Effect::Push { path } => path,
            // The oldest piece may be on any cell.
            Effect::Move | Effect::Replace { .. } | Effect::Pass => 0,
        };
        let sets = |step: &Step| {
            let Condition { clear, own, other, taken } = step.condition;
            let from = step.from.map_or(0, |from| 1 << from);
            [from, step.to, path(step), clear, own, other, taken]
        };
        for (phase, steps) in (1..).zip(&game.graph().phases) {
            edges.extend(steps.iter().map(|step| (phase, sets(step))));
            for step in steps {
                let path = path(step);
                let pairs = cells(path).zip(cells(path).skip(1)).map(|(a, b)| 1 << a | 1 << b);
                let pairs = pairs.map(|pair| (NEIGHBOURS, [pair, 0, 0, 0, 0, 0, 0]));
                edges.extend(pairs);
            }
        }
        edges.sort_unstable();
        edges.dedup();
        Structure { cells: game.cells(), edges }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        usize::from(self.cells)
    }

    /// Returns true if `permutation` maps every set onto a set of the same kind. Since it is injective, it then reaches every set.
    pub fn is_kept_by(&self, permutation: &Permutation) -> bool {
        let apply = |set: u64| if set == 0 { 0 } else { permutation.apply(set) };
        let image = |&(kind, sets): &Edge| (kind, sets.map(apply));
        self.edges.iter().all(|edge| self.edges.binary_search(&image(edge)).is_ok())
    }

    /// Does one round of colour refinement. The new colour of a cell is a hash of its old colour and of the sets that contain the cell, by
    /// the kinds of the sets and the colours of their cells. Returns a hash of the new colours that does not depend on the order of the
    /// cells.
    pub fn refine(&self, colours: &mut Colours) -> u64 {
        let mut surroundings = [0u64; MAX_CELLS as usize];
        let sum =
            |set: u64| cells(set).fold(0u64, |sum, cell| sum.wrapping_add(colours[cell as usize]));
        for &(kind, sets) in &self.edges {
            // Each place is hashed differently, so that a line and its prolongation are not interchangeable.
            let place = |(number, set): (u64, u64)| mix(sum(set) ^ number << 32);
            let places = (1u64..).zip(sets).filter(|(_, set)| *set != 0);
            let edge = places.clone().fold(kind, |edge, set| mix(edge.wrapping_add(place(set))));
            for (number, set) in places {
                for cell in cells(set) {
                    let around = &mut surroundings[cell as usize];
                    *around = around.wrapping_add(mix(edge ^ number));
                }
            }
        }
        let mut all = 0u64;
        for (colour, around) in colours.iter_mut().zip(surroundings).take(self.cells()) {
            *colour = mix(mix(*colour).wrapping_add(around));
            all = all.wrapping_add(mix(*colour));
        }
        all
    }

    /// Refines until a round adds no colour, or all cells have different colours. Returns the hash of each round.
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

    /// Number of colours.
    fn classes(&self, colours: &Colours) -> usize {
        let mut distinct = colours[..self.cells()].to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        distinct.len()
    }

    /// Returns the cells of this colour.
    pub fn class(&self, colours: &Colours, colour: u64) -> u64 {
        let cells = colours.iter().take(self.cells()).zip(0..);
        cells.filter(|(other, _)| **other == colour).fold(0, |set, (_, cell)| set | 1 << cell)
    }

    /// Returns a cell of the smallest class with more than one cell, or `None` if all cells have different colours.
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

fn mix(number: u64) -> u64 {
    splitmix(number, 0)
}
