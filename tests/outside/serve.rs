//! The HTTP interface from outside: its answers, and how it stops.

use morpion_tests::morpion;
use morpion_tests::server::{Response, Server};
use serde_json::{Value, json};
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
fn a_long_batch_has_the_answer_of_each_position_in_its_place() {
    let server = Server::start(&["teeko"]);
    let path = "/api/v1/games/teeko/positions";
    let cells: Vec<String> =
        (0..25).map(|at| format!("{}{}", char::from(b'a' + at % 5), 1 + at / 5)).collect();
    let text = |at: usize| {
        let (x, o) = (at % 25, (at / 25 + at % 25 + 1) % 25);
        let cell = |cell| {
            if cell == x {
                'X'
            } else if cell == o {
                'O'
            } else {
                '.'
            }
        };
        let rows: Vec<String> =
            (0..5).map(|row| (0..5).map(|column| cell(5 * row + column)).collect()).collect();
        if at % 100 == 99 { cells[x].clone() } else { rows.join("/") + " x" }
    };
    let positions: Vec<String> = (0..600).map(text).collect();
    let answer = server.ask("POST", path, Some(&json!({ "positions": positions }).to_string()));
    assert_eq!(answer.header("transfer-encoding"), Some("chunked"), "several pieces");
    let answers = answer.json()["answers"].as_array().unwrap().clone();
    assert_eq!(answers.len(), positions.len());
    for (position, answer) in positions.iter().zip(&answers) {
        let alone = server.ask("POST", path, Some(&json!({ "positions": [position] }).to_string()));
        assert_eq!(alone.json()["answers"][0], *answer, "{position}");
    }
    assert_eq!(answers.iter().filter(|answer| answer["error"].is_string()).count(), 6);
    assert_eq!(server.ask("POST", path, Some(r#"{"positions":[]}"#)).body, r#"{"answers":[]}"#);
}

#[test]
fn a_connection_serves_many_requests() {
    let server = Server::start(&["classic"]);
    let mut stream = server.connect();
    for _ in 0..20 {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        assert_eq!(Response::read(&mut stream).unwrap().status, 200);
    }
    // The request for the metrics counts, too.
    assert_eq!(server.metric("morpion_requests_total"), 21);
    server.wait_for("morpion_connections", |open| open == 2);
    assert_eq!(server.metric("morpion_computing"), 0);
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
        server.wait_for("morpion_connections", |connections| connections == 3);
        server.signal(signal);
        busy.write_all(&body.as_bytes()[5..]).unwrap();
        assert_eq!(Response::read(&mut busy).unwrap().status, 200, "{signal}: the open request");
        assert_eq!(server.child.wait().unwrap().code(), Some(0), "{signal}");
    }
}
