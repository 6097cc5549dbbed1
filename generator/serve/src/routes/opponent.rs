//! `/api/v1/players`, and the moves that the players choose. The same seed gives the same move.

use super::games;
use crate::extract::{Found, Query};
use crate::job::Job;
use crate::library::ServedGame;
use crate::reasons::{BadText, Busy, Damaged, NoMove, RateLimited};
use crate::refusal::Refusal;
use axum::Json;
use axum::response::{IntoResponse, Response};
use morpion_play::dice::Dice;
use morpion_play::players::{KINDS, Turn, parse};
use serde::{Deserialize, Serialize};
use std::hash::{BuildHasher, RandomState};
use utoipa::{IntoParams, ToSchema};

/// The maximum number of positions that an opponent may visit for a move: about a second of work.
pub(super) const SEARCH: u64 = 3_000_000;

/// All opponents.
#[derive(Serialize, ToSchema)]
struct Players {
    /// The weakest first.
    players: Vec<ListedPlayer>,
}

/// One opponent.
#[derive(Serialize, ToSchema)]
#[schema(as = Player)]
struct ListedPlayer {
    /// Value for `player` in a request for a move.
    player: &'static str,
    /// Notation of the player's parameters.
    usage: &'static str,
    /// One-line description.
    title: &'static str,
}

/// The opponents.
#[utoipa::path(
    get, path = "/api/v1/players", operation_id = "players",
    responses(
        (status = 200, description = "The opponents, the weakest first.", body = Players),
        RateLimited,
    ),
)]
pub(super) async fn players() -> Response {
    let listed = KINDS.iter().flat_map(|kind| {
        kind.examples.iter().map(|player| ListedPlayer {
            player,
            usage: kind.usage,
            title: kind.about,
        })
    });
    Json(Players { players: listed.collect() }).into_response()
}

/// Query for a move.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveQuery {
    /// Rows from the top with `X`, `O` and `.`, separated by `/`, then a space and the side to move. The side may be
    /// omitted if the number of pieces determines it. Without a position, the start.
    #[param(
        example = "X../.O./..X o",
        nullable = false,
        pattern = "^[XxOo12._0/|;,() \\[\\]\\t\\r\\n-]*$"
    )]
    position: Option<String>,
    /// An opponent from the list in `/api/v1/players`.
    #[param(example = "perfect:first")]
    player: String,
    /// Seed of the choice: the same seed gives the same move. Without it, a random seed.
    #[param(example = 7, nullable = false)]
    seed: Option<u64>,
}

/// A chosen move.
#[derive(Serialize, ToSchema)]
struct Played {
    /// The game's name.
    game: String,
    /// The position in canonical form.
    position: String,
    /// The opponent in canonical form.
    player: String,
    /// Seed that gives the same move again.
    seed: u64,
    /// The move as text.
    #[serde(rename = "move")]
    mv: String,
    /// Positions visited; absent if the player does not search.
    nodes: Option<u64>,
    /// Value that the search found.
    worth: Option<i32>,
}

/// Chooses a move for an opponent.
#[utoipa::path(
    get, path = "/api/v1/games/{game}/move", operation_id = "move",
    params(games::Game, MoveQuery),
    responses(
        (status = 200, description = "The move.", body = Played),
        BadText, NoMove, Busy, Damaged,
    ),
)]
pub(super) async fn show(
    Found(game): Found<ServedGame>,
    job: Job,
    Query(query): Query<MoveQuery>,
) -> Result<Response, Refusal> {
    let name = game.summary.game.clone();
    let (position, side) = game.position(query.position.as_deref())?;
    let player = parse(&query.player).map_err(|error| Refusal::missing(error.to_string()))?;
    // The answer contains the seed, so it must be a whole number that JavaScript can represent.
    let seed = query.seed.unwrap_or_else(|| RandomState::new().hash_one(&name) >> 11);
    job.run(move |job| {
        let table = &game.table;
        let game = table.game();
        let turn = Turn { game, position, table: Some(table), limit: Some(SEARCH) };
        let (mv, choice) = player.choose(&turn, &mut Dice::new(seed))?;
        let played = Played {
            position: game.format_position(position, side),
            game: name,
            player: player.name(),
            seed,
            mv: game.format_move(mv),
            nodes: choice.nodes,
            worth: choice.worth,
        };
        job.answer(&played)
    })
    .await
}
