//! Games with every pair of keys of a rule file, and of their values, that is accepted: each is built, proved, and compared with the
//! dictionary on every position that play can reach.

use crate::brute::{check, kind};
use crate::rules::grid::{Grid, jumps, slides as straight};
use crate::rules::kinds::{Kind, Mills};
use crate::rules::ways::Need;
use crate::rules::{Moves, Spec};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The keys of a rule file, each with its values. The first value is the default: without the key, or the simplest board and lines.
const KEYS: [(&str, &[&str]); 16] = [
    (
        "board",
        &[
            "plain", "blocked", "rows", "columns", "both", "names", "cells", "layout", "steps",
            "hex",
        ],
    ),
    ("lines", &["length", "three", "exact", "within", "gaps", "shapes", "both", "add", "sets"]),
    ("each", &["", "1", "2", "3"]),
    (
        "to",
        &[
            "",
            "any",
            "orthogonal",
            "king",
            "drawn",
            "steps",
            "edges",
            "push",
            "slide",
            "slide-orthogonal",
            "slide-edges",
        ],
    ),
    ("stay", &["", "true"]),
    ("stuck", &["", "loss", "draw", "win", "pass"]),
    ("oldest", &["", "first", "before-lines", "after-lines"]),
    (
        "takes",
        &["", "any", "outside", "outside-first", "two-any", "two-outside", "two-outside-first"],
    ),
    ("least", &["", "1", "2", "3"]),
    ("fly", &["", "1", "2", "3"]),
    ("mixed", &["", "true"]),
    ("full", &["", "draw", "loss", "win"]),
    ("opening", &["", "first", "each-first", "placing", "start"]),
    ("misere", &["", "true"]),
    ("jump", &["", "own", "other", "any"]),
    ("beside", &["", "other"]),
];

/// The games to which each pair of values is added, by the keys that have another value than the first.
const GAMES: [&[(&str, &str)]; 8] = [
    &[],
    &[("each", "2")],
    &[("each", "2"), ("to", "edges")],
    &[("each", "3"), ("to", "edges")],
    &[("each", "2"), ("oldest", "before-lines")],
    &[("each", "3"), ("to", "edges"), ("takes", "any"), ("least", "2")],
    &[
        ("each", "3"),
        ("to", "edges"),
        ("takes", "two-outside-first"),
        ("least", "1"),
        ("mixed", "true"),
    ],
    &[("to", "push")],
];

/// Values by key.
type Choice = BTreeMap<&'static str, &'static str>;

/// The board with its cells and neighbours, and its text in the rule file.
fn board(name: &str) -> (Grid, &'static str) {
    let grid = |wrap, blocked: &[usize]| Grid::new(2, 3, wrap, blocked);
    match name {
        "plain" => (grid("", &[]), "rows = 2\ncolumns = 3"),
        "blocked" => {
            (Grid::new(3, 3, "", &[4, 8]), "rows = 3\ncolumns = 3\nblocked = [\"b2\", \"c3\"]")
        }
        "rows" => (grid("rows", &[]), "rows = 2\ncolumns = 3\nwrap = \"rows\""),
        "columns" => (Grid::new(3, 2, "columns", &[]), "rows = 3\ncolumns = 2\nwrap = \"columns\""),
        "both" => (grid("both", &[]), "rows = 2\ncolumns = 3\nwrap = \"both\""),
        "names" => (
            grid("", &[]),
            "rows = 2\ncolumns = 3\nnames = [\"f\", \"ax\", \"b\", \"c2\", \"x\", \"a\"]",
        ),
        "cells" => (grid("", &[]).along(&[]), "cells = 6"),
        "layout" => {
            (Grid::new(2, 6, "", &[1, 3, 5, 6, 8, 10]).along(&[]), "layout = \"a b c\\n d e f\"")
        }
        "steps" => (
            // Rows of five characters, of which every other one is a cell.
            Grid::new(2, 6, "", &[1, 3, 5, 6, 8, 10]).along(&[(0, 2), (1, 1), (1, -1)]),
            "layout = \"a b c\\n d e f\"\nsteps = [[0, 2], [1, 1], [1, -1]]",
        ),
        "hex" => (Grid::new(3, 3, "", &[2, 6]).along(&[(0, 1), (1, 0), (1, 1)]), "hex = 2"),
        other => panic!("define {other} here"),
    }
}

