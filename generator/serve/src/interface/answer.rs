//! Results of handlers.

use crate::refusal::{JSON, Refusal};
use axum::body::Bytes;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use std::marker::PhantomData;

/// Result of a handler.
pub(crate) trait Answer {
    /// Content type.
    const KIND: &str = JSON;

    /// Returns the schema.
    fn schema(generator: &mut SchemaGenerator) -> Schema;

    /// Returns the body of the response.
    fn write(self) -> Result<Bytes, Refusal>;
}

impl<T: Serialize + JsonSchema> Answer for T {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }

    fn write(self) -> Result<Bytes, Refusal> {
        Ok(serde_json::to_vec(&self)?.into())
    }
}

/// The JSON of a value of type `T`.
pub(crate) struct Written<T>(Bytes, PhantomData<T>);

impl<T> Written<T> {
    pub(crate) fn new(text: Bytes) -> Written<T> {
        Written(text, PhantomData)
    }
}

impl<T: JsonSchema> Answer for Written<T> {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }

    fn write(self) -> Result<Bytes, Refusal> {
        Ok(self.0)
    }
}

/// Declares texts, each with its content type.
macro_rules! texts {
    ($(#[doc = $about:literal] $Name:ident($text:ty) $kind:literal;)*) => {$(
        #[doc = $about]
        pub(crate) struct $Name(pub $text);

        impl Answer for $Name {
            const KIND: &str = $kind;

            fn schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string" })
            }

            fn write(self) -> Result<Bytes, Refusal> {
                Ok(self.0.into())
            }
        }
    )*};
}

texts! {
    /// A page that needs no other file.
    Page(String) "text/html; charset=utf-8";
    /// Plain text.
    Text(&'static str) "text/plain; charset=utf-8";
    /// Counters as text.
    OpenMetrics(String) "application/openmetrics-text; version=1.0.0; charset=utf-8";
}
