//! The universal web API of GamesCrafters, used as its viewer does: from the list of games to the ends of play.

use crate::schema::Answers;
use morpion_lookup::Table;
use morpion_tests::server::{Server, tables};
use morpion_tests::{built, repository};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::LazyLock;

fn get(server: &Server, path: &str) -> Value {
    let response = server.get(path);
    assert_eq!(response.status, 200, "{path}: {response:?}");
    assert_eq!(response.header("access-control-allow-origin"), Some("*"));
    response.json()
}

#[test]
fn the_viewer_gets_from_the_list_to_a_position() {
    let server = Server::start(&["--uwapi", "--tables", tables().to_str().unwrap()]);
    let games = get(&server, "/");
    let games = games.as_array().unwrap();
    assert!(games.len() > 12 && games.iter().all(|game| game["type"] == "twoPlayer"), "{games:?}");
    for game in games {
        let id = game["id"].as_str().unwrap();
        let described = get(&server, &format!("/{id}/"));
        assert_eq!((&described["id"], &described["supportsWinBy"]), (&json!(id), &json!(false)));
        let variant = described["variants"][0]["id"].as_str().unwrap();
        let variant = get(&server, &format!("/{id}/{variant}/"));
        let start = variant["startPosition"].as_str().unwrap();
        assert!(start.starts_with("1_"), "{start}");
        let theme = &variant["imageAutoGUIData"]["themes"]["regular"];
        let centers = theme["centers"].as_array().unwrap();
        assert_eq!(centers.len(), start.len() - 2, "{id}");
        for center in centers {
            for axis in [0, 1] {
                let (at, most) = (center[axis].as_f64(), theme["space"][axis].as_f64());
                assert!(at.unwrap() > 0.0 && at < most, "{id} {center}");
            }
        }
        let answer = get(&server, &format!("/{id}/regular/positions/?p={start}"));
        assert_eq!(answer["position"], start);
        assert!(!answer["moves"].as_array().unwrap().is_empty());
        assert_eq!(answer, get(&server, &format!("/{id}/regular/positions")));
        assert!(
            get(&server, &format!("/{id}/regular/instructions/?lang=eo"))["instructions"]
                .is_string()
        );
    }
    for path in ["/nope/", "/swap/misere/", "/swap/regular/positions/?p=1_xxx", "/a/b/c/d/"] {
        let response = server.get(path);
        assert_eq!(response.status, 404, "{path}: {response:?}");
        assert!(!response.error().is_empty());
    }
}

#[test]
fn the_addresses_of_the_readme_are_answered() {
    let server = Server::start(&["--uwapi", "swap"]);
    let page = std::fs::read_to_string(repository().join("generator/serve/web/README.md")).unwrap();
    let addresses: Vec<&str> = page.split('`').filter(|span| span.starts_with("/swap/")).collect();
    assert!(addresses.iter().any(|address| address.contains("?p=")), "{addresses:?}");
    for address in addresses {
        get(&server, address);
    }
}

#[test]
fn positions_are_read_with_get_and_not_post() {
    let server = Server::start(&["--uwapi", "swap"]);
    for path in ["/swap/regular/positions", "/swap/regular/positions/"] {
        let options = server.ask("OPTIONS", path, None);
        assert_eq!((options.status, options.body.as_str()), (200, ""), "{path}: {options:?}");
        let allowed = options.header("access-control-allow-methods");
        assert_eq!(allowed, Some("GET,HEAD,OPTIONS"), "{path}");
        let posted = server.ask("POST", path, Some("{}"));
        assert_eq!(posted.status, 405, "{path}: {posted:?}");
        assert_eq!(posted.header("allow"), Some("GET,HEAD"), "{path}: {posted:?}");
    }
}

#[test]
fn the_viewer_sees_the_board_and_distinguishes_moves() {
    viewer_answers();
}

/// Every field that the viewer reads is there in the expected form, by `facts/uwapi.json`.
#[test]
#[cfg_attr(not(has_jsonschema), ignore = "needs jsonschema")]
fn the_viewer_finds_what_it_reads() {
    viewer_answers().check();
}

/// Returns the answers to the viewer, which are asked for once.
fn viewer_answers() -> &'static Answers {
    static ALL: LazyLock<Answers> = LazyLock::new(ask_as_viewer);
    &ALL
}

