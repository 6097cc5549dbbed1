//! Checks answers against JSON schemas, with Python's jsonschema.

use morpion_tests::{needs, run, tools};
use serde_json::{Value, json};
use std::process::Command;

const PROGRAM: &str = r#"
import functools, json, sys
from jsonschema import Draft202012Validator
shared, answers = json.load(open(sys.argv[1]))
@functools.cache
def validator(schema):
    schema = {**shared, **json.loads(schema)}
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)
for name, schema, answer in answers:
    for error in validator(schema).iter_errors(answer):
        sys.exit(f"{name}: {error.message} at {error.json_path} in {answer}")
"#;

/// Answers and their schemas of draft 2020-12.
pub struct Answers {
    /// Definitions to which the schemas refer, as fields of a schema.
    shared: Value,
    /// The name, the text of the schema and the body of each answer.
    answers: Vec<Value>,
}

impl Answers {
    /// Starts with these definitions and no answer.
    pub fn new(shared: Value) -> Answers {
        Answers { shared, answers: Vec::new() }
    }

    /// Adds an answer.
    pub fn add(&mut self, name: &str, schema: &Value, answer: &Value) {
        self.answers.push(json!([name, schema.to_string(), answer]));
    }

    /// Fails if an answer does not match its schema.
    pub fn check(&self) {
        needs(&["jsonschema"]);
        assert!(!self.answers.is_empty());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("answers.json");
        std::fs::write(&file, json!([self.shared, self.answers]).to_string()).unwrap();
        run(Command::new(tools::python()).args(["-c", PROGRAM]).arg(&file));
    }
}
