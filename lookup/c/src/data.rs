//! Plain data of the interface, and conversions to the types of the library.

use crate::codes::*;
use morpion_lookup::{DrawKind, Game, Move, Position, RankedMove, Score, Side, Situation};
use std::ffi::c_char;

/// A position: a word for each side. Bit c of a word is cell c. From bit 36 on, a word has the number of pieces in hand in games with
/// mills, or, with bit 52, the order of pieces that age; in other games, nothing. `side` is 'x' or 'o', the colour of the side to move;
/// only texts need it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MorpionPosition {
    /// The word of the side to move.
    pub mover: u64,
    /// The word of the side waiting.
    pub waiter: u64,
    /// 'x' or 'o'.
    pub side: c_char,
}

/// The value of a position for the side to move.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MorpionScore {
    /// MORPION_WIN, MORPION_DRAW or MORPION_LOSS.
    pub value: i32,
    /// Half-moves to the end; -1 for a draw and in a table without distances.
    pub plies: i32,
    /// MORPION_DRAW_ENDS or MORPION_DRAW_CYCLES; 0 if the value is not a draw.
    pub draw: i32,
}

/// A move and its value for the side that makes it, counted from the position before.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MorpionMove {
    /// The cell from which a piece moves, MORPION_PLACE or MORPION_PASS.
    pub from: u8,
    /// The cell on which a piece is placed or to which it moves, or MORPION_PASS.
    pub to: u8,
    /// The cell whose piece is taken, or MORPION_NO_TAKE.
    pub take: u8,
    /// 1 if the piece is pushed in at `to`, otherwise 0.
    pub push: u8,
    /// A higher cell whose piece is taken too, or MORPION_NO_TAKE.
    pub also: u8,
    /// The value of the move.
    pub score: MorpionScore,
}

pub(crate) fn c_position(Situation { raw, side, .. }: Situation) -> MorpionPosition {
    MorpionPosition { mover: raw.mover, waiter: raw.waiter, side: side.letter() as c_char }
}

impl From<&MorpionPosition> for Position {
    fn from(&MorpionPosition { mover, waiter, .. }: &MorpionPosition) -> Position {
        Position { mover, waiter }
    }
}

/// Adds the board of the game to a position.
///
/// # Errors
/// If the side is neither 'x' nor 'o'.
pub(crate) fn on_board(game: &Game, position: &MorpionPosition) -> Result<Situation, Fault> {
    let side = match position.side as u8 {
        b'x' => Side::X,
        b'o' => Side::O,
        side => return Err(argument(&format!("the side is {:?}: use 'x' or 'o'", side as char))),
    };
    Ok(game.situation(position.into(), Some(side)))
}

pub(crate) fn move_of(mv: &MorpionMove) -> Move {
    let from = Some(mv.from).filter(|&from| from != MORPION_PLACE);
    match (from, mv.to, mv.take) {
        (Some(MORPION_PASS), ..) => Move::Pass,
        (Some(from), to, _) if mv.push != 0 => Move::Push { from, to },
        (Some(from), to, MORPION_NO_TAKE) => Move::Shift { from, to },
        (None, to, MORPION_NO_TAKE) => Move::Place { to },
        (from, to, take) => {
            let also = Some(mv.also).filter(|&also| also != MORPION_NO_TAKE);
            Move::Take { from, to, take, also }
        }
    }
}

pub(crate) fn c_move(RankedMove { mv, score }: &RankedMove) -> MorpionMove {
    MorpionMove { score: c_score(*score), ..c_move_alone(*mv) }
}

/// Converts a move without its value; the score is zero.
pub(crate) fn c_move_alone(mv: Move) -> MorpionMove {
    let none = MORPION_NO_TAKE;
    let (from, to, take, also) = match mv {
        Move::Place { to } => (MORPION_PLACE, to, none, none),
        Move::Shift { from, to } | Move::Push { from, to } => (from, to, none, none),
        Move::Take { from, to, take, also } => {
            (from.unwrap_or(MORPION_PLACE), to, take, also.unwrap_or(none))
        }
        Move::Pass => (MORPION_PASS, MORPION_PASS, none, none),
    };
    let push = u8::from(matches!(mv, Move::Push { .. }));
    MorpionMove { from, to, take, push, also, score: MorpionScore { value: 0, plies: 0, draw: 0 } }
}

pub(crate) fn c_score(score: Score) -> MorpionScore {
    MorpionScore {
        // The variants of `Value` are Win, Draw, Loss, an order fixed by the file format, for the numbers 1, 0, -1.
        value: MORPION_WIN - score.value() as i32,
        plies: score.plies().map_or(-1, i32::from),
        draw: match score.draw() {
            Some(DrawKind::End) => MORPION_DRAW_ENDS,
            Some(DrawKind::Cycle) => MORPION_DRAW_CYCLES,
            None => 0,
        },
    }
}
