//! `morpion info`, `count` and `dump`.

use morpion_core::Position;
use morpion_games::catalogue::standard_game;
use morpion_report::phrases::grouped;
use morpion_tests::{morpion, solved};
use serde_json::Value as Json;
use std::collections::BTreeMap;

fn stdout(arguments: &[&str]) -> String {
    let output = morpion(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Json {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

#[test]
fn positions_with_commas_are_quoted_in_csv() {
    let game = standard_game("disappearing").unwrap();
    let csv = stdout(&["dump", "disappearing", "--all"]);
    let mut quoted = 0;
    for line in csv.lines().skip(1) {
        let inside = line.strip_prefix('"').and_then(|line| line.split_once("\","));
        quoted += usize::from(inside.is_some());
        let (text, rest) = inside.or_else(|| line.split_once(',')).unwrap();
        assert_eq!(rest.split(',').count(), 4, "{line}");
        assert_eq!(game.format_position(game.parse_position(text).unwrap()), text);
    }
    assert_eq!((csv.lines().count() - 1, quoted), (73_450, 73_368));
}

/// Checks that a dump lists the whole table: its weighted values are the census, and each answer is the answer of a
/// query.
#[test]
fn a_dump_holds_every_position_once() {
    for game in ["swap", "achi", "shisima", "misere"] {
        let table = solved(&standard_game(game).unwrap());
        let totals = json(&["info", game, "--json"])["totals"].clone();
        let mut counted: BTreeMap<String, u64> = BTreeMap::new();
        let csv = stdout(&["dump", game]);
        let mut lines = csv.lines();
        assert_eq!(lines.next(), Some("position,value,plies,draw,arrangements"));
        let mut positions = std::collections::HashSet::new();
        for line in lines.clone() {
            let fields: Vec<&str> = line.split(',').collect();
            let [text, value, plies, draw, arrangements] = fields[..] else { panic!("{line}") };
            let position = table.game().parse_position(text).unwrap().raw;
            assert!(positions.insert(position), "{text} twice");
            let score = table.probe(position).unwrap();
            let expected = score.plies().map_or(String::new(), |plies| plies.to_string());
            assert_eq!((score.value().name(), expected.as_str()), (value, plies), "{text}");
            assert_eq!(score.draw().map_or("", |kind| kind.name()), draw);
            *counted.entry(format!("{value}{draw}")).or_default() +=
                arrangements.parse::<u64>().unwrap();
        }
        let sum = |key: &str| {
            totals[key].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>()
        };
        let of = |key: &str| counted.get(key).copied().unwrap_or(0);
        assert_eq!((of("win"), of("loss")), (sum("wins"), sum("losses")));
        assert_eq!(of("drawend"), totals["draws_end"].as_u64().unwrap());
        assert_eq!(of("drawcycle"), totals["draws_cycle"].as_u64().unwrap());

        let all = stdout(&["dump", game, "--all"]);
        let mut every = std::collections::HashSet::new();
        for line in all.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let position = table.game().parse_position(fields[0]).unwrap().raw;
            assert!(every.insert(position), "{line} twice");
            assert_eq!(
                (table.probe(position).unwrap().value().name(), "1"),
                (fields[1], fields[4])
            );
        }
        assert!(every.is_superset(&positions));
        assert_eq!(every.len() as u64, counted.values().sum::<u64>());
        let note = String::from_utf8(morpion(["dump", game]).output().unwrap().stderr).unwrap();
        let lines_listed =
            format!("{} lines, one per entry, for ", grouped(positions.len() as u64));
        assert!(note.contains(&lines_listed) && note.contains("--all"), "{note}");
    }
}

#[test]
fn a_table_has_one_cryptographic_checksum() {
    let text = stdout(&["info", "classic", "--check"]);
    let proved = json(&["verify", "classic", "--json"])["blake3"].as_str().unwrap().to_owned();
    assert!(text.contains("checksums     all bytes are checked: no fault\n"), "{text}");
    assert!(text.contains(&format!("blake3        {proved}\n")), "{text}");
    assert_eq!(json(&["info", "classic", "--json"])["blake3"], proved);
    assert_eq!(json(&["atlas", "classic", "--json"])["games"][0]["blake3"], proved);
    for text in [stdout(&["atlas", "classic"]), stdout(&["info", "classic", "--bibtex"])] {
        assert!(text.contains(&proved), "{text}");
    }
}

/// Checks that a tree has the lines of play that a count without a tree finds, and that each node follows from its parent.
#[test]
fn a_tree_has_every_line_of_play_up_to_symmetry() {
    for (game, plies) in
        [("classic", 9), ("tapatan", 4), ("quixo3", 3), ("shisima", 4), ("disappearing", 5)]
    {
        let table = solved(&standard_game(game).unwrap());
        let plies_text = plies.to_string();
        let dot = stdout(&["dump", game, "--dot", &plies_text]);
        let lines = json(&["count", game, "--lines", &plies_text, "--symmetry", "rules", "--json"]);
        // The number of moves before each node, and its position.
        let mut nodes: Vec<(usize, String)> = Vec::new();
        let mut counts = vec![0u64; plies + 1];
        let mut written = dot.lines();
        assert_eq!(written.next(), Some(&*format!("digraph \"{game}\" {{")));
        assert_eq!((dot.lines().last(), dot.matches('{').count()), (Some("}"), 1));
        for line in written.filter(|line| line.contains("[label=")) {
            let (place, rest) = line.trim().split_once(" [label=\"").unwrap();
            let (label, style) = rest.split_once('"').unwrap();
            let Some((from, to)) = place.split_once(" -> ") else {
                let (position, value) = label.rsplit_once("\\n").unwrap();
                let position = position.replace("\\n", "/");
                let probed = table.probe(table.game().parse_position(&position).unwrap()).unwrap();
                assert_eq!((place, value), (&*nodes.len().to_string(), &*probed.to_string()));
                nodes.push((0, position));
                continue;
            };
            let [from, to] = [from, to].map(|number| number.parse::<usize>().unwrap());
            let before = table.game().parse_position(&nodes[from].1).unwrap();
            let moves = table.ranked_moves(before).unwrap();
            let at = moves.iter().position(|ranked| table.game().format_move(ranked.mv) == label);
            let after = table.game().apply(before.raw, moves[at.unwrap()].mv);
            assert_eq!(after, table.game().parse_position(&nodes[to].1).unwrap().raw);
            assert_eq!(style.contains("bold"), at.unwrap() < moves.best().len(), "{line}");
            nodes[to].0 = nodes[from].0 + 1;
            assert_eq!(to, nodes.len() - 1);
            counts[nodes[to].0] += 1;
        }
        let expected: Vec<u64> = lines["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_str().unwrap().parse().unwrap())
            .collect();
        assert_eq!(counts[1..], expected, "{game}");
    }
}

#[test]
fn a_tree_too_large_to_be_drawn_is_refused_before_anything_is_written() {
    let output = morpion(["dump", "tapatan", "--dot", "99"]).output().unwrap();
    assert!(output.stdout.is_empty() && output.status.code() == Some(2), "{output:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("--dot 99: the tree has more than 100,000 positions"), "{error}");
}

#[test]
fn info_prints_the_census() {
    let text = stdout(&["info", "nine-holes-diagonals", "--layers"]);
    for row in ["(3, 3)", "all", "plies", "longest win  9 plies  .../.../... x"] {
        assert!(text.lines().any(|line| line.starts_with(row)), "{row}: {text}");
    }
    let info = json(&["info", "nine-holes-diagonals", "--json"]);
    assert_eq!(info["totals"]["longest_win"]["plies"], 9);
    assert_eq!(info["totals"]["longest_win"]["position"], ".../.../... x");
    assert_eq!(
        info["census"]["layers"].as_array().unwrap().len(),
        info["layers"].as_array().unwrap().len()
    );
}

/// Checks the most famous number of tic-tac-toe.
#[test]
fn there_are_255168_games_of_tic_tac_toe() {
    let counted = json(&["count", "classic", "--games", "--json"]);
    assert_eq!(counted["games"], "255168");
    let by_length = ["0", "0", "0", "0", "0", "1440", "5328", "47952", "72576", "127872"];
    assert_eq!(counted["games_by_length"], serde_json::json!(by_length));
    assert_eq!(counted["games_by_result"], serde_json::json!(["131184", "77904", "46080"]));
    let folded = json(&["count", "classic", "--games", "--symmetry", "board", "--json"]);
    assert_eq!(folded["games"], "26830");
    let text = stdout(&["count", "classic", "--games", "--symmetry", "board"]);
    assert!(text.contains("games         26,830, moves to symmetric positions once"), "{text}");
    let plain = json(&["count", "classic", "--json"]);
    assert_eq!(plain["games"], Json::Null);
    let refused = morpion(["count", "swap", "--games"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(error.starts_with("morpion: pieces move, "), "{error}");
    assert_eq!(error.lines().count(), 1);
}

/// The rows of a CSV, by layer, value, kind of draw and distance.
fn distribution(arguments: &[&str]) -> BTreeMap<[String; 5], u64> {
    let csv = stdout(arguments);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("mover,waiter,value,draw,plies,count"));
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let [mover, waiter, value, draw, plies, count] = fields[..] else { panic!("{line}") };
        ([mover, waiter, value, draw, plies].map(String::from), count.parse().unwrap())
    };
    let rows: Vec<_> = lines.map(row).collect();
    let distribution: BTreeMap<_, _> = rows.iter().cloned().collect();
    assert_eq!(distribution.len(), rows.len(), "each row once");
    distribution
}

/// Compares counts with a search that knows neither layers nor symmetry, and with the dump of the table.
#[test]
fn csv_distributes_reachable_positions_and_arrangements() {
    for game in ["classic", "swap", "achi", "shisima", "misere"] {
        let table = solved(&standard_game(game).unwrap());
        let key = |position: Position| {
            let score = table.probe(position).unwrap();
            [
                position.mover.count_ones().to_string(),
                position.waiter.count_ones().to_string(),
                score.value().name().into(),
                score.draw().map_or("", |kind| kind.name()).into(),
                score.plies().map_or(String::new(), |plies| plies.to_string()),
            ]
        };
        let mut reached = BTreeMap::new();
        let mut open = vec![table.game().start().raw];
        let mut seen: std::collections::HashSet<Position> = open.iter().copied().collect();
        while let Some(position) = open.pop() {
            *reached.entry(key(position)).or_insert(0) += 1;
            if table.game().end_at(position).is_none() {
                let next =
                    table.game().moves_at(position).map(|mv| table.game().apply(position, mv));
                open.extend(next.filter(|&position| seen.insert(position)));
            }
        }
        assert_eq!(distribution(&["count", game, "--csv"]), reached, "{game}");
        let count = json(&["count", game, "--json"]);
        let rows = count["distribution"].as_array().unwrap();
        assert_eq!(rows.len(), reached.len());
        assert_eq!(
            rows.iter().map(|row| row["count"].as_u64().unwrap()).sum::<u64>(),
            count["positions"]
        );

        let mut arrangements = BTreeMap::new();
        for line in stdout(&["dump", game]).lines().skip(1) {
            let (position, number) =
                (line.split(',').next().unwrap(), line.rsplit(',').next().unwrap());
            let position = table.game().parse_position(position).unwrap().raw;
            *arrangements.entry(key(position)).or_insert(0) += number.parse::<u64>().unwrap();
        }
        let (invalid, found): (BTreeMap<_, _>, BTreeMap<_, _>) =
            distribution(&["info", game, "--csv"])
                .into_iter()
                .partition(|(key, _)| key[2] == "invalid");
        let invalid: u64 = invalid.into_values().sum();
        assert_eq!(invalid, json(&["info", game, "--json"])["totals"]["none"]);
        assert_eq!(found, arrangements, "{game}");
    }
}

#[test]
fn the_census_counts_orbits_too() {
    let info = json(&["info", "swap", "--orbits", "--json"]);
    assert_eq!(info["unit"], "orbits");
    // One piece on a corner, on a side or in the centre; then two pieces in 12 ways.
    let layers = info["census"]["layers"].as_array().unwrap();
    let count = |layer: &Json| {
        let of = |key: &str| layer[key].as_array().unwrap().iter().filter_map(Json::as_u64);
        let draws = ["draws_end", "draws_cycle", "none"].map(|key| layer[key].as_u64().unwrap());
        of("wins").chain(of("losses")).chain(draws).sum::<u64>()
    };
    assert_eq!(layers[..3].iter().map(count).collect::<Vec<_>>(), [1, 3, 12]);
    let text = stdout(&["info", "swap", "--orbits"]);
    assert!(text.contains("census: orbits, by what they are worth"), "{text}");
    let csv = stdout(&["info", "swap", "--orbits", "--csv"]);
    let sum: u64 = csv
        .lines()
        .skip(1)
        .map(|row| row.rsplit(',').next().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(sum, layers.iter().map(count).sum::<u64>(), "{csv}");
}
