//! The universal web API of GamesCrafters, walked as its viewer does: from the list of games to the ends of play.

mod server;

use morpion_lookup::builtin;
use serde_json::{Value, json};
use server::{Server, tables};
use std::collections::BTreeSet;

fn get(server: &Server, path: &str) -> Value {
    let response = server.get(path);
    assert_eq!(response.status, 200, "{path}: {response:?}");
    assert_eq!(response.header("access-control-allow-origin"), Some("*"));
    response.json()
}

#[test]
fn the_viewer_comes_from_the_list_to_a_position() {
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
fn positions_are_got_and_not_posted() {
    let server = Server::start(&["--uwapi", "swap"]);
    for path in ["/swap/regular/positions", "/swap/regular/positions/"] {
        let options = server.ask("OPTIONS", path, None);
        assert_eq!((options.status, options.body.as_str()), (204, ""), "{path}: {options:?}");
        for header in ["allow", "access-control-allow-methods"] {
            assert_eq!(options.header(header), Some("GET, HEAD, OPTIONS"), "{path} {header}");
        }
        let posted = server.ask("POST", path, Some("{}"));
        assert_eq!(posted.status, 405, "{path}: {posted:?}");
        assert!(posted.error().contains("expected GET"), "{path}: {posted:?}");
    }
}

/// All positions of a game from its start on, as the viewer would come to them, against the table.
#[test]
fn values_and_remoteness_are_those_of_the_table() {
    let server = Server::start(&["--uwapi", "classic", "swap", "tapatan"]);
    for (name, most) in [("classic", 300), ("swap", 300), ("tapatan", 300)] {
        let table = builtin(name).unwrap();
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
            let (position, _) = game.parse_position(&format!("{} {side}", &text[2..])).unwrap();
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
                let after = table.probe(position.after(made)).unwrap().before();
                let value = match mv["moveValue"].as_str().unwrap() {
                    "lose" => "loss",
                    "tie" | "draw" => "draw",
                    other => other,
                };
                assert_eq!(after.value().name(), value, "{name} {text} {mv}");
                open.push(mv["position"].as_str().unwrap().to_owned());
            }
            // The best first: wins, ties, draws, losses, and among equals the one with the smallest delta, which is 0.
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
