//! Requests that the HTTP interface refuses, and clients that cannot stop it: bad input, broken requests, silent clients.

use morpion_serve::limits::Limits;
use morpion_tests::morpion;
use morpion_tests::server::{Limited, Server};
use serde_json::json;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::time::Duration;

const POSITION: &str = "X../.O./..X+o";

#[test]
fn bad_input_gets_its_status_and_a_message() {
    let server = Server::start(&["classic", "swap"]);
    let at = |position: &str| format!("/api/v1/games/classic/position?position={position}");
    for (path, status, message) in [
        (at(""), 404, "0 cells, expected 9"),
        (at("X"), 404, "1 cell, expected 9"),
        (at("XX./.../..."), 404, "2 X and 0 O"),
        (at("XXX/OOO/..."), 404, "both sides have a line"),
        (at("X../.O./..X+x"), 404, "x to move, expected o"),
        (at("%F0%9F%8E%B2"), 400, "is not a cell"),
        (at("%00%0a%0d"), 400, ""),
        (at(&"X".repeat(5000)), 404, "5000 cells"),
        ("/api/v1/games/swap/position?position=XO./XO./XO.".into(), 404, "side to move is missing"),
        ("/api/v1/games/classic/position?position=a&position=b".into(), 400, "duplicate field"),
        ("/api/v1/games/classic/position?x=1".into(), 400, "unknown field"),
        ("/api/v1/games/classic/".into(), 404, "nothing at"),
        ("/api/v1/games/".into(), 404, "nothing at"),
        ("/api/v1/games/teeko".into(), 404, "expected one of classic, swap"),
        ("/api/v2/games".into(), 404, "nothing at"),
    ] {
        let response = server.get(&path);
        assert_eq!(response.status, status, "{path}: {response:?}");
        assert!(response.error().contains(message), "{path}: {response:?}");
        assert_eq!(response.header("content-type"), Some("application/json"));
    }
    let batch = "/api/v1/games/classic/positions";
    for (body, message) in [
        ("", "EOF"),
        ("[]", "invalid"),
        ("{\"positions\":1}", "expected a sequence"),
        ("{\"positions\":[1]}", "expected a string"),
        ("{\"positions\":[],\"more\":1}", "unknown field `more`"),
        ("{\"positions\":[]}}", "trailing characters"),
        ("\u{1F3B2}", "expected"),
    ] {
        let response = server.ask("POST", batch, Some(body));
        assert_eq!(response.status, 400, "{body}: {response:?}");
        assert!(response.error().contains(message), "{body}: {response:?}");
    }
    for (method, path) in [
        ("POST", "/api/v1/games"),
        ("DELETE", "/api/v1/games/classic"),
        ("GET", batch),
        ("PUT", batch),
        ("POST", "/"),
        ("BREW", "/healthz"),
    ] {
        let response = server.ask(method, path, Some("{}"));
        assert_eq!(response.status, 405, "{method} {path}: {response:?}");
        assert!(response.error().contains("is not allowed here: use "), "{response:?}");
    }
    // Browsers ask for the allowed methods before they let a page of another site send a request.
    for path in [batch, "/api/v1/games"] {
        let response = server.ask("OPTIONS", path, None);
        assert_eq!((response.status, response.body.as_str()), (200, ""), "{response:?}");
        assert_eq!(response.header("access-control-allow-origin"), Some("*"));
        assert_eq!(response.header("access-control-allow-methods"), Some("GET,HEAD,POST,OPTIONS"));
        assert_eq!(response.header("access-control-allow-headers"), Some("content-type"));
    }
    for (path, shared) in [
        ("/api/v1/games", Some("*")),
        ("/api/v1/games/nope", Some("*")),
        ("/metrics", None),
        ("/", None),
    ] {
        assert_eq!(server.get(path).header("access-control-allow-origin"), shared, "{path}");
    }
    let many = json!({ "positions": vec![""; 1001] }).to_string();
    let response = server.ask("POST", batch, Some(&many));
    assert_eq!(
        (response.status, response.error().as_str()),
        (413, "1001 positions, expected at most 1000")
    );
    let full = json!({ "positions": vec!["X../.O./..X o"; 1000] }).to_string();
    let answers = server.ask("POST", batch, Some(&full)).json();
    assert_eq!(answers["answers"].as_array().unwrap().len(), 1000);
}