/// The lines with the cells that extend them, and their text.
fn lines(name: &str, grid: &Grid) -> (Vec<(u64, u64)>, &'static str) {
    let corner = || grid.shapes(&[(0, 0), (1, 0), (1, 1)]);
    match name {
        "length" => (grid.runs(2, false), "length = 2"),
        "three" => (grid.runs(3, false), "length = 3"),
        "exact" => (grid.runs(2, true), "length = 2\nexact = true"),
        "within" => (grid.whole(2, false), "length = 2\nwithin = \"full\""),
        "gaps" => (grid.whole(2, true), "length = 2\nwithin = \"full\"\ngaps = true"),
        "shapes" => (corner(), "shapes = [\"X./XX\"]"),
        "both" => ([grid.runs(3, false), corner()].concat(), "length = 3\nshapes = [\"X./XX\"]"),
        "add" => {
            ([grid.runs(3, false), vec![(0b11_0000, 0)]].concat(), "length = 3\nadd = [[4, 5]]")
        }
        "sets" => (vec![(0b11, 0), (0b1_1100, 0)], "sets = [[0, 1], [2, 3, 4]]"),
        other => panic!("define {other} here"),
    }
}

/// The game of these values, for the dictionary and as a rule file.
fn spec(choice: &Choice) -> Spec {
    let value = |key: &str| choice.get(key).copied().unwrap_or_default();
    let number = |key: &str, default: u8| value(key).parse().unwrap_or(default);
    let (grid, board_text) = board(choice.get("board").unwrap_or(&"plain"));
    let (lines, lines_text) = lines(choice.get("lines").unwrap_or(&"length"), &grid);
    let cells = grid.cells.iter().flatten().count() as u8;
    let each = value("each").parse().ok();
    let edges = [[0u8, 1], [1, 2], [2, 3], [3, 4], [1, 4]];
    let (to, oldest) = (value("to"), value("oldest"));
    let linked = |cell: u8| {
        let ends = edges.iter().filter(move |link| link.contains(&cell)).flatten();
        ends.filter(|&&other| other != cell).fold(0, |set, other| set | 1 << other)
    };
    let is_on_edges = to.ends_with("edges");
    let links = match to {
        "slide" => "king",
        "slide-orthogonal" => "orthogonal",
        other => other,
    };
    let rays = match is_on_edges {
        true => grid.along_edges(&edges),
        false => grid.rays(links, (1, 2)),
    };
    let mut ways = if to.starts_with("slide") { straight(&rays) } else { Vec::new() };
    match value("jump") {
        "" => {}
        "own" => ways.extend(jumps(&rays, Need::Own)),
        "other" => ways.extend(jumps(&rays, Need::Other)),
        "any" => ways.extend(jumps(&rays, Need::Taken)),
        other => panic!("define {other} here"),
    }
    let any = || (0..cells).map(|cell| ((1 << cells) - 1) & !(1 << cell)).collect();
    let linked: Vec<u64> = match to {
        _ if is_on_edges => (0..cells).map(linked).collect(),
        "any" | "" | "push" => any(),
        _ => grid.targets(links, (1, 2)),
    };
    let targets = match to.starts_with("slide") {
        true => vec![0; cells.into()],
        false => linked.clone(),
    };
    let more = match to {
        _ if is_on_edges => format!("\nedges = {edges:?}"),
        "steps" => "\nsteps = [[1, 2]]".into(),
        _ => String::new(),
    };
    let key = |name: &str, value: &str| {
        if value.is_empty() { String::new() } else { format!("{name} = \"{value}\"\n") }
    };
    let has_moves = ["to", "oldest", "stay", "stuck", "jump", "beside"]
        .iter()
        .any(|key| choice.contains_key(key));
    let stuck = if value("stuck").is_empty() { "loss" } else { value("stuck") };
    let conditions = key("jump", value("jump")) + &key("beside", value("beside"));
    let to_text = key("to", to.trim_end_matches("-edges"));
    let text = format!("{}{conditions}{to_text}{more}", key("oldest", oldest));
    let moves = Moves::new(&text, targets, value("stay") == "true", stuck);
    let moves = Some(Moves { ways, ..moves }).filter(|_| has_moves);
    let full = Some(value("full")).filter(|full| !full.is_empty());
    let has_mills =
        ["takes", "least", "fly", "mixed", "full"].iter().any(|key| choice.contains_key(key));
    let takes = if value("takes").is_empty() { "outside-first" } else { value("takes") };
    let mills = Mills {
        takes,
        least: number("least", 3),
        fly: number("fly", 0),
        full,
        mixed: value("mixed") == "true",
    };
    let kind = match (to, oldest) {
        _ if has_mills => Kind::Mills(mills),
        ("push", _) if board_text.starts_with("rows = 3") => Kind::Pushes { rows: 3, columns: 2 },
        ("push", _) => Kind::Pushes { rows: 2, columns: 3 },
        (_, "") => Kind::Plain,
        _ => Kind::Ageing(oldest),
    };
    let opening = value("opening");
    let mut spec = Spec {
        board: format!("[board]\n{board_text}\n[lines]\n{lines_text}"),
        cells,
        lines,
        each,
        moves,
        forbidden: if matches!(opening, "" | "start") { Vec::new() } else { vec![1] },
        forbidden_names: Vec::new(),
        during: if matches!(opening, "" | "start") { "first" } else { opening },
        start: None,
        misere: value("misere") == "true",
        kind,
    };
    spec.start = (opening == "start").then(|| start(&spec, &grid));
    if value("beside") == "other" && has_moves { spec.with_moves_beside(&linked) } else { spec }
}

