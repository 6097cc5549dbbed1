//! `/api/v1/puzzles`: positions in which only one move wins, or only one keeps the draw.

use super::State as Shared;
use crate::api::Written;
use crate::extract::{Path, Query};
use crate::job::Job;
use crate::refusal::Refusal;
use axum::extract::State;
use morpion_games::catalogue::Table;
use morpion_play::puzzles::{Filter, GRADES, Puzzle, puzzle};
use serde::Deserialize;
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
pub(super) struct Number {
    /// Any number. For the puzzle of the day, use the number of days since 1 January 1970.
    #[param(example = 20000)]
    number: u64,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(super) struct PuzzleQuery {
    /// Name of a game; without it, all games.
    #[param(example = "tapatan", nullable = false)]
    game: Option<String>,
    /// Grade from 1 (easy) to 5 (hard); without it, all grades.
    #[param(example = 2, nullable = false, minimum = 1, maximum = 5)]
    grade: Option<u8>,
}

pub(super) async fn show(
    State(state): State<Shared>,
    job: Job,
    Path(Number { number }): Path<Number>,
    Query(PuzzleQuery { game, grade }): Query<PuzzleQuery>,
) -> Result<Written<Puzzle>, Refusal> {
    if grade.is_some_and(|grade| !GRADES.contains(&grade)) {
        return Err(Refusal::new(400, "grade: choose one from 1 to 5"));
    }
    job.run(move |job| {
        let tables: Vec<&Table> = state.games.iter().map(|game| &game.table).collect();
        let filter = Filter { game: game.as_deref(), grade };
        let found = puzzle(&tables, number, filter, &|| job.check())?;
        let none = || Refusal::new(404, "no such puzzle here; choose another game or grade");
        found.ok_or_else(none)
    })
    .await
}
