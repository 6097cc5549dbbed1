//! `/api/v1/rules`: games described by a visitor.
//!
//! Describes the game of a rule file, or solves it and returns its table, with which the page answers queries. The server
//! stores nothing: every request contains the rules. Files are neither read nor written.

use crate::describe::{Description, Shape, Summary};
use crate::job::Job;
use crate::reasons::{BadBody, BodyTooLong, Busy, NoRules, Slow};
use crate::refusal::Refusal;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use morpion_games::arrangements::arrangements;
use morpion_games::catalogue::Table;
use morpion_games::rules;
use morpion_lookup::Game;
use morpion_solver::build::table;
use morpion_solver::error::SolveError;
use morpion_solver::layout::Layout;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::sync::Mutex;
use utoipa::ToSchema;

/// Maximum length of the rules, in characters.
const RULES: usize = 16 << 10;

/// Maximum arrangements and entries of a game that is solved. It takes about a second on two cores, and ten megabytes.
const ARRANGEMENTS: u128 = 40_000_000;
const ENTRIES: u64 = 6_000_000;

/// The lock for solving: one game at a time, since each uses all cores.
pub(super) type Solving = Arc<Mutex<()>>;

const EXAMPLE: &str = "name = \"mine\"\n\n[board]\nrows = 3\ncolumns = 3\n\n[lines]\nlength = 3\n\n[pieces]\neach = 2\n\n[moves]\nto = \"any\"\n";

/// The body of a request about a visitor's game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OwnRules {
    /// A rule file in TOML.
    #[schema(max_length = 16384)]
    rules: String,
}

/// The game that the rules describe.
#[derive(Serialize, ToSchema)]
pub(super) struct Outline {
    /// The game's name.
    game: String,
    /// One-line description.
    title: String,
    /// Number of cells.
    cells: u8,
    /// Pieces of each side; `null` if play ends when the board is full.
    pieces: Option<u8>,
    /// `true` if pieces move after they are placed.
    moving: bool,
    start: OutlineStart,
    #[serde(flatten)]
    shape: Shape,
    /// Number of ways to put the pieces on the board.
    arrangements: f64,
    /// `true` if the game is small enough to be solved by the server.
    small: bool,
}

/// The first position of a game.
#[derive(Serialize, ToSchema)]
struct OutlineStart {
    /// The position as text.
    position: String,
}

/// A solved game.
#[derive(Serialize, ToSchema)]
pub(super) struct Solved {
    description: Description,
    /// The bytes of its table, in Base64.
    table: String,
}

const JSON: &str = "application/json";

/// Refuses a body whose type is not JSON. Another site may post plain text without permission, but not JSON.
fn check_kind(headers: &HeaderMap) -> Result<(), Refusal> {
    let kind = headers.get(CONTENT_TYPE).map(|kind| String::from_utf8_lossy(kind.as_bytes()));
    let is_json = |kind: &str| {
        kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(JSON))
    };
    let found = match &kind {
        Some(kind) if is_json(kind) => return Ok(()),
        Some(kind) => format!("{:?}", kind.chars().take(64).collect::<String>()),
        None => "none".to_owned(),
    };
    Err(Refusal::bad(format!("the body is {found}: send content-type: {JSON}")))
}

async fn read(job: &mut Job, request: Request) -> Result<OwnRules, Refusal> {
    check_kind(request.headers())?;
    let body = job.body(request.into_body()).await?;
    serde_json::from_slice(&body).map_err(|error| {
        Refusal::bad(format!(
            "the body: {error}; expected a JSON object like {{\"rules\": \"name = …\"}}"
        ))
    })
}

/// Describes the game of a rule file.
#[utoipa::path(
    post, path = "/api/v1/rules", operation_id = "rules",
    request_body(content = OwnRules, example = json!({ "rules": EXAMPLE })),
    responses(
        (status = 200, description = "The game.", body = Outline),
        BadBody, NoRules, Slow, BodyTooLong, Busy,
    ),
)]
pub(super) async fn outline(mut job: Job, request: Request) -> Result<Response, Refusal> {
    let asked = read(&mut job, request).await?;
    job.run(move |job| job.answer(&Outline::of(&game(&asked.rules)?))).await
}

/// Solves a small game and returns its table.
#[utoipa::path(
    post, path = "/api/v1/rules/table", operation_id = "solve",
    request_body(content = OwnRules, example = json!({ "rules": EXAMPLE })),
    responses(
        (status = 200, description = "The game and its table.", body = Solved),
        BadBody, NoRules, Slow, BodyTooLong, Busy,
    ),
)]
pub(super) async fn solve(
    State(solving): State<Solving>,
    mut job: Job,
    request: Request,
) -> Result<Response, Refusal> {
    let asked = read(&mut job, request).await?;
    let Ok(alone) = solving.try_lock_owned() else {
        return Err(Refusal::often("another game is being solved: try again"));
    };
    job.run(move |job| {
        let _alone = alone;
        job.answer(&solved(&game(&asked.rules)?, job)?)
    })
    .await
}

/// Reads rules.
///
/// # Errors
/// 400 if they are longer than [`RULES`] characters, 422 with the reason if they are invalid.
fn game(text: &str) -> Result<Game, Refusal> {
    let found = text.chars().count();
    if found > RULES {
        let message = format!("rules of {found} characters, expected at most {RULES}");
        return Err(Refusal::bad(message));
    }
    rules::parse("rules", text).map_err(|error| Refusal::unprocessable(error.fault.to_string()))
}

impl Outline {
    /// Describes a game by its rules.
    fn of(game: &Game) -> Outline {
        let rules = game.rules();
        let (position, side) = game.start().parts();
        let arrangements = arrangements(game);
        Outline {
            game: rules.name.clone(),
            title: rules.title.clone(),
            cells: game.cells(),
            pieces: rules.pieces,
            moving: rules.movement.is_some(),
            start: OutlineStart { position: game.format_position(position, side) },
            shape: Shape::of(game),
            arrangements: arrangements as f64,
            small: arrangements <= ARRANGEMENTS,
        }
    }
}

/// Solves a game in memory.
///
/// # Errors
/// 422 if it is too large, 503 if the job gives up.
fn solved(game: &Game, job: &Job) -> Result<Solved, Refusal> {
    let found = arrangements(game);
    if found > ARRANGEMENTS {
        return Err(Refusal::unprocessable(format!(
            "{found} arrangements, expected at most {ARRANGEMENTS}: morpion build --rules solves larger games"
        )));
    }
    let refuse = |error: SolveError| match error {
        SolveError::Stopped(_) => job.given_up(),
        other => Refusal::unprocessable(other.to_string()),
    };
    let entries = Layout::new(game, None, job).map_err(refuse)?.entries();
    if entries > ENTRIES {
        return Err(Refusal::unprocessable(format!(
            "{entries} entries, expected at most {ENTRIES}: morpion build --rules solves larger games"
        )));
    }
    let bytes = table::solve(game, job).map_err(refuse)?;
    let encoded = STANDARD.encode(&bytes);
    let fault = |error: &dyn std::error::Error| Refusal::fault(error.to_string());
    let table = Table::from_source(bytes.into()).map_err(|error| fault(&error))?;
    let summary = Summary::of(&table)?;
    let description = Description::of(&table, summary).map_err(|error| fault(&error))?;
    Ok(Solved { description, table: encoded })
}
