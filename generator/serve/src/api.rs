//! Routes that describe themselves, for `/api/v1/openapi.json`.
//!
//! The description of a route follows from the types of its handler: each argument is a [`Part`] of the request with
//! its parameters and errors, and the result is an [`Answer`] with its schema.

use crate::refusal::{Error, Refusal};
use crate::routes::State;
use axum::Router;
use axum::body::Bytes;
use axum::extract;
use axum::handler::Handler;
use axum::http::Method;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::marker::PhantomData;
use std::time::Duration;
use tower_http::cors::{AllowMethods, Any, CorsLayer};

/// Media type of JSON.
pub(crate) const JSON: &str = "application/json";

/// The errors by status.
const REASONS: [(u16, &str); 7] = [
    (400, "An invalid name, number, text, field or body; `input` is the text of a position."),
    (404, "Not here, too large, or too long to compute; `input` is the text of a position."),
    (408, "A body that took too long."),
    (413, "A body that is too long, or too many positions at once."),
    (422, "Rules that do not describe a game, or a game too large to be solved here."),
    (429, "More requests per second than one address may send, or too many long requests at once."),
    (500, "The table is damaged."),
];

/// Schemas of the types that operations read and write.
struct Schemas {
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

/// Description of one operation.
pub(crate) struct Operation<'s> {
    schemas: &'s mut Schemas,
    /// Parameters of the path and the query.
    pub parameters: Vec<Value>,
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

    /// Sets the type of the body and an example in JSON.
    pub(crate) fn body<T: JsonSchema>(&mut self, example: &str) {
        let example: Value = serde_json::from_str(example).expect("an example in JSON");
        let schema = self.schemas.read.subschema_for::<T>();
        let content = json!({ "schema": schema, "example": example });
        self.body = Some(json!({ "required": true, "content": { JSON: content } }));
    }

    /// Adds the schema of a type that is written, and returns a reference to it.
    pub(crate) fn written<T: JsonSchema>(&mut self) -> Value {
        self.schemas.written.subschema_for::<T>().into()
    }

    fn answer(&mut self, status: u16, reason: &str, kind: &str, schema: Value) {
        let content = json!({ kind: { "schema": schema } });
        let response = json!({ "description": reason, "content": content });
        self.responses.insert(status.to_string(), response);
    }

    /// Adds errors with these statuses.
    pub(crate) fn refuses(&mut self, statuses: &[u16]) {
        for (status, reason) in REASONS.into_iter().filter(|(status, _)| statuses.contains(status))
        {
            let schema = self.written::<Error>();
            self.answer(status, reason, JSON, schema);
        }
    }
}

/// Argument of a handler: a part of the request.
pub(crate) trait Part {
    /// Adds the parameters or the body, and the errors of reading them.
    fn describe(_: &mut Operation<'_>) {}
}

impl Part for extract::State<State> {}

/// Result of a handler.
pub(crate) trait Answer {
    /// Media type.
    const KIND: &str;

    /// Returns the schema. Types with a name are added to the operation.
    fn schema(_: &mut Operation<'_>) -> Value {
        json!({ "type": "string" })
    }
}

impl Answer for &'static str {
    const KIND: &str = "text/plain";
}

/// A value of type `T`, written as JSON.
pub(crate) struct Written<T>(Bytes, PhantomData<fn() -> T>);

impl<T> Written<T> {
    pub(crate) fn new(text: Bytes) -> Written<T> {
        Written(text, PhantomData)
    }

    /// Writes a value, or returns 500 if it has no form in JSON.
    pub(crate) fn of(value: &T) -> Result<Written<T>, Refusal>
    where
        T: Serialize,
    {
        Ok(Written::new(serde_json::to_vec(value)?.into()))
    }
}

impl<T> IntoResponse for Written<T> {
    fn into_response(self) -> Response {
        ([(CONTENT_TYPE, JSON)], self.0).into_response()
    }
}

impl<T: JsonSchema> Answer for Written<T> {
    const KIND: &str = JSON;

    fn schema(operation: &mut Operation<'_>) -> Value {
        operation.written::<T>()
    }
}

