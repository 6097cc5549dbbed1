//! Limits on clients: no client exceeds the server's memory, takes the turns of others, keeps it working after disconnecting, or
//! delays a stop.

use morpion_serve::limits::Limits;
use morpion_tests::server::{Client, Limited, Response, Server};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

/// The path of [`long_batch`].
const TEEKO: &str = "/api/v1/games/teeko/positions";

/// A batch that takes about a second, and has an answer of some 3 MB.
fn long_batch() -> String {
    json!({ "positions": vec!["X..../...../..O../...../..... x"; 1000], "traps": true }).to_string()
}

/// Checks that a short batch and a short question are answered.
fn is_answered(server: &Client) {
    let batch = json!({ "positions": ["X..../...../..O../...../..... x"] }).to_string();
    assert_eq!(server.ask("POST", TEEKO, Some(&batch)).status, 200);
    assert_eq!(server.get("/api/v1/games/teeko/position").status, 200);
}

/// Slow readers take neither memory nor a turn.
#[test]
fn batches_that_nobody_reads_stop_nobody() {
    let server = Server::start(&["teeko"]);
    let batch = long_batch();
    #[cfg(target_os = "linux")]
    let before = server.memory();
    let mut unread: Vec<TcpStream> =
        (0..200).map(|_| server.begin("POST", TEEKO, &batch)).collect();
    is_answered(&server);
    // Each piece waits for its turn behind those of the others.
    let whole = Response::read(&mut unread[0]).unwrap();
    assert_eq!(whole.json()["answers"].as_array().unwrap().len(), 1000);
    #[cfg(target_os = "linux")]
    {
        let grown = server.memory().saturating_sub(before);
        assert!(grown < 200 * 400, "{grown} kB for 200 clients");
    }
    drop(unread);
    server.wait_for("morpion_computing", |computing| computing == 0);
    is_answered(&server);
}

#[test]
fn unfinished_bodies_take_no_turn() {
    let server = Limited::start(Limits { computed: 1, ..Limits::default() }, 200);
    let path = "/api/v1/games/classic/positions";
    let length = 200_000;
    let held: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = server.connect();
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(&vec![b' '; length - 1]).unwrap();
            stream
        })
        .collect();
    assert_eq!(server.metric("morpion_computing"), 0);
    let batch = json!({ "positions": ["X../.O./..X o"] }).to_string();
    assert_eq!(server.ask("POST", path, Some(&batch)).status, 200);
    drop(held);
    server.wait_for("morpion_connections", |open| open == 1);
}

#[test]
fn work_ends_when_its_client_leaves() {
    let server = Server::start(&["teeko"]);
    let batch = long_batch();
    for half_closed in [false, true] {
        let clients: Vec<TcpStream> =
            (0..100).map(|_| server.begin("POST", TEEKO, &batch)).collect();
        server.wait_for("morpion_computing", |computing| computing > 0);
        if half_closed {
            clients.iter().for_each(|stream| stream.shutdown(Shutdown::Write).unwrap());
        } else {
            drop(clients);
        }
        server.wait_for("morpion_connections", |open| open == 1);
        server.wait_for("morpion_computing", |computing| computing == 0);
    }
}

#[cfg(unix)]
#[test]
fn a_stop_under_load_ends_open_work() {
    for twice in [false, true] {
        let mut server = Server::start(&["teeko"]);
        let open: Vec<TcpStream> =
            (0..100).map(|_| server.begin("POST", TEEKO, &long_batch())).collect();
        server.wait_for("morpion_computing", |computing| computing > 0);
        server.signal("TERM");
        if twice {
            // Only a signal after the first one was handled counts as the second.
            while TcpStream::connect(server.address).is_ok() {}
            server.signal("TERM");
        }
        assert_eq!(server.child.wait().unwrap().code(), Some(if twice { 130 } else { 0 }));
        // An answer that is cut off is not taken for a whole one.
        for mut stream in open {
            let answer = Response::read(&mut stream);
            assert!(answer.is_err() || answer.unwrap().body.ends_with("]}"));
        }
    }
}