#[test]
fn broken_requests_are_refused() {
    let server = Server::start(&["classic"]);
    let header = |count: usize, length: usize| {
        let field = |at| format!("x-{at}: {}\r\n", "a".repeat(length));
        format!(
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\n{}\r\n",
            (0..count).map(field).collect::<String>()
        )
    };
    let start = "POST /api/v1/games/classic/positions HTTP/1.1\r\nHost: localhost\r\n";
    for (request, status, message) in [
        // If the request cannot be parsed, the answer is only a status.
        ("no HTTP at all\r\n\r\n".into(), 400, ""),
        ("GET /healthz HTTP/9.9\r\n\r\n".into(), 400, ""),
        ("GET /healthz HTTP/1.1\r\nbroken header\r\n\r\n".into(), 400, ""),
        ("GET / \u{0}HTTP/1.1\r\n\r\n".into(), 400, ""),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".into(), 505, ""),
        (header(1, 100_000), 431, ""),
        (header(1000, 4), 431, ""),
        (format!("{start}Content-Length: -1\r\n\r\n{{"), 400, ""),
        (format!("{start}Content-Length: 3\r\nContent-Length: 4\r\n\r\n{{"), 400, ""),
        (format!("{start}Content-Length: 99999999999\r\n\r\n{{"), 413, "a body longer"),
        (format!("{start}Transfer-Encoding: chunked\r\n\r\nzz\r\n"), 400, "broke off"),
        (
            format!("{start}Transfer-Encoding: chunked\r\n\r\n200000\r\n{}", " ".repeat(0x200000)),
            413,
            "a body longer",
        ),
    ] {
        let shown: String = request.chars().take(90).collect();
        let response = server.send(request.as_bytes());
        assert_eq!(response.status, status, "{shown:?}: {response:?}");
        if message.is_empty() {
            assert_eq!(response.body, "", "{shown:?}");
            continue;
        }
        assert!(response.error().contains(message), "{shown:?}: {response:?}");
        assert_eq!(response.header("content-type"), Some("application/json"));
        assert_eq!(response.header("connection"), Some("close"), "{shown:?}");
    }
    // A body that is refused closes the connection, since it may be unread.
    let long = format!("Content-Length: 900000\r\n\r\n{}", "[".repeat(900_000));
    for (head, status) in [
        ("POST /api/v1/games/classic/positions HTTP/1.1\r\nHost: localhost\r\n", 413),
        ("POST /healthz HTTP/1.1\r\nHost: localhost\r\n", 405),
        ("POST /api/v1/games/classic/positions HTTP/1.1\r\nHost: evil.example\r\n", 421),
        ("POST /nowhere HTTP/1.1\r\nHost: localhost\r\n", 404),
        ("POST /api/v1/games/nope/positions HTTP/1.1\r\nHost: localhost\r\n", 404),
    ] {
        let response = server.send(format!("{head}{long}").as_bytes());
        assert_eq!(response.status, status, "{head}: {response:?}");
        assert_eq!(response.header("connection"), Some("close"), "{head}: {response:?}");
    }
    assert_eq!(server.get("/healthz").status, 200);
}

/// Checks that reading reached the end of the connection: the server closed it, or reset it because it had not read everything.
fn is_end(read: &io::Result<usize>) -> bool {
    read.as_ref().map_or_else(|error| error.kind() == io::ErrorKind::ConnectionReset, |_| true)
}

