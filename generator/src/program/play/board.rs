//! The board as text, with characters that every terminal has, and in colours if the terminal supports them.

use crate::terminal::output::{WIDTH, wrapped};
use anstyle::{AnsiColor, Style};
use morpion_core::{About, Board, Game, Sequence, Side, Situation};
use morpion_report::diagram::{going, in_hand};
use std::fmt::Display;

const X: Style = AnsiColor::Cyan.on_default().bold();
const O: Style = AnsiColor::Yellow.on_default().bold();
const FAINT: Style = Style::new().dimmed();
/// Style added to a piece that has just moved, and to pieces on a completed line.
const LAST: Style = Style::new().underline();
const LINE: Style = Style::new().invert();

/// Text in the colour of a side.
pub fn coloured(side: Side, text: impl Display) -> String {
    let style = if side == Side::X { X } else { O };
    format!("{style}{text}{style:#}")
}

/// The prompt of a side that is to move.
pub fn prompt(side: Side) -> String {
    coloured(side, side.letter()) + "> "
}

/// Draws a position with its coordinates, and with the links between neighbours. The last move went to the cell `last`.
/// Completed lines are highlighted. Pieces that age have their number, 1 for the oldest, and the piece that leaves next is a
/// small letter.
/// Pieces in hand are listed below. Use [`links`] to name the links that are not drawn.
pub fn draw(game: &Game, position: Situation, last: Option<u8>) -> String {
    let pieces = DrawnPieces::new(game, position, last);
    let About { board, names, layout, .. } = game.about();
    let board = match board.grid() {
        Some((rows, columns)) if names.is_empty() && layout.is_empty() => {
            grid(game, &pieces, rows, columns)
        }
        _ => drawn(game, &pieces),
    };
    board.text() + &beside(game, position)
}