/// Sends the requests of the viewer, in all games from their starts to the ends of a match, and also for a language. Returns the
/// answers, whose pictures and buttons are right.
fn ask_as_viewer() -> Answers {
    let schema = serde_json::from_str(include_str!("../facts/uwapi.json")).unwrap();
    let mut answers = Answers::new(schema);
    let mut add = |kind: &str, answer: &Value| {
        answers.add(kind, &json!({ "$ref": format!("#/$defs/{kind}") }), answer);
    };
    let folder = tempfile::tempdir().unwrap();
    built(folder.path(), &["beginner4", "swap4"]);
    // Nine cells whose columns are apart, so that a picture of nine squares does not fit.
    let apart = folder.path().join("apart.toml");
    let layout = "a b   c\nd e   f\ng h   i";
    let rules = format!(
        "name = \"apart\"\n[board]\nlayout = \"\"\"\n{layout}\"\"\"\n[lines]\nsets = [[\"a\", \"b\", \"c\"]]"
    );
    std::fs::write(&apart, rules).unwrap();
    built(folder.path(), &["--rules", apart.to_str().unwrap()]);
    let ours = folder.path().to_str().unwrap();
    for tables in [tables().to_str().unwrap(), ours] {
        let server = Server::start(&["--uwapi", "--tables", tables]);
        let games = get(&server, "/");
        add("games", &games);
        for id in games.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()) {
            let described = get(&server, &format!("/{id}/"));
            add("game", &described);
            let shown = get(&server, &format!("/{id}/regular/"));
            add("variant", &shown);
            let picture = &shown["imageAutoGUIData"]["themes"]["regular"];
            let [space, centers] = ["space", "centers"].map(|key| picture[key].as_array().unwrap());
            let cells = centers.len();
            for (axis, size) in space.iter().enumerate() {
                let inside = 0.0..=size.as_f64().unwrap();
                assert!(
                    centers.iter().all(|at| inside.contains(&at[axis].as_f64().unwrap())),
                    "{id}"
                );
            }
            add("instructions", &get(&server, &format!("/{id}/regular/instructions/?locale=en")));
            let mut at = shown["startPosition"].as_str().unwrap().to_owned();
            for _ in 0..30 {
                let answer = get(&server, &format!("/{id}/regular/positions/?p={at}"));
                add("position", &answer);
                let moves = answer["moves"].as_array().unwrap();
                // The viewer distinguishes moves by their buttons, which are on cells.
                let buttons: BTreeSet<_> =
                    moves.iter().map(|mv| mv["autoguiMove"].as_str().unwrap()).collect();
                assert_eq!(buttons.len(), moves.len(), "{id} {at}");
                for number in buttons.iter().flat_map(|button| button.split('_').skip(1)) {
                    assert!(number == "-" || number.parse::<usize>().unwrap() < cells, "{id} {at}");
                }
                let Some(last) = moves.last() else { break };
                at = last["position"].as_str().unwrap().to_owned();
            }
        }
    }
    answers
}

/// The remoteness of ends for which the table has no distance: draws, also on boards with holes and with cells that nobody may
/// take, and all open positions in a table of values alone.
#[test]
fn remoteness_of_ends_without_a_distance() {
    let folder = tempfile::tempdir().unwrap();
    let games = [
        ("holed", "blocked = [\"b2\"]", ""),
        ("corners", "", "[opening]\nforbidden = [0, 8]\nduring = \"placing\""),
        ("stuck", "", "[pieces]\neach = 4\n[moves]\nto = \"orthogonal\"\nstuck = \"draw\""),
    ];
    for (name, board, rest) in games {
        let file = folder.path().join(format!("{name}.toml"));
        let board = format!("[board]\nrows = 3\ncolumns = 3\n{board}");
        let rules = format!("name = \"{name}\"\n{board}\n[lines]\nlength = 3\n{rest}\n");
        std::fs::write(&file, rules).unwrap();
        built(folder.path(), &["--rules", file.to_str().unwrap()]);
    }
    built(folder.path(), &["classic", "--encoding", "wdl"]);
    let server = Server::start(&["--uwapi", "--tables", folder.path().to_str().unwrap()]);
    for (game, text, value, remoteness, moves) in [
        ("holed", "1_--------", "tie", 8, 8),
        ("corners", "1_---------", "tie", 7, 7),
        ("corners", "2_-xxoxxoo-", "tie", 0, 0),
        ("stuck", "1_-oxoxxoxo", "tie", 0, 0),
        ("classic", "1_x-x-o-o--", "win", -100, 5),
    ] {
        let answer = get(&server, &format!("/{game}/regular/positions/?p={text}"));
        assert_eq!(answer["positionValue"], value, "{game} {text}");
        assert_eq!(answer["remoteness"], remoteness, "{game} {text}");
        assert_eq!(answer["moves"].as_array().unwrap().len(), moves, "{game} {text}");
    }
    // A move that wins at once is listed before moves that win after an unknown number of moves.
    let moves = &get(&server, "/classic/regular/positions/?p=1_x-x-o-o--")["moves"];
    let wins: Vec<_> = moves.as_array().unwrap()[..3]
        .iter()
        .map(|mv| (mv["moveValue"].as_str().unwrap(), mv["deltaRemoteness"].as_i64()))
        .collect();
    assert_eq!(wins, [("win", Some(0)), ("win", Some(1)), ("win", Some(1))]);
    assert_eq!(moves[0]["move"], "b1");
}

