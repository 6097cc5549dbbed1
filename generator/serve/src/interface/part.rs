//! Parts of the head of a request.

use super::operation::Operation;
use crate::refusal::Refusal;
use crate::served::Served;
use crate::state::Shared;
use axum::extract;
use axum::extract::rejection::QueryRejection;
use axum::http::Uri;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Head of a request.
pub(crate) struct Head {
    pub shared: Arc<Shared>,
    pub served: Arc<Served>,
    pub uri: Uri,
    /// The parameter of the path; empty if it has none.
    pub name: String,
}

/// A part of the head of a request.
pub(crate) trait Part: Sized + Send + 'static {
    /// Adds the parameters, and the errors of reading them.
    fn describe(operation: &mut Operation<'_>);

    /// Reads the part.
    fn read(head: &Head) -> Result<Self, Refusal>;
}

impl Part for () {
    fn describe(_: &mut Operation<'_>) {}

    fn read(_: &Head) -> Result<(), Refusal> {
        Ok(())
    }
}

impl Part for Arc<Shared> {
    fn describe(_: &mut Operation<'_>) {}

    fn read(head: &Head) -> Result<Arc<Shared>, Refusal> {
        Ok(head.shared.clone())
    }
}

impl Part for Arc<Served> {
    fn describe(_: &mut Operation<'_>) {}

    fn read(head: &Head) -> Result<Arc<Served>, Refusal> {
        Ok(head.served.clone())
    }
}

impl<A: Part, B: Part> Part for (A, B) {
    fn describe(operation: &mut Operation<'_>) {
        A::describe(operation);
        B::describe(operation);
    }

    fn read(head: &Head) -> Result<(A, B), Refusal> {
        Ok((A::read(head)?, B::read(head)?))
    }
}

/// The name of a game, whether or not it is served.
pub(crate) struct GameName(pub String);

impl Part for GameName {
    fn describe(operation: &mut Operation<'_>) {
        operation.named(["game", "The game's name.", "swap"]);
    }

    fn read(head: &Head) -> Result<GameName, Refusal> {
        Ok(GameName(head.name.clone()))
    }
}

/// The parameters of the query, field by field.
pub(crate) struct Query<Q>(pub Q);

impl<Q: DeserializeOwned + JsonSchema + Send + 'static> Part for Query<Q> {
    fn describe(operation: &mut Operation<'_>) {
        operation.parameters::<Q>("query");
        operation.refuses(&[400]);
    }

    fn read(head: &Head) -> Result<Query<Q>, Refusal> {
        let read = extract::Query::try_from_uri(&head.uri);
        let refuse = |rejection: QueryRejection| Refusal::new(400, rejection.body_text());
        read.map(|read| Query(read.0)).map_err(refuse)
    }
}

/// Games or boards that can be found by name.
pub(crate) trait Named: Sized + Send + Sync + 'static {
    /// Name, description and example of the parameter of the path.
    const PARAMETER: [&str; 3];

    /// Finds the item with this name.
    ///
    /// # Errors
    /// 404 with the known names, or with the command that builds the missing table.
    fn find(served: &Served, name: &str) -> Result<Arc<Self>, Refusal>;
}

/// 404 for a name that no game has.
pub(crate) fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Refusal {
    let name: String = name.chars().take(64).collect();
    let known = known.collect::<Vec<_>>().join(", ");
    Refusal::new(404, format!("no game {name:?} here: expected one of {known}"))
}

/// The game or board named by the only parameter of the path.
pub(crate) struct ByName<G>(pub Arc<G>);

impl<G: Named> Part for ByName<G> {
    fn describe(operation: &mut Operation<'_>) {
        operation.named(G::PARAMETER);
    }

    fn read(head: &Head) -> Result<ByName<G>, Refusal> {
        G::find(&head.served, &head.name).map(ByName)
    }
}
