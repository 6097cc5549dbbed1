//! `/api/v1/games`: games with a table.
//!
//! In: name and positions. Out: the description, what positions and moves are worth, or a perfect line of play.

use crate::batch::{self, Batch};
use crate::describe::{Description, Summary};
use crate::extract::{Path, Query};
use crate::job::Job;
use crate::json::Json;
use crate::library::Library;
use crate::reasons::{
    BadBody, BadText, BatchTooLong, Busy, Damaged, NoGame, NoPosition, NoRuleFile, RateLimited,
    Slow,
};
use crate::refusal::Refusal;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use morpion_report::answer::Answer;
use morpion_report::line::LineAnswer;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// All games.
#[derive(Serialize, ToSchema)]
#[schema(as = Games)]
struct GameList<'a> {
    /// Small ones first.
    games: Vec<&'a Summary>,
}

/// All games.
#[utoipa::path(
    get, path = "/api/v1/games", operation_id = "games",
    responses((status = 200, description = "The games, small ones first.", body = GameList), RateLimited),
)]
pub(super) async fn games(State(library): State<Arc<Library>>) -> Response {
    let games = library.all().iter().map(|game| &game.summary).collect();
    Json(GameList { games }).into_response()
}

/// Which game is asked about.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Game {
    /// The game's name.
    #[param(example = "swap")]
    pub game: String,
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
pub(super) async fn game(
    State(library): State<Arc<Library>>,
    Path(Game { game: name }): Path<Game>,
) -> Result<Response, Refusal> {
    let game = library.find(&name)?;
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
pub(super) async fn rules(
    State(library): State<Arc<Library>>,
    Path(Game { game: name }): Path<Game>,
) -> Result<&'static str, Refusal> {
    let missing = || Refusal::missing(format!("the rule file of {name} is not in the program"));
    library.find(&name)?.rules.ok_or_else(missing)
}

/// What is asked of a game.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionQuery {
    /// Rows from the top, `X` `O` `.`, `/` between them, a space and the side to move, which may be left out where the
    /// piece counts tell it. Without it, the start.
    #[param(
        example = "X../.O./..X o",
        nullable = false,
        pattern = "^[XxOo12._0/|;,() \\[\\]\\t\\r\\n-]*$"
    )]
    position: Option<String>,
}

/// What a position and its moves are worth.
#[utoipa::path(
    get, path = "/api/v1/games/{game}/position", operation_id = "position",
    params(Game, PositionQuery),
    responses(
        (status = 200, description = "The answer.", body = Answer),
        BadText, NoPosition, RateLimited, Damaged,
    ),
)]
pub(super) async fn position(
    State(library): State<Arc<Library>>,
    Path(Game { game: name }): Path<Game>,
    Query(query): Query<PositionQuery>,
) -> Result<Response, Refusal> {
    let game = library.find(&name)?;
    let (position, side) = game.position(query.position.as_deref())?;
    Ok(Json(game.ask(|| game.answer(position, side))?).into_response())
}

/// One perfect line of play.
#[utoipa::path(
    get, path = "/api/v1/games/{game}/line", operation_id = "line",
    params(Game, PositionQuery),
    responses(
        (status = 200, description = "The line.", body = LineAnswer),
        BadText, NoPosition, Busy, Damaged,
    ),
)]
pub(super) async fn line(
    State(library): State<Arc<Library>>,
    job: Job,
    Path(Game { game: name }): Path<Game>,
    Query(query): Query<PositionQuery>,
) -> Result<Response, Refusal> {
    let (position, side) = library.find(&name)?.position(query.position.as_deref())?;
    job.run(move |job| {
        let table = &library.find(&name)?.table;
        let mut line = table.line(position);
        for best in line.by_ref() {
            best?;
            job.check()?;
        }
        job.answer(&LineAnswer::new(table.game(), side, &line))
    })
    .await
}

type Answers = batch::Answers<Answer, String>;

/// Many positions at once.
#[utoipa::path(
    post, path = "/api/v1/games/{game}/positions", operation_id = "positions",
    params(Game),
    request_body(content = Batch, example = json!({ "positions": ["X../.O./..X o", "what"] })),
    responses(
        (status = 200, description = "One answer a position, in their order; an error in the place of a text that is no position.", body = Answers),
        BadBody, NoGame, Slow, BatchTooLong, Busy, Damaged,
    ),
)]
pub(super) async fn positions(
    State(library): State<Arc<Library>>,
    job: Job,
    Path(Game { game: name }): Path<Game>,
    request: Request,
) -> Result<Response, Refusal> {
    library.find(&name)?;
    let (batch, body): (Batch, _) = batch::read(&job, request).await?;
    job.run(move |job| {
        let _in_flight = body;
        let game = library.find(&name)?;
        batch::answers(job, &batch.positions, |text| {
            let (position, side) = game.position(Some(text))?;
            game.answer(position, side)
        })
    })
    .await
}
