//! `/api/v1/cram`: boards of cram, the values of positions, winning dominoes, and lines of play.

use crate::batch::{self, Batch};
use crate::cram::CramBoard;
use crate::extract::{All, Found, Query};
use crate::job::Job;
use crate::json::Json;
use crate::reasons::{
    BadBody, BadText, BatchTooLong, Busy, NoBoard, NoBoardPosition, RateLimited, Slow,
};
use crate::refusal::Refusal;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use morpion_impartial::cram::{Board, CramAnswer, cells, format};
use morpion_impartial::schema::Outcome;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// One board of cram.
#[derive(Serialize, ToSchema)]
#[schema(as = CramBoard)]
struct ListedBoard {
    /// Rows and columns, such as `4x5`.
    board: String,
    #[schema(minimum = 1)]
    rows: u32,
    #[schema(minimum = 1)]
    columns: u32,
    /// `true` if the board has a table. Other boards are small enough to be solved at the first question.
    built: bool,
}

impl ListedBoard {
    fn of(board: &CramBoard) -> ListedBoard {
        let Board { rows, columns } = board.board;
        ListedBoard { board: board.board.to_string(), rows, columns, built: board.is_built() }
    }
}

/// All boards of cram.
#[derive(Serialize, ToSchema)]
struct CramBoards {
    /// Small boards first.
    boards: Vec<ListedBoard>,
}

/// All boards of cram.
#[utoipa::path(
    get, path = "/api/v1/cram", operation_id = "cramBoards",
    responses((status = 200, description = "The boards, small ones first.", body = CramBoards), RateLimited),
)]
pub(super) async fn boards(State(boards): State<All<CramBoard>>) -> Response {
    Json(CramBoards { boards: boards.iter().map(|board| ListedBoard::of(board)).collect() })
        .into_response()
}

/// Description of a board.
#[derive(Serialize, ToSchema)]
struct CramDescription {
    #[serde(flatten)]
    listed: ListedBoard,
    /// Value of the empty board.
    value: u8,
    #[schema(value_type = Outcome)]
    outcome: &'static str,
    /// Number of sets of occupied cells.
    positions: usize,
}

/// Path of a board.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "it describes the path that `Found` reads")]
pub(super) struct Size {
    /// Rows and columns of a board that has a table, or of at most 20 cells.
    #[param(example = "3x4")]
    board: String,
}

/// Size and value of a board.
#[utoipa::path(
    get, path = "/api/v1/cram/{board}", operation_id = "cramBoard",
    params(Size),
    responses(
        (status = 200, description = "The description.", body = CramDescription),
        BadText, NoBoard, Busy,
    ),
)]
pub(super) async fn board(Found(board): Found<CramBoard>, job: Job) -> Result<Response, Refusal> {
    job.run(move |job| {
        let CramAnswer { value, outcome, .. } = board.answer(0);
        let (listed, positions) = (ListedBoard::of(&board), board.values().len());
        job.answer(&CramDescription { listed, value, outcome, positions })
    })
    .await
}

/// Query for a position.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionQuery {
    /// Rows from the top, separated by `/`: `X` for an occupied cell and `.` for a free one. Without it, the empty
    /// board.
    #[param(example = "X.../XX../....", nullable = false, pattern = "^\\s*[Xx#Oo1._0/-]*\\s*$")]
    position: Option<String>,
}

/// The value of a position, its winner, and every winning domino.
#[utoipa::path(
    get, path = "/api/v1/cram/{board}/position", operation_id = "cramPosition",
    params(Size, PositionQuery),
    responses(
        (status = 200, description = "The answer.", body = CramAnswer),
        BadText, NoBoardPosition, Busy,
    ),
)]
pub(super) async fn position(
    Found(board): Found<CramBoard>,
    job: Job,
    Query(query): Query<PositionQuery>,
) -> Result<Response, Refusal> {
    job.run(move |job| {
        let occupied = board.position(query.position.as_deref())?;
        job.answer(&board.answer(occupied))
    })
    .await
}

/// A line of play.
#[derive(Serialize, ToSchema)]
struct CramLine {
    /// Rows and columns.
    board: String,
    /// The positions before each move and after the last one.
    positions: Vec<String>,
    /// The two cells of each domino, by column letter and row number from the top.
    #[schema(value_type = Vec<(String, String)>)]
    moves: Vec<[String; 2]>,
}

/// A line of play in which the winner plays perfectly.
#[utoipa::path(
    get, path = "/api/v1/cram/{board}/line", operation_id = "cramLine",
    params(Size, PositionQuery),
    responses((status = 200, description = "The line.", body = CramLine), BadText, NoBoardPosition, Busy),
)]
pub(super) async fn line(
    Found(board): Found<CramBoard>,
    job: Job,
    Query(query): Query<PositionQuery>,
) -> Result<Response, Refusal> {
    job.run(move |job| {
        let mut occupied = board.position(query.position.as_deref())?;
        let (board, values) = (board.board, board.values());
        let mut line = CramLine {
            board: board.to_string(),
            positions: vec![format(board, occupied)],
            moves: Vec::new(),
        };
        loop {
            let legal = board.dominoes().into_iter().filter(|domino| domino & occupied == 0);
            // Prefers a winning move. In a lost position all moves are equally good.
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

type Answers = batch::Answers<CramAnswer, String>;

/// Values of many positions at once.
#[utoipa::path(
    post, path = "/api/v1/cram/{board}/positions", operation_id = "cramPositions",
    params(Size),
    request_body(content = Batch, example = json!({ "positions": ["X.../XX../....", "what"] })),
    responses(
        (status = 200, description = "One answer per position, in the same order; an error in place of the answer to a text that is not a position.", body = Answers),
        BadBody, NoBoard, Slow, BatchTooLong, Busy,
    ),
)]
pub(super) async fn positions(
    Found(board): Found<CramBoard>,
    mut job: Job,
    request: Request,
) -> Result<Response, Refusal> {
    let batch: Batch = batch::read(&mut job, request).await?;
    job.run(move |job| {
        batch::answers(job, &batch.positions, |text| Ok(board.answer(board.position(Some(text))?)))
    })
    .await
}