#[cfg(unix)]
#[test]
fn an_answer_that_is_being_sent_is_sent_to_its_end() {
    for connection in ["close", "keep-alive"] {
        let mut server = Server::start(&["classic"]);
        let mut stream = server.connect();
        let request = format!(
            "GET /data/games/classic.morpion HTTP/1.1\r\nHost: localhost\r\nConnection: {connection}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream.read_exact(&mut [0]).expect("an answer begins");
        server.signal("TERM");
        while TcpStream::connect(server.address).is_ok() {}
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).unwrap();
        let size = morpion_lookup::Table::builtin("classic").unwrap().size() as usize;
        assert!(rest.len() > size, "{connection}: {} bytes", rest.len());
        assert_eq!(server.child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn only_names_of_this_machine_are_answered() {
    let server = Server::start(&["classic"]);
    let port = server.address.port();
    let ask = |path: &str, host: &str| {
        server.send(format!("GET {path} HTTP/1.1\r\n{host}Connection: close\r\n\r\n").as_bytes())
    };
    for host in [
        "localhost",
        "LOCALHOST:80",
        "127.0.0.1",
        "127.3.2.1:9",
        "[::1]",
        "[::1]:8080",
        "[::ffff:127.0.0.1]:80",
    ] {
        assert_eq!(ask("/", &format!("Host: {host}\r\n")).status, 200, "{host}");
    }
    assert_eq!(ask("/healthz", &format!("Host: 127.0.0.1:{port}\r\n")).status, 200);
    assert_eq!(ask("/healthz", "").status, 200, "no browser leaves it out");
    for (path, host) in [
        ("/", "Host: evil.example\r\n"),
        ("/app.js", "Host: localhost.evil.example\r\n"),
        ("/api/v1/games", "Host: 192.168.1.1:8080\r\n"),
        ("/nowhere", "Host: 127.0.0.1.evil.example\r\n"),
        ("/metrics", "Host: localhost\r\nHost: evil.example\r\n"),
        ("/healthz", "Host:\r\n"),
        ("http://evil.example/healthz", "Host: localhost\r\n"),
    ] {
        let response = ask(path, host);
        assert_eq!(response.status, 421, "{path} {host}: {response:?}");
        assert!(response.error().contains("use localhost, 127.0.0.1 or [::1]"), "{response:?}");
    }
    for host in [
        "localhost.example.com:8080",
        "example.com:127.0.0.1",
        "user@example.com",
        "0.0.0.0:8080",
        "[::]",
        "[::2]:80",
        "::2",
        "127.0.0.1 example.com",
        "localhost,example.com",
        "\u{fffd}",
    ] {
        assert_eq!(ask("/", &format!("Host: {host}\r\n")).status, 421, "{host}");
    }
    let shown = ask("/", &format!("Host: {port}.evil.example:{port}\r\n")).error();
    assert!(shown.contains("evil.example"), "{shown}");
}

#[cfg(unix)]
#[test]
fn pipes_and_folders_are_not_tables() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let made = std::process::Command::new("mkfifo").arg(at("x.morpion")).status();
    assert!(made.expect("`mkfifo` runs").success());
    std::fs::create_dir(at("z.morpion")).unwrap();
    // The server must not wait for a file that another process has locked.
    std::fs::copy(morpion_tests::server::tables().join("classic.morpion"), at("classic.morpion"))
        .unwrap();
    let lock = std::fs::File::open(at("classic.morpion")).unwrap();
    lock.lock().unwrap();
    let server = Server::start(&["--tables", folder.path().to_str().unwrap()]);
    assert_eq!(server.get("/api/v1/games/classic/position").status, 200);
    drop(lock);
    let named = morpion_tests::morpion(["serve", "--listen", "127.0.0.1:0"])
        .arg(at("x.morpion"))
        .output()
        .unwrap();
    assert_eq!(named.status.code(), Some(2), "{named:?}");
    assert!(String::from_utf8_lossy(&named.stderr).contains("x.morpion"), "{named:?}");
}
