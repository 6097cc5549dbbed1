//! The description of the HTTP interface matches the running server: every answer is described, and every
//! described answer occurs.

use crate::schema::Answers;
use morpion_serve::limits::Limits;
use morpion_tests::server::{Client, JSON, Limited, Response, Server, tables};
use morpion_tests::{built, needs, package_test, run, tools};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

/// A game in which nobody can win once few pieces are left.
const RULES: &str = "name = \"drawn\"\n[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 3\n";

const POSITION: &str = "X../.O./..X+o";

/// The description of the interface, and its answers seen so far.
struct Description {
    document: Value,
    seen: BTreeSet<(String, String)>,
    answers: Answers,
}

impl Description {
    fn of(server: &Server) -> Description {
        let document = server.get("/api/v1/openapi.json").json();
        let answers = Answers::new(json!({ "components": document["components"] }));
        Description { document, seen: BTreeSet::new(), answers }
    }

    /// Checks the status and the type of a response against the description of its path, and keeps the response.
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
        let content = described["content"].as_object().and_then(|content| content.iter().next());
        if let Some((kind, content)) = content {
            assert!(response.header("content-type").unwrap().starts_with(kind.as_str()), "{path}");
            if kind == "application/json" {
                let name = format!("{method} {path}");
                self.answers.add(&name, &content["schema"], &response.json());
            }
        } else {
            assert!(response.body.is_empty(), "{path}: {response:?}");
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

/// A folder with a table of the classic game that is right at the start and wrong everywhere else.
fn damaged_table() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = std::fs::read(tables().join("classic.morpion")).unwrap();
    let table =
        morpion_lookup::Table::from_source(morpion_lookup::Bytes::from(bytes.clone())).unwrap();
    for layer in &table.raw().header().layers[2..] {
        bytes[layer.offset as usize..(layer.offset + layer.bytes) as usize].fill(255);
    }
    std::fs::write(folder.path().join("classic.morpion"), bytes).unwrap();
    folder
}

/// Sends requests that the description allows and requests that it does not: the server accepts the former, refuses the latter, and
/// answers as described.
#[test]
#[cfg_attr(not(has_schemathesis), ignore = "needs schemathesis")]
fn the_server_accepts_exactly_the_requests_of_the_description() {
    needs(&["schemathesis"]);
    let server = Server::start(&["classic", "swap", "tapatan"]);
    let folder = tempfile::tempdir().unwrap();
    // A schema says that rules are text. Only the program can decide if they are valid, and answer 422 otherwise.
    let statuses = "[\"2xx\", \"401\", \"403\", \"404\", \"409\", \"422\", \"429\", \"5xx\"]";
    let accepted = format!("[checks.positive_data_acceptance]\nexpected-statuses = {statuses}\n");
    std::fs::write(folder.path().join("schemathesis.toml"), accepted).unwrap();
    let description = format!("http://{}/api/v1/openapi.json", server.address);
    run(Command::new(tools::python())
        .args([
            "-c",
            "from schemathesis.cli import schemathesis; schemathesis()",
            "run",
            &description,
        ])
        .args(["--checks", "all", "--max-examples", "60", "--seed", "1", "--no-color"])
        .current_dir(&folder));
}

/// Runs the client that openapi-python-client generates.
#[test]
#[cfg_attr(not(has_openapi_python_client), ignore = "needs openapi-python-client")]
fn a_client_is_made_of_the_description() {
    needs(&["openapi-python-client"]);
    let server = Server::start(&["swap"]);
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("openapi.json");
    std::fs::write(&document, server.get("/api/v1/openapi.json").body).unwrap();
    run(Command::new(tools::python())
        .args([
            "-m",
            "openapi_python_client",
            "generate",
            "--meta",
            "none",
            "--output-path",
            "client",
        ])
        .arg("--path")
        .arg(&document)
        .current_dir(&folder));
    let program = format!(
        "from client import Client\n\
         from client.api.default import cram_position, position\n\
         client = Client(base_url='http://{}')\n\
         answer = position.sync('swap', client=client, position='X../.O./..X o')\n\
         print(answer.best, answer.moves[0].position, answer.moves[0].draw)\n\
         print(cram_position.sync('1x3', client=client).moves)\n",
        server.address
    );
    let output = run(Command::new(tools::python()).args(["-c", &program]).current_dir(&folder));
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "['b1', 'a2', 'c2', 'b3'] XO./.O./..X x cycle\n[['a1', 'b1'], ['b1', 'c1']]\n"
    );
}

