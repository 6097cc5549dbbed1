//! Groups of known order.

use morpion_core::Group;
use morpion_games::rules::parse;
use morpion_games::symmetry::group::group;
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
        format!("{}\n[opening]\nforbidden = [{cell}]\nduring = \"first\"", square(3, "length = 3"))
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
    let holes = "rows = 3\ncolumns = 6\nblocked = [\"b1\", \"b2\", \"b3\", \"e1\", \"e2\", \"e3\"]";
    assert_eq!(order(&format!("[board]\n{holes}\n[lines]\nsets = {rows}")), (Group::Board, 4));
    assert_eq!(order(&format!("[board]\ncells = 12\n[lines]\nsets = {rows}")), (Group::Trivial, 1));
}