/// The text of a start without a line, or of any start.
fn start(spec: &Spec, grid: &Grid) -> String {
    let each = u32::from(spec.each.unwrap_or(1));
    let sets = || (0u64..1 << spec.cells).filter(|set| set.count_ones() == each);
    let made =
        |set: u64| spec.lines.iter().any(|(line, with)| line & set == *line && with & set == 0);
    let pairs = sets().flat_map(|x| sets().map(move |o| (x, o))).filter(|(x, o)| x & o == 0);
    let (x, o) =
        pairs.clone().find(|&(x, o)| !made(x) && !made(o)).or(pairs.clone().next()).unwrap();
    let mark = |cell: &u8| {
        if x >> cell & 1 == 1 {
            'X'
        } else if o >> cell & 1 == 1 {
            'O'
        } else {
            '.'
        }
    };
    // Without rows and holes, which may be left out.
    grid.cells.iter().flatten().map(mark).collect::<String>() + " x"
}

/// Slides, jumps and moves beside another piece.
const CONDITIONS: [&str; 36] = [
    "each=2 to=slide lines=three",
    "each=2 to=slide lines=sets stuck=draw",
    "each=2 to=slide-orthogonal lines=three stuck=pass",
    "board=blocked each=3 to=slide lines=three stuck=win",
    "board=blocked each=3 to=slide-orthogonal lines=three stuck=draw",
    "board=blocked each=2 to=slide lines=three stay=true",
    "board=rows each=2 to=slide lines=three",
    "board=both each=2 to=slide-orthogonal misere=true",
    "board=hex each=3 to=slide lines=three stuck=draw",
    "board=hex each=2 to=slide opening=start",
    "each=3 to=slide takes=any least=2",
    "each=3 to=slide takes=two-outside mixed=true least=1",
    "each=2 to=king jump=own lines=three",
    "board=blocked each=3 to=orthogonal jump=any stuck=draw lines=three",
    "board=blocked each=3 to=orthogonal jump=other stuck=pass lines=three",
    "board=columns each=2 to=king jump=other misere=true",
    "board=hex each=3 to=king jump=any stuck=win lines=three",
    "each=3 to=orthogonal jump=other takes=any fly=3",
    "each=2 to=king beside=other lines=three",
    "each=2 to=orthogonal beside=other stuck=pass lines=three",
    "board=blocked each=3 to=orthogonal beside=other stuck=draw lines=three",
    "board=hex each=2 to=king beside=other misere=true",
    "board=layout each=2 to=edges beside=other lines=sets",
    "each=3 to=orthogonal takes=any mixed=true beside=other least=1",
    "board=layout each=2 to=slide-edges lines=sets",
    "board=blocked each=2 to=slide-edges lines=three stuck=draw",
    "each=2 to=edges jump=any lines=three",
    "board=hex each=2 to=edges jump=own lines=sets stuck=pass",
    "each=2 to=slide jump=other lines=three",
    "board=rows each=2 to=slide-orthogonal jump=any lines=three stuck=draw",
    "board=columns each=2 to=slide beside=other lines=three",
    "each=3 to=king jump=own beside=other lines=three",
    "board=both each=2 to=orthogonal jump=other lines=three",
    "board=blocked each=3 to=drawn jump=any lines=three",
    "board=steps each=2 to=slide lines=sets",
    "board=blocked each=2 to=steps jump=other beside=other lines=three",
];

