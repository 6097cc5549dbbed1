//! The access log: its lines, the addresses in them, and a reader that stops reading.

use morpion_tests::morpion;
use morpion_tests::server::{COSTLY, Response, Server, costly_batch};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdout, Stdio};
use std::time::{Duration, Instant};

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
fn the_first_line_of_a_log_in_json_is_an_object() {
    let mut command = morpion(["serve", "classic", "--listen", "127.0.0.1:0", "--log", "json"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let first = read_json(&mut BufReader::new(child.stdout.take().unwrap()));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(first["games"], 1);
    assert!(first["address"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{first}");
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

/// Asks until the log and its queue are full. Nobody reads the log.
fn fill(server: &Server) {
    let target = format!("/{}", "x".repeat(15_000));
    for _ in 0..1000 {
        let mut stream = server.connect();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let answer = Response::read(&mut stream).expect("an answer while nobody reads the log");
        assert_eq!(answer.status, 404);
    }
}

#[cfg(unix)]
#[test]
fn a_stalled_reader_of_the_log_stops_nobody() {
    let (folder, batch) = costly_batch();
    let tables = ["--tables", folder.path().to_str().unwrap()];
    let (mut server, mut log) = logging("common", &tables);
    fill(&server);
    // The fastest of several, since other tests may occupy the processor.
    let ask = |_| {
        let began = Instant::now();
        assert_eq!(server.get("/api/v1/games/classic/position").status, 200);
        began.elapsed()
    };
    assert!((0..5).map(ask).min().unwrap() < Duration::from_secs(1));
    let dropped = server.metric("morpion_dropped_log_lines_total");
    assert!(dropped > 0 && dropped < 1000, "{dropped}");
    #[cfg(target_os = "linux")]
    assert!(server.memory() < 100 << 10, "{} kB", server.memory());
    let busy = server.begin("POST", COSTLY, &batch);
    server.wait_for("morpion_jobs", |jobs| jobs == 1);
    server.signal("TERM");
    // Only a signal after the first one was handled counts as the second.
    while std::net::TcpStream::connect(server.address).is_ok() {}
    server.signal("TERM");
    assert_eq!(server.child.wait().unwrap().code(), Some(130));
    drop(busy);
    // All lines that were written are whole, except perhaps the last.
    let mut rest = String::new();
    log.read_to_string(&mut rest).unwrap();
    let lines: Vec<&str> = rest.split_inclusive('\n').collect();
    assert!(lines[..lines.len() - 1].iter().all(|line| line.contains("HTTP/1.1\" 404 ")));
}

#[cfg(unix)]
#[test]
fn one_signal_ends_a_server_whose_log_is_not_read() {
    let (mut server, log) = logging("json", &[]);
    fill(&server);
    let began = Instant::now();
    server.signal("TERM");
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    drop(log);
}

#[cfg(unix)]
#[test]
fn the_last_lines_are_written_before_the_server_ends() {
    let (mut server, mut log) = logging("common", &[]);
    for _ in 0..50 {
        server.get("/healthz");
    }
    server.signal("TERM");
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    let mut rest = String::new();
    log.read_to_string(&mut rest).unwrap();
    assert_eq!(rest.lines().count(), 50, "{rest}");
}
