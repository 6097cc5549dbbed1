//! The HTTP interface from outside: what it answers, what it refuses, and who cannot stop it.

mod server;

use morpion_tests::morpion;
use serde_json::{Value, json};
use server::{Response, Server, tables};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::path::PathBuf;

const POSITION: &str = "X../.O./..X+o";

/// The description of the interface, and which of its answers have been seen.
struct Description {
    document: Value,
    seen: BTreeSet<(String, String)>,
}

impl Description {
    fn of(server: &Server) -> Description {
        let document = server.get("/api/v1/openapi.json").json();
        Description { document, seen: BTreeSet::new() }
    }

    /// Holds a response against the description of its path.
    fn check(&mut self, method: &str, path: &str, response: &Response) {
        let path = path.split('?').next().unwrap();
        let parts: Vec<&str> = path.split('/').collect();
        let fits = |template: &&String| {
            let template: Vec<&str> = template.split('/').collect();
            template.len() == parts.len()
                && template
                    .iter()
                    .zip(&parts)
                    .all(|(one, other)| one == other || one.starts_with('{'))
        };
        let paths = self.document["paths"].as_object().unwrap();
        let template = paths.keys().find(fits).unwrap_or_else(|| panic!("{path} is not described"));
        let operation = &paths[template][method.to_ascii_lowercase()];
        let status = response.status.to_string();
        let described = &operation["responses"][&status];
        assert!(described.is_object(), "{method} {path}: {status} is not described: {response:?}");
        let (kind, content) = described["content"].as_object().unwrap().iter().next().unwrap();
        assert!(response.header("content-type").unwrap().starts_with(kind.as_str()), "{path}");
        if kind == "application/json" {
            let mut schema = content["schema"].clone();
            schema["components"] = self.document["components"].clone();
            let validator = jsonschema::validator_for(&schema).unwrap();
            let body = response.json();
            let errors: Vec<String> =
                validator.iter_errors(&body).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{method} {path}: {errors:?} in {body}");
        }
        self.seen.insert((format!("{method} {template}"), status));
    }

    fn described(&self) -> BTreeSet<(String, String)> {
        let paths = self.document["paths"].as_object().unwrap();
        let operations = paths.iter().flat_map(|(template, methods)| {
            let methods = methods.as_object().unwrap();
            methods.iter().map(move |(method, operation)| {
                (format!("{} {template}", method.to_ascii_uppercase()), operation)
            })
        });
        let answers = operations.flat_map(|(route, operation)| {
            let statuses = operation["responses"].as_object().unwrap().keys().cloned();
            statuses.map(move |status| (route.clone(), status))
        });
        answers.collect()
    }
}

/// A table of the classic game in a folder of its own, right at the start and wrong everywhere else.
fn damaged_table() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = std::fs::read(tables().join("classic.morpion")).unwrap();
    let table = morpion_lookup::Table::from_vec(bytes.clone()).unwrap();
    for layer in &table.layers()[2..] {
        bytes[layer.offset as usize..(layer.offset + layer.bytes) as usize].fill(255);
    }
    std::fs::write(folder.path().join("classic.morpion"), bytes).unwrap();
    folder
}

