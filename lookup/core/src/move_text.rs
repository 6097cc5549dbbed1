//! Moves as text: `b2`, `a1-b3`, `b2xc3`, `a1>a5`, `pass`.

use crate::cell_names::cell_named;
use crate::error::{ErrorKind, PositionError};
use crate::game::Game;
use crate::position::Move;
use crate::situation::Situation;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Game {
    /// Writes a move: `b2` places, `a1-b3` moves a piece, `b2xc3` and `a1-b3xc3` take one too, `a1>a5` pushes, `pass` passes.
    pub fn format_move(&self, mv: Move) -> String {
        let cell = |cell| self.format_cell(cell);
        match mv {
            Move::Place { to } => cell(to),
            Move::Shift { from, to } => cell(from) + "-" + &cell(to),
            Move::Push { from, to } => cell(from) + ">" + &cell(to),
            Move::Take { from, to, take, also } => {
                let mv = from.map_or(Move::Place { to }, |from| Move::Shift { from, to });
                let taken = [Some(take), also].into_iter().flatten();
                taken.fold(self.format_move(mv), |text, taken| text + "x" + &cell(taken))
            }
            Move::Pass => "pass".to_string(),
        }
    }

    /// Reads a move, in upper or lower case. It need not be legal in any position; compare it with the [legal moves](Game::legal_moves).
    ///
    /// # Errors
    /// [`PositionError`] of a move, with what was found.
    pub fn parse_move(&self, text: &str) -> Result<Move, PositionError> {
        self.read_move(text.trim()).ok_or_else(|| {
            let expected = match self.board_shape().grid() {
                _ if !self.about().names.is_empty() => {
                    "a cell by its name, a move from cell to cell like A-B, or pass"
                }
                None => "a cell like 4, a move like 0-5, or pass",
                Some(_) => "a cell like b2, a move like a1-b3, or pass",
            };
            let found: String = text.trim().chars().take(64).collect();
            let message = format_args!("{found:?} is not a move: expected {expected}");
            PositionError::new(ErrorKind::Move, message)
        })
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        let cell = |text: &str| cell_named(self.board_shape(), &self.about().names, text.trim());
        if text.eq_ignore_ascii_case("pass") {
            return Some(Move::Pass);
        }
        if let Some((from, to)) = text.split_once('>') {
            return Some(Move::Push { from: cell(from)?, to: cell(to)? });
        }
        let (from, to) = match text.split_once('-') {
            Some((from, to)) => (Some(cell(from)?), to),
            None => (None, text),
        };
        Some(match (&read_joined(to, 3, &cell)?[..], from) {
            (&[to], Some(from)) => Move::Shift { from, to },
            (&[to], None) => Move::Place { to },
            (&[to, take], from) => Move::Take { from, to, take, also: None },
            (&[to, a, b], from) => Move::Take { from, to, take: a.min(b), also: Some(a.max(b)) },
            _ => return None,
        })
    }

    /// The position after a legal move. [`Game::after`] does not check the move.
    ///
    /// # Errors
    /// If the move is not legal in this position, or the game is over.
    pub fn play(&self, position: Situation, mv: Move) -> Result<Situation, PositionError> {
        if self.legal_moves(position).any(|legal| legal == mv) {
            return Ok(self.after(position, mv));
        }
        let message = format_args!("{:?} is not a legal move here", self.format_move(mv));
        Err(PositionError::new(ErrorKind::Move, message))
    }
}

/// Reads up to `most` cells that are joined by x. Names of cells may contain an x too, so every x is tried as the separator.
fn read_joined(text: &str, most: usize, cell: &impl Fn(&str) -> Option<u8>) -> Option<Vec<u8>> {
    if let Some(cell) = cell(text) {
        return Some([cell].into());
    }
    let mut splits = text.match_indices(['x', 'X']).filter(|_| most > 1);
    splits.find_map(|(at, _)| {
        let first = cell(&text[..at])?;
        Some([&[first][..], &read_joined(&text[at + 1..], most - 1, cell)?].concat())
    })
}