/// Runs the client that TypeScript checks with the types of openapi-typescript.
#[test]
#[cfg_attr(
    not(all(has_node, has_npm_packages)),
    ignore = "needs node and npm ci in tests/packages"
)]
fn a_typed_client_is_made_of_the_description() {
    needs(&["node", "npm-packages"]);
    let server = Server::start(&["swap"]);
    run(package_test("client.test.mjs").env("SERVER", format!("http://{}", server.address)));
}

#[test]
fn every_answer_is_described_and_every_described_answer_is_given() {
    let description = all_answers();
    let described = description.described();
    let missing: Vec<_> = described.difference(&description.seen).collect();
    assert!(missing.is_empty(), "described, but not seen: {missing:?}");
}

#[test]
#[cfg_attr(not(has_jsonschema), ignore = "needs jsonschema")]
fn every_answer_matches_its_schema() {
    all_answers().answers.check();
}

/// Returns all described answers, which are asked for once.
fn all_answers() -> &'static Description {
    static ALL: LazyLock<Description> = LazyLock::new(ask_for_all);
    &ALL
}

/// Sends requests that lead to all described answers.
fn ask_for_all() -> Description {
    let ordinary = Server::start(&[]);
    let small = Limited::start(Limits { body: 80, batch: 2, ..Limits::default() }, 10, None);
    let hasty = Limits { request_time: Duration::from_millis(500), ..Limits::default() };
    let hasty = Limited::start(hasty, 10, None);
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
        "/api/v1/games/classic/rules",
        "/api/v1/games/classic/judge",
        "/api/v1/games/classic/lesson",
        "/api/v1/games/nine-mens-morris/rules",
        "/api/v1/puzzles",
        "/api/v1/puzzles/20000",
        "/api/v1/games/classic/move?player=alphabeta:2",
        "/api/v1/grundy",
        "/api/v1/grundy/kayles",
        "/api/v1/grundy/kayles/position?heaps=9,14",
        "/api/v1/cram",
        "/api/v1/cram/3x4",
        "/api/v1/cram/3x4/position?position=X.../XX../....",
    ];
    for path in reading {
        let response = ordinary.get(path);
        assert_eq!(response.status, 200, "{path}: {response:?}");
        description.check("GET", path, &response);
        // The second request, or one soon after it, exceeds the quota of one request.
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
        ("/api/v1/games/classic/position?position=XX", 404),
        ("/api/v1/games/classic/position?place=XX", 400),
        ("/api/v1/games/nope/line", 404),
        ("/api/v1/games/classic/line?position=hello", 400),
        ("/api/v1/games/classic/line?position=XX", 404),
        ("/api/v1/games/classic/move", 400),
        ("/api/v1/games/classic/move?player=nobody", 404),
        ("/api/v1/games/classic/move?player=perfect:first&position=XXX/OO./...", 404),
        ("/api/v1/games/nope/rules", 404),
        ("/api/v1/games/%ff/rules", 400),
        ("/api/v1/games/nope/judge", 404),
        ("/api/v1/games/%ff/judge", 400),
        ("/api/v1/games/nope/lesson", 404),
        ("/api/v1/games/%ff/lesson", 400),
        ("/api/v1/games/teeko/lesson", 422),
        ("/api/v1/puzzles/today", 400),
        ("/api/v1/games/classic/move?player=random&seed=-1", 400),
        ("/api/v1/grundy/nope", 404),
        ("/api/v1/grundy/%ff", 400),
        ("/api/v1/grundy/nope/position?heaps=1", 404),
        ("/api/v1/grundy/kayles/position?heaps=-1", 400),
        ("/api/v1/grundy/kayles/position", 400),
        ("/api/v1/grundy/officers/position?heaps=999999999999", 404),
        ("/api/v1/grundy/kayles/position?heaps=1,2&misere=true", 404),
        ("/api/v1/cram/6x6", 404),
        ("/api/v1/cram/%ff", 400),
        ("/api/v1/cram/nope/position", 404),
        ("/api/v1/cram/2x2/position?position=X", 404),
        ("/api/v1/cram/2x2/position?position=helo", 400),
        ("/api/v1/cram/6x6/position", 404),
        ("/api/v1/cram/2x2/position?place=XX/..", 400),
        ("/api/v1/games/picaria/move?player=minimax:36", 404),
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

    let puzzle = "/api/v1/puzzles/1";
    for path in [puzzle, "/api/v1/puzzles", "/api/v1/games/classic/judge"] {
        description.check("GET", path, &damaged.get(path));
    }
    let own = tempfile::tempdir().unwrap();
    let file = own.path().join("drawn.toml");
    std::fs::write(&file, format!("{RULES}[pieces]\neach = 2\n")).unwrap();
    built(own.path(), &[file.to_str().unwrap()]);
    let table = own.path().join("drawn.morpion");
    let nobody_wins = Server::start(&[table.to_str().unwrap()]);
    let response = nobody_wins.get(puzzle);
    assert_eq!(response.status, 404, "{response:?}");
    description.check("GET", puzzle, &response);

    let many = format!("/api/v1/grundy/nim/position?heaps={}", "1,".repeat(65));
    description.check("GET", &many, &ordinary.get(&many));
    for game in ordinary.get("/api/v1/grundy").json()["games"].as_array().unwrap() {
        for key in ["game", "code"] {
            let path = format!("/api/v1/grundy/{}", game[key].as_str().unwrap());
            for more in ["", "/position?heaps=3,5,7"] {
                let path = format!("{path}{more}");
                let response = ordinary.get(&path);
                assert_eq!(response.status, 200, "{path}: {response:?}");
                description.check("GET", &path, &response);
            }
        }
    }

    for board in ordinary.get("/api/v1/cram").json()["boards"].as_array().unwrap() {
        for more in ["", "/position"] {
            let path = format!("/api/v1/cram/{}{more}", board["board"].as_str().unwrap());
            let response = ordinary.get(&path);
            assert_eq!(response.status, 200, "{path}: {response:?}");
            description.check("GET", &path, &response);
        }
    }

    let batch = "/api/v1/games/classic/positions";
    let replay = "/api/v1/games/classic/replay";
    let moves = json!({ "position": "X../.O./... x", "moves": ["c3", "b2", "b1"] }).to_string();
    let more_moves = json!({ "moves": ["", "", ""] }).to_string();
    let cram = "/api/v1/cram/2x2/positions";
    let cells = json!({ "positions": ["X./..", "what"] }).to_string();
    let heaps = "/api/v1/grundy/officers/positions";
    let sums = json!({ "positions": [[3, 5, 7], [999_999_999_999_u64]] }).to_string();
    let more_sums = json!({ "positions": [[], [], []] }).to_string();
    let long_sums = json!({ "positions": [vec![1; 100]] }).to_string();
    let two = json!({ "positions": ["X../.O./..X o", "what"] }).to_string();
    let three = json!({ "positions": ["", "", ""] }).to_string();
    let long = json!({ "positions": ["x".repeat(100)] }).to_string();
    let (rules, table, judge) = ("/api/v1/rules", "/api/v1/rules/table", "/api/v1/rules/judge");
    let own = |text: &str| json!({ "rules": text }).to_string();
    let (drawn, no_game, endless) =
        (own(RULES), own("name = 3"), own(&format!("{RULES}# {}", "x".repeat(20_000))));
    let large = own("name = \"large\"\n[board]\nrows = 6\ncolumns = 6\n[lines]\nlength = 4\n");
    let (ordinary, small, damaged): (&Client, &Client, &Client) = (&ordinary, &small, &damaged);
    let own_moves = "/api/v1/rules/moves";
    let asked = |position: &str, player: &str| {
        json!({ "rules": RULES, "position": position, "player": player }).to_string()
    };
    let [here, nowhere, nobody] =
        [asked("X../... o", "club"), asked("XXX", "club"), asked("X../... o", "perfect")];
    let posts = [
        (ordinary, own_moves, Some(here.as_str()), 200),
        (ordinary, own_moves, Some(drawn.as_str()), 200),
        (ordinary, own_moves, Some(nowhere.as_str()), 422),
        (ordinary, own_moves, Some(nobody.as_str()), 422),
        (ordinary, own_moves, Some("{}"), 400),
        (small, own_moves, Some(endless.as_str()), 413),
        (ordinary, rules, Some(drawn.as_str()), 200),
        (ordinary, rules, Some(large.as_str()), 200),
        (ordinary, rules, Some("{}"), 400),
        (ordinary, rules, Some(no_game.as_str()), 422),
        (ordinary, rules, Some(endless.as_str()), 400),
        (small, rules, Some(endless.as_str()), 413),
        (ordinary, table, Some(drawn.as_str()), 200),
        (ordinary, table, Some("{}"), 400),
        (ordinary, table, Some(large.as_str()), 422),
        (ordinary, table, Some(endless.as_str()), 400),
        (small, table, Some(endless.as_str()), 413),
        (ordinary, judge, Some(drawn.as_str()), 200),
        (ordinary, judge, Some("{}"), 400),
        (ordinary, judge, Some(large.as_str()), 422),
        (small, judge, Some(endless.as_str()), 413),
        (ordinary, batch, Some(two.as_str()), 200),
        (ordinary, batch, Some("{"), 400),
        (ordinary, batch, None, 400),
        (ordinary, "/api/v1/games/nope/positions", Some(two.as_str()), 404),
        (small, batch, Some(three.as_str()), 413),
        (small, batch, Some(long.as_str()), 413),
        (damaged, batch, Some(two.as_str()), 500),
        (ordinary, replay, Some(moves.as_str()), 200),
        (ordinary, replay, Some("{\"moves\":1}"), 400),
        (ordinary, "/api/v1/games/nope/replay", Some(moves.as_str()), 404),
        (small, replay, Some(more_moves.as_str()), 413),
        (damaged, replay, Some(moves.as_str()), 500),
        (ordinary, heaps, Some(sums.as_str()), 200),
        (ordinary, heaps, Some("{\"positions\":[[-1]]}"), 400),
        (ordinary, "/api/v1/grundy/nope/positions", Some(sums.as_str()), 404),
        (small, heaps, Some(more_sums.as_str()), 413),
        (small, heaps, Some(long_sums.as_str()), 413),
        (ordinary, cram, Some(cells.as_str()), 200),
        (ordinary, cram, Some("{\"positions\":[1]}"), 400),
        (ordinary, "/api/v1/cram/nope/positions", Some(cells.as_str()), 404),
        (small, cram, Some(three.as_str()), 413),
    ];
    for (server, path, body, status) in posts {
        let response = server.ask("POST", path, body);
        assert_eq!(response.status, status, "{path} {body:?}: {response:?}");
        description.check("POST", path, &response);
    }
    let bodies = [
        (batch, &two),
        (replay, &moves),
        (heaps, &sums),
        (cram, &cells),
        (rules, &drawn),
        (table, &drawn),
        (judge, &drawn),
        (own_moves, &drawn),
    ];
    let idle = Limits { work_time: Duration::ZERO, ..Limits::default() };
    let idle = Limited::start(idle, 10, None);
    let reading = reading.into_iter().map(|path| ("GET", path, String::new()));
    let posting = bodies.iter().map(|&(path, body)| ("POST", path, body.clone()));
    for (method, path, body) in reading.chain(posting) {
        let rest = format!("{JSON}Content-Length: {}\r\n\r\n{body}", body.len());
        for (host, status) in [("evil.example", 421), (&*"x".repeat(20_000), 431)] {
            let text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{rest}");
            let refused = ordinary.send(text.as_bytes());
            assert_eq!(refused.status, status, "{path}: {refused:?}");
            description.check(method, path, &refused);
        }
        // Short requests are answered without a limit of time.
        let late = idle.ask(
            method,
            path,
            Some(&body).filter(|body| !body.is_empty()).map(|body| &body[..]),
        );
        if late.status == 503 {
            description.check(method, path, &late);
        }
    }
    for (path, body) in bodies {
        let asked = || rare.ask("POST", path, Some(body));
        let refused =
            std::iter::repeat_with(asked).find(|response| response.status == 429).unwrap();
        assert_eq!(refused.header("retry-after"), Some("1"));
        description.check("POST", path, &refused);
        let half = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\n{JSON}Content-Length: 50\r\n\r\n{{\"pos"
        );
        let slow = hasty.send(half.as_bytes());
        assert_eq!(slow.status, 408, "{slow:?}");
        description.check("POST", path, &slow);
    }

    description
}

fn objects<'v>(value: &'v Value, visit: &mut impl FnMut(&'v Value)) {
    visit(value);
    match value {
        Value::Array(items) => items.iter().for_each(|item| objects(item, visit)),
        Value::Object(fields) => fields.values().for_each(|item| objects(item, visit)),
        _ => {}
    }
}

#[test]
fn the_description_is_closed_and_complete() {
    let document = Description::of(&Server::start(&["classic"])).document;
    objects(&document, &mut |value| {
        if let Some(path) = value["$ref"].as_str() {
            let found = document.pointer(path.trim_start_matches('#'));
            assert!(found.is_some_and(Value::is_object), "{path}");
        }
        if value["properties"].is_object() && value["type"] == "object" {
            assert_eq!(value["additionalProperties"], false, "{value}");
        }
        assert!(value["allOf"].is_null(), "{value}");
    });
    let required = |schema: &str, field: &str| {
        let required = document["components"]["schemas"][schema]["required"].as_array().unwrap();
        required.iter().any(|name| name == field)
    };
    // Nullable properties are required, and optional ones are not.
    for field in ["game", "start", "pieces", "links", "wraps", "census"] {
        assert!(required("Description", field), "{field}");
    }
    for (field, is_required) in [("plies", true), ("draw", false), ("over", false)] {
        assert_eq!(required("Answer", field), is_required, "{field}");
    }
}
