//! Enumerations of the lookup library, for the description of the HTTP interface.
//!
//! Answers contain the names of their variants, so the schema of an enumeration lists what the library calls them.

use morpion_core::{DrawKind, Encoding, Over, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// Declares types whose schema is a name from a list.
macro_rules! names {
    ($($(#[doc = $description:literal])+ $Schema:ident $title:literal $names:expr;)+) => {$(
        $(#[doc = $description])+
        pub struct $Schema;

        impl JsonSchema for $Schema {
            fn schema_name() -> Cow<'static, str> {
                $title.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string",
                    "description": concat!($($description),+).trim(),
                    "enum": $names,
                })
            }
        }
    )+};
}

names! {
    /// Value for the side to move.
    ValueName "Value" Value::ALL.map(Value::name);
    /// Kind of a draw: perfect play ends, or can continue forever.
    DrawName "Draw" DrawKind::ALL.map(DrawKind::name);
    /// Reason why the game is over.
    OverName "Over" Over::ALL.map(Over::name);
    /// Encoding of the entries of a table.
    EncodingName "Encoding" [Encoding::Plies8, Encoding::Plies16, Encoding::Wdl].map(Encoding::name);
}