#[test]
fn every_answer_is_described_and_every_described_answer_is_given() {
    let ordinary = Server::start(&[]);
    let small =
        Server::start(&["classic", "--body", "80", "--batch", "2", "--request-time", "0.05"]);
    let rare = Server::start(&["classic", "--rate", "1"]);
    let folder = damaged_table();
    let damaged = Server::start(&["classic", "--tables", folder.path().to_str().unwrap()]);
    let mut description = Description::of(&ordinary);

    let reading = [
        "/healthz",
        "/metrics",
        "/api/v1/openapi.json",
        "/api/v1/players",
        "/api/v1/games",
        "/api/v1/games/classic",
        "/api/v1/games/classic/position",
        "/api/v1/games/classic/line",
        "/api/v1/games/classic/move?player=alphabeta:2",
        "/api/v1/grundy",
        "/api/v1/grundy/kayles",
        "/api/v1/grundy/kayles/position?heaps=9,14",
        "/api/v1/grundy/kayles/line?heaps=9,14",
    ];
    for path in reading {
        let response = ordinary.get(path);
        assert_eq!(response.status, 200, "{path}: {response:?}");
        description.check("GET", path, &response);
        // The second request in the same instant, or one soon after it: a bucket of one is empty sooner or later.
        let refused =
            std::iter::repeat_with(|| rare.get(path)).find(|response| response.status == 429);
        description.check("GET", path, &refused.unwrap());
    }
    for game in ordinary.get("/api/v1/games").json()["games"].as_array().unwrap() {
        let path = format!("/api/v1/games/{}", game["game"].as_str().unwrap());
        description.check("GET", &path, &ordinary.get(&path));
        for more in ["/position", "/line", "/move?player=perfect:first&seed=3"] {
            let path = format!("{path}{more}");
            let response = ordinary.get(&path);
            assert_eq!(response.status, 200, "{path}: {response:?}");
            description.check("GET", &path, &response);
        }
    }
    let bad = [
        ("/api/v1/games/nope", 404),
        ("/api/v1/games/%ff", 400),
        ("/api/v1/games/nope/position", 404),
        ("/api/v1/games/nope/move?player=random", 404),
        ("/api/v1/games/classic/position?position=XX", 400),
        ("/api/v1/games/classic/position?place=XX", 400),
        ("/api/v1/games/nope/line", 404),
        ("/api/v1/games/classic/line?position=XX", 400),
        ("/api/v1/games/classic/move", 400),
        ("/api/v1/games/classic/move?player=nobody", 400),
        ("/api/v1/games/classic/move?player=perfect:first&position=XXX/OO./...", 400),
        ("/api/v1/games/classic/move?player=random&seed=-1", 400),
        ("/api/v1/grundy/nope", 404),
        ("/api/v1/grundy/%ff", 400),
        ("/api/v1/grundy/nope/position?heaps=1", 404),
        ("/api/v1/grundy/kayles/position?heaps=-1", 400),
        ("/api/v1/grundy/kayles/position", 400),
        ("/api/v1/grundy/officers/position?heaps=999999999999", 400),
        ("/api/v1/grundy/kayles/position?heaps=1,2&misere=true", 400),
        ("/api/v1/grundy/nope/line?heaps=1", 404),
        ("/api/v1/grundy/kayles/line?heaps=x", 400),
        ("/api/v1/grundy/kayles/line?heaps=1000", 413),
        ("/api/v1/games/picaria/move?player=minimax:36", 400),
    ];
    for (path, status) in bad {
        let response = ordinary.get(path);
        assert_eq!(response.status, status, "{path}: {response:?}");
        description.check("GET", path, &response);
    }
    for more in ["position", "line", "move?player=perfect:first"] {
        let separator = if more.contains('?') { '&' } else { '?' };
        let path = format!("/api/v1/games/classic/{more}{separator}position={POSITION}");
        let response = damaged.get(&path);
        assert_eq!(response.status, 500, "{response:?}");
        description.check("GET", &path, &response);
    }

    let many = format!("/api/v1/grundy/nim/position?heaps={}", "1,".repeat(65));
    description.check("GET", &many, &ordinary.get(&many));
    for game in ordinary.get("/api/v1/grundy").json()["games"].as_array().unwrap() {
        for key in ["game", "code"] {
            let path = format!("/api/v1/grundy/{}", game[key].as_str().unwrap());
            for more in ["", "/position?heaps=3,5,7", "/line?heaps=3,5,7"] {
                let path = format!("{path}{more}");
                let response = ordinary.get(&path);
                assert_eq!(response.status, 200, "{path}: {response:?}");
                description.check("GET", &path, &response);
            }
        }
    }

    let batch = "/api/v1/games/classic/positions";
    let heaps = "/api/v1/grundy/officers/positions";
    let sums = json!({ "positions": [[3, 5, 7], [999_999_999_999_u64]] }).to_string();
    let more_sums = json!({ "positions": [[], [], []] }).to_string();
    let long_sums = json!({ "positions": [vec![1; 100]] }).to_string();
    let two = json!({ "positions": ["X../.O./..X o", "what"] }).to_string();
    let three = json!({ "positions": ["", "", ""] }).to_string();
    let long = json!({ "positions": ["x".repeat(100)] }).to_string();
    let posts = [
        (&ordinary, batch, Some(two.as_str()), 200),
        (&ordinary, batch, Some("{"), 400),
        (&ordinary, batch, None, 400),
        (&ordinary, "/api/v1/games/nope/positions", Some(two.as_str()), 404),
        (&small, batch, Some(three.as_str()), 413),
        (&small, batch, Some(long.as_str()), 413),
        (&damaged, batch, Some(two.as_str()), 500),
        (&ordinary, heaps, Some(sums.as_str()), 200),
        (&ordinary, heaps, Some("{\"positions\":[[-1]]}"), 400),
        (&ordinary, "/api/v1/grundy/nope/positions", Some(sums.as_str()), 404),
        (&small, heaps, Some(more_sums.as_str()), 413),
        (&small, heaps, Some(long_sums.as_str()), 413),
    ];
    for (server, path, body, status) in posts {
        let response = server.ask("POST", path, body);
        assert_eq!(response.status, status, "{path} {body:?}: {response:?}");
        description.check("POST", path, &response);
    }
    for (path, body) in [(batch, &two), (heaps, &sums)] {
        let asked = || rare.ask("POST", path, Some(body));
        let refused =
            std::iter::repeat_with(asked).find(|response| response.status == 429).unwrap();
        assert_eq!(refused.header("retry-after"), Some("1"));
        description.check("POST", path, &refused);
        let half =
            format!("POST {path} HTTP/1.1\r\nHost: test\r\nContent-Length: 50\r\n\r\n{{\"pos");
        let slow = small.send(half.as_bytes());
        assert_eq!(slow.status, 408, "{slow:?}");
        description.check("POST", path, &slow);
    }

    let described = description.described();
    let missing: Vec<_> = described.difference(&description.seen).collect();
    assert!(missing.is_empty(), "described, but not seen: {missing:?}");
}