#[test]
fn slides_jumps_and_moves_beside_a_piece_are_solved_as_defined() {
    let mut found = [0; 4];
    for game in CONDITIONS {
        let spec = spec(&game.split(' ').map(|pair| pair.split_once('=').unwrap()).collect());
        assert!(!spec.moves.as_ref().unwrap().ways.is_empty(), "{game:?}");
        for score in check(&spec).into_values() {
            found[kind(score)] += 1;
        }
    }
    assert!(found.iter().all(|&count| count > 100), "{found:?}");
}

/// Two keys with their values.
type Pair = [(&'static str, &'static str); 2];

#[test]
#[ignore = "long: thousands of small games; .ci/run runs it"]
fn every_pair_of_keys_that_is_accepted_is_solved_as_defined() {
    let values = KEYS.iter().enumerate().flat_map(|(index, &(key, values))| {
        values.iter().skip(1).map(move |&value| (index, key, value))
    });
    let values: Vec<(usize, &str, &str)> = values.collect();
    // The games of each pair, by their rule files.
    let mut games: BTreeMap<String, (Spec, Vec<Pair>)> = BTreeMap::new();
    let mut pairs = BTreeSet::new();
    for &(first, key, value) in &values {
        for &(_, other_key, other) in values.iter().filter(|(second, ..)| *second > first) {
            let pair = [(key, value), (other_key, other)];
            pairs.insert(pair);
            for game in GAMES {
                let mut choice: Choice = game.iter().copied().collect();
                // Pieces that age have no other way to move.
                if pair.iter().any(|(key, _)| *key == "oldest") {
                    choice.remove("to");
                }
                choice.extend(pair);
                let spec = spec(&choice);
                games.entry(spec.toml()).or_insert((spec, Vec::new())).1.push(pair);
            }
        }
    }
    let is_accepted = |text: &str| morpion_games::rules::parse("t.toml", text).is_ok();
    let accepted: Vec<_> = games.into_iter().filter(|(text, _)| is_accepted(text)).collect();
    let solved: BTreeSet<_> = accepted.iter().flat_map(|(_, (_, pairs))| pairs).copied().collect();
    eprintln!("{} pairs, {} of them in {} games", pairs.len(), solved.len(), accepted.len());
    accepted.par_iter().for_each(|(_, (spec, _))| {
        check(spec);
    });
    let mut refused: BTreeMap<[&str; 2], Vec<[&str; 2]>> = BTreeMap::new();
    for [(key, value), (other_key, other)] in pairs.difference(&solved) {
        refused.entry([key, other_key]).or_default().push([value, other]);
    }
    for (keys, values) in refused {
        eprintln!("{keys:?} {values:?}");
    }
}
