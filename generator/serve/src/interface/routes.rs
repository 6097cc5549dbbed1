//! Routes that describe themselves, for `/api/v1/openapi.json`.

use super::handler::Handler;
use super::operation::Schemas;
use crate::state::State;
use axum::Router;
use serde_json::{Map, Value, json};

/// Handlers with their descriptions.
pub(crate) struct Routes {
    /// The handlers by path.
    pub router: Router<State>,
    paths: Map<String, Value>,
    schemas: Schemas,
    is_shared: bool,
}

impl Default for Routes {
    fn default() -> Routes {
        let (router, paths, schemas) = (Router::new(), Map::new(), Schemas::default());
        Routes { router, paths, schemas, is_shared: false }
    }
}

impl Routes {
    /// Lets other sites read the answers of all routes that are added from now on (CORS).
    pub(crate) fn shared(self) -> Routes {
        Routes { is_shared: true, ..self }
    }

    /// Adds a handler with its operation id and summary. `errors` are those that do not follow from its types.
    pub(crate) fn route(
        mut self,
        path: &str,
        name: [&str; 2],
        errors: &[u16],
        handler: Handler,
    ) -> Routes {
        let (method, json) = self.schemas.operation(name, errors, handler.describe);
        self.paths.insert(path.into(), json!({ method: json }));
        self.router = self.router.route(path, handler.serve(self.is_shared));
        self
    }

    /// Returns the OpenAPI document for an interface below the path `base`. It takes the schemas, so it is made once.
    pub(crate) fn document(&mut self, base: &str) -> Value {
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
            "components": { "schemas": self.schemas.take() },
        })
    }
}
