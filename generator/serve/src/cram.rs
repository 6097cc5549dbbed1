//! Boards of cram: what their tables say of positions, the same way as for heaps.

use super::batch::{self, Batch};
use super::body;
use super::reply::{Asked, Named, Reply};
use super::routes::{State, heavy};
use axum::Json;
use axum::extract::{Request, State as Extract};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use morpion_grundy::GrundyTable;
use morpion_impartial::cram::{Board, MAX_DENSE, dense};
use morpion_impartial::dominoes::{Answer, answer, cells, format, parse};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::sync::OnceLock;

/// The most cells of a board that is solved where there is no table, when it is first asked about: at most 1 MiB each,
/// and some 10 MiB for all of them.
const SOLVED: u32 = 20;

/// A board: its table, or its values once they are worked.
pub struct CramBoard {
    board: Board,
    table: Option<GrundyTable>,
    solved: OnceLock<Vec<u8>>,
}

impl CramBoard {
    /// The boards that have a table, and all that are small enough to need none; each once, small ones first.
    pub fn all(tables: Vec<GrundyTable>) -> Vec<CramBoard> {
        let mut boards: Vec<CramBoard> = Vec::new();
        let built = tables.into_iter().filter_map(|table| {
            let header = table.cram().ok()?;
            let board = Board { rows: header.rows.into(), columns: header.columns.into() };
            Some((board, Some(table)))
        });
        let small = (1..=SOLVED).flat_map(|rows| {
            (1..=SOLVED / rows).map(move |columns| (Board { rows, columns }, None))
        });
        for (board, table) in built.chain(small) {
            if boards.iter().all(|other| other.board != board) {
                boards.push(CramBoard { board, table, solved: OnceLock::new() });
            }
        }
        boards.sort_by_key(|each| (each.board.cells(), each.board.rows));
        boards
    }

    /// The values of all sets of occupied cells.
    fn values(&self) -> &[u8] {
        match &self.table {
            Some(table) => table.values(),
            None => self.solved.get_or_init(|| dense(self.board, |_| ())),
        }
    }

    /// Reads a position; without a text, the empty board.
    fn position(&self, text: Option<&str>) -> Result<u64, Reply> {
        text.map_or(Ok(0), |text| {
            parse(self.board, text).map_err(|error| Reply::bad_input(error.to_string(), text))
        })
    }

    fn answer(&self, occupied: u64) -> Answer {
        let values = self.values();
        let Ok(answer) = answer::<Infallible>(self.board, occupied, |set| Ok(values[set as usize]));
        answer
    }
}

fn find<'s>(boards: &'s [CramBoard], name: &str) -> Result<&'s CramBoard, Reply> {
    let board: Board = name.parse().map_err(Reply::missing)?;
    boards.iter().find(|each| each.board == board).ok_or_else(|| {
        let hint = if board.cells() <= MAX_DENSE {
            format!("; build it with: morpion cram build {board}")
        } else {
            String::new()
        };
        Reply::missing(format!(
            "cram {board} has no table here, expected a board of at most {SOLVED} cells or one that is built{hint}"
        ))
    })
}

#[derive(Serialize)]
struct Listed {
    board: String,
    rows: u32,
    columns: u32,
    /// Whether it has a table.
    built: bool,
}

impl Listed {
    fn of(board: &CramBoard) -> Listed {
        let Board { rows, columns } = board.board;
        Listed { board: board.board.to_string(), rows, columns, built: board.table.is_some() }
    }
}

#[derive(Serialize)]
struct Boards {
    boards: Vec<Listed>,
}

/// `GET /api/v1/cram`
pub async fn boards(Extract(state): Extract<State>) -> Response {
    Json(Boards { boards: state.cram.iter().map(Listed::of).collect() }).into_response()
}

#[derive(Serialize)]
struct Description {
    #[serde(flatten)]
    listed: Listed,
    /// Of the empty board.
    value: u8,
    outcome: &'static str,
    /// Sets of occupied cells.
    positions: usize,
}

/// `GET /api/v1/cram/{board}`
pub async fn board(
    Extract(state): Extract<State>,
    Named(name): Named<String>,
) -> Result<Response, Reply> {
    heavy(state, move |state| {
        let board = find(&state.cram, &name)?;
        let Answer { value, outcome, .. } = board.answer(0);
        let (listed, positions) = (Listed::of(board), board.values().len());
        Ok(Json(Description { listed, value, outcome, positions }).into_response())
    })
    .await
}

/// What is asked of a board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct At {
    position: Option<String>,
}

/// `GET /api/v1/cram/{board}/position`
pub async fn position(
    Extract(state): Extract<State>,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    heavy(state, move |state| {
        let board = find(&state.cram, &name)?;
        let occupied = board.position(at.position.as_deref())?;
        Ok(Json(board.answer(occupied)).into_response())
    })
    .await
}

#[derive(Serialize)]
struct Line {
    board: String,
    positions: Vec<String>,
    moves: Vec<[String; 2]>,
}

/// `GET /api/v1/cram/{board}/line`
pub async fn line(
    Extract(state): Extract<State>,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    heavy(state, move |state| {
        let found = find(&state.cram, &name)?;
        let (board, values) = (found.board, found.values());
        let mut occupied = found.position(at.position.as_deref())?;
        let mut line = Line {
            board: board.to_string(),
            positions: vec![format(board, occupied)],
            moves: Vec::new(),
        };
        loop {
            let legal = board.dominoes().into_iter().filter(|domino| domino & occupied == 0);
            // A winning one where there is one; in a lost position none is better than another.
            let Some(domino) = legal.min_by_key(|domino| values[(occupied | domino) as usize] != 0)
            else {
                return Ok(Json(line).into_response());
            };
            occupied |= domino;
            line.moves.push(cells(board, domino));
            line.positions.push(format(board, occupied));
        }
    })
    .await
}

/// `POST /api/v1/cram/{board}/positions`
pub async fn positions(
    Extract(state): Extract<State>,
    Named(name): Named<String>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Reply> {
    find(&state.cram, &name)?;
    let asked: Batch = body::read(&headers, request, &state.limits).await?;
    batch::check(asked.positions.len(), &state.limits)?;
    heavy(state, move |state| {
        let board = find(&state.cram, &name)?;
        batch::answers(asked.positions, |text| Ok(board.answer(board.position(Some(text))?)))
    })
    .await
}
