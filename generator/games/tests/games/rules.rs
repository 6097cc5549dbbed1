//! Rule files become the lines, links and cells that they describe, or an error that names the key.

use morpion_games::rules::{RuleFileError, parse, parse_named, read};
use morpion_lookup::{Board, Game, Travel};

/// The longest rule file.
const MAX_BYTES: usize = 1 << 20;

fn of(body: &str) -> Result<Game, RuleFileError> {
    parse("t.toml", &format!("name = \"t\"\n{body}"))
}

#[test]
fn lines_of_the_three_forms() {
    let count = |body: &str| of(body).unwrap().rules().lines.len();
    let square =
        |n: u32, lines: &str| format!("[board]\nrows = {n}\ncolumns = {n}\n[lines]\n{lines}");
    assert_eq!(count(&square(3, "length = 3")), 8);
    assert_eq!(count(&square(5, "length = 4")), 28);
    assert_eq!(count(&square(5, "length = 4\nwithin = \"full\"")), 24);
    assert_eq!(count(&square(5, "length = 4\nwithin = \"full\"\ngaps = true")), 60);
    assert_eq!(count(&square(4, "length = 4\nwithin = \"full\"")), 10);
    assert_eq!(count(&square(5, "length = 4\nadd = [[0, 1, 5, 6]]")), 29);
    assert_eq!(
        count("[board]\nrows = 3\ncolumns = 4\n[lines]\nlength = 3\nwithin = \"full\""),
        6 + 4
    );
    assert_eq!(count("[board]\ncells = 5\n[lines]\nsets = [[0, 1], [1, 0], [0, 1, 2]]"), 1);
}

#[test]
fn lines_of_holes_ends_that_meet_shapes_and_exact_lengths() {
    let rules = |board: &str, lines: &str| {
        of(&format!("[board]\n{board}\n[lines]\n{lines}")).unwrap().rules().clone()
    };
    let count = |board: &str, lines: &str| rules(board, lines).lines.len();
    let three = "rows = 3\ncolumns = 3";
    assert_eq!(count(&format!("{three}\nwrap = \"rows\""), "length = 3"), 12);
    assert_eq!(count(&format!("{three}\nwrap = \"both\""), "length = 3"), 12);
    assert_eq!(count(&format!("{three}\nwrap = \"columns\""), "length = 2"), 27);
    assert_eq!(count(&format!("{three}\nblocked = [\"b2\"]"), "length = 3"), 4);
    assert_eq!(count("rows = 5\ncolumns = 5", "shapes = [\"XX/XX\"]"), 16);
    assert_eq!(count("rows = 5\ncolumns = 5", "length = 4\nshapes = [\"XX/XX\"]"), 44);
    assert_eq!(count(three, "shapes = [\"X./XX\"]"), 16);
    assert_eq!(count("rows = 4\ncolumns = 4\nwrap = \"both\"", "shapes = [\"XX/XX\"]"), 16);
    let exact = rules("rows = 1\ncolumns = 5", "length = 3\nexact = true");
    assert_eq!(exact.lines, [0b111, 0b1110, 0b11100]);
    assert_eq!(exact.prolongations, [0b1000, 0b10001, 0b10]);
    let whole = rules(three, "length = 3\nexact = true");
    assert_eq!(whole, rules(three, "length = 3"), "nothing prolongs a whole row");
    let ring = rules("rows = 1\ncolumns = 4\nwrap = \"rows\"", "length = 3\nexact = true");
    assert_eq!(ring.prolongations, [0b1000, 0b100, 0b10, 0b1]);
}

/// Counts the lines of a hexagon by cube coordinates, without rows or columns. The three coordinates of a cell add
/// up to 0.
fn lines_of_a_hexagon(side: i32, length: i32) -> usize {
    let inside = |(a, b, c): (i32, i32, i32)| a.abs().max(b.abs()).max(c.abs()) < side;
    let cells = (1 - side..side).flat_map(|a| (1 - side..side).map(move |b| (a, b, -a - b)));
    let ends = |(a, b, c): (i32, i32, i32)| {
        let far = length - 1;
        [(a + far, b - far, c), (a + far, b, c - far), (a, b + far, c - far)]
    };
    cells.filter(|cell| inside(*cell)).flat_map(ends).filter(|end| inside(*end)).count()
}

