//! The board as text, with characters that every terminal has, and in colours if the terminal supports them.

use crate::terminal::output::{WIDTH, wrapped};
use anstyle::{AnsiColor, Style};
use morpion_core::{About, Board, Game, Sequence, Side, Situation};
use morpion_report::diagram::{going, in_hand};
use morpion_report::phrases::capital;
use std::fmt::Display;

const FAINT: Style = Style::new().dimmed();

/// The style of a side: its colour.
fn style_of(side: Side) -> Style {
    let colour = if side == Side::X { AnsiColor::Cyan } else { AnsiColor::Yellow };
    colour.on_default().bold()
}

/// Text in the colour of a side.
pub fn coloured(side: Side, text: impl Display) -> String {
    let style = style_of(side);
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
    let drawing = Drawing { game, position, last };
    let board = match grid_of(game) {
        Some((rows, columns)) => drawing.grid(rows, columns),
        None => drawing.named_cells(),
    };
    board.text() + &beside(game, position)
}

/// The rows and columns of a board that is drawn as a grid; `None` for a board that is not a grid, or whose rule file names or
/// draws its cells.
fn grid_of(game: &Game) -> Option<(u8, u8)> {
    let About { board, names, layout, .. } = game.about();
    board.grid().filter(|_| names.is_empty() && layout.is_empty())
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
            let (cell, side) = (game.format_cell(cell), capital(position.side));
            format!("1 is the oldest; {cell} goes with the next {side}\n")
        }
        None => String::new(),
    }
}

/// A line of text and a column in it.
type Place = (usize, usize);

/// Lines of characters, each with the codes of its style.
#[derive(Default)]
struct Canvas(Vec<Vec<String>>);

impl Canvas {
    /// Length of a line so far.
    fn end(&self, line: usize) -> usize {
        self.0.get(line).map_or(0, Vec::len)
    }

    fn put(&mut self, (line, column): Place, text: &str, style: Style) {
        self.0.resize(self.0.len().max(line + 1), Vec::new());
        let characters = &mut self.0[line];
        let end = column + text.chars().count();
        characters.resize(characters.len().max(end), " ".into());
        for (place, character) in characters[column..].iter_mut().zip(text.chars()) {
            *place = format!("{style}{character}{style:#}");
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

/// A position that is drawn, and the cell of its last move.
struct Drawing<'g> {
    game: &'g Game,
    position: Situation,
    last: Option<u8>,
}

impl Drawing<'_> {
    /// Puts a cell at a place of the canvas: its piece, followed by the piece's age if pieces age, or the text `empty` if the cell is empty.
    /// The oldest piece has age 1. A piece that has just moved is underlined, and pieces on a completed line are inverted.
    fn put(&self, canvas: &mut Canvas, (line, column): Place, cell: u8, empty: &str) {
        canvas.put((line, column), empty, FAINT);
        let (x, o) = self.position.raw.sides(self.position.side);
        let is_in = |word: u64| word >> cell & 1 == 1;
        let (side, word) = match (is_in(x), is_in(o)) {
            (true, _) => (Side::X, x),
            (_, true) => (Side::O, o),
            _ => return,
        };
        let is_going = going(self.game, self.position) == Some(cell);
        let letter = if is_going { side.letter() } else { capital(side) };
        let mut style = style_of(side);
        if self.game.made_lines(word).any(is_in) {
            style = style.invert();
        } else if self.last == Some(cell) {
            style = style.underline();
        }
        canvas.put((line, column), &" ".repeat(empty.len()), Style::new());
        canvas.put((line, column), &letter.to_string(), style);
        let age = Sequence::of(word).cells().iter().position(|&other| other == cell);
        if let Some(age) = age.filter(|_| self.game.has_ages()) {
            canvas.put((line, column + 1), &(age + 1).to_string(), Style::new());
        }
    }

    /// Draws a grid with the links between its cells or, if pieces do not move along links, with lines between them.
    fn grid(&self, rows: u8, columns: u8) -> Canvas {
        let board = self.game.board_shape();
        let mut canvas = Canvas::default();
        for column in 0..columns {
            let name = char::from(b'a' + column).to_string();
            canvas.put((0, place(0, column).1), &name, FAINT);
        }
        for row in 0..rows {
            canvas.put((place(row, 0).0, 0), &format!("{:>2}", row + 1), FAINT);
        }
        if let Some(links) = self.game.links() {
            for (mark, places) in links.into_iter().filter_map(|link| strokes(board, link)) {
                places.into_iter().for_each(|at| canvas.cross(at, mark));
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
        for cell in 0..self.game.cells() {
            if let Some((row, column)) = board.square(cell) {
                self.put(&mut canvas, place(row, column), cell, ".");
            }
        }
        canvas
    }

    /// Draws a board as its rule file draws it or, without a drawing, its cells in rows. Empty cells show their names.
    fn named_cells(&self) -> Canvas {
        let game = self.game;
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
        let mut places: Vec<(Place, u8)> =
            (0..game.cells()).map(|cell| (place(cell), cell)).collect();
        places.sort_unstable();
        let mut canvas = Canvas::default();
        for ((line, x), cell) in places {
            let name = &names[usize::from(cell)];
            // After a long name, the next name is moved to the right.
            let end = canvas.end(line);
            let column = (x + 4).max(end + usize::from(end > 0));
            self.put(&mut canvas, (line, column), cell, name);
        }
        canvas
    }
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
    let is_grid = grid_of(game).is_some();
    let is_drawn = |link| is_grid && strokes(game.board_shape(), link).is_some();
    let named = |(a, b): &(u8, u8)| format!("{}-{}", game.format_cell(*a), game.format_cell(*b));
    let links: Vec<String> = links.iter().filter(|&&link| !is_drawn(link)).map(named).collect();
    if links.is_empty() {
        return String::new();
    }
    let what = if is_grid { "also linked" } else { "linked" };
    wrapped(&format!("{what}: {}", links.join(" ")), WIDTH).join("\n") + "\n"
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
