//! The group of a game: all permutations of its cells that keep the rules.
//!
//! On 3×3 with the eight lines, these are the eight symmetries of the square. If the three rows are the only lines, there are
//! 3! · 3!³ = 1,296 symmetries, more than a table can list. It is then folded by the four symmetries of the grid that keep rows.

pub use super::search::product;

use super::search::symmetries;
use super::structure::Structure;
use morpion_core::{Game, Group, MAX_SYMMETRIES, Permutation};
use morpion_machine::progress::{Progress, Stopped};

/// Finds the group by which a table of `game` is folded, its elements ascending. These are all symmetries of the rules. If there are
/// more than [`MAX_SYMMETRIES`], the group is [`symmetries_of_board`].
///
/// # Errors
/// If `progress` requests a stop.
pub fn group(game: &Game, progress: &dyn Progress) -> Result<(Group, Vec<Permutation>), Stopped> {
    if let Some(found) = symmetries(&Structure::of(game), MAX_SYMMETRIES, progress)? {
        return Ok((Group::Rules, found));
    }
    let kind = match game.board_shape().grid() {
        Some(_) => Group::Board,
        None => Group::Trivial,
    };
    Ok((kind, symmetries_of_board(game)))
}

/// Lists the rotations and reflections of the grid that keep the rules, ascending. On a board without a grid it is the identity.
pub fn symmetries_of_board(game: &Game) -> Vec<Permutation> {
    let identity = Permutation::identity(game.cells());
    let board = game.board_shape();
    let Some((rows, columns)) = board.grid() else {
        return vec![identity];
    };
    let structure = Structure::of(game);
    let mut found = Vec::new();
    for (transposed, flip_rows, flip_columns) in (0..8)
        .map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0))
        .filter(|key| rows == columns || !key.0)
    {
        let images: Option<Vec<u8>> = (0..game.cells())
            .map(|cell| {
                let (row, column) = board.square(cell)?;
                let (row, column) = if transposed { (column, row) } else { (row, column) };
                let row = if flip_rows { rows - 1 - row } else { row };
                let column = if flip_columns { columns - 1 - column } else { column };
                // A hole is never the image of a cell.
                board.cell(row, column)
            })
            .collect();
        let symmetry = images.and_then(|images| Permutation::new(&images));
        found.extend(symmetry.filter(|symmetry| structure.is_kept_by(symmetry)));
    }
    found.sort();
    found.dedup();
    found
}
