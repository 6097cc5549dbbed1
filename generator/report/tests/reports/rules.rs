//! Every key of a rule file is explained, said in a sentence, and part of the canonical form.

use morpion_games::rules::{keys, parse, whole};
use morpion_report::phrases::rules;
use std::collections::BTreeSet;

const GRID: &str = "[board]\nrows = 4\ncolumns = 4\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"king\"";
const WHOLE: &str = "[board]\nrows = 4\ncolumns = 4\n[lines]\nlength = 3\nwithin = \"full\"";
const CELLS: &str = "[board]\ncells = 4\n[lines]\nsets = [[0, 1]]";
const DRAWN: &str = "[board]\nlayout = \"a b c d\"\nsteps = [[0, 2]]\n[lines]\nlength = 2";
const HEX: &str = "[board]\nhex = 2\n[lines]\nlength = 2";
const EDGES: &str = "[board]\ncells = 4\n[lines]\nsets = [[0, 1]]\n[pieces]\neach = 2\n[moves]\nto = \"edges\"\nedges = [[0, 1]]";
const STEPS: &str = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"steps\"\nsteps = [[1, 2]]";
const MILLS: &str = "[board]\nrows = 2\ncolumns = 4\n[lines]\nlength = 3\n[pieces]\neach = 4\n[moves]\nto = \"king\"\n[mills]";
const CLOSED: &str = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[opening]\nforbidden = [\"b2\"]\nduring = \"first\"";

/// For each key a rule file and a line that changes it: by a new value, or by the key. A line of the file with this key goes.
const CHANGES: [(&str, &str, &str); 34] = [
    ("board.rows", GRID, "rows = 5"),
    ("board.columns", GRID, "columns = 5"),
    ("board.cells", CELLS, "cells = 5"),
    ("board.blocked", GRID, "blocked = [\"b2\"]"),
    ("board.wrap", GRID, "wrap = \"rows\""),
    ("board.names", CELLS, "names = [\"n\", \"w\", \"e\", \"s\"]"),
    ("board.layout", DRAWN, "layout = \"a b c d e\""),
    ("board.steps", DRAWN, "steps = [[0, 4]]"),
    ("board.hex", HEX, "hex = 3"),
    ("lines.length", GRID, "length = 4"),
    ("lines.within", GRID, "within = \"full\""),
    ("lines.gaps", WHOLE, "gaps = true"),
    ("lines.exact", GRID, "exact = true"),
    ("lines.shapes", GRID, "shapes = [\"XX/XX\"]"),
    ("lines.sets", CELLS, "sets = [[0, 1], [2, 3]]"),
    ("lines.add", GRID, "add = [[\"a1\", \"c1\", \"d4\"]]"),
    ("pieces.each", GRID, "each = 4"),
    ("moves.to", GRID, "to = \"any\""),
    ("moves.oldest", CLOSED, "oldest = \"first\""),
    ("moves.edges", EDGES, "edges = [[0, 1], [1, 2]]"),
    ("moves.steps", STEPS, "steps = [[0, 1]]"),
    ("moves.stay", GRID, "stay = true"),
    ("moves.stuck", GRID, "stuck = \"draw\""),
    ("moves.jump", GRID, "jump = \"other\""),
    ("moves.beside", GRID, "beside = \"other\""),
    ("mills.takes", MILLS, "takes = \"any\""),
    ("mills.least", MILLS, "least = 2"),
    ("mills.fly", MILLS, "fly = 3"),
    ("mills.full", MILLS, "full = \"draw\""),
    ("mills.mixed", MILLS, "mixed = true"),
    ("opening.forbidden", CLOSED, "forbidden = [\"a1\"]"),
    ("opening.during", CLOSED, "during = \"placing\""),
    ("opening.start", GRID, "start = \"XX.X/..../..../OO.O x\""),
    ("goal.misere", GRID, "misere = true"),
];

/// A rule file in which a line below a table replaces the line with the same key.
fn changed(text: &str, table: &str, line: &str) -> String {
    let key = line.split(' ').next().unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.retain(|other| other.split(' ').next() != Some(key));
    let heading = format!("[{table}]");
    match lines.iter().position(|line| *line == heading) {
        Some(at) => lines.insert(at + 1, line),
        None => lines.extend([&heading[..], line]),
    }
    lines.join("\n")
}

#[test]
fn every_key_is_in_the_canonical_form_and_said() {
    let tested: BTreeSet<&str> = CHANGES.iter().map(|(path, ..)| *path).collect();
    let known: BTreeSet<String> = keys().collect();
    assert_eq!(known.iter().map(String::as_str).collect::<BTreeSet<_>>(), tested);
    for (path, before, line) in CHANGES {
        let (table, _) = path.split_once('.').unwrap();
        let read = |text: &str| parse("t", &format!("name = \"t\"\n{text}")).expect(path);
        let [old, new] = [read(before), read(&changed(before, table, line))];
        assert_ne!(whole(&old), whole(&new), "{path} in the canonical form");
        // Names are in the texts of positions, not in the rules.
        assert_eq!(rules(&old) == rules(&new), path == "board.names", "{path}: {}", rules(&new));
    }
}

#[test]
fn moves_of_knights_are_named() {
    let text = rules(&parse("r", &format!("name = \"r\"\n{STEPS}")).unwrap());
    assert!(text.contains("a piece like a knight of chess, along one of 8 links"), "{text}");
    assert!(!rules(&parse("r", &format!("name = \"r\"\n{GRID}")).unwrap()).contains("knight"));
}
