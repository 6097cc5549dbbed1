//! The end of a position's text, with what the board does not show: pieces in hand, or the order of pieces that age.
//!
//! `… x 3/2` says that X has three pieces in hand and O two. `… x c1,a2/b2` says that X's piece on c1 is older than the one on a2. X comes
//! first, whoever is to move. A text without this end means that nothing is in hand and that no side has more than one piece that ages.

use crate::error::{ErrorKind, PositionError};
use crate::order::Sequence;
use crate::position::{AGED, CELLS, SHIFT};
use alloc::format;
use alloc::string::String;
use core::fmt::{self, Write};

/// Writes the end of the text of a position with these words; nothing if the board shows everything. `name` gives the name of a cell.
pub(crate) fn write_beside(
    [x, o]: [u64; 2],
    out: &mut dyn Write,
    name: &dyn Fn(u8) -> String,
) -> fmt::Result {
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
                out.write_str(&name(cell))?;
            }
        }
        out.write_str(end)?;
    }
    Ok(())
}

/// Splits a text into the board and the end, which is empty if there is none. `has_words`: the game has pieces in hand, or pieces that age.
pub(crate) fn split_beside(has_words: bool, text: &str) -> (&str, &str) {
    // A drawn board has the pieces in hand below it.
    if let Some(split) = text.split_once("in hand: ").filter(|_| has_words) {
        return split;
    }
    match text.trim().rsplit_once(char::is_whitespace) {
        Some((board, end)) if has_words && end.contains('/') => {
            let named = board.trim_end().rsplit_once(char::is_whitespace);
            let is_side =
                named.is_some_and(|(_, side)| side.len() == 1 && "xXoOwWbB".contains(side));
            if is_side { (board, end) } else { (text, "") }
        }
        _ => (text, ""),
    }
}

/// A function that reads a cell; `None` if the text is not a cell.
type ReadCell<'r> = &'r dyn Fn(&str) -> Option<u8>;

/// Reads the end of a text: the words of X and of O, given their cells. The cells are read by their names. If the named cells are not those
/// of the board, all are read by their places.
pub(crate) fn read_beside(
    has_ages: bool,
    [by_name, by_place]: [ReadCell<'_>; 2],
    sets: [u64; 2],
    end: &str,
) -> Result<[u64; 2], PositionError> {
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
        let message = format_args!("{found} after the side, expected {expected}");
        PositionError::new(ErrorKind::Beside, message)
    };
    let (x, o) = end.split_once('/').or_else(|| end.split_once(',')).ok_or_else(fault)?;
    let read = |set: u64, text: &str| {
        if !has_ages {
            let text = text.trim().trim_start_matches(['X', 'O', ' ']);
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            let hand = text.parse::<u8>().ok().filter(|_| is_number).ok_or_else(fault)?;
            return Ok(set | u64::from(hand) << SHIFT);
        }
        let cells = || text.split(',').filter(|cell| !cell.is_empty());
        let word = |read: ReadCell<'_>| {
            let mut sequence = Sequence::default();
            cells().try_for_each(|cell| read(cell).map(|cell| sequence.push(cell)))?;
            let has_all = sequence.cells().len() == set.count_ones() as usize;
            Some(sequence.word()).filter(|word| word & CELLS == set && has_all)
        };
        word(by_name).or_else(|| word(by_place)).ok_or_else(fault)
    };
    Ok([read(sets[0], x)?, read(sets[1], o)?])
}