#[test]
fn hexagons_have_the_lines_of_cube_coordinates_and_six_neighbours() {
    for side in 1..=3 {
        for length in 2..=2 * side - 1 {
            let body = format!(
                "[board]\nhex = {side}\n[lines]\nlength = {length}\n[pieces]\neach = 2\n[moves]\nto = \"king\""
            );
            let game = of(&body).unwrap();
            let rules = game.rules();
            assert_eq!(rules.lines.len(), lines_of_a_hexagon(side, length), "{side} {length}");
            assert_eq!(i32::try_from(rules.board.cells()).unwrap(), 3 * side * (side - 1) + 1);
            let Travel::Links(links) = &rules.movement.as_ref().unwrap().to else { panic!() };
            // Each link is a line of two cells.
            assert_eq!(links.len(), lines_of_a_hexagon(side, 2));
        }
    }
    let rows = of("[board]\nhex = [3, 4, 5, 4, 3]\n[lines]\nlength = 3").unwrap();
    let side = of("[board]\nhex = 3\n[lines]\nlength = 3").unwrap();
    assert_eq!(rows.rules(), side.rules());
    assert_eq!(side.start().to_string(), "...##/....#/...../#..../##... x");
    let triangle = of("[board]\nhex = [1, 2, 3, 4]\n[lines]\nlength = 4").unwrap();
    assert_eq!((triangle.rules().board.cells(), triangle.rules().lines.len()), (10, 3));
}

#[test]
fn a_drawing_with_steps_has_their_lines_and_links() {
    // The hexagon of side 2 as a drawing.
    let text = "[board]\nlayout = \"\"\"\n  a b\n c d e\n  f g\n\"\"\"\nsteps = [[0, 2], [1, 1], [1, -1]]\n[lines]\nlength = 3\n[pieces]\neach = 2\n[moves]\nto = \"king\"";
    let drawn = of(text).unwrap();
    let hex =
        of("[board]\nhex = 2\n[lines]\nlength = 3\n[pieces]\neach = 2\n[moves]\nto = \"king\"")
            .unwrap();
    assert_eq!(drawn.rules().lines, hex.rules().lines);
    assert_eq!(drawn.rules().movement, hex.rules().movement);
    for (wrong, key) in [
        (text.replace("[0, 2], ", "[0, 0], "), "board.steps"),
        (text.replace("[0, 2], ", "[-1, 1], "), "board.steps"),
        (text.replace("length = 3", "length = 4"), "lines.length"),
        (text.replace("length = 3", "shapes = [\"XX\"]"), "lines"),
        (text.replace("king", "orthogonal"), "moves.to"),
        (text.replace("[board]", "[board]\nhex = 2"), "board"),
        ("[board]\nhex = 4\n[lines]\nlength = 3".into(), "board.hex"),
        ("[board]\nhex = [3, 5]\n[lines]\nlength = 3".into(), "board.hex"),
        ("[board]\nhex = 2\nwrap = \"rows\"\n[lines]\nlength = 3".into(), "board"),
        (
            "[board]\nrows = 3\ncolumns = 3\nsteps = [[0, 1]]\n[lines]\nlength = 3".into(),
            "board.steps",
        ),
    ] {
        let error = of(&wrong).unwrap_err().to_string();
        assert!(error.starts_with("t.toml:") && error.contains(&format!(": {key}: ")), "{error}");
    }
}

#[test]
fn a_drawing_gives_cells_names_and_places() {
    let game = of("[board]\nlayout = \"\"\"\n\n   n\n w c e\n   s\"\"\"\n[lines]\nsets = [[\"n\", \"c\", \"s\"]]\n[pieces]\neach = 1\n[moves]\nto = \"edges\"\nedges = [[\"n\", \"c\"], [\"c\", 4]]").unwrap();
    let rules = game.rules();
    assert_eq!(rules.names, ["n", "w", "c", "e", "s"]);
    assert_eq!(rules.board, Board::of_squares(3, 3, 0b010_111_010));
    assert_eq!(rules.lines, [0b10101]);
    let at: Vec<(u16, u16)> = rules.layout.iter().map(|point| (point.x, point.y)).collect();
    assert_eq!(at, [(2, 0), (0, 2), (2, 2), (4, 2), (2, 4)]);
    assert_eq!(game.start().to_string(), "#.#/.../#.# x");
    assert_eq!(rules.movement.as_ref().unwrap().to, Travel::Links(vec![(0, 2), (2, 4)]));
}

