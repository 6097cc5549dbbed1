//! `/api/v1/grundy` and `/api/v1/cram`: values of impartial games, winning moves, and lines of play.
//!
//! Each kind of games is an [`Impartial`]. [`add`] gives it a list, descriptions, positions, lines, and batches.

mod cram;
mod heaps;

pub(super) use cram::CramBoard;
pub(super) use heaps::HeapGame;

use super::State;
use crate::api::Routes;
use crate::batch::Answers;
use crate::extract::{Body, Found, Named, Query};
use crate::handler::{long, post, short};
use crate::job::Job;
use crate::refusal::Refusal;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// A game or board of one kind of impartial games.
pub(super) trait Impartial: Named {
    /// Path of a game, which ends with its only parameter. Without the parameter it is the path of the list.
    const PATH: &str;
    /// Operation ids of the list, a description, a position, a line, and a batch.
    const OPERATIONS: [&str; 5];

    type List: Serialize + JsonSchema;
    type Description: Serialize + JsonSchema;
    type Query: DeserializeOwned + JsonSchema + Send + 'static;
    type Answer: Serialize + JsonSchema;
    type LineQuery: DeserializeOwned + JsonSchema + Send + 'static;
    type Line: Serialize + JsonSchema;
    type Batch: Body + Send + 'static;
    /// One position of a batch.
    type Position: JsonSchema;

    fn list(all: &[Arc<Self>]) -> Self::List;

    fn describe(&self) -> Result<Self::Description, Refusal>;

    /// Returns the value of a position and its winning moves.
    fn position(&self, query: &Self::Query, job: &Job) -> Result<Self::Answer, Refusal>;

    /// Plays perfectly for the winner until no move is left.
    fn line(&self, query: &Self::LineQuery, job: &Job) -> Result<Self::Line, Refusal>;

    /// Answers a batch with [`answers`](crate::batch::answers).
    fn positions(
        &self,
        batch: &Self::Batch,
        job: &Job,
    ) -> Result<Answers<Self::Answer, Self::Position>, Refusal>;
}

/// Adds the routes of a kind.
pub(super) fn add<G: Impartial>(routes: Routes) -> Routes {
    let [list, game, position, line, positions] = G::OPERATIONS;
    let (all, _) = G::PATH.rsplit_once('/').unwrap_or_default();
    let below = |name: &str| format!("{}/{name}", G::PATH);
    routes
        .route(
            all,
            [list, "All games or boards."],
            &[],
            short(|state: State| Ok(G::list(G::served(&state)))),
        )
        .route(
            G::PATH,
            [game, "Description of a game or board."],
            &[],
            long(|Found(game): Found<G>, _| game.describe()),
        )
        .route(
            &below("position"),
            [position, "The value of a position, its winner, and the winning moves."],
            &[],
            long(|(Found(game), Query(query)): (Found<G>, Query<G::Query>), job| {
                game.position(&query, job)
            }),
        )
        .route(
            &below("line"),
            [line, "A line of play in which the winner plays perfectly."],
            &[],
            long(|(Found(game), Query(query)): (Found<G>, Query<G::LineQuery>), job| {
                game.line(&query, job)
            }),
        )
        .route(
            &below("positions"),
            [positions, "Values of many positions at once, each an answer or an error."],
            &[],
            post(|Found(game): Found<G>, batch: G::Batch, job| game.positions(&batch, job)),
        )
}
