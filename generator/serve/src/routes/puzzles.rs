//! `/api/v1/puzzles`: positions in which exactly one move wins.
//!
//! In: a number. Out: its puzzle.

use crate::extract::{All, Path};
use crate::job::Job;
use crate::library::ServedGame;
use crate::puzzles::{Puzzle, puzzle};
use crate::reasons::{BadNumber, Busy, Damaged, NoPuzzle};
use crate::refusal::Refusal;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

/// Which puzzle is asked for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Number {
    /// Any number; the page takes that of the day, counted from 1970.
    #[param(example = 20000)]
    number: u64,
}

/// The puzzle of a number, always the same one while the server has the same tables.
#[utoipa::path(
    get, path = "/api/v1/puzzles/{number}", operation_id = "puzzle",
    params(Number),
    responses(
        (status = 200, description = "The puzzle.", body = Puzzle),
        BadNumber, NoPuzzle, Busy, Damaged,
    ),
)]
pub(super) async fn show(
    State(games): State<All<ServedGame>>,
    job: Job,
    Path(Number { number }): Path<Number>,
) -> Result<Response, Refusal> {
    job.run(move |job| {
        let found = puzzle(&games, number, &|| job.check())?;
        let none =
            || Refusal::missing("no game here has a puzzle, expected one with distances and a win");
        job.answer(&found.ok_or_else(none)?)
    })
    .await
}
