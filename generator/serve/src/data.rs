//! The files from which the page knows the games, the same below `/data/` on a server and in an export: `data/games.json` lists the
//! games, and `data/games/` has the description, the rules and the table of each game.

use crate::file::{File, Loaded};
use crate::library::ServedGame;
use crate::refusal::{JSON, Refusal};
use crate::state::State;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State as Extract};
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use futures_util::stream;
use morpion_core::Source;
use morpion_games::catalogue::{EXTENSION, standard_text};
use morpion_report::description::Summary;
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// The list of games.
pub(crate) const LIST: &str = "games.json";

/// The media type of tables.
pub(crate) const TABLE: &str = "application/octet-stream";

/// Bytes of a table that are read at a time.
const CHUNK: u64 = 64 << 10;

/// The list of games. Each game has the fingerprint of its rules, which the page compares with the fingerprints in the
/// description and in the table.
#[derive(Serialize)]
struct List<'l> {
    games: Vec<&'l Summary>,
}

/// The list of games as JSON.
pub(crate) fn list(games: &[Arc<ServedGame>]) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&List { games: games.iter().map(|game| &game.summary).collect() })
}

/// Answers a request for a file of a game, or for the list of games.
pub(crate) async fn show(
    Extract(state): Extract<Arc<State>>,
    Path(path): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let library = &state.served().library;
    let missing = || {
        let path: String = path.chars().take(128).collect();
        Refusal::new(404, format!("nothing at {path:?}"))
    };
    let named = path.strip_prefix("games/").and_then(|name| name.rsplit_once('.'));
    let file = match named.map(|(name, kind)| (name, kind, library.find(name))) {
        None if path == LIST => Loaded::new(JSON, list(&library.games)?.into()),
        Some((name, "toml", game)) => {
            // A standard game has a rule file even if the game is not served.
            let rules = game.map_or_else(|| standard_text(name), |game| game.rules);
            Loaded::new("application/toml", rules.ok_or_else(missing)?.into())
        }
        Some((_, "json", Some(game))) => Loaded::new(JSON, game.description.clone()),
        Some((_, EXTENSION, Some(game))) => {
            let file = File { kind: TABLE, version: game.version, length: game.table.size() };
            return Ok(file.answer(&method, &headers, |range| part(game.clone(), range)));
        }
        _ => return Err(missing()),
    };
    Ok(file.answer(&method, &headers))
}

/// Returns a body with some bytes of a table, which are read when they are sent.
fn part(game: Arc<ServedGame>, range: Range<u64>) -> Body {
    Body::from_stream(stream::unfold((game, range), async |(game, Range { start, end })| {
        if start == end {
            return None;
        }
        let mut bytes = vec![0; (end - start).min(CHUNK) as usize];
        let read = game.ask(|| game.table.source().read_at(start, &mut bytes));
        // After an error the connection is closed, so that no client takes the part for the whole file.
        let next = start + bytes.len() as u64..end;
        Some((read.map(|()| Bytes::from(bytes)), (game, next)))
    }))
}
