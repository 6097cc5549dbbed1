//! The HTTP interface from outside: its answers, and how it stops.

use morpion_tests::morpion;
use morpion_tests::server::{Response, Server};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::Stdio;

/// Runs a command with this standard input.
fn answered(arguments: &[&str], input: &str) -> String {
    let mut child =
        morpion(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn positions_get_the_answers_of_query() {
    let server = Server::start(&[]);
    let mut counted = 0;
    for (game, position) in [
        ("classic", "X../.O./..X o"),
        ("classic", "XXX/OO./... o"),
        ("misere", "X../.O./..X o"),
        ("swap", "X.O/.XO/XO. x"),
        ("swap-pass", "X.O/.XO/XO. o"),
        ("shisima", "XXX/.../OOO x"),
    ] {
        let output = morpion(["query", game, position, "--json"]).output().unwrap();
        let expected = String::from_utf8(output.stdout).unwrap();
        let asked = position.replace(' ', "+");
        let path = format!("/api/v1/games/{game}/position?position={asked}");
        assert_eq!(server.get(&path).body, expected.trim_end(), "{path}");
        let line = morpion(["query", game, position, "--line", "--json"]).output().unwrap();
        let path = format!("/api/v1/games/{game}/line?position={asked}");
        assert_eq!(
            server.get(&path).body,
            String::from_utf8(line.stdout).unwrap().trim_end(),
            "{path}"
        );
        // In batches traps are counted on request.
        let path = format!("/api/v1/games/{game}/positions");
        let with = json!({ "positions": [position], "traps": true }).to_string();
        let batch = format!("{{\"answers\":[{}]}}", expected.trim_end());
        assert_eq!(server.ask("POST", &path, Some(&with)).body, batch);
        let mut quick: Value = serde_json::from_str(&expected).unwrap();
        for mv in quick["moves"].as_array_mut().unwrap() {
            counted += usize::from(mv.as_object_mut().unwrap().remove("trap").is_some());
        }
        let without = json!({ "positions": [position] }).to_string();
        let batch = server.ask("POST", &path, Some(&without)).json();
        assert_eq!(batch["answers"], json!([quick]));
        let line = answered(&["query", game, "--json"], position);
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), quick);
    }
    assert!(counted > 0);
}

#[test]
fn a_replay_ends_with_its_first_illegal_move() {
    let server = Server::start(&["five-mens-morris"]);
    let path = "/api/v1/games/five-mens-morris";
    let replayed = |moves: &[&str]| {
        let body = json!({ "moves": moves, "traps": true }).to_string();
        server.ask("POST", &format!("{path}/replay"), Some(&body)).json()["answers"].clone()
    };
    let moves = ["a1", "b2", "c1", "b3", "e1xb3"];
    let answers = replayed(&moves);
    assert_eq!(answers.as_array().unwrap().len(), moves.len());
    for answer in answers.as_array().unwrap() {
        let asked = answer["position"].as_str().unwrap().replace(' ', "+").replace('#', "%23");
        assert_eq!(&server.get(&format!("{path}/position?position={asked}")).json(), answer);
    }
    assert_eq!(answers[4]["hands"], json!({ "x": 2, "o": 3 }));
    for illegal in ["a1", "nowhere"] {
        let ended = replayed(&["a1", illegal, "b2"]);
        assert_eq!(ended.as_array().unwrap().len(), 2);
        assert_eq!(ended[0], answers[0]);
        assert_eq!(ended[1]["input"], illegal);
    }
}

#[test]
fn sums_of_heaps_get_the_answers_of_nim_query() {
    let server = Server::start(&["classic"]);
    for (game, heaps) in
        [("kayles", "9 14"), ("nim", "3 5 7"), ("4.(3)", "20 3"), ("dawson", "100 20 3")]
    {
        let mut query = morpion(["nim", "query", game, "--json", "--moves", "200"]);
        let output = query.args(heaps.split(' ')).output().unwrap();
        let expected = String::from_utf8(output.stdout).unwrap();
        let path = format!("/api/v1/grundy/{game}/position?heaps={}", heaps.replace(' ', ","));
        assert_eq!(server.get(&path).body, expected.trim_end(), "{path}");
    }
    for (heaps, wins) in [("9,14", true), ("3,5,6", false), ("1,1", false), ("21", true)] {
        let answer = server.get(&format!("/api/v1/grundy/nim/position?heaps={heaps}")).json();
        assert_eq!(answer["outcome"] == "win", wins, "{answer}");
    }
}