#[test]
fn an_incomplete_request_ends_its_connection() {
    let within = |seconds| {
        let limits = Limits { request_time: Duration::from_secs(seconds), ..Limits::default() };
        Limited::start(limits, 100)
    };
    let (hasty, patient) = (within(1), within(60));
    let start = "POST /api/v1/games/classic/positions HTTP/1.1\r\nHost: localhost\r\n";
    let body = format!("{start}Content-Length: 50\r\n\r\n{{\"pos");
    let good = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    // A silent client uses up the time limit of the hasty server. The patient server notices at once that a client has left.
    let asked = |request: &str, gone: bool, statuses: &[u16]| {
        let mut stream = if gone { &patient } else { &hasty }.connect();
        stream.write_all(request.as_bytes()).unwrap();
        if gone {
            stream.shutdown(Shutdown::Write).unwrap();
        }
        let mut text = String::new();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let read = stream.read_to_string(&mut text);
        assert!(is_end(&read), "{request:?}, gone: {gone}: {read:?}: {text}");
        let heads = text.split("HTTP/1.1 ").skip(1);
        let found: Vec<u16> = heads.map(|head| head[..3].parse().unwrap()).collect();
        assert_eq!(found, statuses, "{request:?}, gone: {gone}: {text}");
    };
    std::thread::scope(|scope| {
        for (request, gone, statuses) in [
            ("GET /healthz HTTP/1.1\r\nHost: lo", false, &[][..]),
            ("GET /healthz HTTP/1.1\r\nHost: lo", true, &[]),
            (body.as_str(), false, &[408]),
            (body.as_str(), true, &[400]),
            (good, false, &[200]),
            (&format!("{good}{good}what"), false, &[200, 200]),
            (&format!("{good}what\r\n\r\n{good}"), false, &[200, 400]),
            ("", false, &[]),
            ("", true, &[]),
        ] {
            let (asked, request) = (&asked, request.to_owned());
            scope.spawn(move || asked(&request, gone, statuses));
        }
    });
    for server in [&hasty, &patient] {
        assert_eq!(server.get("/healthz").status, 200);
    }
}

#[test]
fn paths_lead_to_the_assets_or_nowhere() {
    let server = Server::start(&["classic"]);
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/....//....//etc/passwd",
        "//etc/passwd",
        "/./app.js",
        "/app.js/",
        "/app.js%00",
        "/app.js/..",
        "/APP.JS",
        "/..\\..\\etc\\passwd",
        "/file:///etc/passwd",
        "/src/main.rs",
        "/api/v1/games/..%2f..%2fclassic",
        "/api/v1/games/..%2fclassic/position",
        "/api/v1/games/%2fetc%2fpasswd",
    ] {
        let response = server.get(path);
        assert_eq!(response.status, 404, "{path}: {response:?}");
        assert!(!response.error().is_empty());
    }
    let absolute =
        server.send(b"GET http://localhost/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(absolute.status, 404, "{absolute:?}");
}

#[test]
fn slow_and_silent_clients_stop_nobody() {
    let hasty = Limits { request_time: Duration::from_millis(500), ..Limits::default() };
    let server = Limited::start(hasty, 100);
    let path = format!("/api/v1/games/classic/position?position={POSITION}");
    let mut held = Vec::new();
    for round in 0..400 {
        let mut stream = server.connect();
        let sent: &[u8] = match round % 5 {
            0 => b"",
            1 => b"GET /api/v1/ga",
            2 => b"GET / HTTP/1.1\r\nHost: lo",
            3 => b"POST /api/v1/games/classic/positions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{",
            _ => b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        };
        // A connection may wait for its place, and be closed before.
        let _ = stream.write_all(sent);
        if round % 7 == 0 {
            let _ = stream.shutdown(Shutdown::Write);
        }
        held.push(stream);
        if round % 10 == 9 {
            assert_eq!(server.get(&path).status, 200, "with {round} others");
        }
    }
    let open = |text: &str| -> u64 {
        let line = text.lines().find(|line| line.starts_with("morpion_connections ")).unwrap();
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    assert!(open(&server.get("/metrics").body) <= 100);
    // The server closes all of them in the end and waits for none.
    for mut stream in held {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let read = stream.read_to_end(&mut Vec::new());
        assert!(is_end(&read), "{read:?}");
    }
    assert_eq!(server.get(&path).status, 200);
}

#[test]
fn wrong_usage_is_explained() {
    let run = |arguments: &[&str]| {
        let output = morpion(["serve"]).args(arguments).output();
        let output = output.unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let server = Server::start(&["classic"]);
    let taken = server.address.to_string();
    for (arguments, message) in [
        (&["--listen", taken.as_str()][..], "cannot listen on"),
        (&["--listen", "nowhere"], "invalid socket address"),
        (&["nothing"], "no game named \"nothing\""),
        (&["--connections", "0"], "0 is not in"),
    ] {
        let (code, text) = run(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {text}");
        assert!(text.contains(message), "{arguments:?}: {text}");
    }
}