/// Describes what the board does not show: pieces in hand while they are placed, and the piece that leaves next.
fn beside(game: &Game, position: Situation) -> String {
    let is_placed = game.has_children_in_one_row() && game.graph().has_cycles();
    let each = is_placed
        .then(|| game.graph().layers.last().map_or(0, |last| u64::from(last.counts.mover)));
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

struct DrawnPieces {
    x: u64,
    o: u64,
    made: u64,
    last: Option<u8>,
    /// The pieces of X and of O, the oldest first; empty if they do not age.
    ages: [Sequence; 2],
    going: Option<u8>,
}

impl DrawnPieces {
    fn new(game: &Game, position: Situation, last: Option<u8>) -> DrawnPieces {
        let (x, o) = position.raw.sides(position.side);
        let lines = game.made_lines(x).chain(game.made_lines(o));
        let made = lines.fold(0, |made, line| made | line);
        let ages = match game.has_ages() {
            true => [x, o].map(Sequence::of),
            false => Default::default(),
        };
        DrawnPieces { x, o, made, last, ages, going: going(game, position) }
    }

    fn is_empty(&self, cell: u8) -> bool {
        (self.x | self.o) >> cell & 1 == 0
    }

    /// The number of a piece by age, 1 for the oldest; empty if it does not age.
    fn number(&self, cell: u8) -> String {
        let place = |ages: &Sequence| ages.cells().iter().position(|&other| other == cell);
        self.ages.iter().find_map(place).map_or(String::new(), |place| (place + 1).to_string())
    }

    /// Puts the piece on a cell with its number, or a point if the cell is empty, at a place of the canvas.
    fn put(&self, canvas: &mut Canvas, (line, column): Place, cell: u8) {
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
        canvas.put((line, column), &letter.to_string(), style);
        canvas.put((line, column + 1), &self.number(cell), Style::new());
    }
}

/// A line of text and a column in it.
type Place = (usize, usize);

/// Lines of text. An element of a line is a character, or a text in its style, which is followed by empty elements.
#[derive(Default)]
struct Canvas(Vec<Vec<String>>);

impl Canvas {
    /// Length of a line so far.
    fn end(&self, line: usize) -> usize {
        self.0.get(line).map_or(0, Vec::len)
    }

    fn put(&mut self, (line, column): Place, text: &str, style: Style) {
        let end = column + text.chars().count();
        self.0.resize(self.0.len().max(line + 1), Vec::new());
        let elements = &mut self.0[line];
        elements.resize(elements.len().max(end), " ".into());
        elements[column..end].fill(String::new());
        if let Some(first) = elements[column..end].first_mut() {
            *first = format!("{style}{text}{style:#}");
        }
    }

    /// Puts a character of a link, which may cross another link.
    fn cross(&mut self, (line, column): Place, mark: &str) {
        let present = self.0.get(line).and_then(|line| line.get(column)).map_or("", String::as_str);
        let mark = match (present, mark) {
            ("\\", "/") | ("/", "\\") => "x",
            ("-", _) => "-",
            _ => mark,
        };
        self.put((line, column), mark, Style::new());
    }

    fn text(&self) -> String {
        self.0.iter().map(|line| format!("{}\n", line.concat().trim_end())).collect()
    }
}

/// The place of a square of a grid.
fn place(row: u8, column: u8) -> Place {
    (2 * usize::from(row) + 1, 4 * usize::from(column) + 4)
}

/// Draws a grid with the links between its cells or, if pieces do not move along links, with lines between them.
fn grid(game: &Game, pieces: &DrawnPieces, rows: u8, columns: u8) -> Canvas {
    let board = game.board_shape();
    let mut canvas = Canvas::default();
    for column in 0..columns {
        let name = char::from(b'a' + column).to_string();
        canvas.put((0, place(0, column).1), &name, FAINT);
    }
    for row in 0..rows {
        canvas.put((place(row, 0).0, 0), &format!("{:>2}", row + 1), FAINT);
    }
    if let Some(links) = game.links() {
        for (mark, places) in links.into_iter().filter_map(|link| strokes(board, link)) {
            places.into_iter().for_each(|place| canvas.cross(place, mark));
        }
    } else {
        let between = "---+".repeat(usize::from(columns) - 1) + "---";
        for row in 0..rows {
            let (line, start) = place(row, 0);
            for column in 1..columns {
                canvas.put((line, place(0, column).1 - 2), "|", Style::new());
            }
            if row + 1 < rows {
                canvas.put((line + 1, start - 1), &between, Style::new());
            }
        }
    }
    for cell in 0..game.cells() {
        if let Some((row, column)) = board.square(cell) {
            pieces.put(&mut canvas, place(row, column), cell);
        }
    }
    canvas
}

/// The strokes of a link on a grid: a character, and the places where it is written. `None` if the link joins distant cells
/// outside a row or column, or if cells lie between its ends.
fn strokes(board: Board, (a, b): (u8, u8)) -> Option<(&'static str, Vec<Place>)> {
    let (a, b) = board.square(a).zip(board.square(b))?;
    let (from, to) = (a.min(b), a.max(b));
    let ((top, left), (bottom, right)) = (place(from.0, from.1), place(to.0, to.1));
    if from.0 == to.0 {
        let is_open = (from.1 + 1..to.1).all(|column| board.cell(from.0, column).is_none());
        return is_open.then(|| ("-", (left + 1..right).map(|column| (top, column)).collect()));
    }
    if from.1 == to.1 {
        let is_open = (from.0 + 1..to.0).all(|row| board.cell(row, from.1).is_none());
        return is_open.then(|| ("|", (top + 1..bottom).map(|line| (line, left)).collect()));
    }
    let is_beside = to.0 - from.0 == 1 && from.1.abs_diff(to.1) == 1;
    let mark = if from.1 < to.1 { "\\" } else { "/" };
    is_beside.then(|| (mark, vec![(top + 1, left.midpoint(right))]))
}

/// Names the links that [`draw`] does not draw, in several lines; empty if [`draw`] draws all links.
pub fn links(game: &Game) -> String {
    let Some(links) = game.links() else { return String::new() };
    let About { board, names, layout, .. } = game.about();
    let is_grid = board.grid().is_some() && names.is_empty() && layout.is_empty();
    let is_drawn = |link| is_grid && strokes(*board, link).is_some();
    let named = |(a, b): &(u8, u8)| format!("{}-{}", game.format_cell(*a), game.format_cell(*b));
    let links: Vec<String> = links.iter().filter(|&&link| !is_drawn(link)).map(named).collect();
    if links.is_empty() {
        return String::new();
    }
    let what = if is_grid { "also linked" } else { "linked" };
    wrapped(&format!("{what}: {}", links.join(" ")), WIDTH).join("\n") + "\n"
}

/// Draws a board as its rule file draws it or, without a drawing, its cells in rows. Empty cells show their names.
fn drawn(game: &Game, pieces: &DrawnPieces) -> Canvas {
    let About { board, layout, .. } = game.about();
    let names: Vec<String> = (0..game.cells()).map(|cell| game.format_cell(cell)).collect();
    // Space for a name or for a piece with its age, and for a gap.
    let width = names.iter().map(String::len).max().unwrap_or(0).max(2) + 1;
    let place = |cell: u8| match layout.get(usize::from(cell)) {
        Some(point) => (usize::from(point.y) / LINE_HEIGHT, usize::from(point.x)),
        None => {
            let (row, column) = board.square(cell).unwrap_or((0, cell));
            (row.into(), width * usize::from(column))
        }
    };
    let mut places: Vec<(Place, u8)> = (0..game.cells()).map(|cell| (place(cell), cell)).collect();
    places.sort_unstable();
    let mut canvas = Canvas::default();
    for ((line, x), cell) in places {
        let name = &names[usize::from(cell)];
        // After a long name, the next name is moved to the right.
        let end = canvas.end(line);
        let column = (x + 4).max(end + usize::from(end > 0));
        canvas.put((line, column), name, FAINT);
        if !pieces.is_empty(cell) {
            canvas.put((line, column), &" ".repeat(name.len()), Style::new());
            pieces.put(&mut canvas, (line, column), cell);
        }
    }
    canvas
}

/// Number of lines of text per line of a drawing.
const LINE_HEIGHT: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use anstream::adapter::strip_str;
    use morpion_games::catalogue::standard_game;
    use morpion_games::rules::parse;

    fn position_text(game: &Game, position: Situation) -> String {
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