#[test]
fn positions_are_answered_as_by_query() {
    let server = Server::start(&[]);
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
        let line = morpion(["line", game, position, "--json"]).output().unwrap();
        let path = format!("/api/v1/games/{game}/line?position={asked}");
        assert_eq!(
            server.get(&path).body,
            String::from_utf8(line.stdout).unwrap().trim_end(),
            "{path}"
        );
        let body = json!({ "positions": [position] }).to_string();
        let batch = server.ask("POST", &format!("/api/v1/games/{game}/positions"), Some(&body));
        assert_eq!(batch.body, format!("{{\"answers\":[{}]}}", expected.trim_end()));
    }
}

#[test]
fn sums_of_heaps_are_answered_as_by_nim_query() {
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
    // The winner takes the last counter: whoever begins a won sum makes an odd number of moves.
    for (heaps, wins) in [("9,14", true), ("3,5,6", false), ("1,1", false), ("21", true)] {
        for game in ["nim", "kayles"] {
            let answer =
                server.get(&format!("/api/v1/grundy/{game}/position?heaps={heaps}")).json();
            let line = server.get(&format!("/api/v1/grundy/{game}/line?heaps={heaps}")).json();
            let moves = line["moves"].as_array().unwrap();
            assert_eq!(moves.len() % 2 == 1, answer["outcome"] == "win", "{game} {heaps}: {line}");
            assert_eq!(line["positions"].as_array().unwrap().len(), moves.len() + 1);
            if game == "nim" {
                assert_eq!(answer["outcome"] == "win", wins, "{answer}");
            }
        }
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
fn bad_input_gets_its_status_and_a_message() {
    let server = Server::start(&["classic", "swap"]);
    let at = |position: &str| format!("/api/v1/games/classic/position?position={position}");
    for (path, status, message) in [
        (at(""), 400, "0 cells, expected 9"),
        (at("X"), 400, "1 cells, expected 9"),
        (at("XX./.../..."), 400, "2 X and 0 O"),
        (at("XXX/OOO/..."), 400, "both sides have a line"),
        (at("X../.O./..X+x"), 400, "x to move, expected o"),
        (at("%F0%9F%8E%B2"), 400, "is no cell"),
        (at("%00%0a%0d"), 400, ""),
        (at(&"X".repeat(5000)), 400, "5000 cells"),
        ("/api/v1/games/swap/position?position=XO./XO./XO.".into(), 400, "side to move is missing"),
        ("/api/v1/games/classic/position?position=a&position=b".into(), 400, "duplicate field"),
        ("/api/v1/games/classic/position?x=1".into(), 400, "unknown field"),
        ("/api/v1/games/classic/".into(), 404, "nothing at"),
        ("/api/v1/games/".into(), 404, "nothing at"),
        ("/api/v1/games/teeko".into(), 404, "expected one of classic, swap"),
        ("/api/v2/games".into(), 404, "nothing at"),
        ("/favicon.ico".into(), 404, "nothing at"),
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
        assert!(response.error().contains("expected"), "{response:?}");
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
            "GET /healthz HTTP/1.1\r\nHost: test\r\n{}\r\n",
            (0..count).map(field).collect::<String>()
        )
    };
    let start = "POST /api/v1/games/classic/positions HTTP/1.1\r\nHost: test\r\n";
    for (request, status) in [
        ("no HTTP at all\r\n\r\n".into(), 400),
        ("GET /healthz HTTP/9.9\r\n\r\n".into(), 400),
        ("GET /healthz HTTP/1.1\r\nbroken header\r\n\r\n".into(), 400),
        ("GET / \u{0}HTTP/1.1\r\n\r\n".into(), 400),
        (header(1, 100_000), 431),
        (header(1000, 4), 431),
        (format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(200_000)), 431),
        (format!("{start}Content-Length: 99999999999\r\n\r\n{{"), 413),
        (format!("{start}Content-Length: -1\r\n\r\n{{"), 400),
        (format!("{start}Content-Length: 3\r\nContent-Length: 4\r\n\r\n{{"), 400),
        (format!("{start}Transfer-Encoding: chunked\r\n\r\nzz\r\n"), 400),
        (
            format!("{start}Transfer-Encoding: chunked\r\n\r\n200000\r\n{}", " ".repeat(0x200000)),
            413,
        ),
    ] {
        let shown: String = request.chars().take(90).collect();
        let response = server.send(request.as_bytes());
        assert_eq!(response.status, status, "{shown:?}: {response:?}");
    }
    assert_eq!(server.get("/healthz").status, 200);
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
        server.send(b"GET http://elsewhere/etc/passwd HTTP/1.1\r\nHost: elsewhere\r\n\r\n");
    assert_eq!(absolute.status, 404, "{absolute:?}");
}