#[test]
fn links_of_a_grid() {
    let links = |to: &str| {
        let body = format!(
            "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"{to}\""
        );
        match &of(&body).unwrap().rules().movement.as_ref().unwrap().to {
            Travel::Links(links) => links.len(),
            _ => 0,
        }
    };
    assert_eq!((links("orthogonal"), links("king"), links("drawn"), links("any")), (12, 20, 16, 0));
}

#[test]
fn links_along_steps_are_turned_mirrored_and_follow_ends_that_meet() {
    let links = |board: &str, moves: &str| {
        let body =
            format!("[board]\n{board}\n[lines]\nlength = 2\n[pieces]\neach = 2\n[moves]\n{moves}");
        match &of(&body).unwrap().rules().movement.as_ref().unwrap().to {
            Travel::Links(links) => links.clone(),
            _ => panic!(),
        }
    };
    let steps =
        |board: &str, steps: &str| links(board, &format!("to = \"steps\"\nsteps = {steps}"));
    for (rows, columns, more, holes) in [
        (3, 4, "", &[][..]),
        (3, 3, "wrap = \"rows\"", &[]),
        (4, 4, "wrap = \"both\"\nblocked = [\"b2\", \"b3\"]", &[(1, 1), (2, 1)]),
    ] {
        let board = &format!("rows = {rows}\ncolumns = {columns}\n{more}");
        assert_eq!(steps(board, "[[0, 1]]"), links(board, "to = \"orthogonal\""), "{board}");
        assert_eq!(steps(board, "[[-1, 0], [1, -1]]"), links(board, "to = \"king\""), "{board}");
        // The definition, pair by pair of cells.
        let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let squares: Vec<(i32, i32)> = squares.filter(|square| !holes.contains(square)).collect();
        let apart = |a: i32, b: i32, length: i32, meet: bool| {
            let far = (a - b).abs();
            if meet { vec![far, length - far] } else { vec![far] }
        };
        let mut expected = Vec::new();
        for (a, from) in squares.iter().enumerate() {
            for (b, to) in squares.iter().enumerate().skip(a + 1) {
                let down = apart(from.0, to.0, rows, board.contains("both"));
                let right = apart(from.1, to.1, columns, board.contains("wrap"));
                if down.iter().any(|d| right.iter().any(|r| [(1, 2), (2, 1)].contains(&(*d, *r)))) {
                    expected.push((a as u8, b as u8));
                }
            }
        }
        assert_eq!(steps(board, "[[1, 2]]"), expected, "{board}");
    }
    let board =
        "[board]\nrows = 3\ncolumns = 4\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\n";
    let hexagon = board.replace("rows = 3\ncolumns = 4", "hex = 2");
    for (body, expected) in [
        (format!("{board}to = \"steps\""), "moves.steps: no `steps`; write"),
        (
            format!("{board}to = \"king\"\nsteps = [[1, 2]]"),
            "t.toml:11: moves.steps: `steps` without",
        ),
        (format!("{board}to = \"steps\"\nsteps = []"), "moves.steps: no step; "),
        (
            format!("{board}to = \"steps\"\nsteps = [\n[1, 2],\n[0, 0],\n]"),
            "t.toml:13: moves.steps: [0, 0]; write steps to another",
        ),
        (
            format!("{board}to = \"steps\"\nsteps = [[3, 3]]"),
            "moves.steps: [3, 3]; write steps to another",
        ),
        (
            format!("{board}to = \"steps\"\nsteps = [[-2147483648, 1]]"),
            "[-2147483648, 1]; write steps to another",
        ),
        (format!("{board}to = \"steps\"\nsteps = [[1, 2], [-2, 1]]"), "moves.steps: [-2, 1] twice"),
        (
            format!("{board}to = \"steps\"\nsteps = [[1, 2, 3]]"),
            "moves.steps: wrong value; write for example `steps = [[1, 2]]`",
        ),
        (format!("{board}to = \"edges\"\nedges = [[0, 1]]\nsteps = [[1, 2]]"), "`steps` without"),
        (
            format!("{hexagon}to = \"steps\"\nsteps = [[1, 2]]"),
            "moves.to: moves along columns on a board without them",
        ),
    ] {
        let error = of(&body).expect_err(&body).to_string();
        assert!(error.contains(expected) && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn odd_rules_have_warnings() {
    let warnings = |body: &str| {
        parse_named("t.toml", &format!("name = \"t\"\n[board]\n{body}")).unwrap().warnings()
    };
    let three = "rows = 3\ncolumns = 3\n[lines]\n";
    let edges = "[pieces]\neach = 2\n[moves]\nto = \"edges\"\nedges = [[0, 1], [1, 2], [2, 0], [3, 4]]\n[opening]\n";
    for (body, expected) in [
        (format!("{three}length = 3"), None),
        (format!("{three}length = 3\n[pieces]\neach = 3"), None),
        (
            format!("{three}length = 3\n[pieces]\neach = 2"),
            Some(
                "t.toml:5: lines: no line can be made, so that nobody wins by one: a1 b1 c1 has 3 cells and a side 2 pieces; ",
            ),
        ),
        (
            format!("{three}length = 2\nadd = [[0, 2, 6, 8]]\n[pieces]\neach = 3"),
            Some("t.toml:5: lines: 1 of 21 lines cannot be made: a1 c1 a3 c3 has 4 cells"),
        ),
        // The cell is forbidden forever, or until pieces move there.
        (
            format!("{three}length = 3\n[opening]\nforbidden = [\"b2\"]\nduring = \"placing\""),
            Some(
                "t.toml:5: lines: 4 of 8 lines cannot be made: a2 b2 c2 has cells that no side can reach",
            ),
        ),
        (
            format!(
                "{three}length = 3\n[pieces]\neach = 3\n[moves]\nto = \"king\"\n[opening]\nforbidden = [\"b2\"]\nduring = \"placing\""
            ),
            None,
        ),
        (format!("{three}length = 3\n[opening]\nforbidden = [\"b2\"]\nduring = \"first\""), None),
        // The pieces of both sides stay where they are.
        (
            format!("cells = 5\n[lines]\nsets = [[0, 3], [1, 2]]\n{edges}start = \"XX.OO x\""),
            Some(
                "t.toml:4: lines: 1 of 2 lines cannot be made: 0 3 has cells that no side can reach",
            ),
        ),
        // Four pieces without a row of two are in the corners, and leave room for two others.
        (
            format!("{three}length = 2"),
            Some("t.toml:5: lines: no game has more than 7 of 9 pieces on the board"),
        ),
        (
            format!("{three}length = 1\n[pieces]\neach = 2"),
            Some("t.toml:8: pieces.each: no game has more than 1 of 4 pieces on the board"),
        ),
        (
            format!(
                "{three}length = 3\n[pieces]\neach = 4\n[moves]\nto = \"king\"\n[opening]\nforbidden = [0, 4]\nduring = \"placing\""
            ),
            Some("t.toml:8: pieces.each: no game has more than 7 of 8 pieces on the board"),
        ),
    ] {
        let found = warnings(&body);
        match expected {
            Some(expected) => {
                assert!(found.iter().any(|found| found.starts_with(expected)), "{body}\n{found:?}")
            }
            None => assert!(found.is_empty(), "{body}\n{found:?}"),
        }
    }
    for game in morpion_games::catalogue::Folders::new(None).names() {
        if let Ok(named) = morpion_games::catalogue::Folders::new(None).named(&game) {
            assert!(named.warnings().is_empty(), "{:?}", named.warnings());
        }
    }
}

#[test]
fn boards_wider_than_the_alphabet_have_the_default_names() {
    let names: Vec<String> = ('a'..='z').map(|letter| format!("\"{letter}1\"")).collect();
    let names = names.join(", ") + ", \"26\"";
    let text = format!(
        "name = \"wide\"\n[board]\nrows = 1\ncolumns = 27\nnames = [{names}]\n[lines]\nlength = 3"
    );
    let game = parse("wide", &text).unwrap();
    assert_eq!((game.rules().names.len(), game.format_cell(26).as_str()), (27, "26"));
}

#[test]
fn faults_name_the_key() {
    let board = "[board]\nrows = 3\ncolumns = 3\n";
    let lines = "[lines]\nlength = 3\n";
    let ten = (0..10).map(|n| format!("\"n{n}\"")).collect::<Vec<_>>().join(", ");
    for (body, expected) in [
        (format!("colour = 1\n{board}{lines}"), "unknown key `colour`"),
        (format!("{board}deep = 2\n{lines}"), "unknown key `deep`"),
        ("[board]\nrows = 3\n[lines]\nlength = 3".into(), "`columns` beside it"),
        ("[board]\nrows = 7\ncolumns = 6\n[lines]\nlength = 3".into(), "42 cells"),
        ("[board]\nrows = 1\ncolumns = 27\n[lines]\nlength = 3".into(), "at most 26 columns"),
        (format!("{board}[lines]\nlength = 4"), "longer than every row"),
        (format!("{board}[lines]\nlength = 4\nshapes = [\"XX/XX\"]"), "longer than every row"),
        (format!("{board}[lines]\nlength = 4\nadd = [[0, 1, 2]]"), "longer than every row"),
        (format!("{board}[lines]\nlength = 0"), "an empty line"),
        (format!("{board}[lines]\nsets = [[]]"), "an empty line"),
        (format!("{board}[lines]\nsets = [[0, 9]]"), "cell 9"),
        (format!("{board}names = [{ten}]\n[lines]\nsets = [[\"n9\"]]"), "board.names: 10 names of 9 cells"),
        (format!("{board}[lines]\nsets = [[1, 1]]"), "cell 1 twice"),
        (format!("{board}[lines]\nlength = 3\nsets = [[0]]"), "`sets` and `length`"),
        (format!("{board}[lines]\nlength = 3\ngaps = true"), "`gaps` alone"),
        (
            format!("{board}[lines]\nlength = 3\nwithin = \"full\"\ngaps = true\nexact = true"),
            "`gaps` and `exact`",
        ),
        (format!("{board}[lines]\nsets = [[0]]\nexact = true"), "`sets` and `exact`"),
        (format!("{board}[lines]\nshapes = [\"XX\"]\nexact = true"), "`exact` without `length`"),
        (format!("{board}[lines]\nshapes = [\"XXXX\"]"), "a shape that fits on the board"),
        (format!("{board}[lines]\nshapes = [\"XX/X\"]"), "rows of one length"),
        (format!("{board}[lines]\nshapes = [\"xx\"]"), "X for a cell of the line"),
        (format!("{board}[lines]\nshapes = [\"./.\"]"), "at least one X"),
        (format!("{board}[lines]\nshapes = []"), "at least one line"),
        (format!("{board}[lines]\nsets = [[\"a1\", \"d1\"]]"), "cell \"d1\"; write cells of the board, a1 to c3"),
        (format!("{board}[lines]\nsets = [[\"a1\", 0]]"), "cell 0 twice in [\"a1\", 0]"),
        (format!("{board}[lines]\nsets = [[true]]"), "lines.sets: wrong value; write for example `sets = [[\"a1\", "),
        (format!("{board}[lines]\nsets = [[-1]]"), "lines.sets: wrong value; write for example `sets = [[\"a1\", "),
        (format!("{board}blocked = [\"a1\", 0]\n{lines}"), "0 twice"),
        (format!("{board}blocked = [\"d1\"]\n{lines}"), "board.blocked: cell \"d1\""),
        (format!("{board}blocked = [0, 1, 2, 3, 4, 5, 6, 7, 8]\n{lines}"), "0 cells"),
        (format!("{board}blocked = [0, 4, 8]\n{lines}").replace("length = 3", "length = 4"), "longer than every row"),
        (format!("{board}blocked = [0]\n[lines]\nsets = [[\"a1\"]]"), "cell \"a1\"; write cells of the board, b1 to c3"),
        ("[board]\nrows = 12\ncolumns = 11\nblocked = [0]\n[lines]\nlength = 3".into(), "132 squares"),
        ("[board]\ncells = 9\nblocked = [0]\n[lines]\nsets = [[1]]".into(), "`blocked` beside `cells`"),
        ("[board]\ncells = 9\nwrap = \"rows\"\n[lines]\nsets = [[1]]".into(), "`wrap` beside `cells`"),
        (format!("{board}wrap = \"torus\"\n{lines}"), "unknown value `torus`"),
        (format!("{board}names = [\"a\"]\n{lines}"), "1 names of 9 cells"),
        ("[board]\ncells = 2\nnames = [\"A\", \"b\"]\n[lines]\nsets = [[0]]".into(), "\"A\"; write 1 to 6 lower-case"),
        ("[board]\ncells = 2\nnames = [\"b\", \"b\"]\n[lines]\nsets = [[0]]".into(), "\"b\" twice"),
        ("[board]\ncells = 1\nnames = [\"pass\"]\n[lines]\nsets = [[0]]".into(), "not \"pass\""),
        ("[board]\nlayout = \"a b\"\nrows = 1\n[lines]\nsets = [[0]]".into(), "`layout` and `rows`"),
        ("[board]\nlayout = \"\"\n[lines]\nsets = [[0]]".into(), "a name for each cell"),
        ("[board]\nlayout = \"a\\tb\"\n[lines]\nsets = [[0]]".into(), "'\\t'; write names, spaces and line ends"),
        ("[board]\nlayout = \"a b\"\n[lines]\nlength = 2".into(), "`sets`, or `steps` in [board]"),
        ("[board]\nlayout = \"a b\"\n[lines]\nsets = [[0]]\n[pieces]\neach = 1\n[moves]\nto = \"king\"".into(), "`edges`, or `steps` in [board]"),
        ("[board]\nlayout = \"a b a\"\n[lines]\nsets = [[0]]".into(), "\"a\" twice"),
        (
            format!("{board}wrap = \"both\"\n{lines}[pieces]\neach = 3\n[moves]\nto = \"drawn\""),
            "an even number of cells",
        ),
        (
            format!("{board}{lines}[pieces]\neach = 4\n[moves]\nto = \"king\"\nstuck = \"pass\"\n[opening]\nforbidden = [\"b2\", \"a1\"]\nduring = \"placing\""),
            "7 cells for 8 placements",
        ),
        (
            "[board]\nrows = 36\ncolumns = 1\n[lines]\nlength = 18\nwithin = \"full\"\ngaps = true"
                .into(),
            "9075135300 lines; write at most 4,096",
        ),
        (format!("{board}[lines]\nsets = [{:?}]", [1; 99]), "cell 1 twice in [1, 1, "),
        (format!("{board}{lines}[pieces]\neach = 5"), "pieces.each: 5"),
        (format!("{board}{lines}[moves]\nto = \"any\""), "`[pieces]` with `each`"),
        (
            format!(
                "{board}{lines}[pieces]\neach = 3\n[moves]\nto = \"any\"\nedges = [[0, 1]]"
            ),
            "`edges` without",
        ),
        (format!("{board}{lines}[pieces]\neach = 3\n[moves]\nto = \"edges\""), "no `edges`"),
        (
            format!("{board}{lines}[pieces]\neach = 3\n[moves]\nstay = true"),
            "moves.to: missing; write for example `to = \"king\"`",
        ),
        (format!("{board}{lines}[opening]\nforbidden = [4]"), "opening.during"),
        (format!("{board}{lines}[opening]\nduring = \"first\""), "`forbidden` beside it"),
        (format!("{board}{lines}[opening]\nforbidden = [9]\nduring = \"first\""), "cell 9"),
        (format!("{board}{lines}[opening]\nstart = \"XXX/.../OOO x\""), "opening.start"),
    ] {
        let error = of(&body).expect_err(&body).to_string();
        assert!(error.starts_with("t.toml:") && error.contains(expected), "{body}\n{error}");
    }
    let moving = format!(
        "{board}[lines]\nsets = [[0, 4, 8]]\n[pieces]\neach = 3\n[moves]\nto = \"any\"\n[opening]\n"
    );
    for start in
        ["XX./.../OOO x", "XXX/.../OOO", "X../.X./OOX x", "XXX/..O/OO o x", "XXXX/.../OOO x"]
    {
        let error = of(&format!("{moving}start = \"{start}\"")).expect_err(start).to_string();
        assert!(error.contains("opening.start"), "{error}");
    }
    of(&format!("{moving}start = \"XXX/.../OOO x\"")).unwrap();
}

#[test]
fn rules_that_contradict_pushes_ages_or_mills_are_refused() {
    let grid = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n";
    let pieces = "[pieces]\neach = 3\n";
    let read = |rest: &str| parse("t.toml", &format!("name = \"t\"\n{grid}{rest}"));
    for (rest, key) in [
        (format!("{pieces}[moves]\nto = \"push\""), "moves.to"),
        ("[moves]\nto = \"push\"\nstay = true".into(), "moves.stay"),
        ("[moves]\nto = \"push\"\nstuck = \"pass\"".into(), "moves.stuck"),
        (
            "[moves]\nto = \"push\"\n[opening]\nforbidden = [0]\nduring = \"first\"".into(),
            "opening",
        ),
        ("[moves]\nto = \"push\"\n[mills]".into(), "mills"),
        ("[mills]".into(), "mills"),
        (format!("{pieces}[moves]\noldest = \"last\""), "moves.oldest"),
        (format!("{pieces}[moves]\noldest = \"first\"\nto = \"king\""), "moves.oldest"),
        (format!("{pieces}[moves]\noldest = \"first\"\nstay = true"), "moves.stay"),
        (format!("{pieces}[moves]\noldest = \"first\"\nstuck = \"pass\""), "moves.stuck"),
        (format!("{pieces}[moves]\noldest = \"first\"\n[mills]"), "mills"),
        (format!("{pieces}[moves]\nto = \"king\"\n[mills]\n[goal]\nmisere = true"), "goal.misere"),
        (format!("{pieces}[moves]\nto = \"king\"\n[mills]\nleast = 0"), "mills.least"),
        (format!("{pieces}[moves]\nto = \"king\"\n[mills]\nleast = 4"), "mills.least"),
        (format!("{pieces}[moves]\nto = \"king\"\n[mills]\nfly = 2"), "mills.fly"),
        (format!("{pieces}[moves]\nto = \"king\"\n[mills]\nfly = 4"), "mills.fly"),
        (format!("{pieces}[moves]\nto = \"any\"\n[mills]\nfly = 3"), "mills.fly"),
        (format!("{pieces}[moves]\nto = \"king\"\n[mills]\nfull = \"draw\""), "mills.full"),
        (format!("{pieces}[moves]\nto = \"king\"\n[mills]\nfull = \"pass\""), "mills.full"),
        (format!("{pieces}[moves]\nto = \"king\"\n[mills]\ntakes = \"all\""), "mills.takes"),
    ] {
        let error = read(&rest).expect_err(&rest).to_string();
        assert!(
            error.contains(&format!(": {key}: ")) && error.lines().count() == 1,
            "{rest}\n{error}"
        );
    }
    for rest in [
        "[moves]\nto = \"push\"",
        "[pieces]\neach = 3\n[moves]\noldest = \"after-lines\"",
        "[pieces]\neach = 4\n[moves]\nto = \"king\"\n[mills]\nfly = 3\nmixed = true",
    ] {
        let named = parse_named("t.toml", &format!("name = \"t\"\n{grid}{rest}")).unwrap();
        assert_eq!(named.warnings(), [""; 0], "{rest}");
        assert_eq!(named.game.rules().version(), 3);
    }
}

#[test]
fn aliases_are_read_and_bad_ones_are_refused() {
    let board = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3";
    let named = |aliases: &str| {
        parse_named("t.toml", &format!("name = \"t\"\naliases = {aliases}\n{board}"))
    };
    let read = named("[\"tee\", \"t_3-x\"]").unwrap();
    assert_eq!(read.aliases, ["tee", "t_3-x"]);
    assert_eq!(*read.game.rules(), *of(board).unwrap().rules(), "names are not part of the rules");
    assert!(named("[]").unwrap().aliases.is_empty());
    for (aliases, expected) in [
        ("[\"\"]", "aliases: \"\"; write 1 to 64 letters"),
        ("[\"two words\"]", "aliases: \"two words\""),
        ("[\"../t\"]", "aliases: \"../t\""),
        ("[\"t\"]", "aliases: \"t\"; write names other than the game's own"),
        ("[\"tee\", \"tee\"]", "aliases: \"tee\" twice"),
        ("\"tee\"", "t.toml:2: aliases: wrong value; write for example"),
    ] {
        let error = named(aliases).expect_err(aliases).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn only_text_that_is_too_long_is_refused() {
    let text = "name = \"t\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n#";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.toml");
    // The last text is cut off in the middle of a character.
    for (filler, bytes) in [("x", MAX_BYTES), ("x", MAX_BYTES + 1), ("é", 2 * MAX_BYTES)] {
        let padded = text.to_owned() + &filler.repeat((bytes - text.len()) / filler.len());
        std::fs::write(&file, &padded).unwrap();
        for game in [read(&file), parse("t", &padded)] {
            match game {
                Ok(_) => assert_eq!(padded.len(), MAX_BYTES),
                Err(error) => {
                    assert!(error.to_string().contains("longer than 1048576 bytes"), "{error}");
                    assert!(padded.len() > MAX_BYTES);
                }
            }
        }
    }
}

#[test]
fn invalid_toml_is_reported_in_one_line_with_its_place() {
    for (text, place) in [
        ("this is no TOML", "1: TOML, column 6: "),
        ("name = \"é\" x\n", "1: TOML, column 12: "),
        ("name = \"x\"\n\nrows = [1,\n", "3: TOML, column 11: "),
        ("\"a\\nb\" = 1", "1: a, b: unknown key `a, b`"),
    ] {
        let error = parse("t.toml", text).expect_err(text).to_string();
        assert!(error.starts_with(&format!("t.toml:{place}")), "{text}\n{error}");
        assert!(error.lines().all(|line| line.starts_with("t.toml:")), "{error}");
    }
}

#[test]
fn all_faults_are_listed_with_their_lines() {
    let text = r#"colour = "red"
name = "a b"
title = 3
aliases = ["ours", "ours"]

[board]
rows = 3
columns = 3

[lines]
sets = [
  ["a1", "b2", "c3"],
  ["a1", "d1"], ["a1", "a1"],
  [],
]

[pieces]
each = 5

[moves]
to = "edges"
edges = [["a1", "a1"], ["b2", "z9"]]
stuck = "los"

[opening]
during = "first"

[goal]
"#;
    let error = parse("t.toml", text).unwrap_err().to_string();
    let expected = r#"t.toml:1: colour: unknown key `colour`; use one of name, title, aliases, board, lines, pieces, moves, mills, opening, goal
t.toml:2: name: "a b"; write 1 to 64 letters, digits, `-` or `_`
t.toml:3: title: wrong value; write for example `title = "My game"`
t.toml:4: aliases: "ours" twice; write each name once
t.toml:13: lines.sets: cell "a1" twice in ["a1", "a1"]; write each cell once
t.toml:13: lines.sets: cell "d1"; write cells of the board, a1 to c3
t.toml:14: lines.sets: an empty line; write lines of at least one cell
t.toml:18: pieces.each: 5; write at least 1, and twice that no more than the cells
t.toml:23: moves.stuck: unknown value `los`; did you mean `loss`?
t.toml:26: opening.during: `during` alone; write `forbidden` beside it"#;
    assert_eq!(error, expected);
    // Once the word is right, the edges are read.
    let error = parse("t.toml", &text.replace("\"los\"", "\"loss\"")).unwrap_err().to_string();
    assert!(
        error.contains("t.toml:22: moves.edges: [\"a1\", \"a1\"]; write two different"),
        "{error}"
    );
    assert!(error.contains("t.toml:22: moves.edges: cell \"z9\"; write cells of"), "{error}");
    // A fault does not bring others that only follow from it.
    for (wrong, expected) in [
        ("[bord]\nrows = 3\n[lines]\nsets = [[\"a1\"]]", "t.toml:1: board: missing; write"),
        (
            "[board]\nrows = 3\ncolums = 3\n[lines]\nsets = [[\"a1\"]]",
            "t.toml:4: board.colums: unknown",
        ),
        ("[board]\nhex = 3\n[lines]\nlenght = 3", "t.toml:5: lines.lenght: unknown key"),
        (
            "board.hex = 3\nlines.length = 3\n[moves]\nto = \"king\"",
            "t.toml:4: moves: moves without pieces; ",
        ),
    ] {
        let error = of(wrong).unwrap_err().to_string();
        assert!(error.lines().count() <= 2 && error.contains(expected), "{error}");
    }
    // Faults beyond the hundredth are counted.
    let many = format!("[board]\nhex = 3\n[lines]\nsets = [[{}]]", "-1, ".repeat(250));
    let error = of(&many).unwrap_err();
    assert!(error.to_string().ends_with("t.toml: 150 more faults: correct these first"), "{error}");
}

#[test]
fn mistaken_words_and_types_get_a_suggestion() {
    let board = "[board]\nrows = 3\ncolumns = 3\n";
    for (text, remedy) in [
        (format!("{board}wrap = true\n[lines]\nlength = 3"), "write for example `wrap = \"rows\"`"),
        (
            "[board]\nrows = \"3\"\ncolumns = 3\n[lines]\nlength = 3".into(),
            "write for example `rows = 3`",
        ),
        ("[board]\nhex = \"3\"\n[lines]\nlength = 3".into(), "write for example `hex = 3`"),
        (
            "pieces = 3\nboard.hex = 3\nlines.length = 3".into(),
            "write for example `pieces = { each = 3 }`",
        ),
        ("board.hex = 3\nlines.length = true".into(), "write for example `length = 3`"),
        (format!("{board}[line]\nlength = 3"), "did you mean `lines`?"),
        (format!("{board}[lines]\nlenght = 3"), "did you mean `length`?"),
        (
            format!("{board}[lines]\nlength = 3\n[goal]\nmisere = \"yes\""),
            "write for example `misere = true`",
        ),
        (
            format!("{board}[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"kings\""),
            "did you mean `king`?",
        ),
    ] {
        let error = parse("t.toml", &format!("name = \"t\"\n{text}")).unwrap_err().to_string();
        assert!(error.ends_with(&format!("; {remedy}")), "{error}");
    }
}
