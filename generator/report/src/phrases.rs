//! Formats scores, distances, numbers and rules, in the same way for all commands and for the page.

use crate::geometry::{is_grid, points};
use crate::worth::Worth;
use morpion_core::{Game, Oldest, Side, Stuck, Takes};
use morpion_games::rules::{During, Jump, Mills, Movement, Opening, Rules, To, rules_of};

/// Escapes text for Markdown, so that it contains no HTML, emphasis, links or code.
pub fn markdown(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        escaped.extend("\\`*_[]<>#|&~".contains(character).then_some('\\'));
        escaped.push(character);
    }
    escaped
}

/// Formats a score or its names: `win in 5 plies`, `draw by cycle`, `loss`.
pub fn in_words(worth: impl Into<Worth>) -> String {
    let Worth { value, plies: distance, draw } = worth.into();
    match (distance, draw) {
        (Some(distance), _) => format!("{value} in {}", plies(distance)),
        (_, Some("cycle")) => format!("{value} by cycle"),
        (_, Some(_)) => format!("{value} that ends"),
        _ => value.into(),
    }
}

/// Formats a value with its distance, if it has one: `win in 5`, `draw`.
pub fn brief(value: &str, plies: Option<u16>) -> String {
    plies.map_or(value.into(), |plies| format!("{value} in {plies}"))
}

