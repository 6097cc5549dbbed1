//! The description of the HTTP interface matches the running server: every answer is described, and every
//! described answer occurs.

use crate::schema::Answers;
use morpion_serve::limits::Limits;
use morpion_tests::server::{JSON, Limited, Response, Server, tables};
use morpion_tests::{needs, package_test, run, tools};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

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
        let described = referred(&self.document, &operation["responses"][&status]);
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

/// Follows a reference inside a document.
fn referred<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    let reference = value["$ref"].as_str();
    reference.map_or(value, |path| document.pointer(path.trim_start_matches('#')).unwrap())
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
         from client.api.default import position\n\
         client = Client(base_url='http://{}')\n\
         answer = position.sync('swap', client=client, position='X../.O./..X o')\n\
         print(answer.best, answer.moves[0].position, answer.moves[0].draw)\n",
        server.address
    );
    let output = run(Command::new(tools::python()).args(["-c", &program]).current_dir(&folder));
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "['b1', 'a2', 'c2', 'b3'] XO./.O./..X x cycle\n"
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
    let small = Limited::start(Limits { body: 80, batch: 2, ..Limits::default() }, 10);
    let hasty = Limits { request_time: Duration::from_millis(500), ..Limits::default() };
    let hasty = Limited::start(hasty, 10);
    let folder = damaged_table();
    let damaged = Server::start(&["classic", "--tables", folder.path().to_str().unwrap()]);
    let mut description = Description::of(&ordinary);
    let batch = "/api/v1/games/classic/positions";
    let mut reading: Vec<String> =
        ["/healthz", "/metrics", "/api/v1/openapi.json", "/api/v1/games"].map(String::from).into();
    for game in ordinary.get("/api/v1/games").json()["games"].as_array().unwrap() {
        let path = format!("/api/v1/games/{}", game["game"].as_str().unwrap());
        reading.extend(["", "/position", "/line"].map(|more| format!("{path}{more}")));
    }
    let here = format!("position?position={POSITION}");
    let reading = reading.into_iter().map(|path| (&*ordinary, path, 200));
    let bad = [
        (&*ordinary, "nope", 404),
        (&ordinary, "%ff", 400),
        (&ordinary, "nope/position", 404),
        (&ordinary, "classic/position?position=XX", 404),
        (&ordinary, "classic/position?place=XX", 400),
        (&ordinary, "nope/line", 404),
        (&ordinary, "classic/line?position=hello", 400),
        (&ordinary, "classic/line?position=XX", 404),
        (&damaged, &format!("classic/{here}"), 500),
        (&damaged, &format!("classic/{}", here.replacen("position", "line", 1)), 500),
    ];
    let bad = bad.map(|(server, path, status)| (server, format!("/api/v1/games/{path}"), status));
    for (server, path, status) in reading.chain(bad) {
        let response = server.get(&path);
        assert_eq!(response.status, status, "{path}: {response:?}");
        description.check("GET", &path, &response);
    }
    let two = json!({ "positions": ["X../.O./..X o", "what"], "traps": true }).to_string();
    let three = json!({ "positions": ["", "", ""] }).to_string();
    let long = json!({ "positions": ["x".repeat(100)] }).to_string();
    let posts = [
        (&*ordinary, batch, Some(two.as_str()), 200),
        (&ordinary, batch, Some("{"), 400),
        (&ordinary, batch, None, 400),
        (&ordinary, "/api/v1/games/nope/positions", Some(&two), 404),
        (&small, batch, Some(&three), 413),
        (&small, batch, Some(&long), 413),
        (&damaged, batch, Some(&two), 500),
    ];
    for (server, path, body, status) in posts {
        let response = server.ask("POST", path, body);
        assert_eq!(response.status, status, "{body:?}: {response:?}");
        description.check("POST", path, &response);
    }
    let half = format!(
        "POST {batch} HTTP/1.1\r\nHost: localhost\r\n{JSON}Content-Length: 50\r\n\r\n{{\"pos"
    );
    let slow = hasty.send(half.as_bytes());
    assert_eq!(slow.status, 408, "{slow:?}");
    description.check("POST", batch, &slow);
    let everything = description.described();
    for route in everything.iter().map(|(route, _)| route).collect::<BTreeSet<_>>() {
        let (method, template) = route.split_once(' ').unwrap();
        let path = template.replace("{game}", "classic");
        for (host, status) in [("evil.example", 421), (&*"x".repeat(20_000), 431)] {
            let text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
            let refused = ordinary.send(text.as_bytes());
            assert_eq!(refused.status, status, "{path}: {refused:?}");
            description.check(method, &path, &refused);
        }
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
