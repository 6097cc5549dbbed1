//! `/api/v1/grundy` and `/api/v1/cram`: values of impartial games, winning moves, and lines of play.
//!
//! Each kind of games is an [`Impartial`]. [`routes`] gives it a list, descriptions, positions, lines, and batches.

mod cram;
mod heaps;

pub(super) use cram::CramBoard;
pub(super) use heaps::HeapGame;

use super::State;
use crate::batch;
use crate::extract::{All, Found, Named, Query};
use crate::job::Job;
use crate::reasons::{BadBody, BadText, BatchTooLong, Busy, NotHere, RateLimited, Slow};
use crate::refusal::Refusal;
use axum::Json;
use axum::extract::{FromRef, Request, State as Extract};
use axum::routing::{MethodRouter, get, post};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::sync::Arc;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, PathItem, PathsBuilder};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::{
    Content, Ref, RefOr, Required, Response, ResponseBuilder, ResponsesBuilder, Schema,
};
use utoipa::{IntoParams, IntoResponses, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

/// A game or board of one kind of impartial games.
pub(super) trait Impartial: Named + Send + Sync + 'static {
    /// Path of a game, which ends with its only parameter. Without the parameter it is the path of the list.
    const PATH: &'static str;
    /// Operation ids of the list, a description, a position, a line, and a batch.
    const OPERATIONS: [&'static str; 5];

    type List: Serialize + ToSchema;
    /// The parameter of the path.
    type Name: IntoParams;
    type Description: Serialize + ToSchema;
    type Query: DeserializeOwned + IntoParams + Send;
    type Answer: Serialize + ToSchema;
    type LineQuery: DeserializeOwned + IntoParams + Send;
    type Line: Serialize + ToSchema;
    type Batch: DeserializeOwned + ToSchema + Send;
    /// One position of a batch.
    type Position: ToSchema;

    fn list(all: &[Arc<Self>]) -> Self::List;

    fn describe(&self) -> Result<Self::Description, Refusal>;

    /// Returns the value of a position and its winning moves.
    fn position(&self, query: &Self::Query, job: &Job) -> Result<Self::Answer, Refusal>;

    /// Plays perfectly for the winner until no move is left.
    fn line(&self, query: &Self::LineQuery, job: &Job) -> Result<Self::Line, Refusal>;

    /// Answers a batch with [`batch::answers`].
    fn positions(&self, batch: &Self::Batch, job: &Job) -> Result<Vec<u8>, Refusal>;
}

/// Makes the routes that read, and the route for batches.
pub(super) fn routes<G: Impartial>() -> [OpenApiRouter<State>; 2]
where
    All<G>: FromRef<State>,
{
    let [list, game, position, line, positions] = G::OPERATIONS;
    let (all, _) = G::PATH.rsplit_once('/').unwrap_or_default();
    let below = |name: &str| format!("{}/{name}", G::PATH);
    let name = || G::Name::into_params(|| None);
    let errors = &[BadText::responses, NotHere::responses, Busy::responses];
    let read = OpenApiRouter::new()
        .routes(route::<G::List>(
            all,
            operation(list, "All games or boards."),
            &[RateLimited::responses],
            get(async |Extract(games): Extract<All<G>>| Json(G::list(&games))),
        ))
        .routes(route::<G::Description>(
            G::PATH,
            operation(game, "Description of a game or board.").parameters(Some(name())),
            errors,
            get(|Found(game): Found<G>, job: Job| {
                job.run(move |job| job.answer(&game.describe()?))
            }),
        ))
        .routes(route::<G::Answer>(
            &below("position"),
            operation(position, "The value of a position, its winner, and the winning moves.")
                .parameters(Some([name(), G::Query::into_params(|| None)].concat())),
            errors,
            get(|Found(game): Found<G>, job: Job, Query(query): Query<G::Query>| {
                job.run(move |job| job.answer(&game.position(&query, job)?))
            }),
        ))
        .routes(route::<G::Line>(
            &below("line"),
            operation(line, "A line of play in which the winner plays perfectly.")
                .parameters(Some([name(), G::LineQuery::into_params(|| None)].concat())),
            errors,
            get(|Found(game): Found<G>, job: Job, Query(query): Query<G::LineQuery>| {
                job.run(move |job| job.answer(&game.line(&query, job)?))
            }),
        ));
    let body = RequestBodyBuilder::new().content(JSON, content::<G::Batch>());
    let (mut schemas, paths, handler) = route::<batch::Answers<G::Answer, G::Position>>(
        &below("positions"),
        operation(positions, "Values of many positions at once, each an answer or an error.")
            .parameters(Some(name()))
            .request_body(Some(body.required(Some(Required::True)).build())),
        &[
            BadBody::responses,
            NotHere::responses,
            Slow::responses,
            BatchTooLong::responses,
            Busy::responses,
        ],
        post(async |Found(game): Found<G>, mut job: Job, request: Request| {
            let batch: G::Batch = batch::read(&mut job, request).await?;
            job.run(move |job| game.positions(&batch, job)).await
        }),
    );
    add_schema::<G::Batch>(&mut schemas);
    [read, OpenApiRouter::new().routes((schemas, paths, handler))]
}

const JSON: &str = "application/json";

fn operation(id: &str, summary: &str) -> OperationBuilder {
    OperationBuilder::new().operation_id(Some(id)).summary(Some(summary))
}

fn content<T: ToSchema>() -> Content {
    Content::new(Some(Ref::from_schema_name(T::name())))
}

/// Adds the schema of a type, and of the types of its fields.
fn add_schema<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    schemas.push((T::name().into(), T::schema()));
    T::schemas(schemas);
}

/// Describes an error by its status.
type Errors = fn() -> BTreeMap<String, RefOr<Response>>;

/// Makes a route with answers of type `A` or errors. A route with a body is for POST, all others are for GET.
fn route<A: ToSchema>(
    path: &str,
    operation: OperationBuilder,
    errors: &[Errors],
    handler: MethodRouter<State>,
) -> UtoipaMethodRouter<State> {
    let answer = ResponseBuilder::new().description("The answer.").content(JSON, content::<A>());
    let responses = ResponsesBuilder::new()
        .response("200", answer)
        .responses_from_iter(errors.iter().flat_map(|error| error()));
    let operation = operation.responses(responses).build();
    let is_read = operation.request_body.is_none();
    let method = if is_read { HttpMethod::Get } else { HttpMethod::Post };
    let mut schemas = Vec::new();
    add_schema::<A>(&mut schemas);
    (schemas, PathsBuilder::new().path(path, PathItem::new(method, operation)).build(), handler)
}

/// Plays from a position until `next` returns no move. Returns the positions before each move and after the last one,
/// and the moves.
fn played<P, M>(
    start: P,
    next: impl Fn(&P) -> Result<Option<(M, P)>, Refusal>,
) -> Result<(Vec<P>, Vec<M>), Refusal> {
    let (mut positions, mut moves) = (vec![start], Vec::new());
    while let Some((mv, after)) = next(&positions[moves.len()])? {
        positions.push(after);
        moves.push(mv);
    }
    Ok((positions, moves))
}
