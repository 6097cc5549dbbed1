//! Formats scores, distances, numbers and rules, in the same way for all commands and for the page.

use crate::geometry::points;
use morpion_lookup::{DrawKind, During, Game, Score, Stuck, Travel};

/// Formats a score: `win in 5 plies`, `draw by cycle`, `loss`.
pub fn in_words(score: Score) -> String {
    let value = score.value().name();
    match (score.plies(), score.draw()) {
        (Some(distance), _) => format!("{value} in {}", plies(distance)),
        (_, Some(DrawKind::Cycle)) => format!("{value} by cycle"),
        (_, Some(DrawKind::End)) => format!("{value} that ends"),
        _ => value.into(),
    }
}

/// Formats a value with its distance, if it has one: `win in 5`, `draw`.
pub fn brief(value: &str, plies: Option<u16>) -> String {
    plies.map_or(value.into(), |plies| format!("{value} in {plies}"))
}

/// Formats `1 ply`, `9 plies`.
pub fn plies(distance: u16) -> String {
    format!("{distance} {}", if distance == 1 { "ply" } else { "plies" })
}

/// Formats a number with commas between thousands.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats `1 move`, `1,234 moves`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Formats the rules of a game in sentences.
pub fn rules(game: &Game) -> String {
    let rules = game.rules();
    let cells = game.cells();
    // Drawn boards may have gaps, or rows that are shifted.
    let is_grid = |rows, columns| {
        let is_square = |place: f64, end: u8| place.fract() == 0.0 && place < f64::from(end);
        rows * columns == cells
            && points(game).iter().all(|&[x, y]| is_square(x, columns) && is_square(y, rows))
    };
    let board = match rules.board.grid() {
        Some((rows, columns)) if is_grid(rows, columns) => format!("{rows} × {columns}"),
        _ => cells.to_string(),
    };
    let lines = counted(rules.lines.len() as u64, "line");
    let mut text = format!("{board} cells, {lines}.");
    text += &format!(" Whoever makes a line {}.", if rules.misere { "loses" } else { "wins" });
    if rules.prolongations.iter().any(|&cells| cells != 0) {
        text += " A longer line does not count.";
    }
    text += &match rules.pieces {
        None => " The sides place in turn until the board is full.".into(),
        Some(each) if rules.start.is_some() => {
            format!(" Each side has {} on the board from the start.", pieces(each))
        }
        Some(each) => format!(" Each side places {} in turn.", pieces(each)),
    };
    if let Some(movement) = &rules.movement {
        let then = if rules.start.is_some() { "A move" } else { "Then a move" };
        let is_linked = movement.to != Travel::Any;
        let to = if is_linked { "along a link to an empty cell" } else { "to any empty cell" };
        text += &format!(" {then} takes a piece {to}.");
        if movement.stay {
            text += " A side may pass.";
        }
        if is_linked {
            text += &format!(" A side that cannot move {}.", stuck(movement.stuck));
        }
    } else if rules.pieces.is_some() {
        text += " The game ends when all are placed.";
    }
    if let Some(opening) = rules.opening {
        let cells = game.format_cells(opening.forbidden);
        text += &format!(" Forbidden for {}: {cells}.", restricted(opening.during));
    }
    text
}

/// Formats `1 piece`, `three pieces`.
fn pieces(count: u8) -> String {
    const NUMBERS: [&str; 9] =
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    match count {
        1 => "one piece".into(),
        2..=10 => format!("{} pieces", NUMBERS[usize::from(count) - 2]),
        _ => format!("{count} pieces"),
    }
}

/// The result for a side without a legal move, as a verb.
pub(crate) fn stuck(stuck: Stuck) -> &'static str {
    match stuck {
        Stuck::Win => "wins",
        Stuck::Draw => "has a draw",
        Stuck::Loss => "loses",
        Stuck::Pass => "passes",
    }
}

/// The pieces to which the opening rule applies.
pub(crate) fn restricted(during: During) -> &'static str {
    match during {
        During::First => "the first piece of the game",
        During::EachFirst => "the first piece of each side",
        During::Placing => "pieces that are placed",
    }
}
