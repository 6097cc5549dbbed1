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
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::marker::PhantomData;
use std::time::Duration;
use tower_http::cors::{AllowMethods, Any, CorsLayer};
use utoipa::ToSchema;

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

/// Description of one operation.
#[derive(Default)]
pub(crate) struct Operation {
    /// Parameters of the path and the query.
    pub parameters: Vec<Value>,
    body: Option<Value>,
    responses: Map<String, Value>,
    schemas: Map<String, Value>,
}

impl Operation {
    /// Adds the schema of a type, and returns a reference to it.
    pub(crate) fn schema<T: ToSchema>(&mut self) -> Value {
        let mut schemas = vec![(T::name().into(), T::schema())];
        T::schemas(&mut schemas);
        self.schemas.extend(schemas.into_iter().map(|(name, schema)| (name, json!(schema))));
        json!({ "$ref": format!("#/components/schemas/{}", T::name()) })
    }

    /// Sets the type of the body and an example in JSON.
    pub(crate) fn body<T: ToSchema>(&mut self, example: &str) {
        let example: Value = serde_json::from_str(example).expect("an example in JSON");
        let content = json!({ "schema": self.schema::<T>(), "example": example });
        self.body = Some(json!({ "required": true, "content": { JSON: content } }));
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
            let schema = self.schema::<Error>();
            self.answer(status, reason, JSON, schema);
        }
    }
}

/// Argument of a handler: a part of the request.
pub(crate) trait Part {
    /// Adds the parameters or the body, and the errors of reading them.
    fn describe(_: &mut Operation) {}
}

impl Part for extract::State<State> {}

/// Result of a handler.
pub(crate) trait Answer {
    /// Media type.
    const KIND: &str;

    /// Returns the schema. Types with a name are added to the operation.
    fn schema(_: &mut Operation) -> Value {
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

impl<T: ToSchema> Answer for Written<T> {
    const KIND: &str = JSON;

    fn schema(operation: &mut Operation) -> Value {
        operation.schema::<T>()
    }
}

/// A handler whose arguments are `Parts`.
pub(crate) trait Described<Parts> {
    /// Adds the arguments and the result.
    fn describe(operation: &mut Operation);
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
            fn describe(operation: &mut Operation) {
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
    schemas: Map<String, Value>,
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
        self,
        path: &str,
        name: [&str; 2],
        errors: &[u16],
        handler: H,
    ) -> Routes
    where
        H: Described<Parts> + Handler<Arguments, State>,
    {
        let mut operation = Operation::default();
        H::describe(&mut operation);
        operation.refuses(errors);
        operation.refuses(&[429]);
        let is_read = operation.body.is_none();
        let filter = if is_read { MethodFilter::GET } else { MethodFilter::POST };
        self.add(path, name, operation, on(filter, handler))
    }

    fn add(
        mut self,
        path: &str,
        [id, summary]: [&str; 2],
        operation: Operation,
        handler: MethodRouter<State>,
    ) -> Routes {
        let Operation { parameters, body, responses, schemas } = operation;
        let (method, methods) = match body {
            None => ("get", [Method::GET, Method::HEAD, Method::OPTIONS].to_vec()),
            Some(_) => ("post", [Method::POST, Method::OPTIONS].to_vec()),
        };
        let mut json = json!({
            "operationId": id, "summary": summary, "parameters": parameters, "responses": responses,
        });
        body.into_iter().for_each(|body| json["requestBody"] = body);
        self.paths.insert(path.into(), json!({ method: json }));
        self.schemas.extend(schemas);
        let handler = handler.fallback(wrong_method);
        let handler = if self.is_shared { handler.layer(sharing(methods)) } else { handler };
        self.router = self.router.route(path, handler);
        self
    }

    /// Returns the OpenAPI document for an interface below the path `base`.
    pub(crate) fn document(&self, base: &str) -> Value {
        let mut document = json!({
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
            "components": { "schemas": self.schemas },
        });
        close(&mut document, &self.schemas);
        document
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

/// Closes a schema: objects have no unknown fields, and a field that may be null is always present. Flattened fields
/// become fields of their object.
fn close(value: &mut Value, schemas: &Map<String, Value>) {
    let schema = match value {
        Value::Array(items) => return items.iter_mut().for_each(|item| close(item, schemas)),
        Value::Object(schema) => schema,
        _ => return,
    };
    if let Some(Value::Array(parts)) = schema.remove("allOf") {
        parts.into_iter().for_each(|part| merge(schema, part, schemas));
    }
    schema.values_mut().for_each(|item| close(item, schemas));
    // Clients need the range of a number, not its width in bits.
    if schema.get("format").is_some_and(Value::is_string)
        && schema.remove("format") == Some(json!("int64"))
    {
        schema.insert("maximum".into(), u64::MAX.into());
    }
    // All tuples here have elements of one type. They are described as lists of fixed length, for client generators that
    // do not support `prefixItems`.
    if let Some(Value::Array(parts)) = schema.remove("prefixItems") {
        schema.insert("minItems".into(), parts.len().into());
        schema.insert("maxItems".into(), parts.len().into());
        schema.insert("items".into(), parts.into_iter().next().unwrap_or_default());
    }
    if let Some(Value::Object(properties)) = schema.get("properties") {
        let nullable = properties.iter().filter(|(_, property)| is_nullable(property));
        let nullable: Vec<Value> = nullable.map(|(name, _)| json!(name)).collect();
        if let Value::Array(required) = schema.entry("required").or_insert(json!([])) {
            required.extend(nullable);
        }
        schema.insert("additionalProperties".into(), false.into());
    }
}

/// Adds the fields of `part`, or of the schema that it refers to, because a flattened field is not an object of its own.
fn merge(schema: &mut Map<String, Value>, part: Value, schemas: &Map<String, Value>) {
    let named = part["$ref"].as_str().and_then(|path| schemas.get(path.rsplit('/').next()?));
    for (key, value) in named.unwrap_or(&part).as_object().into_iter().flatten() {
        match (schema.entry(key).or_insert(Value::Null), value.clone()) {
            (Value::Object(held), Value::Object(more)) => held.extend(more),
            (Value::Array(held), Value::Array(more)) => held.extend(more),
            (held @ Value::Null, value) => *held = value,
            _ => {}
        }
    }
}

/// Checks that a property may be null. A nullable property is always present; an optional one is never null.
fn is_nullable(property: &Value) -> bool {
    let kinds = [&property["type"], &property["oneOf"]].into_iter().filter_map(Value::as_array);
    kinds.flatten().any(|kind| kind == "null" || kind["type"] == "null")
}
