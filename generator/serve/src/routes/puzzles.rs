//! `/api/v1/puzzles`: positions in which only one move wins, or only one keeps the draw.

use crate::extract::{All, Path, Query};
use crate::job::Job;
use crate::library::ServedGame;
use crate::reasons::{BadNumber, Busy, Damaged, NoPuzzle};
use crate::refusal::Refusal;
use axum::extract::State;
use axum::response::Response;
use morpion_games::catalogue::Table;
use morpion_play::puzzles::{Filter, GRADES, Puzzle, puzzle};
use serde::Deserialize;
use utoipa::IntoParams;

/// Number of a puzzle.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Number {
    /// Any number. For the puzzle of the day, use the number of days since 1 January 1970.
    #[param(example = 20000)]
    number: u64,
}

/// Selection of puzzles.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct PuzzleQuery {
    /// Name of a game; without it, all games.
    #[param(example = "tapatan", nullable = false)]
    game: Option<String>,
    /// Grade from 1 (easy) to 5 (hard); without it, all grades.
    #[param(example = 2, nullable = false, minimum = 1, maximum = 5)]
    grade: Option<u8>,
}

/// The puzzle with this number, which is always the same while the server has the same tables.
#[utoipa::path(
    get, path = "/api/v1/puzzles/{number}", operation_id = "puzzle",
    params(Number, PuzzleQuery),
    responses(
        (status = 200, description = "The puzzle.", body = Puzzle),
        BadNumber, NoPuzzle, Busy, Damaged,
    ),
)]
pub(super) async fn show(
    State(games): State<All<ServedGame>>,
    job: Job,
    Path(Number { number }): Path<Number>,
    Query(PuzzleQuery { game, grade }): Query<PuzzleQuery>,
) -> Result<Response, Refusal> {
    if grade.is_some_and(|grade| !GRADES.contains(&grade)) {
        return Err(Refusal::bad("grade: choose one from 1 to 5"));
    }
    job.run(move |job| {
        let tables: Vec<&Table> = games.iter().map(|game| &game.table).collect();
        let filter = Filter { game: game.as_deref(), grade };
        let found = puzzle(&tables, number, filter, &|| job.check())?;
        let none = || Refusal::missing("no such puzzle here; choose another game or grade");
        job.answer(&found.ok_or_else(none)?)
    })
    .await
}
