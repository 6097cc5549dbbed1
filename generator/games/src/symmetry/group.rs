//! The group of a game: all permutations of its cells that keep the rules.
//!
//! On 3×3 with the eight lines, these are the eight symmetries of the square. If the three rows are the only lines, there are
//! 3! · 3!³ = 1,296 symmetries, more than a table can list. It is then folded by the four symmetries of the grid that keep rows.

pub use super::search::product;

use super::search::symmetries;
use super::structure::Structure;
use morpion_lookup::Game;
use morpion_lookup::raw::{Group, MAX_SYMMETRIES, Permutation};
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
    let kind = match game.rules().board.grid() {
        Some(_) => Group::Board,
        None => Group::Trivial,
    };
    Ok((kind, symmetries_of_board(game)))
}

/// Lists the rotations and reflections of the grid that keep the rules, ascending. On a board without a grid it is the identity.
pub fn symmetries_of_board(game: &Game) -> Vec<Permutation> {
    let identity = Permutation::identity(game.cells());
    let board = game.rules().board;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse;
    use morpion_machine::progress::Unobserved;

    fn order(body: &str) -> (Group, usize) {
        let game = parse("t", &format!("name = \"t\"\n{body}")).unwrap();
        let (kind, symmetries) = group(&game, &Unobserved).unwrap();
        (kind, symmetries.len())
    }

    fn square(n: u32, rest: &str) -> String {
        format!("[board]\nrows = {n}\ncolumns = {n}\n[lines]\n{rest}")
    }

    #[test]
    fn orders_of_known_groups() {
        assert_eq!(order(&square(3, "length = 3")), (Group::Rules, 8));
        assert_eq!(order(&square(4, "length = 4")), (Group::Rules, 32));
        assert_eq!(order(&square(5, "length = 5")), (Group::Rules, 32));
        assert_eq!(order(&square(6, "length = 6")), (Group::Rules, 192));
        assert_eq!(order(&square(5, "length = 4")), (Group::Rules, 8));
        let moving = |to: &str| {
            format!("{}\n[pieces]\neach = 4\n[moves]\nto = \"{to}\"", square(4, "length = 4"))
        };
        assert_eq!(order(&moving("any")), (Group::Rules, 32));
        assert_eq!(order(&moving("king")), (Group::Rules, 8));
        let restricted = |cell: u32| {
            format!(
                "{}\n[opening]\nforbidden = [{cell}]\nduring = \"first\"",
                square(3, "length = 3")
            )
        };
        assert_eq!(
            (order(&restricted(4)).1, order(&restricted(0)).1, order(&restricted(1)).1),
            (8, 2, 2)
        );
    }

    #[test]
    fn grids_whose_sides_meet_have_their_translations() {
        let torus = |n: u32, wrap: &str, lines: &str| {
            format!("[board]\nrows = {n}\ncolumns = {n}\nwrap = \"{wrap}\"\n[lines]\n{lines}")
        };
        // Rows, columns and broken diagonals of 3×3 are the lines of the affine plane of order 3: 9 · 48 collineations.
        assert_eq!(order(&torus(3, "both", "length = 3")), (Group::Rules, 432));
        assert_eq!(order(&torus(5, "both", "length = 3")), (Group::Rules, 25 * 8));
        assert_eq!(order(&torus(5, "rows", "length = 4")), (Group::Rules, 5 * 4));
        assert_eq!(order(&torus(5, "columns", "length = 4")), (Group::Rules, 5 * 4));
    }

    #[test]
    fn holes_and_what_prolongs_lines_are_kept() {
        let holed = |blocked: &str| {
            format!("[board]\nrows = 4\ncolumns = 4\nblocked = {blocked}\n[lines]\nlength = 3")
        };
        assert_eq!(order(&holed("[\"a1\"]")), (Group::Rules, 2));
        assert_eq!(order(&holed("[\"a1\", \"d4\"]")), (Group::Rules, 4));
        // With 3 in a row of 4, a row's two lines and all their cells may be exchanged as long as lines are whole.
        assert_eq!(order(&square(4, "length = 3\nexact = true")), (Group::Rules, 8));
    }

    #[test]
    fn a_huge_group_falls_back_to_the_grid_or_to_nothing() {
        let rows = "[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]";
        assert_eq!(
            order(&format!("[board]\nrows = 3\ncolumns = 4\n[lines]\nsets = {rows}")),
            (Group::Board, 4)
        );
        let holes =
            "rows = 3\ncolumns = 6\nblocked = [\"b1\", \"b2\", \"b3\", \"e1\", \"e2\", \"e3\"]";
        assert_eq!(order(&format!("[board]\n{holes}\n[lines]\nsets = {rows}")), (Group::Board, 4));
        assert_eq!(
            order(&format!("[board]\ncells = 12\n[lines]\nsets = {rows}")),
            (Group::Trivial, 1)
        );
    }
}
