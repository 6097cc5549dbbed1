//! The files from which the page knows the games, the same on a server and in an export: `data/games.json` lists the games, and
//! `data/games/` has the description, the rules and the table of each game.

use crate::library::ServedGame;
use axum::body::{Body, Bytes};
use futures_util::stream;
use morpion_core::Source;
use morpion_report::description::Summary;
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// The list of games.
pub(crate) const LIST: &str = "games.json";

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

/// Returns a body with some bytes of a table, which are read when they are sent.
pub(crate) fn part(game: Arc<ServedGame>, range: Range<u64>) -> Body {
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