/// The capital letter of a side.
pub fn capital(side: Side) -> char {
    side.letter().to_ascii_uppercase()
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

/// Formats rows of cells. Every column but the first is right-aligned.
pub fn aligned(rows: &[Vec<String>]) -> String {
    in_columns(rows, 1)
}

/// Formats rows of cells, with the first columns `to_the_left` and the others right-aligned.
pub fn in_columns(rows: &[Vec<String>], to_the_left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column < to_the_left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// Formats the rules of a game in sentences; empty if the game has no rule file.
pub fn rules(game: &Game) -> String {
    let Some(rules) = rules_of(game) else { return String::new() };
    // The pattern has no `..`, so that a new rule does not compile without a sentence.
    let Rules { pieces: each, movement, opening, start, misere, oldest, mills } = &rules;
    let (cells, lines) = (size(game), game.lines());
    let mut text = match lines.len() as u64 {
        0 => format!("{cells} cells, and no line ends the game."),
        lines => format!("{cells} cells, {}.", counted(lines, "line")),
    };
    text += &match mills {
        _ if lines.is_empty() => String::new(),
        Some(_) => " A line takes a piece of the other side.".into(),
        None => format!(" Whoever makes a line {}.", if *misere { "loses" } else { "wins" }),
    };
    if game.prolongations().iter().any(|&cells| cells != 0) {
        text += " A longer line does not count.";
    }
    text += &match *each {
        None if movement.is_some() => String::new(),
        None => " The sides place in turn until the board is full.".into(),
        Some(each) if start.is_some() => {
            format!(" Each side has {} on the board from the start.", pieces(each))
        }
        Some(each) => format!(" Each side places {} in turn.", pieces(each)),
    };
    match movement {
        Some(movement) => text += &moves(game, &rules, *oldest, movement),
        None if each.is_some() => text += " The game ends when all are placed.",
        None => {}
    }
    if let Some(mills) = mills {
        text += &takes(*mills);
    }
    if let Some(Opening { forbidden, during }) = *opening {
        text +=
            &format!(" Forbidden for {}: {}.", restricted(during), game.format_cells(forbidden));
    }
    text
}

/// The size of a board: `3 × 4`, or the number of its cells.
fn size(game: &Game) -> String {
    match game.board_shape().grid() {
        // Drawn boards may have gaps, or rows that are shifted.
        Some((rows, columns)) if rows * columns == game.cells() && is_grid(game) => {
            format!("{rows} × {columns}")
        }
        _ => game.cells().to_string(),
    }
}

/// The moves after all pieces are placed, as sentences that follow others.
fn moves(game: &Game, rules: &Rules, ages: Option<Oldest>, movement: &Movement) -> String {
    let then = if rules.start.is_some() { "A move" } else { "Then a move" };
    let (mut text, may_block) = match (ages, movement.to) {
        (Some(when), _) => (oldest(when).into(), false),
        (None, To::Push) => (format!(" {}", pushes(rules.misere)), true),
        (None, To::Any) => (format!(" {then} takes a piece to any empty cell."), false),
        (None, _) => (format!(" {then} takes a piece {}.", along(game, movement)), true),
    };
    if movement.stay {
        text += " A side may pass.";
    }
    if may_block {
        text += &format!(" A side that cannot move {}.", stuck(movement.stuck));
    }
    text
}

/// The ways of moves along links, as the end of a sentence.
fn along(game: &Game, Movement { to, jump, beside, .. }: &Movement) -> String {
    // Without links, pieces move between any two cells.
    let links = |links: Vec<(u8, u8)>| {
        let points = points(game);
        let is_knights = |&ends: &(u8, u8)| {
            let [[x1, y1], [x2, y2]] = <[u8; 2]>::from(ends).map(|end| points[usize::from(end)]);
            ((x1 - x2) * (y1 - y2)).abs() == 2.0
        };
        let all_knights = !links.is_empty() && links.iter().all(is_knights);
        let knight = if all_knights { "like a knight of chess, " } else { "" };
        format!("{knight}along one of {} links ", grouped(links.len() as u64))
    };
    let way = match to {
        To::Slide => "straight on until another piece or the border stops it",
        To::Queen => "straight on over any number of empty cells",
        To::SlideOrthogonal => {
            "straight on along its row or column until another piece or the border stops it"
        }
        To::Any | To::Push => "to an empty cell",
        To::Orthogonal | To::King | To::Drawn | To::Steps | To::Edges => {
            &(game.links().map_or(String::new(), links) + "to an empty cell")
        }
    };
    let jump = match jump {
        None => "",
        Some(Jump::Own) => ", or over one own piece beside it to the empty cell behind",
        Some(Jump::Other) => ", or over one piece of the other side to the empty cell behind",
        Some(Jump::Any) => ", or over any piece beside it to the empty cell behind",
    };
    let into = match *beside {
        0 => return format!("{way}{jump}"),
        all if all == game.board() => String::new(),
        some => format!(" to {}", game.format_cells(some)),
    };
    format!("{way}{jump}. Only a piece beside one of the other side moves{into}")
}

/// The way in which pieces age, as sentences that follow others.
fn oldest(oldest: Oldest) -> &'static str {
    match oldest {
        Oldest::First => " Then a side's oldest piece goes, and it places a new one.",
        Oldest::BeforeLines => {
            " Then a side places another piece, and its oldest one goes before lines count."
        }
        Oldest::AfterLines => {
            " Then a side places another piece, and its oldest one goes after lines count."
        }
    }
}

/// The moves of a game with pushes, as sentences.
fn pushes(misere: bool) -> String {
    let result = if misere { "wins" } else { "loses" };
    format!(
        "A move takes a blank or own piece from the border and pushes it in at another end of its row or column, as an own one. \
         Whoever completes a line of the other side {result}, also with an own line at the same time."
    )
}

/// Formats which pieces lines take, and when a side has lost, as sentences that follow others.
fn takes(Mills { takes, least, fly, full, mixed }: Mills) -> String {
    let mut text = String::from(match takes {
        Takes::Any | Takes::TwoAny => " Any piece may be taken.",
        Takes::Outside | Takes::TwoOutside => " Pieces in lines may not be taken.",
        Takes::OutsideFirst | Takes::TwoOutsideFirst => {
            " Pieces in lines may be taken only if there are no others."
        }
    });
    if takes.most() > 1 {
        text += " Two lines at once take two.";
    }
    if mixed {
        text += " A side may move before all its pieces are placed.";
    }
    if fly > 0 {
        text += &format!(" With {} or fewer, a side moves to any empty cell.", pieces(fly));
    }
    text += &format!(" With fewer than {} and none in hand, a side loses.", pieces(least));
    if let Some(full) = full {
        text += &format!(" A side that is to move on a full board {}.", stuck(full));
    }
    text
}

/// Formats `one piece`, `three pieces`.
fn pieces(count: u8) -> String {
    format!("{} {}", number(count.into()), if count == 1 { "piece" } else { "pieces" })
}

/// Formats a number, up to ten as a word.
pub fn number(number: u64) -> String {
    const WORDS: [&str; 10] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let word = number.checked_sub(1).and_then(|at| WORDS.get(at as usize));
    word.map_or_else(|| number.to_string(), ToString::to_string)
}

/// The result for a side without a legal move, as a verb.
fn stuck(stuck: Stuck) -> &'static str {
    match stuck {
        Stuck::Win => "wins",
        Stuck::Draw => "has a draw",
        Stuck::Loss => "loses",
        Stuck::Pass => "passes",
    }
}

/// The pieces to which the opening rule applies.
fn restricted(during: During) -> &'static str {
    match during {
        During::First => "the first piece of the game",
        During::EachFirst => "the first piece of each side",
        During::Placing => "pieces that are placed",
    }
}
