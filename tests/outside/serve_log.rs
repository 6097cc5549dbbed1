//! The access log: its lines and the addresses in them.

use morpion_tests::morpion;
use morpion_tests::server::{Response, Server};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::ChildStdout;

/// Starts a server with a log of this format.
fn logging(format: &str, arguments: &[&str]) -> (Server, BufReader<ChildStdout>) {
    let mut command = morpion(["serve", "classic", "--trust-proxy", "--log", format]);
    Server::spawn(command.args(arguments))
}

/// Asks with further fields in the head, which may contain any bytes.
fn get(server: &Server, path: &str, fields: &[u8]) -> Response {
    let mut request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n").into_bytes();
    request.extend_from_slice(fields);
    request.extend_from_slice(b"Connection: close\r\n\r\n");
    server.send(&request)
}

fn read(log: &mut impl BufRead) -> String {
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    line.trim_end_matches('\n').to_owned()
}

fn read_json(log: &mut impl BufRead) -> Value {
    serde_json::from_str(&read(log)).unwrap()
}

const FORWARDED: &[u8] = b"X-Forwarded-For: 192.0.2.1\r\n";

#[test]
fn every_request_is_a_line_in_common_log_format() {
    let (server, mut log) = logging("common", &[]);
    let response = get(&server, "/api/v1/games/no\"pe?a=b", FORWARDED);
    assert_eq!(response.status, 404, "{response:?}");
    let line = read(&mut log);
    // As in `Mon, 23 Nov 2026 10:15:02 GMT`.
    let date: Vec<&str> = response.header("date").unwrap().split(' ').collect();
    let start = format!("192.0.2.1 - - [{}/{}/{}:", date[1], date[2], date[3]);
    let (time, rest) = line.strip_prefix(&start).expect(&line).split_at(8);
    assert!(time.split(':').all(|part| part.parse::<u8>().is_ok_and(|n| n < 61)), "{line}");
    let length = response.body.len();
    let end = format!(" +0000] \"GET /api/v1/games/no%22pe?a=b HTTP/1.1\" 404 {length} ");
    let seconds = rest.strip_prefix(&end).expect(&line);
    assert!(seconds.parse::<f64>().unwrap() < 60.0, "{line}");
}

#[test]
fn every_request_is_an_object_in_json() {
    let (server, mut log) = logging("json", &[]);
    let response = get(&server, "/api/v1/games/no\"pe?a=b", FORWARDED);
    assert_eq!(response.status, 404, "{response:?}");
    let entry = read_json(&mut log);
    assert_eq!((&entry["client"], &entry["status"]), (&"192.0.2.1".into(), &404.into()));
    assert_eq!(entry["target"], "/api/v1/games/no\"pe?a=b");
    assert_eq!(entry["bytes"], response.body.len());
    assert!(entry["time"].as_f64().unwrap() > 1.7e9, "{entry}");
    assert!(entry["seconds"].as_f64().unwrap() < 60.0, "{entry}");
}

#[test]
fn the_client_is_the_address_after_the_last_comma() {
    let (server, mut log) = logging("json", &[]);
    for (forwarded, client) in [
        (&[][..], "127.0.0.1"),
        (&[&b"198.51.100.7, 192.0.2.1"[..]], "192.0.2.1"),
        (&[b"198.51.100.7", b"192.0.2.1"], "192.0.2.1"),
        (&[b"192.0.2.1, unknown"], "127.0.0.1"),
        (&[b"192.0.2.1, \xff"], "127.0.0.1"),
        (&[b"2001:db8::1"], "2001:db8::1"),
        // A visitor cannot hide its address by what it sends to the proxy.
        (&[b"\xff, 192.0.2.1"], "192.0.2.1"),
        (&[b"\xff", b"192.0.2.1"], "192.0.2.1"),
        (&[b"\xc2\x85,,\t ,192.0.2.1"], "192.0.2.1"),
        // Some proxies add the port.
        (&[b"198.51.100.7, 192.0.2.1:5678"], "192.0.2.1"),
        (&[b"[2001:db8::1]:5678"], "2001:db8::1"),
        (&[b"[2001:db8::1]"], "2001:db8::1"),
        (&[b"192.0.2.1:"], "127.0.0.1"),
        (&[b"[192.0.2.1]:5678"], "127.0.0.1"),
    ] {
        let line = |list: &&[u8]| [b"X-Forwarded-For: ", *list, b"\r\n"].concat();
        get(&server, "/healthz", &forwarded.iter().flat_map(line).collect::<Vec<u8>>());
        let entry = read_json(&mut log);
        let shown: Vec<_> = forwarded.iter().map(|list| list.escape_ascii().to_string()).collect();
        assert_eq!(entry["client"], client, "{shown:?}");
    }
}

#[test]
fn lines_are_printable_ascii() {
    for format in ["common", "json"] {
        let (server, mut log) = logging(format, &[]);
        for (c, escaped) in [
            ('\u{85}', "%C2%85"),
            ('\u{9b}', "%C2%9B"),
            ('é', "%C3%A9"),
            ('\u{2028}', "%E2%80%A8"),
            ('\u{202e}', "%E2%80%AE"),
        ] {
            let response = get(&server, &format!("/a{c}b"), b"");
            assert_eq!(response.status, 404, "{response:?}");
            let line = read(&mut log);
            assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line:?}");
            assert!(line.contains(&format!("/a{escaped}b")), "{line:?}");
        }
    }
}
