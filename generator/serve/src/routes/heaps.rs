//! `/api/v1/grundy`: games of heaps.

use crate::batch;
use crate::heaps::{HeapGame, find};
use crate::job::Job;
use crate::reply::{Asked, Named, Reply};
use axum::Json;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use morpion_grundy::Closed;
use morpion_impartial::answer::Move;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Counters in all heaps of a line.
const COUNTERS: u64 = 200;
/// Values in a description.
const VALUES: u64 = 64;

/// The games as handlers get them.
pub type Games = Arc<[HeapGame]>;

#[derive(Serialize)]
struct Listed<'s> {
    game: &'s str,
    code: String,
    title: &'s str,
}

impl<'s> Listed<'s> {
    fn of(game: &'s HeapGame) -> Listed<'s> {
        Listed { game: &game.name, code: game.code.to_string(), title: &game.title }
    }
}

#[derive(Serialize)]
struct List<'s> {
    games: Vec<Listed<'s>>,
}

/// `GET /api/v1/grundy`
pub async fn games(State(games): State<Games>) -> Response {
    Json(List { games: games.iter().map(Listed::of).collect() }).into_response()
}

#[derive(Serialize)]
struct Description<'s> {
    #[serde(flatten)]
    listed: Listed<'s>,
    /// Digits of the code from d0; `None` where they repeat for ever.
    digits: Option<Vec<u8>>,
    /// `nim` or `lasker`, for the games with a closed form.
    closed: Option<&'static str>,
    /// The largest heap that is answered; `None`: any.
    heaps: Option<u64>,
    period: Option<u64>,
    preperiod: Option<u64>,
    /// The values of the heaps from 0 on.
    values: Vec<u64>,
}

/// `GET /api/v1/grundy/{game}`
pub async fn game(
    State(games): State<Games>,
    job: Job,
    Named(name): Named<String>,
) -> Result<Response, Reply> {
    find(&games, &name)?;
    job.run(move |job| {
        let game = find(&games, &name)?;
        let table = game.table()?;
        let (code, header) = table.octal()?;
        let period = header.period;
        let endless = period.is_some() || code.closed().is_some();
        let values = (0..VALUES).map_while(|heap| table.heap(heap).ok()).collect();
        let description = Description {
            listed: Listed::of(game),
            digits: code.finite().map(<[u8]>::to_vec),
            closed: code.closed().map(|closed| match closed {
                Closed::Nim => "nim",
                Closed::Lasker => "lasker",
            }),
            heaps: if endless { None } else { Some(header.values) },
            period: period.map(|period| period.length),
            preperiod: period.map(|period| period.start),
            values,
        };
        job.answer(&description)
    })
    .await
}

/// What is asked of a sum.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct At {
    heaps: String,
    #[serde(default)]
    misere: bool,
}

fn parse(text: &str) -> Result<Vec<u64>, Reply> {
    let words = text.split([',', ' ', '+']).map(str::trim).filter(|word| !word.is_empty());
    words
        .map(|word| {
            word.parse().map_err(|_| {
                let message = format!("heap {word:?}, expected a number of counters");
                Reply::bad_input(message, text)
            })
        })
        .collect()
}

/// `GET /api/v1/grundy/{game}/position`
pub async fn position(
    State(games): State<Games>,
    job: Job,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    find(&games, &name)?;
    let heaps = parse(&at.heaps)?;
    job.run(move |job| {
        let answer = find(&games, &name)?.answer(&heaps, at.misere, &|| job.check())?;
        job.answer(&answer)
    })
    .await
}

#[derive(Serialize)]
struct Line {
    code: String,
    positions: Vec<Vec<u64>>,
    moves: Vec<Move>,
}

/// `GET /api/v1/grundy/{game}/line`
pub async fn line(
    State(games): State<Games>,
    job: Job,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    find(&games, &name)?;
    let heaps = parse(&at.heaps)?;
    let counters = heaps.iter().fold(0u64, |sum, heap| sum.saturating_add(*heap));
    if counters > COUNTERS {
        return Err(Reply::large(format!(
            "{counters} counters, expected at most {COUNTERS} for a line"
        )));
    }
    job.run(move |job| {
        let game = find(&games, &name)?;
        let mut line = Line { code: game.code.to_string(), positions: vec![heaps], moves: vec![] };
        loop {
            let at = line.positions.last().cloned().unwrap_or_default();
            let best = game.answer(&at, false, &|| job.check())?.moves.into_iter().next();
            // A lost sum has no perfect move that is better than another.
            let Some(mv) = best.or_else(|| game.any_move(&at)) else {
                return job.answer(&line);
            };
            line.positions.push(after(at, &mv));
            line.moves.push(mv);
        }
    })
    .await
}

/// The heaps after a move, empty ones left out.
fn after(mut heaps: Vec<u64>, mv: &Move) -> Vec<u64> {
    if let Some(place) = heaps.iter().position(|heap| *heap == mv.heap) {
        heaps.splice(place..=place, mv.leave.iter().copied());
    }
    heaps.retain(|heap| *heap > 0);
    heaps
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch {
    positions: Vec<Vec<u64>>,
    #[serde(default)]
    misere: bool,
}

/// `POST /api/v1/grundy/{game}/positions`
pub async fn positions(
    State(games): State<Games>,
    job: Job,
    Named(name): Named<String>,
    request: Request,
) -> Result<Response, Reply> {
    find(&games, &name)?;
    let (asked, body): (Batch, _) = batch::read(&job, request).await?;
    job.run(move |job| {
        let _in_flight = body;
        let game = find(&games, &name)?;
        batch::answers(job, &asked.positions, |heaps| {
            game.answer(heaps, asked.misere, &|| job.check())
        })
    })
    .await
}
