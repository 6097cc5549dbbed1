//! The board as text, with characters that every terminal has, and in colours if the terminal supports them.

use anstyle::{AnsiColor, Style};
use morpion_core::{About, Point, Sequence};
use morpion_lookup::{Board, Game, Position, Side};
use morpion_report::diagram::{going, in_hand};
use morpion_terminal::output::{WIDTH, wrapped};
use std::collections::HashSet;
use std::fmt::Write;

const X: Style = AnsiColor::Cyan.on_default().bold();
const O: Style = AnsiColor::Yellow.on_default().bold();
const FAINT: Style = Style::new().dimmed();
/// Style added to a piece that has just moved, and to pieces on a completed line.
const LAST: Style = Style::new().underline();
const LINE: Style = Style::new().invert();

/// The colour of a side.
pub fn colour(side: Side) -> Style {
    match side {
        Side::X => X,
        Side::O => O,
    }
}

/// Draws a position with its coordinates, and with the links between neighbours. The last move went to the cell `last`.
/// Completed lines are highlighted. Pieces that age have their number, 1 for the oldest, and the one that goes next is a small letter.
/// Pieces in hand are listed below. Use [`links`] to name the links that are not drawn.
pub fn draw(game: &Game, position: Position, last: Option<u8>) -> String {
    let pieces = Pieces::new(game, position, last);
    let About { board, names, layout, .. } = game.about();
    let board = match board.grid() {
        _ if !layout.is_empty() => drawn(game, &pieces, layout),
        Some((rows, columns)) if names.is_empty() => grid(game, &pieces, rows, columns),
        _ => by_number(game, &pieces),
    };
    board + &beside(game, position)
}

/// Describes what the board does not show: pieces in hand while they are placed, and the piece that goes next.
fn beside(game: &Game, position: Position) -> String {
    let is_placed = game.raw().is_plain() && game.raw().graph().has_cycles();
    let each = is_placed
        .then(|| game.raw().graph().layers.last().map_or(0, |last| u64::from(last.counts.mover)));
    let (x, o) = position.raw.sides(position.side);
    let left = each.map(|each| [x, o].map(|set| each.saturating_sub(set.count_ones().into())));
    if let Some([x, o]) = in_hand(game, position).or(left.filter(|left| *left != [0, 0])) {
        return format!("in hand: X {x}, O {o}\n");
    }
    match going(game, position) {
        Some(cell) => {
            let side = position.side.letter().to_ascii_uppercase();
            format!("1 is the oldest; {} goes with the next {side}\n", game.format_cell(cell))
        }
        None => String::new(),
    }
}

struct Pieces {
    x: u64,
    o: u64,
    made: u64,
    last: Option<u8>,
    /// The pieces of X and of O, the oldest first; empty if they do not age.
    ages: [Sequence; 2],
    going: Option<u8>,
}

impl Pieces {
    fn new(game: &Game, position: Position, last: Option<u8>) -> Pieces {
        let (x, o) = position.raw.sides(position.side);
        let lines = game.raw().made_lines(x).chain(game.raw().made_lines(o));
        let made = lines.fold(0, |made, line| made | line);
        let ages = match game.raw().has_ages() {
            true => [x, o].map(Sequence::of),
            false => Default::default(),
        };
        Pieces { x, o, made, last, ages, going: going(game, position) }
    }

    fn is_empty(&self, cell: u8) -> bool {
        (self.x | self.o) >> cell & 1 == 0
    }

    /// The number of a piece by age, 1 for the oldest; empty if it does not age.
    fn number(&self, cell: u8) -> String {
        let place = |ages: &Sequence| ages.cells().iter().position(|&other| other == cell);
        self.ages.iter().find_map(place).map_or(String::new(), |place| (place + 1).to_string())
    }

    fn draw(&self, cell: u8) -> String {
        let bit = 1u64 << cell;
        let (mut style, mut letter) = match (self.x & bit, self.o & bit) {
            (0, 0) => (FAINT, '.'),
            (_, 0) => (X, 'X'),
            _ => (O, 'O'),
        };
        if self.going == Some(cell) {
            letter = letter.to_ascii_lowercase();
        }
        if self.made & bit != 0 {
            style |= LINE.get_effects();
        } else if self.last == Some(cell) {
            style |= LAST.get_effects();
        }
        format!("{style}{letter}{style:#}")
    }
}

