//! `/api/v1/cram`: boards of cram.

use crate::batch::{self, Batch};
use crate::cram::{CramBoard, find};
use crate::job::Job;
use crate::reply::{Asked, Named, Reply};
use axum::Json;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use morpion_impartial::cram::Board;
use morpion_impartial::dominoes::{Answer, cells, format};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The boards as handlers get them.
pub type Boards = Arc<[CramBoard]>;

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
        Listed { board: board.board.to_string(), rows, columns, built: board.is_built() }
    }
}

#[derive(Serialize)]
struct List {
    boards: Vec<Listed>,
}

/// `GET /api/v1/cram`
pub async fn boards(State(boards): State<Boards>) -> Response {
    Json(List { boards: boards.iter().map(Listed::of).collect() }).into_response()
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
    State(boards): State<Boards>,
    job: Job,
    Named(name): Named<String>,
) -> Result<Response, Reply> {
    job.run(move |job| {
        let board = find(&boards, &name)?;
        let Answer { value, outcome, .. } = board.answer(0);
        let (listed, positions) = (Listed::of(board), board.values().len());
        job.answer(&Description { listed, value, outcome, positions })
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
    State(boards): State<Boards>,
    job: Job,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    job.run(move |job| {
        let board = find(&boards, &name)?;
        let occupied = board.position(at.position.as_deref())?;
        job.answer(&board.answer(occupied))
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
    State(boards): State<Boards>,
    job: Job,
    Named(name): Named<String>,
    Asked(at): Asked<At>,
) -> Result<Response, Reply> {
    job.run(move |job| {
        let found = find(&boards, &name)?;
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
                return job.answer(&line);
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
    State(boards): State<Boards>,
    job: Job,
    Named(name): Named<String>,
    request: Request,
) -> Result<Response, Reply> {
    find(&boards, &name)?;
    let (batch, body): (Batch<String>, _) = batch::read(&job, request).await?;
    job.run(move |job| {
        let _in_flight = body;
        let board = find(&boards, &name)?;
        batch::answers(job, &batch.positions, |text| Ok(board.answer(board.position(Some(text))?)))
    })
    .await
}
