//! The description of the HTTP interface, as returned by `/api/v1/openapi.json`.
//!
//! The OpenAPI schemas are closed: objects have no unknown fields, and a field that may be null is always present.

use super::refusal::Error;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;

/// The document without routes. Every error response refers to the schema [`Error`] by name.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "morpion",
        version = "1",
        description = "Perfect play in tic-tac-toe and its family. All answers come from solved tables. Errors are JSON: \
                       `{\"error\": \"…\"}`. Bodies and heads have limits, which `morpion serve --help` states.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    components(schemas(Error))
)]
pub(crate) struct Interface;

/// Writes the document for an interface below the path `base`.
///
/// # Errors
/// If it cannot be written as JSON.
pub(crate) fn to_json(
    document: &utoipa::openapi::OpenApi,
    base: &str,
) -> serde_json::Result<Vec<u8>> {
    let mut document: Value = serde_json::from_str(&document.to_json()?)?;
    document["servers"] = json!([{ "url": base }]);
    let schemas = document["components"]["schemas"].clone();
    close(&mut document, &schemas);
    serde_json::to_vec(&document)
}

/// Completes all schemas with properties that `utoipa` does not derive.
fn close(value: &mut Value, schemas: &Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| close(item, schemas)),
        Value::Object(schema) => {
            if let Some(Value::Array(parts)) = schema.remove("allOf") {
                parts.into_iter().for_each(|part| merge(schema, part, schemas));
            }
            schema.values_mut().for_each(|item| close(item, schemas));
            // Clients need the range of a number, not its width in bits.
            if schema.get("format").is_some_and(|format| format == "int64") {
                schema.insert("maximum".into(), u64::MAX.into());
            }
            if schema.get("format").is_some_and(Value::is_string) {
                schema.remove("format");
            }
            // All tuples here have elements of one type. They are described as lists of fixed length, for client
            // generators that do not support `prefixItems`.
            if let Some(Value::Array(parts)) = schema.remove("prefixItems") {
                schema.insert("minItems".into(), parts.len().into());
                schema.insert("maxItems".into(), parts.len().into());
                schema.insert("items".into(), parts.into_iter().next().unwrap_or_default());
            }
            if let Some(Value::Object(properties)) = schema.get("properties") {
                let nullable = properties.iter().filter(|(_, property)| is_nullable(property));
                let nullable: Vec<Value> = nullable.map(|(name, _)| name.as_str().into()).collect();
                let required = schema.entry("required").or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(required) = required {
                    required.extend(nullable);
                }
                schema.insert("additionalProperties".into(), false.into());
            }
        }
        _ => {}
    }
}

/// Adds the fields of `part`, or of the component that it refers to, because a flattened field is not an object of its
/// own.
fn merge(schema: &mut Map<String, Value>, part: Value, schemas: &Value) {
    let named = part["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    let part = named.map_or(&part, |name| &schemas[name]);
    for (key, value) in part.as_object().into_iter().flatten() {
        match (schema.get_mut(key), value) {
            (Some(Value::Object(held)), Value::Object(more)) => held.extend(more.clone()),
            (Some(Value::Array(held)), Value::Array(more)) => held.extend(more.iter().cloned()),
            (None, _) => drop(schema.insert(key.clone(), value.clone())),
            (Some(_), _) => {}
        }
    }
}

/// Checks that a property may be null. A nullable property is always present; an optional one is never null.
fn is_nullable(property: &Value) -> bool {
    let is_null = |kind: &Value| kind == "null";
    property["type"].as_array().is_some_and(|kinds| kinds.iter().any(is_null))
        || property["oneOf"]
            .as_array()
            .is_some_and(|choices| choices.iter().any(|choice| is_null(&choice["type"])))
}
