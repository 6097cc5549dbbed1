//! `/api/v1/grundy`: games of heaps, the values of sums, winning moves, and lines of play.

use crate::batch;
use crate::extract::{All, Found, Query};
use crate::heaps::HeapGame;
use crate::job::Job;
use crate::json::Json;
use crate::reasons::{
    BadBody, BadHeaps, BadText, BatchTooLong, Busy, NoHeapGame, NoSum, RateLimited, Slow,
};
use crate::refusal::Refusal;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use morpion_grundy::Closed;
use morpion_impartial::octal::answer::{HeapAnswer, HeapMove};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Maximum number of counters in all heaps of a line of play.
const COUNTERS: u64 = 200;
/// Maximum number of values in a description.
const VALUES: u64 = 64;

/// One game of heaps.
#[derive(Serialize, ToSchema)]
#[schema(as = HeapGame)]
struct ListedHeaps<'s> {
    /// Its name, or its code if it has no name.
    game: &'s str,
    /// Its octal code.
    code: String,
    /// One-line description.
    title: &'s str,
}

impl<'s> ListedHeaps<'s> {
    fn of(game: &'s HeapGame) -> ListedHeaps<'s> {
        ListedHeaps { game: &game.name, code: game.code.to_string(), title: &game.title }
    }
}

/// All games of heaps.
#[derive(Serialize, ToSchema)]
struct HeapGames<'s> {
    /// The games, named ones first.
    games: Vec<ListedHeaps<'s>>,
}

/// All games of heaps that have a name or a table.
#[utoipa::path(
    get, path = "/api/v1/grundy", operation_id = "heapGames",
    responses((status = 200, description = "The games.", body = HeapGames), RateLimited),
)]
pub(super) async fn games(State(games): State<All<HeapGame>>) -> Response {
    Json(HeapGames { games: games.iter().map(|game| ListedHeaps::of(game)).collect() })
        .into_response()
}

/// Description of a game of heaps.
#[derive(Serialize, ToSchema)]
struct HeapDescription<'s> {
    #[serde(flatten)]
    listed: ListedHeaps<'s>,
    /// Digits of the code from d0; `null` if they repeat forever.
    digits: Option<Vec<u8>>,
    /// The closed form of the values, if there is one.
    closed: Option<ClosedForm>,
    /// The largest heap with a known value; `null` if every heap has one.
    heaps: Option<u64>,
    /// Length of the period of the values, if it is known.
    period: Option<u64>,
    /// The heap at which the period begins.
    preperiod: Option<u64>,
    /// The values of the heaps from 0 on.
    values: Vec<u64>,
}

/// The games whose values have a closed form.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ClosedForm {
    Nim,
    Lasker,
}

/// Path of a game of heaps.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it describes the path that `Found` reads")]
pub(super) struct Game {
    /// The game's name, or its octal code if it has a name or a table.
    #[param(example = "kayles")]
    game: String,
}