#[test]
fn the_page_is_whole_and_loads_nothing_from_elsewhere() {
    let server = Server::start(&["classic"]);
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"));
    let mut found = BTreeSet::from(["index.html".to_owned()]);
    let mut open = vec![("index.html".to_owned(), page.body.clone())];
    while let Some((name, text)) = open.pop() {
        let foreign = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!foreign.contains("http://") && !foreign.contains("https://"), "{name}");
        for part in text.split('"') {
            let file = part.trim_start_matches("./");
            let is_file = [".js", ".css", ".svg"].iter().any(|ending| file.ends_with(ending));
            if is_file && file.len() > 4 && !file.contains(' ') && found.insert(file.to_owned()) {
                let response = server.get(&format!("/{file}"));
                assert_eq!(response.status, 200, "{file} in {name}");
                open.push((file.to_owned(), response.body));
            }
        }
    }
    assert!(found.len() >= 10, "{found:?}");
    let tag = page.header("etag").unwrap();
    let again = format!(
        "GET / HTTP/1.1\r\nHost: test\r\nIf-None-Match: {tag}\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(server.send(again.as_bytes()).status, 304);
    let head = server.ask("HEAD", "/", None);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(head.header("content-length").unwrap(), page.body.len().to_string());
}

#[test]
fn an_export_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("a/site");
    let run =
        |games: &[&str]| morpion(["serve", "--export"]).arg(&site).args(games).output().unwrap();
    let output = run(&["classic", "swap"]);
    assert!(output.status.success(), "{output:?}");
    let server = Server::start(&["classic", "swap"]);
    let read = |name: &str| std::fs::read_to_string(site.join(name)).unwrap();
    assert_eq!(read("index.html"), server.get("/").body);
    assert_eq!(read("data/swap.json"), server.get("/api/v1/games/swap").body);
    let games: Value = serde_json::from_str(&read("data/games.json")).unwrap();
    assert_eq!(games, server.get("/api/v1/games").json());
    assert_ne!(read("source.js"), server.get("/source.js").body);
    for game in ["classic", "swap"] {
        let table = std::fs::read(site.join("data").join(format!("{game}.morpion"))).unwrap();
        assert_eq!(table, morpion_lookup::builtin(game).unwrap().bytes());
    }
    let reader = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../lookup/js/morpion.js");
    assert_eq!(read("reader/morpion.js"), std::fs::read_to_string(reader).unwrap());
    let blocked = folder.path().join("a/site/index.html");
    let output = morpion(["serve", "classic", "--export"]).arg(blocked).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn slow_and_silent_clients_stop_nobody() {
    let server = Server::start(&[
        "classic",
        "--connections",
        "100",
        "--request-time",
        "0.2",
        "--idle-time",
        "0.5",
    ]);
    let path = format!("/api/v1/games/classic/position?position={POSITION}");
    let mut held = Vec::new();
    for round in 0..400 {
        let mut stream = server.connect();
        let sent: &[u8] = match round % 5 {
            0 => b"",
            1 => b"GET /api/v1/ga",
            2 => b"GET / HTTP/1.1\r\nHost: te",
            3 => b"POST /api/v1/games/classic/positions HTTP/1.1\r\nHost: test\r\nContent-Length: 100000\r\n\r\n{",
            _ => b"GET / HTTP/1.1\r\nHost: test\r\n\r\n",
        };
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
    // All of them are closed by the server in the end; none waits for its client.
    for mut stream in held {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
    assert_eq!(server.get(&path).status, 200);
}

#[test]
fn a_connection_serves_many_requests() {
    let server = Server::start(&["classic"]);
    let mut stream = server.connect();
    for _ in 0..20 {
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n").unwrap();
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
        !metrics.contains("of/the/client") && metrics.contains("morpion_errors_total 1"),
        "{metrics}"
    );
}

#[cfg(unix)]
#[test]
fn it_stops_cleanly_when_told_to() {
    for signal in ["INT", "TERM"] {
        let mut server = Server::start(&["classic"]);
        let mut busy = server.connect();
        let body = json!({ "positions": ["X../.O./..X o"] }).to_string();
        let start = "POST /api/v1/games/classic/positions HTTP/1.1\r\nHost: test\r\n";
        let head = format!("{start}Content-Length: {}\r\n\r\n", body.len());
        busy.write_all(head.as_bytes()).unwrap();
        busy.write_all(&body.as_bytes()[..5]).unwrap();
        let _idle = server.connect();
        // Both are known to the server once another request has been answered after them.
        assert_eq!(server.get("/healthz").status, 200);
        server.signal(signal);
        busy.write_all(&body.as_bytes()[5..]).unwrap();
        assert_eq!(Response::read(&mut busy).unwrap().status, 200, "{signal}: the open request");
        assert_eq!(server.child.wait().unwrap().code(), Some(0), "{signal}");
    }
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
        (&["--listen", taken.as_str()][..], "expected an address that is free"),
        (&["--listen", "nowhere"], "invalid socket address"),
        (&["nothing"], "no game named \"nothing\""),
        (&["--batch", "0"], "0 is not in"),
        (&["--idle-time", "never"], "expected seconds"),
    ] {
        let (code, text) = run(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {text}");
        assert!(text.contains(message), "{arguments:?}: {text}");
    }
}
