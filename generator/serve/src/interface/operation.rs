//! Descriptions of operations, as in OpenAPI.

use super::answer::Answer;
use super::body::Body;
use crate::refusal::{Error, JSON};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::{Map, Value, json};

/// The errors by status.
const REASONS: [(u16, &str); 10] = [
    (400, "An invalid name, number, text, field or body; `input` is the text of a position."),
    (404, "Not here, too large, or too long to compute; `input` is the text of a position."),
    (408, "A body that took too long."),
    (413, "A body that is too long, or too many positions at once."),
    (421, "A request for another host."),
    (422, "Rules that do not describe a game, or a game too large to be solved here."),
    (429, "More requests per second than one address may send, or too many long requests at once."),
    (431, "A head of a request that is too long; without a body."),
    (500, "The table is damaged."),
    (503, "Not done in time, or the server is stopping."),
];

/// Schemas of the types that operations read and write.
pub(crate) struct Schemas {
    read: SchemaGenerator,
    written: SchemaGenerator,
}

impl Default for Schemas {
    fn default() -> Schemas {
        let mut settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(close));
        settings.definitions_path = "/components/schemas".into();
        Schemas {
            read: settings.clone().into_generator(),
            written: settings.for_serialize().into_generator(),
        }
    }
}

impl Schemas {
    /// Describes an operation, and returns the name of its method with the description. `errors` are those that do not
    /// follow from its types.
    pub(crate) fn operation(
        &mut self,
        [id, summary]: [&str; 2],
        errors: &[u16],
        describe: fn(&mut Operation<'_>),
    ) -> (&'static str, Value) {
        let (parameters, responses) = (Vec::new(), Map::new());
        let mut operation = Operation { schemas: self, parameters, body: None, responses };
        describe(&mut operation);
        operation.refuses(errors);
        operation.refuses(&[421, 429, 431]);
        let Operation { parameters, body, responses, .. } = operation;
        let method = if body.is_none() { "get" } else { "post" };
        let mut json = json!({
            "operationId": id, "summary": summary, "parameters": parameters, "responses": responses,
        });
        body.into_iter().for_each(|body| json["requestBody"] = body);
        (method, json)
    }

    /// Takes the schemas of all types that are described.
    pub(crate) fn take(&mut self) -> Map<String, Value> {
        let mut schemas = self.written.take_definitions(true);
        schemas.extend(self.read.take_definitions(true));
        schemas
    }
}

/// Description of one operation.
pub(crate) struct Operation<'s> {
    schemas: &'s mut Schemas,
    parameters: Vec<Value>,
    body: Option<Value>,
    responses: Map<String, Value>,
}

impl Operation<'_> {
    /// Adds the fields of a type as parameters of the path or the query.
    pub(crate) fn parameters<T: JsonSchema>(&mut self, place: &str) {
        let fields = T::json_schema(&mut self.schemas.read);
        self.add_parameters(place, fields);
    }

    fn add_parameters(&mut self, place: &str, mut fields: Schema) {
        RecursiveTransform(close).transform(&mut fields);
        let required = required(&fields);
        let fields = fields.get_mut("properties").and_then(Value::as_object_mut);
        for (name, schema) in fields.into_iter().flatten() {
            let description = schema.as_object_mut().and_then(|all| all.remove("description"));
            self.parameters.push(json!({
                "name": name, "in": place, "required": required.contains(name),
                "description": description, "schema": schema,
            }));
        }
    }

    /// Adds a name, with its description and an example, as the parameter of the path, and the errors of finding it.
    pub(crate) fn named(&mut self, [name, description, example]: [&str; 3]) {
        self.parameters.push(json!({
            "name": name, "in": "path", "required": true, "description": description, "example": example,
            "schema": { "type": "string" },
        }));
        self.refuses(&[400, 404]);
    }

    /// Sets the type of the body, and adds the errors of reading it.
    pub(crate) fn body<B: Body>(&mut self) {
        let schema = self.schemas.read.subschema_for::<B>();
        self.set_body(schema, B::EXAMPLE);
        self.refuses(&[400, 408, 413]);
    }

    fn set_body(&mut self, schema: Schema, example: &str) {
        let example: Value = serde_json::from_str(example).expect("an example in JSON");
        let content = json!({ "schema": schema, "example": example });
        self.body = Some(json!({ "required": true, "content": { JSON: content } }));
    }

    /// Sets the type of the answer.
    pub(crate) fn answers<A: Answer>(&mut self) {
        let schema = A::schema(&mut self.schemas.written);
        self.answer(200, "The answer.", A::KIND, schema);
    }

    fn answer(&mut self, status: u16, reason: &str, kind: &str, schema: Schema) {
        let (kind, _) = kind.split_once(';').unwrap_or((kind, ""));
        let content = json!({ kind: { "schema": schema } });
        let response = json!({ "description": reason, "content": content });
        self.responses.insert(status.to_string(), response);
    }

    /// Adds errors with these statuses.
    pub(crate) fn refuses(&mut self, statuses: &[u16]) {
        for (status, reason) in REASONS.into_iter().filter(|(status, _)| statuses.contains(status))
        {
            if status == 431 {
                self.responses.insert(status.to_string(), json!({ "description": reason }));
                continue;
            }
            let schema = self.schemas.written.subschema_for::<Error>();
            self.answer(status, reason, JSON, schema);
        }
    }
}

/// Closes a schema: objects have no unknown fields, and an optional field is never null.
fn close(schema: &mut Schema) {
    // Clients need the range of a number, not its width in bits.
    if schema.remove("format").is_some_and(|format| format == "uint64") {
        schema.insert("maximum".into(), u64::MAX.into());
    }
    // Client generators make fields with a default required.
    schema.remove("default");
    // Enumerations are described as lists of names, for client generators that do not support a schema for each name.
    let variants = schema.get("oneOf").and_then(Value::as_array);
    let names = variants.and_then(|all| all.iter().map(|each| each.get("const")).collect());
    if let Some::<Vec<_>>(names) = names {
        *schema = json_schema!({
            "type": "string", "description": schema.get("description"), "enum": names,
        });
    }
    let required = required(schema);
    let Some(Value::Object(fields)) = schema.get_mut("properties") else { return };
    for (name, field) in fields {
        if let Some(Value::Array(kinds)) = field.get_mut("type")
            && !required.contains(name)
        {
            field["type"] = kinds.swap_remove(0);
        }
    }
    schema.insert("additionalProperties".into(), false.into());
}

/// Returns the names of the required fields.
fn required(schema: &Schema) -> Vec<String> {
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str).map(Into::into).collect()
}
