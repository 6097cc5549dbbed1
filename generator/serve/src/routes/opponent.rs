//! The opponents: who there is, and what they would play.

use crate::job::Job;
use crate::library::Library;
use crate::reply::{Asked, Named, Reply};
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use morpion_play::dice::Dice;
use morpion_play::players::{KINDS, PlayerError, Turn, parse};
use serde::{Deserialize, Serialize};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// The most positions that an opponent may look at before it moves: about a second's worth.
pub const SEARCH: u64 = 3_000_000;

#[derive(Serialize)]
struct Players {
    players: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    player: &'static str,
    usage: &'static str,
    title: &'static str,
}

/// `GET /api/v1/players`
pub async fn players() -> Response {
    let listed = KINDS.iter().flat_map(|kind| {
        kind.examples.iter().map(|player| Listed { player, usage: kind.usage, title: kind.about })
    });
    Json(Players { players: listed.collect() }).into_response()
}

/// What is asked of an opponent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct At {
    position: Option<String>,
    player: String,
    seed: Option<u64>,
}

#[derive(Serialize)]
struct Played {
    game: String,
    position: String,
    player: String,
    seed: u64,
    #[serde(rename = "move")]
    mv: String,
    /// Positions visited, by those who search.
    nodes: Option<u64>,
    /// What the search found the position worth.
    worth: Option<i32>,
}

/// `GET /api/v1/games/{game}/move`
pub async fn show(
    State(library): State<Arc<Library>>,
    job: Job,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    let entry = library.find(&name)?;
    let (position, side) = entry.position(at.position.as_deref())?;
    let player = parse(&at.player).map_err(|error| Reply::bad(error.to_string()))?;
    // Whoever wants the same move again gives the seed that was in the answer. Only numbers that JavaScript can hold.
    let seed = at.seed.unwrap_or_else(|| RandomState::new().hash_one(&name) >> 11);
    job.run(move |job| {
        let table = &library.find(&name)?.table;
        let game = table.game();
        let turn = Turn { game, position, table: Some(table), limit: Some(SEARCH) };
        let (mv, choice) = player.choose(&turn, &mut Dice::new(seed)).map_err(refused)?;
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

fn refused(error: PlayerError) -> Reply {
    match error {
        PlayerError::Probe(error) => error.into(),
        other => Reply::bad(other.to_string()),
    }
}