fn grid(game: &Game, pieces: &Pieces, rows: u8, columns: u8) -> String {
    let board = game.board_shape();
    let links = has_links(game);
    let strokes = Strokes::of(game);
    let linked = |a: Option<u8>, b: Option<u8>| {
        a.zip(b).is_some_and(|(a, b)| strokes.links.contains(&(a.min(b), a.max(b))))
    };
    let mut text = String::from("   ");
    for column in 0..columns {
        let _ = write!(text, " {FAINT}{}{FAINT:#}  ", (b'a' + column) as char);
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    for row in 0..rows {
        let _ = write!(text, "{FAINT}{:>2}{FAINT:#}  ", row + 1);
        for column in 0..columns {
            let cell = board.cell(row, column);
            text.push_str(
                &cell.map_or_else(|| strokes.in_hole(row, column).into(), |cell| pieces.draw(cell)),
            );
            let number = cell.map_or(String::new(), |cell| pieces.number(cell));
            text.push_str(&number);
            if column + 1 < columns {
                let stroke = match (links, strokes.across.contains(&(row, column))) {
                    (true, true) => "---",
                    (true, false) => "   ",
                    (false, _) => " | ",
                };
                text.push_str(&stroke[number.len()..]);
            }
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        if row + 1 < rows {
            between(&mut text, board, row, columns, links.then_some(&strokes), linked);
        }
    }
    text
}

/// The links; those along rows and columns also as steps from a square to the next one. A link may cross holes.
struct Strokes {
    links: HashSet<(u8, u8)>,
    across: HashSet<(u8, u8)>,
    down: HashSet<(u8, u8)>,
}

impl Strokes {
    fn of(game: &Game) -> Strokes {
        let mut strokes =
            Strokes { links: HashSet::new(), across: HashSet::new(), down: HashSet::new() };
        let Some(links) = game.raw().links() else { return strokes };
        strokes.links.extend(&links);
        for link in links {
            match straight(game.board_shape(), link) {
                Some([(row, from), (last, to)]) if row == last => {
                    strokes.across.extend((from..to).map(|column| (row, column)));
                }
                Some([(from, column), (to, _)]) => {
                    strokes.down.extend((from..to).map(|row| (row, column)));
                }
                None => {}
            }
        }
        strokes
    }

    /// The part of a link that crosses a hole.
    fn in_hole(&self, row: u8, column: u8) -> &'static str {
        match (self.across.contains(&(row, column)), self.down.contains(&(row, column))) {
            (true, _) if self.across.contains(&(row, column.wrapping_sub(1))) => "-",
            (_, true) if self.down.contains(&(row.wrapping_sub(1), column)) => "|",
            _ => " ",
        }
    }
}

/// The ends of a link, from the left or from the top, if it follows a row or a column and only holes lie between its ends.
fn straight(board: Board, (a, b): (u8, u8)) -> Option<[(u8, u8); 2]> {
    let (a, b) = board.square(a).zip(board.square(b))?;
    let (from, to) = (a.min(b), a.max(b));
    let is_open = if from.0 == to.0 {
        (from.1 + 1..to.1).all(|column| board.cell(from.0, column).is_none())
    } else {
        from.1 == to.1 && (from.0 + 1..to.0).all(|row| board.cell(row, from.1).is_none())
    };
    is_open.then_some([from, to])
}

fn has_links(game: &Game) -> bool {
    game.raw().links().is_some()
}

/// Names the links that [`draw`] does not draw, in several lines. Empty if it draws all of them.
pub fn links(game: &Game) -> String {
    let Some(links) = game.raw().links() else { return String::new() };
    let About { board, names, layout, .. } = game.about();
    let is_grid = board.grid().is_some() && names.is_empty() && layout.is_empty();
    let is_drawn = |(a, b): (u8, u8)| {
        let squares = board.square(a).zip(board.square(b));
        let is_straight = straight(*board, (a, b)).is_some();
        let is_beside =
            squares.is_some_and(|(a, b)| a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1);
        is_grid && (is_beside || is_straight)
    };
    let named = |(a, b): &(u8, u8)| format!("{}-{}", game.format_cell(*a), game.format_cell(*b));
    let links: Vec<String> = links.iter().filter(|&&link| !is_drawn(link)).map(named).collect();
    if links.is_empty() {
        return String::new();
    }
    let what = if is_grid { "also linked" } else { "linked" };
    wrapped(&format!("{what}: {}", links.join(" ")), WIDTH).join("\n") + "\n"
}

/// Draws the strip between two rows.
fn between(
    text: &mut String,
    board: Board,
    row: u8,
    columns: u8,
    strokes: Option<&Strokes>,
    linked: impl Fn(Option<u8>, Option<u8>) -> bool,
) {
    let start = text.len();
    text.push_str(if strokes.is_some() { "    " } else { "   " });
    for column in 0..columns {
        let [above, right] = [column, column + 1].map(|column| board.cell(row, column));
        let [below, below_right] = [column, column + 1].map(|column| board.cell(row + 1, column));
        let Some(strokes) = strokes else {
            text.push_str(if column + 1 < columns { "---+" } else { "---" });
            continue;
        };
        text.push(if strokes.down.contains(&(row, column)) { '|' } else { ' ' });
        if column + 1 < columns {
            text.push(' ');
            text.push(match (linked(above, below_right), linked(right, below)) {
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

/// Draws a board as its rule file draws it. Empty cells show their names.
fn drawn(game: &Game, pieces: &Pieces, layout: &[Point]) -> String {
    let mut places: Vec<(usize, usize, u8)> = (0..)
        .zip(layout)
        .map(|(cell, point)| (usize::from(point.y), usize::from(point.x), cell))
        .collect();
    places.sort_unstable();
    let mut text = String::new();
    let (mut line, mut column) = (0, 0);
    for (y, x, cell) in places {
        let name = game.format_cell(cell);
        let (wanted, start) = (y / LINE_HEIGHT, x + 4);
        while line < wanted {
            text.push('\n');
            (line, column) = (line + 1, 0);
        }
        let gap = start.saturating_sub(column).max(usize::from(column > 0));
        text.extend(std::iter::repeat_n(' ', gap));
        column += gap + name.len();
        match pieces.is_empty(cell) {
            true => {
                let _ = write!(text, "{FAINT}{name}{FAINT:#}");
            }
            false => {
                let number = pieces.number(cell);
                let rest = (name.len() - 1).saturating_sub(number.len());
                let _ = write!(text, "{}{number}{:rest$}", pieces.draw(cell), "");
                column += (1 + number.len()).saturating_sub(name.len());
            }
        }
    }
    text.push('\n');
    text
}

/// Number of lines of text per line of a drawing.
const LINE_HEIGHT: usize = 2;

/// Draws a board that is not a grid: the names of the cells and, below them, the pieces.
fn by_number(game: &Game, pieces: &Pieces) -> String {
    let names: Vec<String> = (0..game.cells()).map(|cell| game.format_cell(cell)).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0).max(2);
    let mut text = String::new();
    for name in &names {
        let _ = write!(text, " {FAINT}{name:>width$}{FAINT:#}");
    }
    text.push('\n');
    for cell in 0..game.cells() {
        let number = pieces.number(cell);
        let before = width - number.len().min(width);
        let _ = write!(text, "{:before$}{}{number}", "", pieces.draw(cell));
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use anstream::adapter::strip_str;
    use morpion_games::catalogue::standard_game;
    use morpion_games::rules::parse;

    fn position_text(game: &Game, position: Position) -> String {
        strip_str(&draw(game, position, None)).to_string()
    }

    fn text(game: &Game) -> String {
        let board = position_text(game, game.start());
        board.replace("in hand: X 3, O 3\n", "") + &links(game)
    }

    /// A game on 3 × 3 cells with these rules of movement.
    fn small(moves: &str) -> Game {
        let rules = format!(
            "name = \"small\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n\
             [moves]\n{moves}\n"
        );
        parse("small.toml", &rules).unwrap()
    }

    #[test]
    fn links_between_neighbours_are_drawn() {
        for (moves, expected) in [
            (
                "to = \"orthogonal\"",
                "    a   b   c\n 1  .---.---.\n    |   |   |\n 2  .---.---.\n    |   |   |\n 3  .---.---.\n",
            ),
            (
                "to = \"king\"",
                "    a   b   c\n 1  .---.---.\n    | x | x |\n 2  .---.---.\n    | x | x |\n 3  .---.---.\n",
            ),
            (
                "to = \"drawn\"",
                "    a   b   c\n 1  .---.---.\n    | \\ | / |\n 2  .---.---.\n    | / | \\ |\n 3  .---.---.\n",
            ),
        ] {
            assert_eq!(text(&small(moves)), expected, "{moves}");
        }
    }

    #[test]
    fn links_to_other_cells_are_listed() {
        let knight =
            small("to = \"edges\"\nedges = [[\"a1\", \"b3\"], [\"a1\", \"c2\"], [\"b1\", \"b2\"]]");
        let expected = "    a   b   c\n 1  .   .   .\n        |\n 2  .   .   .\n\n 3  .   .   .\nalso linked: a1-c2 a1-b3\n";
        assert_eq!(text(&knight), expected);
    }

    #[test]
    fn ages_and_hands_are_written() {
        for (game, position, expected) in [
            ("disappearing", "OX./X.O/O.X x b1,a2,c3/a1,c2,a3", " 1  O1| x1| .\n"),
            ("disappearing", "OX./X.O/O.X x b1,a2,c3/a1,c2,a3", "b1 goes with the next X"),
            ("six-mens-morris", "X#X#X/#O..#/..#../#...#/.#.#. o 3/4", " 2  |   O---.---.   |\n"),
            ("six-mens-morris", "X#X#X/#O..#/..#../#...#/.#.#. o 3/4", "in hand: X 3, O 4\n"),
        ] {
            let game = standard_game(game).unwrap();
            let text = position_text(&game, game.parse_position(position).unwrap());
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn a_game_without_links_has_lines_between_its_cells() {
        let expected = "    a   b   c\n 1  . | . | .\n   ---+---+---\n 2  . | . | .\n   ---+---+---\n 3  . | . | .\n";
        assert_eq!(text(&standard_game("classic").unwrap()), expected);
    }
}
