//! Games with every pair of keys of a rule file, and of their values, that is accepted: each is built, proved, and compared with the
//! dictionary on every position that play can reach.

use crate::brute::{check, kind};
use crate::rules::Spec;
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
            "queen",
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
    ("beside", &["", "other", "[1, 4]"]),
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

/// The keys of `[board]`.
fn board(name: &str) -> &'static str {
    match name {
        "plain" => "rows = 2\ncolumns = 3",
        "blocked" => "rows = 3\ncolumns = 3\nblocked = [\"b2\", \"c3\"]",
        "rows" => "rows = 2\ncolumns = 3\nwrap = \"rows\"",
        "columns" => "rows = 3\ncolumns = 2\nwrap = \"columns\"",
        "both" => "rows = 2\ncolumns = 3\nwrap = \"both\"",
        "names" => "rows = 2\ncolumns = 3\nnames = [\"f\", \"ax\", \"b\", \"c2\", \"x\", \"a\"]",
        "cells" => "cells = 6",
        "layout" => "layout = \"a b c\\n d e f\"",
        "steps" => "layout = \"a b c\\n d e f\"\nsteps = [[0, 2], [1, 1], [1, -1]]",
        "hex" => "hex = 2",
        other => panic!("define {other} here"),
    }
}

/// The keys of `[lines]`.
fn lines(name: &str) -> &'static str {
    match name {
        "length" => "length = 2",
        "three" => "length = 3",
        "exact" => "length = 2\nexact = true",
        "within" => "length = 2\nwithin = \"full\"",
        "gaps" => "length = 2\nwithin = \"full\"\ngaps = true",
        "shapes" => "shapes = [\"X./XX\"]",
        "both" => "length = 3\nshapes = [\"X./XX\"]",
        "add" => "length = 3\nadd = [[4, 5]]",
        "sets" => "sets = [[0, 1], [2, 3, 4]]",
        other => panic!("define {other} here"),
    }
}

/// The rule file of these values.
fn text(choice: &Choice) -> String {
    let value = |key: &str| choice.get(key).copied();
    let key = |key: &str| {
        value(key).map_or(String::new(), |value| {
            match value.parse::<u8>().is_ok() || value == "true" || value.starts_with('[') {
                true => format!("{key} = {value}\n"),
                false => format!("{key} = \"{value}\"\n"),
            }
        })
    };
    let table = |name: &str, keys: String| {
        if keys.is_empty() { keys } else { format!("[{name}]\n{keys}") }
    };
    let keys = |keys: &[&str]| keys.iter().map(|name| key(name)).collect::<String>();
    let edges = "edges = [[0, 1], [1, 2], [2, 3], [3, 4], [1, 4]]\n";
    let to = match value("to") {
        None => String::new(),
        Some("slide-edges") => format!("to = \"slide\"\n{edges}"),
        Some("edges") => format!("to = \"edges\"\n{edges}"),
        Some("steps") => "to = \"steps\"\nsteps = [[1, 2]]\n".into(),
        Some(to) => format!("to = \"{to}\"\n"),
    };
    let opening = match value("opening") {
        None | Some("start") => String::new(),
        Some(during) => format!("forbidden = [1]\nduring = \"{during}\"\n"),
    };
    let text = [
        format!("name = \"t\"\n[board]\n{}\n", board(value("board").unwrap_or("plain"))),
        format!("[lines]\n{}\n", lines(value("lines").unwrap_or("length"))),
        table("pieces", key("each")),
        table("moves", to + &keys(&["oldest", "stay", "stuck", "jump", "beside"])),
        table("mills", keys(&["takes", "least", "fly", "mixed", "full"])),
        table("opening", opening),
        table("goal", key("misere")),
    ];
    let text = text.concat();
    match value("opening") {
        Some("start") => format!("{text}[opening]\nstart = \"{}\"\n", start(&Spec::read(&text))),
        _ => text,
    }
}

/// The text of a start without a line, or of any start.
fn start(spec: &Spec) -> String {
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
    (0..spec.cells).map(|cell| mark(&cell)).collect::<String>() + " x"
}

/// Slides, jumps and moves beside another piece.
const CONDITIONS: [&str; 44] = [
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
    "each=2 to=orthogonal beside=[1,4] lines=three",
    "board=hex each=3 to=king beside=[3] lines=three stuck=draw",
    "board=layout each=2 to=edges jump=any beside=[1,3] lines=sets",
    "each=3 to=slide takes=any beside=[2] least=1",
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
    "each=2 to=queen lines=three",
    "board=blocked each=3 to=queen lines=three stuck=draw",
    "board=both each=2 to=queen lines=three stuck=pass",
    "board=hex each=2 to=queen jump=other beside=other lines=three",
];

#[test]
fn slides_jumps_and_moves_beside_a_piece_are_solved_as_defined() {
    let mut found = [0; 4];
    for game in CONDITIONS {
        let text = text(&game.split(' ').map(|pair| pair.split_once('=').unwrap()).collect());
        let spec = Spec::read(&text);
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
    let mut games: BTreeMap<String, Vec<Pair>> = BTreeMap::new();
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
                games.entry(text(&choice)).or_default().push(pair);
            }
        }
    }
    let is_accepted = |text: &str| morpion_games::rules::parse("t.toml", text).is_ok();
    let accepted: Vec<_> = games.into_iter().filter(|(text, _)| is_accepted(text)).collect();
    let solved: BTreeSet<_> = accepted.iter().flat_map(|(_, pairs)| pairs).copied().collect();
    eprintln!("{} pairs, {} of them in {} games", pairs.len(), solved.len(), accepted.len());
    accepted.par_iter().for_each(|(text, _)| {
        check(&Spec::read(text));
    });
    let mut refused: BTreeMap<[&str; 2], Vec<[&str; 2]>> = BTreeMap::new();
    for [(key, value), (other_key, other)] in pairs.difference(&solved) {
        refused.entry([key, other_key]).or_default().push([value, other]);
    }
    for (keys, values) in refused {
        eprintln!("{keys:?} {values:?}");
    }
}
