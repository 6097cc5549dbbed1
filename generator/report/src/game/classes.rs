//! The classes of arrangements of each layer, counted in three ways that must agree.
//!
//! Counts the classes by Burnside's lemma, by listing all arrangements and, if play reaches them all, by following
//! play.

use crate::count::{Count, Symmetry};
use crate::distribution::Hands;
use morpion_core::{Game, Permutation, Position};
use morpion_games::catalogue::Table;
use morpion_games::symmetry::burnside::{orbits_of_arrangements, orbits_of_orders};
use morpion_games::symmetry::orbits::Orbits;
use morpion_machine::progress::{Progress, Stopped};
use morpion_machine::threads;
use morpion_reach::arranged::{self, Arranged, layer_name};
use serde::Serialize;

/// Counts the classes by listing all arrangements. For each class of the mover's sets, it lists the arrangements
/// that are least under the symmetries that keep the mover's set. Returns `None` if there are too many sets to fold.
///
/// # Errors
/// If `progress` requests a stop.
fn enumerate(
    game: &Game,
    symmetries: &[Permutation],
    arranged: &Arranged,
    progress: &dyn Progress,
) -> Result<Option<u64>, Stopped> {
    let size = u32::from(game.graph().layers[arranged.layer()].counts.mover);
    let cells = u32::from(game.cells());
    if !Orbits::fit(cells, size, symmetries.len()) {
        return Ok(None);
    }
    let orbits = Orbits::new(cells, size, symmetries, progress)?;
    let classes = threads::map(orbits.representatives.len(), &|row| {
        progress.check()?;
        let mover = orbits.representatives[row];
        let keeps: Vec<&Permutation> =
            symmetries[1..].iter().filter(|symmetry| symmetry.apply(mover) == mover).collect();
        let is_least = |position: &Position| {
            let image = |symmetry: &&Permutation| Position {
                mover: symmetry.apply(position.mover),
                waiter: symmetry.apply(position.waiter),
            };
            keeps.iter().all(|symmetry| image(symmetry) >= *position)
        };
        let positions = |row| (0..arranged.columns()).map(arranged.in_row(row));
        Ok(arranged.rows_of(mover).flat_map(positions).filter(is_least).count() as u64)
    });
    classes.into_iter().sum::<Result<u64, Stopped>>().map(Some)
}

/// The classes of one layer, counted in three ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayerClasses {
    /// Pieces of the side to move.
    pub mover: u8,
    /// Pieces of the other side.
    pub waiter: u8,
    /// Their pieces in hand.
    #[serde(flatten)]
    pub hands: Hands,
    /// Name of the layer.
    #[serde(skip)]
    pub name: String,
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
const ENUMERATED: u128 = 1_000_000_000;

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
    let classes_of = |arranged: Arranged| {
        let index = arranged.layer();
        let layer = &game.graph().layers[index];
        let enumerated = if arranged.count() <= ENUMERATED {
            enumerate(game, &symmetries, &arranged, progress)?
        } else {
            None
        };
        let orbits = if game.has_ages() { orbits_of_orders } else { orbits_of_arrangements };
        Ok(LayerClasses {
            mover: layer.counts.mover,
            waiter: layer.counts.waiter,
            hands: Hands::of(game, index),
            name: layer_name(layer),
            arrangements: u64::try_from(arranged.count()).unwrap_or(u64::MAX),
            burnside: orbits(&symmetries, layer.counts),
            enumerated,
            reached: count.plies.as_ref().and_then(|plies| plies.get(index).copied()),
        })
    };
    arranged::layers(game).map(classes_of).collect()
}