/// Compares all positions of a game, reached from its start as the viewer does, with the table.
#[test]
fn values_and_remoteness_agree_with_the_table() {
    let server = Server::start(&["--uwapi", "classic", "swap", "tapatan"]);
    for (name, most) in [("classic", 300), ("swap", 300), ("tapatan", 300)] {
        let table = Table::builtin(name).unwrap();
        let game = table.game();
        let start = get(&server, &format!("/{name}/regular/"))["startPosition"].clone();
        let mut known = BTreeSet::new();
        let mut open = vec![start.as_str().unwrap().to_owned()];
        while let Some(text) = open.pop() {
            if known.len() == most {
                break;
            }
            if !known.insert(text.clone()) {
                continue;
            }
            let answer = get(&server, &format!("/{name}/regular/positions/?p={text}"));
            let side = if text.starts_with('1') { 'x' } else { 'o' };
            let position = game.parse_position(&format!("{} {side}", &text[2..])).unwrap().raw;
            let score = table.probe(position).unwrap();
            let value = match (score.value().name(), score.draw().map(|kind| kind.name())) {
                ("loss", _) => "lose",
                ("draw", Some("end")) => "tie",
                (value, _) => value,
            };
            assert_eq!(answer["positionValue"], value, "{name} {text}");
            let empty = text.matches('-').count() as i64;
            let remoteness = match value {
                "tie" if name == "classic" => empty,
                "tie" => -100,
                "draw" => -200,
                _ => i64::from(score.plies().unwrap()),
            };
            assert_eq!(answer["remoteness"], remoteness, "{name} {text}");
            let moves = answer["moves"].as_array().unwrap();
            assert_eq!(moves.len(), table.ranked_moves(position).unwrap().len(), "{name} {text}");
            for mv in moves {
                let made = game.parse_move(mv["move"].as_str().unwrap()).unwrap();
                let after = table.probe(game.apply(position, made)).unwrap().before();
                let value = match mv["moveValue"].as_str().unwrap() {
                    "lose" => "loss",
                    "tie" | "draw" => "draw",
                    other => other,
                };
                assert_eq!(after.value().name(), value, "{name} {text} {mv}");
                open.push(mv["position"].as_str().unwrap().to_owned());
            }
            // Best first: wins, ties, draws, losses. Among equals the smallest delta is first, which is 0.
            let order = |mv: &Value| {
                let place = ["win", "tie", "draw", "lose"]
                    .iter()
                    .position(|value| mv["moveValue"] == *value);
                (place.unwrap(), mv["deltaRemoteness"].as_i64().unwrap())
            };
            assert!(moves.is_sorted_by_key(order), "{name} {text}");
            assert!(moves.iter().all(|mv| order(mv).1 >= 0), "{name} {text}");
            if let Some(best) = moves.first() {
                assert_eq!(best["deltaRemoteness"], 0);
                if score.plies().is_some() {
                    assert_eq!(
                        best["remoteness"].as_i64().unwrap() + 1,
                        remoteness,
                        "{name} {text}"
                    );
                }
            }
        }
        assert_eq!(known.len(), most, "{name}");
    }
}
