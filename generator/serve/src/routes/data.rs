//! The files of the games, below `/data/`.

use crate::data;
use crate::file::{File, Loaded};
use crate::refusal::{JSON, Refusal};
use crate::state::State;
use axum::extract::{Path, State as Extract};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use morpion_games::catalogue::{EXTENSION, standard_text};
use std::sync::Arc;

/// The media type of tables.
pub(super) const TABLE: &str = "application/octet-stream";

/// Answers a request for a file of a game, or for the list of games.
pub(super) async fn show(
    Extract(state): Extract<Arc<State>>,
    Path(path): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let library = &state.served().library;
    if path == data::LIST {
        let list = data::list(&library.games)?.into();
        return Ok(Loaded::new(JSON, list).answer(&method, &headers));
    }
    let missing = || {
        let path: String = path.chars().take(128).collect();
        Refusal::new(404, format!("nothing at {path:?}"))
    };
    let named = path.strip_prefix("games/").and_then(|name| name.rsplit_once('.'));
    let (name, kind) = named.ok_or_else(missing)?;
    let game = library.find(name);
    if kind == "toml" {
        // A standard game has a rule file even if the game is not served.
        let rules = game.map_or_else(|| standard_text(name), |game| game.rules);
        let rules = rules.ok_or_else(missing)?.as_bytes().into();
        return Ok(Loaded::new("application/toml", rules).answer(&method, &headers));
    }
    let game = game.ok_or_else(missing)?;
    match kind {
        "json" => Ok(Loaded::new(JSON, game.description.clone()).answer(&method, &headers)),
        EXTENSION => {
            let file = File { kind: TABLE, version: game.version, length: game.table.size() };
            let read = |range| data::part(game.clone(), range);
            Ok(file.answer(&method, &headers, read))
        }
        _ => Err(missing()),
    }
}
