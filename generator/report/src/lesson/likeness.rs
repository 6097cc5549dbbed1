//! Names of the symmetries between two drawings of a position.

use crate::geometry::points;
use morpion_core::{Permutation, Position};
use morpion_games::catalogue::Table;

/// The motions of the plane that take a square to itself. Each is a matrix that maps a place (right, down), relative to the
/// middle.
const MOTIONS: [(&str, [f64; 4]); 7] = [
    ("turned right", [0.0, -1.0, 1.0, 0.0]),
    ("turned left", [0.0, 1.0, -1.0, 0.0]),
    ("turned upside down", [-1.0, 0.0, 0.0, -1.0]),
    ("mirrored left to right", [-1.0, 0.0, 0.0, 1.0]),
    ("mirrored top to bottom", [1.0, 0.0, 0.0, -1.0]),
    ("mirrored along the falling diagonal", [0.0, 1.0, 1.0, 0.0]),
    ("mirrored along the rising diagonal", [0.0, -1.0, -1.0, 0.0]),
];

/// The symmetries of a table: first the motions of its drawing, in the order of [`MOTIONS`], and then all other symmetries.
pub(super) struct Likeness<'t> {
    /// Each symmetry with the number of its motion; symmetries without a motion have the number after the last motion.
    symmetries: Vec<(usize, &'t Permutation)>,
}

impl<'t> Likeness<'t> {
    pub fn new(table: &'t Table) -> Likeness<'t> {
        let places = points(table.game());
        let middle = [0, 1].map(|axis| {
            let along = places.iter().map(|place| place[axis]);
            let least = along.clone().fold(f64::INFINITY, f64::min);
            f64::midpoint(least, along.fold(f64::NEG_INFINITY, f64::max))
        });
        let seen_from_the_middle = |place: [f64; 2]| [0, 1].map(|axis| place[axis] - middle[axis]);
        let is_motion = |symmetry: &Permutation, [a, b, c, d]: [f64; 4]| {
            places.iter().zip(symmetry.images()).all(|(&from, &to)| {
                let [x, y] = seen_from_the_middle(from);
                let [right, down] = seen_from_the_middle(places[usize::from(to)]);
                (a * x + b * y - right).hypot(c * x + d * y - down) < 0.01
            })
        };
        let motion = |symmetry: &Permutation| {
            let found = MOTIONS.iter().position(|(_, motion)| is_motion(symmetry, *motion));
            found.unwrap_or(MOTIONS.len())
        };
        let symmetries = &table.raw().header().symmetries;
        let mut symmetries: Vec<_> = symmetries.iter().map(|one| (motion(one), one)).collect();
        symmetries.sort_by_key(|(motion, _)| *motion);
        Likeness { symmetries }
    }

    /// Names the symmetry that takes a position to another one; `None` if the positions are equal.
    pub fn name(&self, from: Position, to: Position) -> Option<&'static str> {
        let leads = |symmetry: &Permutation| {
            symmetry.apply(from.mover) == to.mover && symmetry.apply(from.waiter) == to.waiter
        };
        let (motion, _) = self.symmetries.iter().find(|(_, symmetry)| leads(symmetry))?;
        let name = MOTIONS.get(*motion).map_or("by another symmetry of the board", |named| named.0);
        (from != to).then_some(name)
    }
}
