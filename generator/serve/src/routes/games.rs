//! `/api/v1/games`: games with a table, their positions and moves, and perfect lines of play.

use crate::library::ServedGame;
use crate::refusal::{JSON, Refusal};
use crate::state::State;
use crate::{body, data};
use axum::body::{Body, Bytes};
use axum::extract::{FromRequestParts, Path, Query, State as Extract};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, TryStreamExt, stream};
use morpion_report::answer::Answer;
use morpion_report::line::LineAnswer;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::{mem, vec};

/// The game that the path of a request names.
pub(super) struct Named(Arc<ServedGame>);

impl FromRequestParts<Arc<State>> for Named {
    type Rejection = Refusal;

    async fn from_request_parts(head: &mut Parts, state: &Arc<State>) -> Result<Named, Refusal> {
        let Path(name) = Path::<String>::from_request_parts(head, state)
            .await
            .map_err(|rejection| Refusal::new(400, rejection.body_text()))?;
        let served = state.served();
        served.library.find(&name).cloned().map(Named).ok_or_else(|| {
            let games = served.library.games.iter().map(|game| game.summary.game.as_str());
            let games = games.collect::<Vec<_>>().join(", ");
            let name: String = name.chars().take(64).collect();
            Refusal::new(404, format!("no game {name:?} here: expected one of {games}"))
        })
    }
}

/// The query of a request about a position. Without a position, the request is about the start.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    position: Option<String>,
}

impl FromRequestParts<Arc<State>> for Asked {
    type Rejection = Refusal;

    async fn from_request_parts(head: &mut Parts, _: &Arc<State>) -> Result<Asked, Refusal> {
        let read = Query::try_from_uri(&head.uri);
        read.map(|Query(asked)| asked).map_err(|rejection| Refusal::new(400, rejection.body_text()))
    }
}

pub(super) async fn list(Extract(state): Extract<Arc<State>>) -> Result<Response, Refusal> {
    Ok(written(data::list(&state.served().library.games)?.into()))
}

pub(super) async fn describe(Named(game): Named) -> Response {
    written(game.description.clone())
}

pub(super) async fn position(Named(game): Named, asked: Asked) -> Result<Response, Refusal> {
    let position = game.position(asked.position.as_deref())?;
    json(&game.ask(|| Answer::new(&game.table, position, true))?)
}

pub(super) async fn line(
    Extract(state): Extract<Arc<State>>,
    Named(game): Named,
    asked: Asked,
) -> Result<Response, Refusal> {
    let position = game.position(asked.position.as_deref())?;
    let find = move || {
        let line = game.table.line(position, usize::MAX)?;
        json(&LineAnswer::new(game.table.game(), &line))
    };
    state.compute(find).await
}

/// The body of a batch.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Positions {
    positions: Vec<String>,
    #[serde(default)]
    traps: bool,
}

const EXAMPLE: &str = r#"{"positions": ["X../.O./..X o", "what"]}"#;

pub(super) async fn positions(
    Extract(state): Extract<Arc<State>>,
    Named(game): Named,
    body: Body,
) -> Result<Response, Refusal> {
    let limits = &state.config.limits;
    let text = body::read(limits, body).await?;
    let read = serde_json::from_slice(&text);
    let Positions { positions, traps } = read.map_err(|error| {
        Refusal::new(400, format!("the body: {error}; expected a JSON object like {EXAMPLE}"))
    })?;
    let (found, most) = (positions.len(), limits.batch);
    if found > most {
        return Err(Refusal::new(413, format!("{found} positions, expected at most {most}")));
    }
    let begun = br#"{"answers":["#.to_vec();
    let batch = Batch { game, traps, left: positions.into_iter(), begun };
    let (first, batch) = batch.next(&state).await?;
    if batch.is_over() {
        return Ok(written(first));
    }
    let rest = stream::try_unfold((batch, state), async |(batch, state)| {
        if batch.is_over() {
            return Ok(None);
        }
        let (piece, batch) = batch.next(&state).await?;
        Ok(Some((piece, (batch, state))))
    });
    // After an error the connection is closed, so that no client takes the part for the whole answer.
    let answers = stream::iter([Ok(first)]).chain(rest.map_err(|Refusal { error, .. }| error));
    Ok(([(CONTENT_TYPE, JSON)], Body::from_stream(answers)).into_response())
}

/// Bytes of answers after which a piece of a batch is sent.
const PIECE: usize = 64 << 10;

/// Many positions in one request. The answers are found and sent piece by piece, so a slow reader takes little memory, and does
/// not delay other batches.
struct Batch {
    game: Arc<ServedGame>,
    /// True if answers contain `trap` for drawing moves.
    traps: bool,
    /// Positions without an answer.
    left: vec::IntoIter<String>,
    /// Text in front of the next answer.
    begun: Vec<u8>,
}

impl Batch {
    fn is_over(&self) -> bool {
        self.left.len() == 0
    }

    /// Waits for its turn, and finds the next piece.
    async fn next(mut self, state: &State) -> Result<(Bytes, Batch), Refusal> {
        state.compute(move || Ok((self.piece()?.into(), self))).await
    }

    /// Writes the next answers as JSON. An invalid position gets an error.
    ///
    /// # Errors
    /// 500 if the table is damaged.
    fn piece(&mut self) -> Result<Vec<u8>, Refusal> {
        let mut text = mem::take(&mut self.begun);
        while text.len() < PIECE
            && let Some(position) = self.left.next()
        {
            match self.game.position(Some(&position)) {
                Ok(at) => {
                    let answer = Answer::new(&self.game.table, at, self.traps)?;
                    serde_json::to_writer(&mut text, &answer)?;
                }
                Err(refusal) => serde_json::to_writer(&mut text, &refusal)?,
            }
            if !self.is_over() {
                text.push(b',');
            }
        }
        if self.is_over() {
            text.extend_from_slice(b"]}");
        }
        Ok(text)
    }
}

/// A response in JSON.
fn json(answer: &impl Serialize) -> Result<Response, Refusal> {
    Ok(written(serde_json::to_vec(answer)?.into()))
}

fn written(text: Bytes) -> Response {
    ([(CONTENT_TYPE, JSON)], text).into_response()
}
