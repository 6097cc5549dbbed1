//! The end of a position's text, with what the board does not show: pieces in hand, or the order of pieces that age.
//!
//! `… x 3/2` says that X has three pieces in hand and O two. `… x c1,a2/b2` says that X's piece on c1 is older than the one on a2. X
//! comes first, whoever is to move. Without an end, nothing is in hand, and no side has more than one piece that ages.

use crate::cells::{read_cell, write_cell};
use crate::error::TextFault;
use crate::{Board, Game};
use alloc::format;
use alloc::string::String;
use core::fmt::{self, Write};
use morpion_core::{AGED, CELLS, SHIFT, Sequence};

/// Writes the end of the text of words: nothing if the board shows everything.
pub(crate) fn write_beside(board: Board, x: u64, o: u64, out: &mut impl Write) -> fmt::Result {
    let is_shown = |word: u64| word & AGED == 0 || (word & CELLS).is_power_of_two();
    if (x | o) <= CELLS || (x | o) & AGED != 0 && is_shown(x) && is_shown(o) {
        return Ok(());
    }
    out.write_char(' ')?;
    for (word, end) in [(x, "/"), (o, "")] {
        if (x | o) & AGED == 0 {
            write!(out, "{}", word >> SHIFT)?;
        }
        for (index, &cell) in Sequence::of(word).cells().iter().enumerate() {
            if word & AGED != 0 {
                out.write_str(if index == 0 { "" } else { "," })?;
                write_cell(board, cell, out)?;
            }
        }
        out.write_str(end)?;
    }
    Ok(())
}

/// Splits the end off a text; an empty end if it has none.
pub(crate) fn split_beside<'t>(game: &Game, text: &'t str) -> (&'t str, &'t str) {
    let text = text.trim();
    let has_words = game.has_ages() || game.has_hands();
    match text.rsplit_once(char::is_whitespace) {
        Some((board, end)) if has_words && end.contains('/') => {
            let named = board.trim_end().rsplit_once(char::is_whitespace);
            let is_side = named.is_some_and(|(_, side)| matches!(side, "x" | "X" | "o" | "O"));
            if is_side { (board, end) } else { (text, "") }
        }
        _ => (text, ""),
    }
}

/// Reads the end of a text: the words of X and of O, given their cells.
pub(crate) fn read_beside(game: &Game, sets: [u64; 2], end: &str) -> Result<[u64; 2], TextFault> {
    let (board, has_ages) = (game.board_shape(), game.has_ages());
    let is_implied = |set: u64| !has_ages || set.count_ones() < 2;
    if end.is_empty() && sets.into_iter().all(is_implied) {
        return Ok(sets.map(|set| if has_ages && set != 0 { set | AGED } else { set }));
    }
    let fault = || {
        let expected = match has_ages {
            true => "the pieces of X and of O, the oldest first, like c1,a2/b2",
            false => "the pieces in hand of X and of O, like 3/2",
        };
        let short: String = end.chars().take(64).collect();
        let found = if end.is_empty() { "nothing".into() } else { format!("{short:?}") };
        TextFault::Beside { found, expected }
    };
    let (x, o) = end.split_once('/').ok_or_else(fault)?;
    let read = |set: u64, text: &str| {
        if !has_ages {
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            let hand = text.parse::<u8>().ok().filter(|_| is_number).ok_or_else(fault)?;
            return Ok(set | u64::from(hand) << SHIFT);
        }
        let mut sequence = Sequence::default();
        for cell in text.split(',').filter(|cell| !cell.is_empty()) {
            sequence.push(read_cell(board, cell).ok_or_else(fault)?);
        }
        let is_of_set =
            sequence.word() & CELLS == set && sequence.cells().len() == set.count_ones() as usize;
        if is_of_set { Ok(sequence.word()) } else { Err(fault()) }
    };
    Ok([read(sets[0], x)?, read(sets[1], o)?])
}
