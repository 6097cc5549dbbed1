//! Names of the symmetries between two drawings of a position.

use crate::geometry::points;
use morpion_core::{Permutation, Position};
use morpion_games::catalogue::Table;

/// The motions of the plane that take a square to itself, by the image of a place (right, down) seen from the middle.
const MOTIONS: [(&str, [f64; 4]); 7] = [
    ("turned right", [0.0, -1.0, 1.0, 0.0]),
    ("turned left", [0.0, 1.0, -1.0, 0.0]),
    ("turned upside down", [-1.0, 0.0, 0.0, -1.0]),
    ("mirrored left to right", [-1.0, 0.0, 0.0, 1.0]),
    ("mirrored top to bottom", [1.0, 0.0, 0.0, -1.0]),
    ("mirrored along the falling diagonal", [0.0, 1.0, 1.0, 0.0]),
    ("mirrored along the rising diagonal", [0.0, -1.0, -1.0, 0.0]),
];

/// The symmetries of a table, with the names of those that are seen in its drawing.
pub(super) struct Likeness<'t> {
    symmetries: Vec<(&'t Permutation, &'static str)>,
}

impl<'t> Likeness<'t> {
    pub fn new(table: &'t Table) -> Likeness<'t> {
        let places = points(table.game());
        let middle = [0, 1].map(|axis| {
            let along = places.iter().map(|place| place[axis]);
            let least = along.clone().fold(f64::INFINITY, f64::min);
            f64::midpoint(least, along.fold(f64::NEG_INFINITY, f64::max))
        });
        let seen = |symmetry: &Permutation| {
            let is_motion = |[a, b, c, d]: [f64; 4]| {
                places.iter().zip(symmetry.images()).all(|(from, &to)| {
                    let [x, y] = [0, 1].map(|axis| from[axis] - middle[axis]);
                    let [right, down] =
                        [0, 1].map(|axis| places[usize::from(to)][axis] - middle[axis]);
                    (a * x + b * y - right).hypot(c * x + d * y - down) < 0.01
                })
            };
            MOTIONS.iter().find(|(_, motion)| is_motion(*motion)).map(|(name, _)| *name)
        };
        let mut symmetries: Vec<(&Permutation, &str)> = table
            .raw()
            .header()
            .symmetries
            .iter()
            .map(|symmetry| {
                (symmetry, seen(symmetry).unwrap_or("by another symmetry of the board"))
            })
            .collect();
        // Of several symmetries, the first one that is seen.
        symmetries.sort_by_key(|(_, name)| {
            MOTIONS.iter().position(|(other, _)| other == name).unwrap_or(MOTIONS.len())
        });
        Likeness { symmetries }
    }

    /// The symmetry that takes a position to another one; `None` if they are equal.
    pub fn name(&self, from: Position, to: Position) -> Option<&'static str> {
        let leads = |symmetry: &Permutation| {
            symmetry.apply(from.mover) == to.mover && symmetry.apply(from.waiter) == to.waiter
        };
        let found = self.symmetries.iter().find(|(symmetry, _)| leads(symmetry));
        found.filter(|_| from != to).map(|(_, name)| *name)
    }
}
