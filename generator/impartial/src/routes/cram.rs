//! Boards of cram.
//!
//! A [`CramBoard`] answers from its table. A small board without a table is solved at the first question about it.

use crate::cram::{Board, CramAnswer, MAX_DENSE, PositionError, answer, dense, parse};
use crate::routes::Refused;
use morpion_grundy::GrundyTable;
use morpion_machine::progress::{Stopped, Unobserved};
use serde::Serialize;
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

/// Maximum number of cells of a board that is solved without a table. Each takes at most 1 MiB, and all together some
/// 10 MiB.
const SOLVED: u32 = 20;

/// A board with its table, or with its values once it is solved.
pub struct CramBoard {
    board: Board,
    table: Option<GrundyTable>,
    solved: OnceLock<Vec<u8>>,
}

#[derive(Serialize)]
struct ListedBoard {
    /// Rows and columns, such as `4x5`.
    board: String,
    rows: u32,
    columns: u32,
    /// `true` if the board has a table. Other boards are small enough to be solved at the first question.
    built: bool,
}

#[derive(Serialize)]
pub struct CramBoards {
    /// Small boards first.
    boards: Vec<ListedBoard>,
}

impl CramBoard {
    /// Lists the boards that have a table and those that are small enough to be solved, each once, small boards first.
    pub(crate) fn all(tables: Vec<GrundyTable>) -> Arc<[Arc<CramBoard>]> {
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
        boards.into_iter().map(Arc::new).collect()
    }

    /// Finds a board by its size. Returns a message if the name is not a board or the board has no table.
    pub fn find(boards: &[Arc<CramBoard>], name: &str) -> Result<Arc<CramBoard>, String> {
        let board = name.parse::<Board>().map_err(|error| error.to_string())?;
        boards.iter().find(|each| each.board == board).cloned().ok_or_else(|| {
            let mut message = format!(
                "cram {board} has no table here: ask about a board of at most {SOLVED} cells or one that is built"
            );
            if board.cells() <= MAX_DENSE {
                message += &format!("; build it with: morpion cram build {board}");
            }
            message
        })
    }

    /// Lists the boards.
    pub fn list(boards: &[Arc<CramBoard>]) -> CramBoards {
        CramBoards { boards: boards.iter().map(|board| board.listed()).collect() }
    }

    /// Answers a position, as `cram query --json` does. Without a text it is the empty board.
    pub fn position(&self, text: Option<&str>) -> Result<CramAnswer, Refused> {
        Ok(self.answer(self.read(text)?))
    }

    fn listed(&self) -> ListedBoard {
        let Board { rows, columns } = self.board;
        ListedBoard { board: self.board.to_string(), rows, columns, built: self.table.is_some() }
    }

    /// Grundy values by the set of occupied cells. Solves the board now if it has no table.
    fn values(&self) -> &[u8] {
        match &self.table {
            Some(table) => table.values(),
            None => self.solved.get_or_init(|| {
                dense(self.board, &Unobserved)
                    .unwrap_or_else(|Stopped| unreachable!("nothing stops it"))
            }),
        }
    }

    fn read(&self, text: Option<&str>) -> Result<u64, Refused> {
        let Some(text) = text else { return Ok(0) };
        parse(self.board, text).map_err(|error| {
            let malformed = matches!(error, PositionError::Cell { .. });
            Refused::position(error, malformed, text)
        })
    }

    fn answer(&self, occupied: u64) -> CramAnswer {
        let values = self.values();
        let Ok(answer) = answer::<Infallible>(self.board, occupied, |set| Ok(values[set as usize]));
        answer
    }
}
