//! Games of heaps: what their Grundy tables say of sums, the same way as for boards.

use super::reply::{Asked, Named, Reply};
use super::routes::{State, heavy};
use super::{batch, body};
use axum::Json;
use axum::extract::{Request, State as Extract};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use morpion_grundy::{Closed, Code, GrundyError, GrundyTable};
use morpion_impartial::answer::{Answer, Move, answer};
use morpion_impartial::games::{NAMED, resolve};
use morpion_impartial::misere;
use morpion_impartial::moves::Moves;
use morpion_impartial::solver::{Task, Values, solve};
use morpion_impartial::table::{closed_header, header, in_memory};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// Heaps worked where there is no table.
const WORKED: usize = 1 << 14;
/// Winning moves in one answer; `more` says that there are others.
const MOVES: usize = 200;
/// Heaps in one sum.
const HEAPS: usize = 64;
/// Counters in all heaps of a line.
const COUNTERS: u64 = 200;
/// Values in a description.
const VALUES: u64 = 64;

/// A game of heaps.
pub struct HeapGame {
    name: String,
    title: String,
    code: Code,
    table: OnceLock<Result<GrundyTable, String>>,
}

impl HeapGame {
    /// The games with a name, then those without one that have a table, each once. A game without a table is worked when
    /// it is first asked about.
    pub fn all(mut tables: Vec<GrundyTable>) -> Vec<HeapGame> {
        let mut games: Vec<HeapGame> = Vec::new();
        for named in NAMED {
            let Ok(code) = named.code.parse::<Code>() else { continue };
            if games.iter().any(|game| game.code == code) {
                continue;
            }
            let built = tables.iter().position(|table| is_of(table, &code));
            games.push(HeapGame {
                name: named.name.into(),
                title: named.title.into(),
                table: built.map_or_else(OnceLock::new, |at| Ok(tables.remove(at)).into()),
                code,
            });
        }
        for table in tables {
            let Ok((code, _)) = table.octal() else { continue };
            if games.iter().all(|game| game.code != *code) {
                games.push(HeapGame {
                    name: code.to_string(),
                    title: "an octal game without a name".into(),
                    code: code.clone(),
                    table: Ok(table).into(),
                });
            }
        }
        games
    }

    fn table(&self) -> Result<&GrundyTable, Reply> {
        let worked =
            self.table.get_or_init(|| work(&self.code).map_err(|error| format!("{error:#}")));
        worked.as_ref().map_err(|error| Reply::fault(error.clone()))
    }

    fn answer(&self, heaps: &[u64], in_misere: bool) -> Result<Answer, Reply> {
        if heaps.len() > HEAPS {
            return Err(Reply::large(format!("{} heaps, expected at most {HEAPS}", heaps.len())));
        }
        if in_misere {
            return misere::answer(&self.code, heaps, MOVES)
                .map_err(|error| Reply::bad(format!("{error:#}")));
        }
        answer(self.table()?, heaps, MOVES).map_err(refused)
    }

    /// The first legal move of the first heap that has one.
    fn any_move(&self, heaps: &[u64]) -> Option<Move> {
        heaps.iter().find_map(|&heap| {
            (0..=heap).find_map(|take| {
                let (digit, left) = (self.code.digit(take), heap - take);
                let leave = match left {
                    0 if digit & 1 != 0 => vec![],
                    1.. if digit & 2 != 0 => vec![left],
                    2.. if digit & 4 != 0 => vec![1, left - 1],
                    _ => return None,
                };
                Some(Move { heap, take, leave })
            })
        })
    }
}

fn is_of(table: &GrundyTable, code: &Code) -> bool {
    table.octal().is_ok_and(|(found, _)| found == code)
}

/// Works a game as far as its first period, or some way.
fn work(code: &Code) -> anyhow::Result<GrundyTable> {
    match Moves::new(code) {
        None => in_memory(&closed_header(code)?, &Values::One(vec![0])),
        Some(moves) => {
            let solution = solve(&moves, Task::until_period(WORKED), |_| ());
            in_memory(&header(code, &solution, None)?, &solution.values)
        }
    }
}

fn refused(error: GrundyError) -> Reply {
    Reply::bad(error.to_string())
}

/// A game by name or code.
fn find<'s>(games: &'s [HeapGame], name: &str) -> Result<&'s HeapGame, Reply> {
    let Ok(code) = resolve(name) else {
        let names: Vec<&str> = games.iter().map(|game| game.name.as_str()).collect();
        let name: String = name.chars().take(64).collect();
        let names = names.join(", ");
        return Err(Reply::missing(format!("no game {name:?} here: expected one of {names}")));
    };
    games.iter().find(|game| game.code == code).ok_or_else(|| {
        Reply::missing(format!(
            "{code} has no table here; build it with: morpion nim build \"{code}\""
        ))
    })
}

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
struct Games<'s> {
    games: Vec<Listed<'s>>,
}

/// `GET /api/v1/grundy`
pub async fn games(Extract(state): Extract<State>) -> Response {
    Json(Games { games: state.heaps.iter().map(Listed::of).collect() }).into_response()
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
    Extract(state): Extract<State>,
    Named(name): Named<String>,
) -> Result<Response, Reply> {
    find(&state.heaps, &name)?;
    heavy(state, move |state| {
        let game = find(&state.heaps, &name)?;
        let table = game.table()?;
        let (code, header) = table.octal().map_err(refused)?;
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
        Ok(Json(description).into_response())
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
    Extract(state): Extract<State>,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    find(&state.heaps, &name)?;
    let heaps = parse(&at.heaps)?;
    heavy(state, move |state| {
        Ok(Json(find(&state.heaps, &name)?.answer(&heaps, at.misere)?).into_response())
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
    Extract(state): Extract<State>,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    find(&state.heaps, &name)?;
    let heaps = parse(&at.heaps)?;
    let counters = heaps.iter().fold(0u64, |sum, heap| sum.saturating_add(*heap));
    if counters > COUNTERS {
        return Err(Reply::large(format!(
            "{counters} counters, expected at most {COUNTERS} for a line"
        )));
    }
    heavy(state, move |state| {
        let game = find(&state.heaps, &name)?;
        let mut line = Line { code: game.code.to_string(), positions: vec![heaps], moves: vec![] };
        loop {
            let at = line.positions.last().cloned().unwrap_or_default();
            let best = game.answer(&at, false)?.moves.into_iter().next();
            // A lost sum has no perfect move that is better than another.
            let Some(mv) = best.or_else(|| game.any_move(&at)) else {
                return Ok(Json(line).into_response());
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
    Extract(state): Extract<State>,
    Named(name): Named<String>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Reply> {
    find(&state.heaps, &name)?;
    let asked: Batch = body::read(&headers, request, &state.limits).await?;
    batch::check(asked.positions.len(), &state.limits)?;
    heavy(state, move |state| {
        let game = find(&state.heaps, &name)?;
        batch::answers(asked.positions, |heaps| game.answer(heaps, asked.misere))
    })
    .await
}
