//! Rule files become the boards, lines, links, names and cells that they describe.

use morpion_core::{About, Board, Game};
use morpion_games::rules::{RuleFileError, parse, parse_named, whole};

/// Reads a rule file that has no name.
pub fn of(body: &str) -> Result<Game, RuleFileError> {
    parse("t.toml", &format!("name = \"t\"\n{body}"))
}

/// The game of a rule file that has no name, without the text of its rules.
fn described(body: &str) -> Game {
    let game = of(body).unwrap();
    let about = About { rules: String::new(), ..game.about().clone() };
    let (lines, prolongations) = (game.lines().to_vec(), game.prolongations().to_vec());
    Game::new(about, lines, prolongations, game.graph().clone()).unwrap()
}

#[test]
fn the_canonical_form_of_a_rule_file_is_read_as_the_same_game() {
    let odd = crate::odd::ODD.iter().map(|body| of(body).unwrap());
    for game in morpion_games::catalogue::standard().chain(odd) {
        let again = parse("t.toml", &whole(&game)).unwrap();
        assert_eq!(again, game, "{}", whole(&game));
    }
}

#[test]
fn a_fingerprint_depends_on_the_rules_alone() {
    let plain = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3";
    let fingerprint =
        |head: &str, body: &str| parse("t.toml", &format!("{head}\n{body}")).unwrap().fingerprint();
    let expected = fingerprint("name = \"t\"", plain);
    for (head, body) in [
        ("name = \"other\"\ntitle = \"Other\"\naliases = [\"o\"]", plain.to_owned()),
        ("# A comment.\nname = \"t\"", plain.replace("rows = 3\n", "rows=0x3 # three\n")),
        ("name = \"t\"", plain.replace("rows = 3\ncolumns = 3", "columns = 3\nrows = 3")),
        (
            "name = \"t\"\nboard.rows = 3\nboard.columns = 3",
            plain.split_once("[lines]").map(|(_, rest)| format!("[lines]{rest}")).unwrap(),
        ),
    ] {
        assert_eq!(fingerprint(head, &body), expected, "{head}\n{body}");
    }
    assert_ne!(fingerprint("name = \"t\"", &plain.replace("each = 3", "each = 4")), expected);
}

#[test]
fn lines_of_the_three_forms() {
    let count = |body: &str| of(body).unwrap().lines().len();
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
    let game = |board: &str, lines: &str| described(&format!("[board]\n{board}\n[lines]\n{lines}"));
    let count = |board: &str, lines: &str| game(board, lines).lines().len();
    let three = "rows = 3\ncolumns = 3";
    assert_eq!(count(&format!("{three}\nwrap = \"rows\""), "length = 3"), 12);
    assert_eq!(count(&format!("{three}\nwrap = \"both\""), "length = 3"), 12);
    assert_eq!(count(&format!("{three}\nwrap = \"columns\""), "length = 2"), 27);
    assert_eq!(count(&format!("{three}\nblocked = [\"b2\"]"), "length = 3"), 4);
    assert_eq!(count("rows = 5\ncolumns = 5", "shapes = [\"XX/XX\"]"), 16);
    assert_eq!(count("rows = 5\ncolumns = 5", "length = 4\nshapes = [\"XX/XX\"]"), 44);
    assert_eq!(count(three, "shapes = [\"X./XX\"]"), 16);
    assert_eq!(count("rows = 4\ncolumns = 4\nwrap = \"both\"", "shapes = [\"XX/XX\"]"), 16);
    let exact = game("rows = 1\ncolumns = 5", "length = 3\nexact = true");
    assert_eq!(exact.lines(), [0b111, 0b1110, 0b11100]);
    assert_eq!(exact.prolongations(), [0b1000, 0b10001, 0b10]);
    let whole = game(three, "length = 3\nexact = true");
    assert_eq!(whole, game(three, "length = 3"), "nothing prolongs a whole row");
    let ring = game("rows = 1\ncolumns = 4\nwrap = \"rows\"", "length = 3\nexact = true");
    assert_eq!(ring.prolongations(), [0b1000, 0b100, 0b10, 0b1]);
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
            assert_eq!(game.lines().len(), lines_of_a_hexagon(side, length), "{side} {length}");
            assert_eq!(i32::from(game.cells()), 3 * side * (side - 1) + 1);
            // Each link is a line of two cells.
            let links = game.links().unwrap_or_default();
            assert_eq!(links.len(), lines_of_a_hexagon(side, 2));
        }
    }
    let side = "[board]\nhex = 3\n[lines]\nlength = 3";
    assert_eq!(described("[board]\nhex = [3, 4, 5, 4, 3]\n[lines]\nlength = 3"), described(side));
    assert_eq!(of(side).unwrap().start().to_string(), "...##/....#/...../#..../##... x");
    let triangle = of("[board]\nhex = [1, 2, 3, 4]\n[lines]\nlength = 4").unwrap();
    assert_eq!((triangle.board_shape().cells(), triangle.lines().len()), (10, 3));
}

