//! The files from which the page knows the games, the same on a server and in an export: `data/games.json` lists the games, and
//! `data/games/` has the description, the rules and the table of each.

use crate::library::ServedGame;
use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use morpion_core::{Source, TableError};
use morpion_report::description::Summary;
use serde::Serialize;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The list of games.
pub(crate) const LIST: &str = "games.json";

/// Bytes of a table that are read at a time.
const CHUNK: u64 = 64 << 10;

/// The list of games. Each has the fingerprint of its rules, with which the page compares its description and its table.
#[derive(Serialize)]
struct List<'l> {
    games: Vec<&'l Summary>,
    /// `true` if a server answers questions that need more than tables.
    server: bool,
}

/// The list of games as JSON.
pub(crate) fn list(games: &[Arc<ServedGame>], server: bool) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&List { games: games.iter().map(|game| &game.summary).collect(), server })
}

/// Some bytes of a table, which are read when they are sent.
pub(crate) struct Part {
    game: Arc<ServedGame>,
    left: Range<u64>,
}

impl Part {
    /// The body of a response with these bytes.
    pub(crate) fn body(game: Arc<ServedGame>, left: Range<u64>) -> Body {
        Body::new(Part { game, left })
    }
}

impl HttpBody for Part {
    type Data = Bytes;
    type Error = TableError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TableError>>> {
        let Range { start, end } = self.left;
        if start == end {
            return Poll::Ready(None);
        }
        let mut bytes = vec![0; (end - start).min(CHUNK) as usize];
        let read = self.game.ask(|| self.game.table.source().read_at(start, &mut bytes));
        self.left.start += bytes.len() as u64;
        Poll::Ready(Some(read.map(|()| Frame::data(bytes.into()))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.end - self.left.start)
    }
}
