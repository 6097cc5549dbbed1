//! Checks values against a JSON schema.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

/// A compiled schema of draft 2020-12.
pub struct Schema {
    schemas: Schemas,
    root: SchemaIndex,
}

impl Schema {
    /// Compiles a schema, whose references stay inside it.
    pub fn new(schema: Value) -> Schema {
        const NAME: &str = "schema.json";
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource(NAME, schema).unwrap();
        let root = compiler.compile(NAME, &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
        Schema { schemas, root }
    }

    /// Checks a value against the schema.
    ///
    /// # Errors
    /// Lists the places that do not match.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.schemas.validate(value, self.root).map_err(|error| format!("{error:#}"))
    }
}
