//! The classes of arrangements of each layer, counted in three ways that must agree.
//!
//! Counts the classes by Burnside's lemma, by listing all arrangements and, if play reaches them all, by following
//! play.

use crate::count::{Count, Symmetry};
use morpion_games::catalogue::Table;
use morpion_games::symmetry::burnside::orbits_of_arrangements;
use morpion_games::symmetry::orbits::Orbits;
use morpion_lookup::raw::{Arrangements, Permutation};
use morpion_lookup::{Counts, Game};
use morpion_machine::progress::{Progress, Stopped};
use morpion_machine::threads;
use serde::Serialize;

/// Counts the classes by listing all arrangements. For each class of the mover's sets, it lists the waiter's sets that
/// are least under the symmetries that keep the mover's set. Returns `None` if there are too many sets to fold.
///
/// # Errors
/// If `progress` requests a stop.
fn enumerate(
    game: &Game,
    symmetries: &[Permutation],
    counts: Counts,
    progress: &dyn Progress,
) -> Result<Option<u64>, Stopped> {
    let (cells, size) = (u32::from(game.cells()), u32::from(counts.mover));
    if !Orbits::fit(cells, size, symmetries.len()) {
        return Ok(None);
    }
    let orbits = Orbits::new(cells, size, symmetries, progress)?;
    let classes = threads::map(orbits.representatives.len(), &|row| {
        progress.check()?;
        let mover = orbits.representatives[row];
        let keeps: Vec<&Permutation> =
            symmetries[1..].iter().filter(|symmetry| symmetry.apply(mover) == mover).collect();
        let waiters = Arrangements::new(game.board(), counts).waiters(mover);
        let is_least =
            |waiter: &u64| keeps.iter().all(|symmetry| symmetry.apply(*waiter) >= *waiter);
        Ok(waiters.filter(is_least).count() as u64)
    });
    classes.into_iter().sum::<Result<u64, Stopped>>().map(Some)
}

/// The classes of one layer, counted in three ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LayerClasses {
    /// Pieces of the side to move.
    pub mover: u8,
    /// Pieces of the other side.
    pub waiter: u8,
    /// Number of arrangements.
    pub arrangements: u64,
    /// Number of classes by Burnside's lemma.
    pub burnside: u64,
    /// Number of classes by listing; `None` if there are too many arrangements to list.
    pub enumerated: Option<u64>,
    /// Number of classes that play reaches by placing pieces; `None` for a preset start.
    pub reached: Option<u64>,
}

/// Maximum number of arrangements of a layer whose classes are listed.
const ENUMERATED: u64 = 1_000_000_000;

/// Counts the classes of every layer under the symmetries of `count`.
///
/// # Errors
/// If `progress` requests a stop.
pub fn layers(
    table: &Table,
    symmetry: Symmetry,
    count: &Count,
    progress: &dyn Progress,
) -> Result<Vec<LayerClasses>, Stopped> {
    let game = table.game();
    let symmetries = symmetry.permutations(game, progress)?;
    let classes_of = |(index, counts): (usize, Counts)| {
        let arrangements = Arrangements::new(game.board(), counts).count();
        let enumerated = if arrangements <= ENUMERATED {
            enumerate(game, &symmetries, counts, progress)?
        } else {
            None
        };
        Ok(LayerClasses {
            mover: counts.mover,
            waiter: counts.waiter,
            arrangements,
            burnside: orbits_of_arrangements(&symmetries, counts),
            enumerated,
            reached: count.plies.as_ref().and_then(|plies| plies.get(index).copied()),
        })
    };
    game.layers().into_iter().enumerate().map(classes_of).collect()
}