#[test]
fn every_grundy_table_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let build = |arguments: &[&str]| {
        let output = morpion(arguments).arg("--out").arg(folder.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    build(&["nim", "build", "0.123", "--heaps", "3000"]);
    build(&["nim", "build", "kayles", "--heaps", "500"]);
    build(&["cram", "build", "3x7"]);
    let mine = folder.path().join("another name.grundy");
    std::fs::rename(folder.path().join("0.123.grundy"), &mine).unwrap();
    std::fs::write(folder.path().join("broken.grundy"), "no table").unwrap();
    let tables = folder.path().to_str().unwrap();
    let server = Server::start(&["classic", "--tables", tables]);
    let answer = |query: &[&str], path: &str| {
        let output = morpion(query).args(["--json", "--tables", tables]).output().unwrap();
        let expected = String::from_utf8(output.stdout).unwrap();
        assert_eq!(server.get(path).body, expected.trim_end(), "{path}");
    };
    let file = mine.to_str().unwrap();
    answer(&["nim", "query", file, "17", "40"], "/api/v1/grundy/0.123/position?heaps=17,40");
    answer(&["nim", "query", "kayles", "900"], "/api/v1/grundy/0.77/position?heaps=900");
    let (empty, begun) = ("......./......./.......", "XX...../.X...../.X.....");
    for position in [empty, begun] {
        let path = format!("/api/v1/cram/3x7/position?position={position}");
        answer(&["cram", "query", "3x7", position], &path);
    }
    answer(&["cram", "query", "2x3", "X../X.."], "/api/v1/cram/2x3/position?position=X../X..");
    // A table can also be named. Without a table, a code or a large board is refused with a remedy.
    let server = Server::start(&["classic", file]);
    assert_eq!(server.get("/api/v1/grundy/0.1230").json()["code"], "0.123");
    for (path, message) in [
        ("/api/v1/grundy/0.124", "morpion nim build \"0.124\""),
        ("/api/v1/grundy/0.8", "expected one of dawson"),
        ("/api/v1/cram/3x7", "morpion cram build 3x7"),
        ("/api/v1/cram/8x8/position", "at most 20 cells"),
        ("/api/v1/cram/9x9", "at most 64 cells"),
        ("/api/v1/cram/four/position", "ROWSxCOLUMNS"),
    ] {
        let response = server.get(path);
        assert_eq!(response.status, 404, "{path}: {response:?}");
        assert!(response.error().contains(message), "{path}: {response:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_move() {
    let server = Server::start(&["classic"]);
    let ask =
        |seed: u64| server.get(&format!("/api/v1/games/classic/move?player=random&seed={seed}"));
    assert_eq!(ask(7).body, ask(7).body);
    let moves: BTreeSet<String> =
        (0..50).map(|seed| ask(seed).json()["move"].to_string()).collect();
    assert!(moves.len() > 5, "{moves:?}");
    let unseeded = server.get("/api/v1/games/classic/move?player=random").json();
    let again = ask(unseeded["seed"].as_u64().unwrap()).json();
    assert_eq!(again["move"], unseeded["move"]);
}

#[test]
fn a_connection_serves_many_requests() {
    let server = Server::start(&["classic"]);
    let mut stream = server.connect();
    for _ in 0..20 {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        assert_eq!(Response::read(&mut stream).unwrap().status, 200);
    }
    let metrics = server.get("/metrics").body;
    assert!(
        metrics.contains("morpion_requests_total{route=\"/healthz\",status=\"200\"} 20"),
        "{metrics}"
    );
    server.get("/a/path/of/the/client");
    let metrics = server.get("/metrics").body;
    assert!(
        !metrics.contains("of/the/client")
            && metrics.contains("morpion_requests_total{route=\"other\",status=\"404\"} 1"),
        "{metrics}"
    );
}

#[cfg(unix)]
#[test]
fn a_signal_stops_it_cleanly() {
    for signal in ["INT", "TERM"] {
        let mut server = Server::start(&["classic"]);
        let mut busy = server.connect();
        let body = json!({ "positions": ["X../.O./..X o"] }).to_string();
        let start = "POST /api/v1/games/classic/positions HTTP/1.1\r\nHost: localhost\r\n";
        let head = format!("{start}Content-Length: {}\r\n\r\n", body.len());
        busy.write_all(head.as_bytes()).unwrap();
        busy.write_all(&body.as_bytes()[..5]).unwrap();
        let _idle = server.connect();
        server.wait_for("morpion_body_bytes", |bytes| bytes == 5);
        server.signal(signal);
        busy.write_all(&body.as_bytes()[5..]).unwrap();
        assert_eq!(Response::read(&mut busy).unwrap().status, 200, "{signal}: the open request");
        assert_eq!(server.child.wait().unwrap().code(), Some(0), "{signal}");
    }
}
