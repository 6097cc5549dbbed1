use morpion_games::catalogue::standard_game;
use morpion_report::diagram::{Diagram, NAMES};

/// Draws a position, and a move there if one is given.
fn drawn(game: &str, position: &str, next: Option<&str>) -> String {
    let game = standard_game(game).unwrap();
    let position = game.parse_position(position).unwrap();
    let next = next.map(|mv| game.parse_move(mv).unwrap());
    Diagram { game: &game, position, last: None, next, names: NAMES }.document()
}

#[test]
fn a_position_is_drawn_with_its_pieces_and_the_names_of_its_cells() {
    let square = drawn("swap", "X../.O./..X o", None);
    assert!(square.starts_with("<svg") && square.contains("<title>"), "{square}");
    // Three pieces; rows and columns have names.
    assert_eq!((square.matches("<path").count(), square.matches("<text").count()), (3, 6));
    // On a wheel, the empty cells have names.
    let wheel = drawn("rota", "XX.O..... o", None);
    assert_eq!((wheel.matches("<path").count(), wheel.matches("<text").count()), (3, 6));
    let moved = drawn("classic", "X../.O./..X o", Some("b1"));
    assert_eq!(moved.matches("<path").count(), 4);
    let lines = |next| drawn("shisima", "XXX/.../OOO x", next).matches("<line").count();
    assert_eq!(lines(Some("a1-a2")), lines(None) + 3);
}

#[test]
fn ages_hands_takes_and_pushes_are_drawn() {
    // Three ages of each side beside the names of rows and columns; the oldest of X is dashed.
    let aged = drawn("disappearing", "OX./X.O/O.X x b1,a2,c3/a1,c2,a3", None);
    assert_eq!((aged.matches("<text").count(), aged.matches("dasharray").count()), (12, 1));
    let held = drawn("six-mens-morris", "X#X#X/#O..#/..#../#...#/.#.#. o 3/4", None);
    assert!(held.contains("In hand: X 3, O 4"), "{held}");
    let pushed = drawn("quixo3", "X../.../O.. x", Some("a1>c1"));
    assert_eq!(pushed.matches("<line").count(), 3);
}
