//! Answers about impartial games for the page: sums of heaps in games with a name, and small boards of cram. An error is the message for
//! the reader of the page.

use crate::cram::{self, Board, CramAnswer, Regions};
use crate::facts::OctalFacts;
use crate::octal::Task;
use crate::octal::answer::HeapAnswer;
use crate::octal::named::{NAMED, Named, resolve};
use crate::octal::normal;
use crate::octal::table::{in_memory, solved};
use morpion_grundy::GrundyTable;
use morpion_machine::progress::Progress;
use serde::Serialize;
use std::collections::HashMap;

/// The largest heap that is solved for a game without a known period.
const SOLVED: usize = 1 << 14;
/// Maximum number of winning moves in one answer; `more` says that there are others.
const MOVES: usize = 200;
/// Maximum number of heaps in one sum.
const HEAPS: usize = 64;
/// Maximum number of values in a description.
const VALUES: u64 = 64;
/// Maximum number of cells of a board of cram.
const CELLS: u32 = 20;

/// The values that were computed for earlier answers: the tables of games of heaps by their codes, and regions of boards.
#[derive(Default)]
pub struct Games {
    tables: HashMap<&'static str, GrundyTable>,
    regions: Regions,
}

/// A game of heaps and its first values.
#[derive(Serialize)]
pub struct HeapDescription {
    game: &'static str,
    title: &'static str,
    /// Digits of the code from d0; `null` if they repeat forever.
    digits: Option<Vec<u8>>,
    facts: OctalFacts,
    /// The values of the heaps from 0 on.
    values: Vec<u64>,
}

impl Games {
    /// Describes the game of heaps with this name or code.
    ///
    /// # Errors
    /// If the game has no name.
    pub fn describe(
        &mut self,
        name: &str,
        progress: &dyn Progress,
    ) -> Result<HeapDescription, String> {
        let (named, table) = self.solved(name, progress)?;
        Ok(HeapDescription {
            game: named.name,
            title: named.title,
            digits: table.octal().map_err(text)?.0.finite().map(<[u8]>::to_vec),
            facts: OctalFacts::of(table).map_err(text)?,
            values: (0..VALUES).map_while(|heap| table.heap(heap).ok()).collect(),
        })
    }

    /// Answers a sum of heaps, with at most `MOVES` winning moves.
    ///
    /// # Errors
    /// If there are too many heaps, the game has no name, or its table has no value for a heap.
    pub fn sum(
        &mut self,
        name: &str,
        heaps: &[u64],
        progress: &dyn Progress,
    ) -> Result<HeapAnswer, String> {
        if heaps.len() > HEAPS {
            return Err(format!("{} heaps, expected at most {HEAPS}", heaps.len()));
        }
        normal::answer(self.solved(name, progress)?.1, heaps, MOVES, progress).map_err(text)
    }

    /// Answers a position of cram, as `cram query --json` does. Without a text, the position is the empty board.
    ///
    /// # Errors
    /// If the name is not a board, the board is too large, or the text is not a position of the board.
    pub fn cram(&mut self, board: &str, position: Option<&str>) -> Result<CramAnswer, String> {
        let board: Board = board.parse().map_err(text)?;
        if board.cells() > CELLS {
            return Err(format!(
                "cram {board} has more than {CELLS} cells: ask `morpion cram value {board}`"
            ));
        }
        let occupied = position.map_or(Ok(0), |position| board.parse_position(position));
        cram::answer(board, occupied.map_err(text)?, |set| Ok(self.regions.value(board, set)))
    }

    /// Returns a game of heaps with its table. Solves it at the first call, up to its first period, but not beyond [`SOLVED`].
    fn solved(
        &mut self,
        name: &str,
        progress: &dyn Progress,
    ) -> Result<(&'static Named, &GrundyTable), String> {
        let code = resolve(name).map_err(|_| format!("{name:?} is not a game of heaps"))?;
        let named = NAMED.iter().find(|named| named.code == code.to_string()).ok_or_else(|| {
            format!("{code} has no name here; solve it with: morpion nim build \"{code}\"")
        })?;
        if !self.tables.contains_key(named.code) {
            let solution = solved(&code, Task::until_period(SOLVED), progress).map_err(text)?;
            let table = in_memory(&solution.0, &solution.1).map_err(text)?;
            self.tables.insert(named.code, table);
        }
        Ok((named, &self.tables[named.code]))
    }
}

fn text(error: impl ToString) -> String {
    error.to_string()
}
