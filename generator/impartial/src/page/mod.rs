//! The impartial games that the page knows, and answers about them: [`HeapGame`]s with a name and small [`CramBoard`]s, each solved at the
//! first question about it. An error is the message for the reader of the page.

#![allow(missing_docs, reason = "the keys of an answer say what its fields are")]

pub mod cram;
pub mod heaps;

use cram::CramBoard;
use heaps::HeapGame;

/// All games and boards.
pub struct Games {
    /// Games of heaps with a name.
    pub heaps: Vec<HeapGame>,
    /// Boards of cram, small ones first.
    pub boards: Vec<CramBoard>,
}

impl Default for Games {
    fn default() -> Games {
        Games { heaps: HeapGame::all(), boards: CramBoard::all() }
    }
}