/// Digits, period and first values of a game of heaps.
#[utoipa::path(
    get, path = "/api/v1/grundy/{game}", operation_id = "heapGame",
    params(Game),
    responses(
        (status = 200, description = "The description.", body = HeapDescription),
        BadText, NoHeapGame, Busy,
    ),
)]
pub(super) async fn game(Found(game): Found<HeapGame>, job: Job) -> Result<Response, Refusal> {
    job.run(move |job| {
        let table = game.table()?;
        let (code, header) = table.octal()?;
        let period = header.period;
        let endless = period.is_some() || code.closed().is_some();
        let values = (0..VALUES).map_while(|heap| table.heap(heap).ok()).collect();
        let description = HeapDescription {
            listed: ListedHeaps::of(&game),
            digits: code.finite().map(<[u8]>::to_vec),
            closed: code.closed().map(|closed| match closed {
                Closed::Nim => ClosedForm::Nim,
                Closed::Lasker => ClosedForm::Lasker,
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

/// Query for a sum.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct SumQuery {
    /// Sizes of heaps, separated by commas.
    #[param(example = "9,14", pattern = "^[0-9,+ ]*$")]
    heaps: String,
    /// `true` if the last move loses. Answered for nim, and for one heap of a game that never splits.
    #[serde(default)]
    #[param(example = false)]
    misere: bool,
}

fn parse(text: &str) -> Result<Vec<u64>, Refusal> {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let words = text.split([',', ' ', '+']).filter(|word| !word.is_empty());
    words
        .map(|word| {
            word.parse().map_err(|_| {
                let message = format!("heap {word:?}, expected a number of counters");
                match is_number(word) {
                    true => Refusal::missing_input(message, text),
                    false => Refusal::bad_input(message, text),
                }
            })
        })
        .collect()
}

/// The value of a sum of heaps, its winner, and the winning moves.
#[utoipa::path(
    get, path = "/api/v1/grundy/{game}/position", operation_id = "heapPosition",
    params(Game, SumQuery),
    responses(
        (status = 200, description = "The answer.", body = HeapAnswer),
        BadHeaps, NoSum, Busy,
    ),
)]
pub(super) async fn position(
    Found(game): Found<HeapGame>,
    job: Job,
    Query(query): Query<SumQuery>,
) -> Result<Response, Refusal> {
    let heaps = parse(&query.heaps)?;
    job.run(move |job| {
        let answer = game.answer(&heaps, query.misere, job)?;
        job.answer(&answer)
    })
    .await
}

/// A line of play.
#[derive(Serialize, ToSchema)]
struct HeapLine {
    /// The game's code.
    code: String,
    /// The heaps before each move and after the last one.
    positions: Vec<Vec<u64>>,
    /// The moves.
    moves: Vec<HeapMove>,
}

/// Query for a line of play. Misère play is not supported.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct LineQuery {
    /// Sizes of heaps, separated by commas.
    #[param(example = "9,14", pattern = "^[0-9,+ ]*$")]
    heaps: String,
}

/// A line of play in which the winner plays perfectly.
#[utoipa::path(
    get, path = "/api/v1/grundy/{game}/line", operation_id = "heapLine",
    params(Game, LineQuery),
    responses(
        (status = 200, description = "The line.", body = HeapLine),
        BadHeaps, NoSum, Busy,
    ),
)]
pub(super) async fn line(
    Found(game): Found<HeapGame>,
    job: Job,
    Query(query): Query<LineQuery>,
) -> Result<Response, Refusal> {
    let heaps = parse(&query.heaps)?;
    let counters = heaps.iter().fold(0u64, |sum, heap| sum.saturating_add(*heap));
    if counters > COUNTERS {
        return Err(Refusal::missing(format!(
            "{counters} counters, expected at most {COUNTERS} for a line"
        )));
    }
    job.run(move |job| {
        let mut line =
            HeapLine { code: game.code.to_string(), positions: vec![heaps], moves: vec![] };
        loop {
            let at = line.positions.last().cloned().unwrap_or_default();
            let best = game.answer(&at, false, job)?.moves.into_iter().next();
            // In a lost sum all moves are equally good.
            let Some(mv) = best.or_else(|| game.any_move(&at)) else {
                return job.answer(&line);
            };
            line.positions.push(after(at, &mv));
            line.moves.push(mv);
        }
    })
    .await
}

/// The heaps after a move, without empty heaps.
fn after(mut heaps: Vec<u64>, mv: &HeapMove) -> Vec<u64> {
    if let Some(place) = heaps.iter().position(|heap| *heap == mv.heap) {
        heaps.splice(place..=place, mv.leave.iter().copied());
    }
    heaps.retain(|heap| *heap > 0);
    heaps
}

/// The body of a request for many sums.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct HeapBatch {
    /// The heaps of each sum.
    #[serde(deserialize_with = "whole_numbers")]
    positions: Vec<Vec<u64>>,
    /// `true` if the last move loses.
    #[serde(default)]
    misere: bool,
}

/// Reads whole numbers. As in JSON schemas, `3.0` is the whole number 3.
fn whole_numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<u64>>, D::Error> {
    /// One more than the largest number.
    const END: f64 = u64::MAX as f64;

    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a number of counters")]
    enum Number {
        Whole(u64),
        Float(f64),
    }

    let sums: Vec<Vec<Number>> = Deserialize::deserialize(deserializer)?;
    let number = |number| match number {
        Number::Whole(number) => Ok(number),
        Number::Float(number) if number.fract() == 0.0 && (0.0..END).contains(&number) => {
            Ok(number as u64)
        }
        Number::Float(number) => {
            Err(D::Error::custom(format!("heap {number}, expected a number of counters")))
        }
    };
    sums.into_iter().map(|sum| sum.into_iter().map(number).collect()).collect()
}

type Answers = batch::Answers<HeapAnswer, Vec<u64>>;

/// Values of many sums at once.
#[utoipa::path(
    post, path = "/api/v1/grundy/{game}/positions", operation_id = "heapPositions",
    params(Game),
    request_body(content = HeapBatch, example = json!({ "positions": [[3, 5, 7], [9, 14]] })),
    responses(
        (status = 200, description = "One answer a sum, in their order; an error in the place of one that cannot be answered.", body = Answers),
        BadBody, NoHeapGame, Slow, BatchTooLong, Busy,
    ),
)]
pub(super) async fn positions(
    Found(game): Found<HeapGame>,
    mut job: Job,
    request: Request,
) -> Result<Response, Refusal> {
    let asked: HeapBatch = batch::read(&mut job, request).await?;
    job.run(move |job| {
        batch::answers(job, &asked.positions, |heaps| game.answer(heaps, asked.misere, job))
    })
    .await
}
