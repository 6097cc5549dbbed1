//! `/api/v1/games`: games with a table, their positions and moves, and perfect lines of play.

use crate::batch;
use crate::describe::{Description, Summary};
use crate::extract::{All, Found, Query};
use crate::job::Job;
use crate::library::ServedGame;
use crate::reasons::{
    BadBody, BadText, BatchTooLong, Busy, Damaged, NoGame, NoPosition, NoRuleFile, RateLimited,
    Slow,
};
use crate::refusal::Refusal;
use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use morpion_report::answer::Answer;
use morpion_report::line::LineAnswer;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// All games.
#[derive(Serialize, ToSchema)]
#[schema(as = Games)]
struct GameList<'a> {
    /// Small games first.
    games: Vec<&'a Summary>,
}

/// All games.
#[utoipa::path(
    get, path = "/api/v1/games", operation_id = "games",
    responses((status = 200, description = "The games, small ones first.", body = GameList), RateLimited),
)]
pub(super) async fn games(State(games): State<All<ServedGame>>) -> Response {
    let games = games.iter().map(|game| &game.summary).collect();
    Json(GameList { games }).into_response()
}

/// Path of a game.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it describes the path that `Found` reads")]
pub(super) struct Game {
    /// The game's name.
    #[param(example = "swap")]
    game: String,
}

/// Rules, geometry, lines, links and census of a game.
#[utoipa::path(
    get, path = "/api/v1/games/{game}", operation_id = "game",
    params(Game),
    responses(
        (status = 200, description = "The description.", body = Description),
        BadText, NoGame, RateLimited,
    ),
)]
pub(super) async fn game(Found(game): Found<ServedGame>) -> Result<Response, Refusal> {
    Ok(([(CONTENT_TYPE, "application/json")], game.description.clone()).into_response())
}

/// The rule file of a standard game.
#[utoipa::path(
    get, path = "/api/v1/games/{game}/rules", operation_id = "ruleFile",
    params(Game),
    responses(
        (status = 200, description = "The rule file, in TOML.", body = String, content_type = "text/plain"),
        BadText, NoRuleFile, RateLimited,
    ),
)]
pub(super) async fn rules(Found(game): Found<ServedGame>) -> Result<&'static str, Refusal> {
    let name = &game.summary.game;
    let missing = || Refusal::missing(format!("the rule file of {name} is not in the program"));
    game.rules.ok_or_else(missing)
}

/// Query for a position.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionQuery {
    /// Rows from the top with `X`, `O` and `.`, separated by `/`, then a space and the side to move. The side may be
    /// omitted if the number of pieces determines it. Without a position, the start.
    #[param(
        example = "X../.O./..X o",
        nullable = false,
        pattern = "^[XxOo12._0/|;,() \\[\\]\\t\\r\\n-]*$"
    )]
    position: Option<String>,
}

/// Returns the value of a position and of its moves.
#[utoipa::path(
    get, path = "/api/v1/games/{game}/position", operation_id = "position",
    params(Game, PositionQuery),
    responses(
        (status = 200, description = "The answer.", body = Answer),
        BadText, NoPosition, RateLimited, Damaged,
    ),
)]
pub(super) async fn position(
    Found(game): Found<ServedGame>,
    Query(query): Query<PositionQuery>,
) -> Result<Response, Refusal> {
    let (position, side) = game.position(query.position.as_deref())?;
    Ok(Json(game.ask(|| game.answer(position, side, true))?).into_response())
}

/// One line of perfect play.
#[utoipa::path(
    get, path = "/api/v1/games/{game}/line", operation_id = "line",
    params(Game, PositionQuery),
    responses(
        (status = 200, description = "The line.", body = LineAnswer),
        BadText, NoPosition, Busy, Damaged,
    ),
)]
pub(super) async fn line(
    Found(game): Found<ServedGame>,
    job: Job,
    Query(query): Query<PositionQuery>,
) -> Result<Response, Refusal> {
    let (position, side) = game.position(query.position.as_deref())?;
    job.run(move |job| {
        let table = &game.table;
        let mut line = table.line(position);
        for best in line.by_ref() {
            best?;
            job.check()?;
        }
        job.answer(&LineAnswer::new(table.game(), side, &line))
    })
    .await
}

/// The body of a request for many positions of a game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GameBatch {
    /// Positions as text.
    positions: Vec<String>,
    /// Adds `trap` to drawing moves, as in the answer to a single position. Takes about ten times as long.
    #[serde(default)]
    traps: bool,
}

type Answers = batch::Answers<Answer, String>;

/// Values and moves of many positions at once.
#[utoipa::path(
    post, path = "/api/v1/games/{game}/positions", operation_id = "positions",
    params(Game),
    request_body(content = GameBatch, example = json!({ "positions": ["X../.O./..X o", "what"] })),
    responses(
        (status = 200, description = "One answer per position, in the same order; an error in place of the answer to a text that is not a position.", body = Answers),
        BadBody, NoGame, Slow, BatchTooLong, Busy, Damaged,
    ),
)]
pub(super) async fn positions(
    Found(game): Found<ServedGame>,
    mut job: Job,
    request: Request,
) -> Result<Response, Refusal> {
    let batch: GameBatch = batch::read(&mut job, request).await?;
    job.run(move |job| {
        batch::answers(job, &batch.positions, |text| {
            let (position, side) = game.position(Some(text))?;
            game.answer(position, side, batch.traps)
        })
    })
    .await
}
