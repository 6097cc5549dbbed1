//! Boards of cram.

use crate::cram::{Board, CramAnswer, answer, dense, parse};
use morpion_machine::progress::{Stopped, Unobserved};
use serde::Serialize;
use std::convert::Infallible;
use std::sync::OnceLock;

/// Maximum number of cells of a board. Each takes at most 1 MiB, and all together some
/// 10 MiB.
const SOLVED: u32 = 20;

/// A board, with its Grundy values by the set of occupied cells once it is solved.
pub struct CramBoard {
    board: Board,
    values: OnceLock<Vec<u8>>,
}

#[derive(Serialize)]
struct ListedBoard {
    /// Rows and columns, such as `4x5`.
    board: String,
    rows: u32,
    columns: u32,
}

#[derive(Serialize)]
pub struct CramBoards {
    /// Small boards first.
    boards: Vec<ListedBoard>,
}

impl CramBoard {
    /// Lists the boards that are small enough to be solved, small boards first.
    pub(crate) fn all() -> Vec<CramBoard> {
        let boards = (1..=SOLVED).flat_map(|rows| {
            (1..=SOLVED / rows).map(move |columns| CramBoard {
                board: Board { rows, columns },
                values: OnceLock::new(),
            })
        });
        let mut boards: Vec<CramBoard> = boards.collect();
        boards.sort_by_key(|each| (each.board.cells(), each.board.rows));
        boards
    }

    /// Finds a board by its size.
    ///
    /// # Errors
    /// If the name is not a board, or the board is too large.
    pub fn find<'b>(boards: &'b [CramBoard], name: &str) -> Result<&'b CramBoard, String> {
        let board = name.parse::<Board>().map_err(|error| error.to_string())?;
        boards.iter().find(|each| each.board == board).ok_or_else(|| {
            format!("cram {board} has more than {SOLVED} cells: ask `morpion cram value {board}`")
        })
    }

    /// Lists the boards.
    pub fn list(boards: &[CramBoard]) -> CramBoards {
        CramBoards { boards: boards.iter().map(|board| board.listed()).collect() }
    }

    /// Answers a position, as `cram query --json` does. Without a text it is the empty board.
    ///
    /// # Errors
    /// If the text is not a position of the board.
    pub fn position(&self, text: Option<&str>) -> Result<CramAnswer, String> {
        let read = text.map_or(Ok(0), |text| parse(self.board, text));
        let occupied = read.map_err(|error| error.to_string())?;
        let values = self.values.get_or_init(|| {
            dense(self.board, &Unobserved)
                .unwrap_or_else(|Stopped| unreachable!("nothing stops it"))
        });
        let Ok(answer) = answer::<Infallible>(self.board, occupied, |set| Ok(values[set as usize]));
        Ok(answer)
    }

    fn listed(&self) -> ListedBoard {
        let Board { rows, columns } = self.board;
        ListedBoard { board: self.board.to_string(), rows, columns }
    }
}
