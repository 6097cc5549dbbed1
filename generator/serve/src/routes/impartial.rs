//! `/api/v1/grundy` and `/api/v1/cram`: values of impartial games, and winning moves.
//!
//! The games, the questions and the answers are defined in `morpion_impartial::routes`.

use crate::interface::batch;
use crate::interface::body::Body;
use crate::interface::handler::{Handler, long, post, short};
use crate::interface::part::{ByName, Named, Query, unknown};
use crate::interface::routes::Routes;
use crate::job::Job;
use crate::refusal::Refusal;
use crate::served::Served;
use morpion_impartial::routes::Refused;
use morpion_impartial::routes::cram::{self, CramBoard, PositionQuery};
use morpion_impartial::routes::heaps::{HeapBatch, HeapGame, SumQuery};
use std::sync::Arc;

/// Adds the routes of both kinds of games.
pub(super) fn add(routes: Routes) -> Routes {
    let heaps = [
        short(|served: Arc<Served>| Ok(HeapGame::list(&served.impartial.heaps))),
        long(|ByName(game): ByName<HeapGame>, job| answered(game.describe(), job)),
        long(|(ByName(game), Query(query)): (ByName<HeapGame>, Query<SumQuery>), job| {
            answered(game.position(&query, job), job)
        }),
        post(|ByName(game): ByName<HeapGame>, batch: HeapBatch, job| {
            let sum = |heaps: &Vec<u64>| answered(game.sum(heaps, batch.misere, job), job);
            batch::answers(job, &batch.positions, sum)
        }),
    ];
    let cram = [
        short(|served: Arc<Served>| Ok(CramBoard::list(&served.impartial.boards))),
        long(|ByName(board): ByName<CramBoard>, _| Ok(board.describe())),
        long(|(ByName(board), Query(query)): (ByName<CramBoard>, Query<PositionQuery>), job| {
            answered(board.position(query.position.as_deref()), job)
        }),
        post(|ByName(board): ByName<CramBoard>, batch: cram::Batch, job| {
            let position = |text: &String| answered(board.position(Some(text)), job);
            batch::answers(job, &batch.positions, position)
        }),
    ];
    let ids = ["heapGames", "heapGame", "heapPosition", "heapPositions"];
    let routes = add_kind(routes, "/api/v1/grundy", "/api/v1/grundy/{game}", ids, heaps);
    let ids = ["cramBoards", "cramBoard", "cramPosition", "cramPositions"];
    add_kind(routes, "/api/v1/cram", "/api/v1/cram/{board}", ids, cram)
}

/// Adds the routes of one kind: the list, one game or board, and the questions about it.
fn add_kind(
    routes: Routes,
    list: &str,
    one: &str,
    ids: [&str; 4],
    handlers: [Handler; 4],
) -> Routes {
    let below = |name: &str| format!("{one}/{name}");
    let operations = [
        (list.to_owned(), "All games or boards."),
        (one.to_owned(), "Description of a game or board."),
        (below("position"), "The value of a position, its winner, and the winning moves."),
        (below("positions"), "Values of many positions at once, each an answer or an error."),
    ];
    let all = operations.into_iter().zip(ids).zip(handlers);
    all.fold(routes, |routes, (((path, summary), id), handler)| {
        routes.route(&path, [id, summary], &[], handler)
    })
}

/// Turns a refused question into an error response.
fn answered<A>(answer: Result<A, Refused>, job: &Job) -> Result<A, Refusal> {
    answer.map_err(|Refused { status, message, text }| match text {
        _ if status == 503 => job.given_up(),
        Some(text) => Refusal::position(message, status == 400, &text),
        None => Refusal::new(status, message),
    })
}

impl Named for HeapGame {
    const PARAMETER: [&str; 3] =
        ["game", "The game's name, or its octal code if it has a name or a table.", "kayles"];

    fn find(served: &Served, name: &str) -> Result<Arc<HeapGame>, Refusal> {
        let games = &served.impartial.heaps;
        let found = HeapGame::find(games, name).map_err(|message| Refusal::new(404, message))?;
        found.ok_or_else(|| unknown(name, games.iter().map(|game| game.name())))
    }
}

impl Named for CramBoard {
    const PARAMETER: [&str; 3] =
        ["board", "Rows and columns of a board that has a table, or of at most 20 cells.", "3x4"];

    fn find(served: &Served, name: &str) -> Result<Arc<CramBoard>, Refusal> {
        let found = CramBoard::find(&served.impartial.boards, name);
        found.map_err(|message| Refusal::new(404, message))
    }
}

impl Body for HeapBatch {
    const EXAMPLE: &str = r#"{"positions": [[3, 5, 7], [9, 14]]}"#;
}

impl Body for cram::Batch {
    const EXAMPLE: &str = r#"{"positions": ["X.../XX../....", "what"]}"#;
}
