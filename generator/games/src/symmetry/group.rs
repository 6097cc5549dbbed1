//! The group of a game: all permutations of its cells that keep the rules.
//!
//! On 3×3 with the eight lines, the group has the eight symmetries of the square. If the three rows are the only lines, there are 3! · 3!³
//! = 1,296 symmetries, more than a table can list. The table is then folded by the four symmetries of the grid that keep rows.

pub use super::search::product;

use super::search::symmetries;
use super::structure::Structure;
use morpion_core::{Game, Group, MAX_SYMMETRIES, Permutation};
use morpion_machine::progress::{Progress, Stopped};

/// Finds the group by which a table of `game` is folded, its elements ascending. The group has all symmetries of the rules. If there are
/// more than [`MAX_SYMMETRIES`], the group is [`symmetries_of_board`].
///
/// # Errors
/// If `progress` requests a stop.
pub fn group(game: &Game, progress: &dyn Progress) -> Result<(Group, Vec<Permutation>), Stopped> {
    if let Some(found) = symmetries(&Structure::of(game), MAX_SYMMETRIES, progress)? {
        return Ok((Group::Rules, found));
    }
    let is_grid = game.board_shape().grid().is_some();
    let kind = if is_grid { Group::Board } else { Group::Trivial };
    Ok((kind, symmetries_of_board(game)))
}

/// Lists the rotations and reflections of the grid that keep the rules, ascending. On a board without a grid, lists only the identity.
pub fn symmetries_of_board(game: &Game) -> Vec<Permutation> {
    let identity = Permutation::identity(game.cells());
    let board = game.board_shape();
    let Some((rows, columns)) = board.grid() else {
        return vec![identity];
    };
    let structure = Structure::of(game);
    let turned = |bits: u8| {
        let flipped =
            |place, length: u8, bit| if bits & bit == 0 { place } else { length - 1 - place };
        // A hole is never the image of a cell.
        let image = |cell| {
            let (row, column) = board.square(cell)?;
            let (row, column) = if bits & 1 == 0 { (row, column) } else { (column, row) };
            board.cell(flipped(row, rows, 2), flipped(column, columns, 4))
        };
        let images: Option<Vec<u8>> = (0..game.cells()).map(image).collect();
        Permutation::new(&images?).filter(|symmetry| structure.is_kept_by(symmetry))
    };
    // A grid with as many rows as columns may be transposed.
    let mut found: Vec<_> =
        (0..8).step_by(if rows == columns { 1 } else { 2 }).filter_map(turned).collect();
    found.sort();
    found.dedup();
    found
}
