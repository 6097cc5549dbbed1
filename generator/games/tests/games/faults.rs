//! Rule files with faults are refused, with the key of each fault and a remedy. Odd rules have warnings.

use crate::rules::of;
use morpion_games::rules::{parse, parse_named, read_named};

/// The longest rule file.
const MAX_BYTES: usize = 1 << 20;

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
    for named in morpion_games::catalogue::standard_named() {
        assert!(named.warnings().is_empty(), "{:?}", named.warnings());
    }
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
        (format!("{board}[lines]\nsets = []"), "lines.sets: no line at all; write at least one line"),
        (format!("{board}[lines]\nsets = []\n[pieces]\neach = 3\n[moves]\nto = \"king\"\n[mills]"), "no line at all"),
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
    }
}

#[test]
fn slides_jumps_and_moves_beside_a_piece_are_refused_without_neighbours() {
    let grid = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n";
    let hexagon = "[board]\nhex = 3\n[lines]\nlength = 3\n";
    let cells = "[board]\ncells = 6\n[lines]\nsets = [[0, 1]]\n";
    let layout = "[board]\nlayout = \"a b c\"\n[lines]\nsets = [[0, 1]]\n";
    let many = "[board]\nrows = 6\ncolumns = 6\n[lines]\nlength = 3\n";
    let edges = "edges = [[0, 1], [1, 2]]";
    for (board, moves, expected) in [
        (
            grid,
            "to = \"any\"\njump = \"own\"",
            "moves.jump: cells without neighbours; write another `to`",
        ),
        (grid, "to = \"push\"\nbeside = \"other\"", "moves.beside: cells without neighbours"),
        (grid, "oldest = \"first\"\njump = \"any\"", "moves.jump: cells without neighbours"),
        (
            grid,
            "to = \"king\"\njump = \"enemy\"",
            "moves.jump: unknown value `enemy`; use one of own, other, any",
        ),
        (
            grid,
            "to = \"king\"\nbeside = \"own\"",
            "moves.beside: unknown value `own`; use one of other",
        ),
        (
            grid,
            "to = \"king\"\nbeside = [\"b2\", \"b2\"]",
            "moves.beside: cell \"b2\" twice in [\"b2\", \"b2\"]; write each cell once",
        ),
        (
            grid,
            "to = \"king\"\nbeside = [\"d1\"]",
            "moves.beside: cell \"d1\"; write cells of the board, a1 to c3",
        ),
        (grid, "to = \"king\"\nbeside = [1.5]", "moves.beside: wrong value; write for example"),
        (grid, "to = \"sliding\"", "moves.to: unknown value `sliding`; write `to = \"slide\"`"),
        (
            grid,
            "to = \"rook\"",
            "moves.to: unknown value `rook`; write `to = \"slide-orthogonal\"`",
        ),
        (
            grid,
            "to = \"slide-orthogonal\"\nedges = [[0, 1]]",
            "moves.edges: `edges` without `to = \"edges\"`",
        ),
        (
            hexagon,
            "to = \"slide-orthogonal\"",
            "moves.to: moves along columns on a board without them",
        ),
        (
            cells,
            "to = \"slide\"",
            "moves.to: moves along rows and columns on a board without them; write `edges` beside it",
        ),
        (
            cells,
            &format!("to = \"slide\"\n{edges}"),
            "moves.to: no cell lies behind another on a board without places",
        ),
        (
            cells,
            &format!("to = \"edges\"\njump = \"any\"\n{edges}"),
            "moves.jump: no cell lies behind another",
        ),
        (layout, "to = \"slide\"", "write `edges` beside it"),
        (
            many,
            "to = \"slide\"\nbeside = \"other\"",
            "moves.to: 2804 moves; write at most 1,024 moves",
        ),
    ] {
        let body = format!("{board}[pieces]\neach = 1\n[moves]\n{moves}");
        let error = of(&body).expect_err(&body).to_string();
        assert!(error.contains(expected) && error.lines().count() == 1, "{body}\n{error}");
    }
    // As many moves as a phase may have.
    of(&format!("{many}[pieces]\neach = 3\n[moves]\nto = \"slide\"\njump = \"any\"")).unwrap();
    let edges =
        format!("{cells}[pieces]\neach = 1\n[moves]\nto = \"edges\"\nbeside = \"other\"\n{edges}");
    of(&edges).unwrap();
}

#[test]
fn only_text_that_is_too_long_is_refused() {
    let text = "name = \"t\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n#";
    // The last text is cut off in the middle of a character.
    for (filler, bytes) in [("x", MAX_BYTES), ("x", MAX_BYTES + 1), ("é", 2 * MAX_BYTES)] {
        let padded = text.to_owned() + &filler.repeat((bytes - text.len()) / filler.len());
        for game in [read_named("t", Ok(padded.as_bytes())), parse_named("t", &padded)] {
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
        (format!("{board}[lines]\nlength = 3\n[goal]\nmisere = \"yes\""), "write true or false"),
        (
            format!("{board}[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"kings\""),
            "did you mean `king`?",
        ),
    ] {
        let error = parse("t.toml", &format!("name = \"t\"\n{text}")).unwrap_err().to_string();
        assert!(error.ends_with(&format!("; {remedy}")), "{error}");
    }
}
