//! The board as text: plain characters that every terminal has, colours where it has them.

use anstyle::{AnsiColor, Style};
use morpion_lookup::raw::rank::cells;
use morpion_lookup::{Board, Game, Position, Side, Travel};
use std::fmt::Write;

const X: Style = AnsiColor::Cyan.on_default().bold();
const O: Style = AnsiColor::Yellow.on_default().bold();
const FAINT: Style = Style::new().dimmed();
/// Added to the colour of a piece that has just moved, and of those on a made line.
const LAST: Style = Style::new().underline();
const LINE: Style = Style::new().invert();

/// The colour of a side.
pub fn colour(side: Side) -> Style {
    match side {
        Side::X => X,
        Side::O => O,
    }
}

/// Draws a position with its coordinates, and with the links along which pieces move. `last` is the cell where the
/// last move went; made lines stand out.
pub fn draw(game: &Game, position: Position, side: Side, last: Option<u8>) -> String {
    let pieces = Pieces::new(game, position, side, last);
    match game.rules().board {
        Board::Grid { rows, columns } => grid(game, &pieces, rows, columns),
        Board::Plain { cells } => plain(game, &pieces, cells),
    }
}

struct Pieces {
    x: u64,
    o: u64,
    made: u64,
    last: Option<u8>,
}

impl Pieces {
    fn new(game: &Game, position: Position, side: Side, last: Option<u8>) -> Pieces {
        let (x, o) = position.sides(side);
        let lines = game.rules().lines.iter().filter(|&&line| line & x == line || line & o == line);
        Pieces { x, o, made: lines.fold(0, |made, line| made | line), last }
    }

    fn draw(&self, cell: u8) -> String {
        let bit = 1u64 << cell;
        let (mut style, letter) = match (self.x & bit, self.o & bit) {
            (0, 0) => (FAINT, '.'),
            (_, 0) => (X, 'X'),
            _ => (O, 'O'),
        };
        if self.made & bit != 0 {
            style |= LINE.get_effects();
        } else if self.last == Some(cell) {
            style |= LAST.get_effects();
        }
        format!("{style}{letter}{style:#}")
    }
}

fn grid(game: &Game, pieces: &Pieces, rows: u8, columns: u8) -> String {
    let links = matches!(
        game.rules().movement.as_ref().map(|movement| &movement.to),
        Some(Travel::Links(_))
    );
    let linked = |a: u8, b: u8| links && game.neighbours(a) >> b & 1 == 1;
    let mut text = String::from("   ");
    for column in 0..columns {
        let _ = write!(text, " {FAINT}{}{FAINT:#}  ", (b'a' + column) as char);
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    let mut far = Vec::new();
    for row in 0..rows {
        let _ = write!(text, "{FAINT}{:>2}{FAINT:#}  ", row + 1);
        for column in 0..columns {
            let cell = row * columns + column;
            text.push_str(&pieces.draw(cell));
            if column + 1 < columns {
                text.push_str(match (links, linked(cell, cell + 1)) {
                    (true, true) => "---",
                    (true, false) => "   ",
                    (false, _) => " | ",
                });
            }
            far.extend(far_links(game, cell, columns).filter(|_| links));
        }
        text.push('\n');
        if row + 1 < rows {
            between(&mut text, row, columns, links, linked);
        }
    }
    if !far.is_empty() {
        let _ = writeln!(text, "also linked: {}", far.join(", "));
    }
    text
}

/// The strip between a row and the next one.
fn between(text: &mut String, row: u8, columns: u8, links: bool, linked: impl Fn(u8, u8) -> bool) {
    let start = text.len();
    text.push_str(if links { "    " } else { "   " });
    for column in 0..columns {
        let (above, below) = (row * columns + column, (row + 1) * columns + column);
        if !links {
            text.push_str(if column + 1 < columns { "---+" } else { "---" });
            continue;
        }
        text.push(if linked(above, below) { '|' } else { ' ' });
        if column + 1 < columns {
            text.push(' ');
            text.push(match (linked(above, below + 1), linked(above + 1, below)) {
                (true, true) => 'x',
                (true, false) => '\\',
                (false, true) => '/',
                (false, false) => ' ',
            });
            text.push(' ');
        }
    }
    let end = text[start..].trim_end().len();
    text.truncate(start + end);
    text.push('\n');
}

/// The links of a cell to later cells that are not beside it, and so are not drawn.
fn far_links(game: &Game, cell: u8, columns: u8) -> impl Iterator<Item = String> {
    let later = game.neighbours(cell) & !((2u64 << cell) - 1);
    let beside = move |other: u8| {
        (cell / columns).abs_diff(other / columns) <= 1
            && (cell % columns).abs_diff(other % columns) <= 1
    };
    cells(later)
        .filter(move |&other| !beside(other))
        .map(move |other| format!("{}-{}", game.format_cell(cell), game.format_cell(other)))
}

/// A board that is no grid: the numbers of the cells and, below them, the pieces.
fn plain(game: &Game, pieces: &Pieces, cells: u8) -> String {
    let mut text = String::new();
    for cell in 0..cells {
        let _ = write!(text, " {FAINT}{cell:>2}{FAINT:#}");
    }
    text.push('\n');
    for cell in 0..cells {
        let _ = write!(text, "  {}", pieces.draw(cell));
    }
    text.push('\n');
    if let Some(Travel::Links(links)) = game.rules().movement.as_ref().map(|movement| &movement.to)
    {
        let links: Vec<String> = links.iter().map(|(a, b)| format!("{a}-{b}")).collect();
        let _ = writeln!(text, "linked: {}", links.join(" "));
    }
    text
}
