//! Boards of cram.
//!
//! A [`CramBoard`] answers from its table. A small board without a table is solved at the first question about it.

use super::extract::Named;
use super::refusal::Refusal;
use morpion_grundy::GrundyTable;
use morpion_impartial::cram::{
    Board, BoardError, CramAnswer, MAX_DENSE, PositionError, answer, dense, parse,
};
use morpion_machine::progress::{Stopped, Unobserved};
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

/// Maximum number of cells of a board that is solved without a table. Each takes at most 1 MiB, and all together some
/// 10 MiB.
const SOLVED: u32 = 20;

/// A board with its table, or with its values once it is solved.
pub struct CramBoard {
    /// Its size.
    pub board: Board,
    table: Option<GrundyTable>,
    solved: OnceLock<Vec<u8>>,
}

impl CramBoard {
    /// Lists the boards that have a table and those that are small enough to be solved, each once, small boards first.
    pub fn all(tables: Vec<GrundyTable>) -> Vec<Arc<CramBoard>> {
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

    /// Checks that the board has a table.
    pub fn is_built(&self) -> bool {
        self.table.is_some()
    }

    /// Grundy values by the set of occupied cells. Solves the board now if it has no table.
    pub fn values(&self) -> &[u8] {
        match &self.table {
            Some(table) => table.values(),
            None => self.solved.get_or_init(|| {
                dense(self.board, &Unobserved)
                    .unwrap_or_else(|Stopped| unreachable!("nothing stops it"))
            }),
        }
    }

    /// Reads a position. Without a text it is the empty board.
    ///
    /// # Errors
    /// 400 with the text if a character is not a cell, 404 if the board does not have this position.
    pub fn position(&self, text: Option<&str>) -> Result<u64, Refusal> {
        text.map_or(Ok(0), |text| {
            parse(self.board, text).map_err(|error| match error {
                PositionError::Cell { .. } => Refusal::bad_input(error.to_string(), text),
                _ => Refusal::missing_input(error.to_string(), text),
            })
        })
    }

    /// The answer of `cram query --json`.
    pub fn answer(&self, occupied: u64) -> CramAnswer {
        let values = self.values();
        let Ok(answer) = answer::<Infallible>(self.board, occupied, |set| Ok(values[set as usize]));
        answer
    }
}

impl Named for CramBoard {
    fn find(boards: &[Arc<CramBoard>], name: &str) -> Result<Arc<CramBoard>, Refusal> {
        let board: Board =
            name.parse().map_err(|error: BoardError| Refusal::missing(error.to_string()))?;
        boards.iter().find(|each| each.board == board).cloned().ok_or_else(|| {
        let hint = if board.cells() <= MAX_DENSE {
            format!("; build it with: morpion cram build {board}")
        } else {
            String::new()
        };
        Refusal::missing(format!(
            "cram {board} has no table here: ask about a board of at most {SOLVED} cells or one that is built{hint}"
        ))
    })
    }
}