#[test]
fn a_drawing_with_steps_has_their_lines_and_links() {
    // The hexagon of side 2 as a drawing.
    let text = "[board]\nlayout = \"\"\"\n  a b\n c d e\n  f g\n\"\"\"\nsteps = [[0, 2], [1, 1], [1, -1]]\n[lines]\nlength = 3\n[pieces]\neach = 2\n[moves]\nto = \"king\"";
    let drawn = described(text);
    let hex = described(
        "[board]\nhex = 2\n[lines]\nlength = 3\n[pieces]\neach = 2\n[moves]\nto = \"king\"",
    );
    assert_eq!((drawn.lines(), drawn.graph()), (hex.lines(), hex.graph()));
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
    let about = game.about();
    assert_eq!(about.names, ["n", "w", "c", "e", "s"]);
    assert_eq!(about.board, Board::of_squares(3, 3, 0b010_111_010));
    assert_eq!(game.lines(), [0b10101]);
    let at: Vec<(u16, u16)> = about.layout.iter().map(|point| (point.x, point.y)).collect();
    assert_eq!(at, [(2, 0), (0, 2), (2, 2), (4, 2), (2, 4)]);
    assert_eq!(game.start().to_string(), "#.#/.../#.# x");
    assert_eq!(game.links().unwrap(), [(0, 2), (2, 4)]);
}

#[test]
fn links_of_a_grid() {
    let links = |to: &str| {
        let body = format!(
            "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"{to}\""
        );
        of(&body).unwrap().links().map_or(0, |links| links.len())
    };
    assert_eq!((links("orthogonal"), links("king"), links("drawn"), links("any")), (12, 20, 16, 0));
}

#[test]
fn slides_jumps_and_moves_beside_a_piece_follow_the_links_of_single_steps() {
    let layout = "layout = \"\"\"\na b c\nd e f\"\"\"";
    let edges =
        "edges = [[\"a\", \"b\"], [\"b\", \"c\"], [\"a\", \"d\"], [\"b\", \"e\"], [\"d\", \"f\"]]";
    for (board, way, slide) in [
        ("rows = 4\ncolumns = 4", "to = \"king\"", "slide"),
        ("rows = 3\ncolumns = 4", "to = \"orthogonal\"", "slide-orthogonal"),
        ("rows = 3\ncolumns = 3\nblocked = [\"b2\"]", "to = \"king\"", "slide"),
        ("rows = 3\ncolumns = 3\nwrap = \"both\"", "to = \"orthogonal\"", "slide-orthogonal"),
        ("rows = 1\ncolumns = 6\nwrap = \"rows\"", "to = \"king\"", "slide"),
        ("hex = 3", "to = \"king\"", "slide"),
        (layout, &format!("to = \"edges\"\n{edges}"), "slide"),
        ("rows = 4\ncolumns = 4", "to = \"steps\"\nsteps = [[1, 2]]", ""),
    ] {
        let links = |moves: &str| {
            let lines = "[lines]\nsets = [[0, 1]]\n[pieces]\neach = 1";
            of(&format!("[board]\n{board}\n{lines}\n[moves]\n{moves}")).unwrap().links().unwrap()
        };
        let expected = links(way);
        let slide = match way.split_once("edges\"") {
            Some((_, edges)) => format!("to = \"{slide}\"{edges}"),
            None => format!("to = \"{slide}\""),
        };
        for way in [way, &slide] {
            for more in ["", "jump = \"own\"", "jump = \"other\"", "jump = \"any\""] {
                for beside in ["", "beside = \"other\"", "beside = [1]", "beside = [1, 2]"] {
                    // Beside these, a move to a neighbour may look like one past a piece.
                    let is_clear =
                        !beside.contains(',') || more.is_empty() && !way.contains("slide");
                    if way != "to = \"\"" && is_clear {
                        let moves = format!("{way}\n{more}\n{beside}");
                        assert_eq!(links(&moves), expected, "{board}\n{moves}");
                    }
                }
            }
        }
    }
}

#[test]
fn links_along_steps_are_turned_mirrored_and_follow_ends_that_meet() {
    let links = |board: &str, moves: &str| {
        let body =
            format!("[board]\n{board}\n[lines]\nlength = 2\n[pieces]\neach = 2\n[moves]\n{moves}");
        of(&body).unwrap().links().unwrap()
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
fn boards_wider_than_the_alphabet_have_the_default_names() {
    let names: Vec<String> = ('a'..='z').map(|letter| format!("\"{letter}1\"")).collect();
    let names = names.join(", ") + ", \"26\"";
    let text = format!(
        "name = \"wide\"\n[board]\nrows = 1\ncolumns = 27\nnames = [{names}]\n[lines]\nlength = 3"
    );
    let game = parse("wide", &text).unwrap();
    assert_eq!((game.about().names.len(), game.format_cell(26).as_str()), (27, "26"));
}

#[test]
fn aliases_are_read_and_bad_ones_are_refused() {
    let board = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3";
    let named = |aliases: &str| {
        parse_named("t.toml", &format!("name = \"t\"\naliases = {aliases}\n{board}"))
    };
    let read = named("[\"tee\", \"t_3-x\"]").unwrap();
    assert_eq!(read.aliases, ["tee", "t_3-x"]);
    assert_eq!(read.game, of(board).unwrap(), "aliases are not part of the game");
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
