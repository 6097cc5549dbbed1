//! The games and answers that the page publishes about impartial games.
//!
//! [`Games`] has all games of heaps and all boards of cram. [`HeapGame`] and [`CramBoard`] answer questions, or return [`Refused`].

#![allow(missing_docs, reason = "the keys of an answer say what its fields are")]

pub mod cram;
pub mod heaps;
mod refused;

pub use refused::Refused;

use cram::CramBoard;
use heaps::HeapGame;
use morpion_grundy::GrundyTable;
use std::sync::Arc;

/// All games and boards.
pub struct Games {
    /// Games with a name, then unnamed games that have a table.
    pub heaps: Arc<[Arc<HeapGame>]>,
    /// Boards that have a table or are small, small boards first.
    pub boards: Arc<[Arc<CramBoard>]>,
}

impl Games {
    /// Lists the games of these tables and those that need none.
    pub fn new(tables: Vec<GrundyTable>) -> Games {
        let (cram, heaps) = tables.into_iter().partition(|table| table.cram().is_ok());
        Games { heaps: HeapGame::all(heaps), boards: CramBoard::all(cram) }
    }
}
