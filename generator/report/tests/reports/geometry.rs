use morpion_games::catalogue::standard_game;
use morpion_games::rules::parse;
use morpion_report::geometry::{points, wraps};

#[test]
fn a_drawing_is_as_wide_as_its_cells_and_not_as_its_names() {
    let of = |layout: &str, line: &str| {
        let text = format!(
            "name = \"t\"\n[board]\nlayout = \"\"\"\n{layout}\"\"\"\n[lines]\nsets = [[{line}]]"
        );
        points(&parse("t", &text).unwrap())
    };
    let boards = of("a1 b1   a3 b3\na2 b2   a4 b4\n", "0, 1");
    let across = [0.0, 1.0, 3.0, 4.0];
    let expected = [0.0, 1.0].map(|y| across.map(|x| [x, y])).concat();
    assert_eq!(boards, expected);
    let star = of("  n\nw hub e\n  s\n", "0, 1");
    assert_eq!(star, [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, 2.0]]);
    // A name that reaches below the beginning of another name.
    let over = of("long x\n b\n", "0, 1");
    assert!(over[0][0] < over[2][0] && over[2][0] < over[1][0], "{over:?}");
}

#[test]
fn links_wrap_around_an_edge_that_has_all_of_them() {
    let wrapped_on = |side: u8, moves: &str| {
        let text = format!(
            "name = \"t\"\n[board]\nrows = {side}\ncolumns = {side}\n{moves}[lines]\nlength = 3\n[pieces]\neach = 3"
        );
        let game = parse("t", &text).unwrap();
        wraps(&game, &game.links().unwrap()).into_iter().flatten().collect::<Vec<_>>()
    };
    let wrapped = |moves: &str| wrapped_on(3, moves);
    let edges = |edges: &str| format!("[moves]\nto = \"edges\"\nedges = [{edges}]\n");
    // A knight's links, each of which is also a diagonal step around an edge.
    let knight = "[0, 5], [0, 7], [1, 6], [1, 8], [2, 3], [2, 7], [3, 8], [5, 6]";
    assert_eq!(wrapped(&edges(knight)), []);
    let rows = "[0, 1], [1, 2], [3, 4], [4, 5], [6, 7], [7, 8]";
    assert_eq!(wrapped(&edges(&format!("{rows}, [0, 2]"))), [], "one link past a cell");
    let around = format!("{rows}, [0, 2], [3, 5], [6, 8]");
    assert_eq!(wrapped(&edges(&around)), [(-1, 0); 3]);
    // On 3×3 all cells would be linked, as if pieces went to any cell.
    let torus = wrapped_on(4, "wrap = \"both\"\n[moves]\nto = \"king\"\n");
    assert_eq!(torus.len(), 64 - 42, "all links but those inside the board");
}

#[test]
fn wheels_are_round_and_squares_square() {
    for (name, round) in [("rota", true), ("shisima", true), ("tapatan", false), ("picaria", false)]
    {
        let points = points(&standard_game(name).unwrap());
        let hub = points[4];
        let distance = |at: [f64; 2]| (at[0] - hub[0]).hypot(at[1] - hub[1]);
        let same = (distance(points[0]) - distance(points[1])).abs() < 1e-3;
        assert_eq!(same, round, "{name}: {points:?}");
        assert!(points[0][0] < hub[0] && points[0][1] < hub[1], "{name}: {points:?}");
    }
}