/// A handler whose arguments are `Parts`.
pub(crate) trait Described<Parts> {
    /// Adds the arguments and the result.
    fn describe(operation: &mut Operation<'_>);
}

macro_rules! handlers {
    ($(($($part:ident)*))*) => {$(
        impl<F, Work, A, $($part),*> Described<($($part,)*)> for F
        where
            F: Fn($($part),*) -> Work,
            Work: Future<Output = Result<A, Refusal>>,
            A: Answer,
            $($part: Part,)*
        {
            fn describe(operation: &mut Operation<'_>) {
                $($part::describe(operation);)*
                let schema = A::schema(operation);
                operation.answer(200, "The answer.", A::KIND, schema);
            }
        }
    )*};
}

handlers! { () (P1) (P1 P2) (P1 P2 P3) (P1 P2 P3 P4) }

/// Handlers with their descriptions.
#[derive(Default)]
pub(crate) struct Routes {
    /// The handlers by path.
    pub router: Router<State>,
    paths: Map<String, Value>,
    schemas: Schemas,
    is_shared: bool,
}

impl Routes {
    /// Lets other sites read the answers of all routes that are added from now on (CORS).
    pub(crate) fn shared(self) -> Routes {
        Routes { is_shared: true, ..self }
    }

    /// Adds a handler with its operation id and summary, for POST if it reads a body, otherwise for GET. `errors` are
    /// those that do not follow from its arguments.
    pub(crate) fn route<Parts, Arguments: 'static, H>(
        mut self,
        path: &str,
        name: [&str; 2],
        errors: &[u16],
        handler: H,
    ) -> Routes
    where
        H: Described<Parts> + Handler<Arguments, State>,
    {
        let mut operation = Operation {
            schemas: &mut self.schemas,
            parameters: Vec::new(),
            body: None,
            responses: Map::new(),
        };
        H::describe(&mut operation);
        operation.refuses(errors);
        operation.refuses(&[429]);
        let Operation { parameters, body, responses, .. } = operation;
        let filter = if body.is_none() { MethodFilter::GET } else { MethodFilter::POST };
        self.add(path, name, parameters, body, responses, on(filter, handler))
    }

    fn add(
        mut self,
        path: &str,
        [id, summary]: [&str; 2],
        parameters: Vec<Value>,
        body: Option<Value>,
        responses: Map<String, Value>,
        handler: MethodRouter<State>,
    ) -> Routes {
        let (method, methods) = match body {
            None => ("get", [Method::GET, Method::HEAD, Method::OPTIONS].to_vec()),
            Some(_) => ("post", [Method::POST, Method::OPTIONS].to_vec()),
        };
        let mut json = json!({
            "operationId": id, "summary": summary, "parameters": parameters, "responses": responses,
        });
        body.into_iter().for_each(|body| json["requestBody"] = body);
        self.paths.insert(path.into(), json!({ method: json }));
        let handler = handler.fallback(wrong_method);
        let handler = if self.is_shared { handler.layer(sharing(methods)) } else { handler };
        self.router = self.router.route(path, handler);
        self
    }

    /// Returns the OpenAPI document for an interface below the path `base`.
    pub(crate) fn document(&mut self, base: &str) -> Value {
        let Schemas { read, written } = &mut self.schemas;
        let mut schemas = written.take_definitions(true);
        schemas.extend(read.take_definitions(true));
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": "morpion",
                "version": "1",
                "description": "Perfect play in tic-tac-toe and its family. All answers come from solved tables. Errors \
                                are JSON: `{\"error\": \"…\"}`. Bodies and heads have limits, which `morpion serve \
                                --help` states.",
                "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
            },
            "servers": [{ "url": base }],
            "paths": self.paths,
            "components": { "schemas": schemas },
        })
    }
}

/// Lets other sites use these methods. This is safe, since tables are public and answers do not depend on the client.
pub(crate) fn sharing(methods: impl Into<AllowMethods>) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods(methods)
        .allow_headers([CONTENT_TYPE])
        .expose_headers([RETRY_AFTER])
        .max_age(Duration::from_secs(86_400))
}

/// Answers 405.
pub(crate) async fn wrong_method(method: Method) -> Refusal {
    Refusal::new(405, format!("{method} is not allowed here: use a method of the header `allow`"))
}

/// Closes a schema: objects have no unknown fields, and an optional field is never null.
fn close(schema: &mut Schema) {
    // Clients need the range of a number, not its width in bits.
    if schema.remove("format").is_some_and(|format| format == "uint64") {
        schema.insert("maximum".into(), u64::MAX.into());
    }
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
