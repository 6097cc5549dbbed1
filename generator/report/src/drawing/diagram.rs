//! Diagrams of positions, in SVG: the board, the pieces, and the moves before and after.

use super::geometry::{is_grid, points};
use super::strokes::{self, Point, circle, rounded, segment};
use maud::{Markup, html};
use morpion_core::{CELLS, Game, Move, Position, SHIFT, Sequence, Side, Situation, rank::cells};

/// Distance between neighbouring cells.
pub(crate) const UNIT: f64 = 40.0;
/// Space around the places of the cells.
const MARGIN: f64 = 22.0;
/// Usual space for the names of rows and columns.
pub const NAMES: f64 = 18.0;
/// Radius of a cell with links.
const DOT: f64 = 3.0;
/// Half the size of a piece.
pub(crate) const PIECE: f64 = 12.0;
/// Radius of the shade around a piece.
const SHADE: f64 = 16.0;

const X: &str = "#2c5fae";
const O: &str = "#b5501f";
const EDGE: &str = "#9a9384";
const LAST: &str = "#e4e0d6";
const NEXT: &str = "#ffe08a";
const MADE: &str = "#cfe8d8";
const TAKEN: &str = "#b23a2e";

/// A position to draw.
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'g> {
    /// The game.
    pub game: &'g Game,
    /// The position.
    pub position: Situation,
    /// The move that led to the position; the place of its piece is shaded.
    pub last: Option<Move>,
    /// A move to show: an arrow, or a faint piece.
    pub next: Option<Move>,
    /// Space for the names of rows and columns and for the pieces in hand, such as [`NAMES`]; 0.0 for a diagram without text.
    pub names: f64,
}

impl Diagram<'_> {
    /// Draws the diagram as a document of its own, with a title for screen readers.
    pub fn document(&self) -> String {
        let text = self.game.format_position(self.position);
        self.document_with(&format!("{}: {text}", self.game.name()), &html! {})
    }

    /// Draws the diagram with another title, and with `strokes` over the board, below names and pieces.
    pub(crate) fn document_with(&self, title: &str, strokes: &Markup) -> String {
        let [width, height] = self.size().map(rounded);
        let drawing = html! {
            svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox=(view(self.size())) width=(width) height=(height) {
                title { (title) }
                (self.draw(strokes))
            }
        };
        format!("{}\n", drawing.into_string())
    }

    /// Draws the diagram for a page, with cells of `cell` millimetres.
    pub(crate) fn on_paper(&self, cell: f64) -> Markup {
        let [across, down] = self.size().map(|side| rounded(side * cell / UNIT));
        html! {
            svg viewBox=(view(self.size())) width={ (across) "mm" } height={ (down) "mm" } { (self.draw(&html! {})) }
        }
    }

    fn draw(&self, strokes: &Markup) -> Markup {
        let places = self.places();
        html! {
            rect width="100%" height="100%" rx="4" fill="#fff" {}
            (self.board(&places)) (strokes) (self.shades(&places)) (self.names(&places)) (self.pieces(&places)) (self.arrow(&places))
            @if let Some([x, o]) = self.in_hand() {
                text x=(rounded(self.edge())) y=(rounded(self.size()[1] - self.names / 3.0)) fill="#555" font-family="sans-serif" font-size=(rounded(self.names * 2.0 / 3.0)) {
                    "In hand: X " (x) ", O " (o)
                }
            }
        }
    }

    /// Width and height.
    pub(crate) fn size(&self) -> [f64; 2] {
        let [width, height] = span(self.game).map(|length| self.edge() + length + self.margin());
        [width, if self.in_hand().is_some() { height + self.names } else { height }]
    }

    /// The pieces in hand, which are written below the board while there are any.
    fn in_hand(&self) -> Option<[u64; 2]> {
        in_hand(self.game, self.position).filter(|hands| self.names > 0.0 && *hands != [0, 0])
    }

    /// Returns true if rows and columns are named at the edge. Otherwise each empty cell shows its own name.
    fn has_names_at_the_edge(&self) -> bool {
        self.game.about().names.is_empty() && is_grid(self.game)
    }

    /// Space around the places of the cells. A board needs less if no piece and no name is in a cell.
    fn margin(&self) -> f64 {
        let has_names_in_cells = self.names > 0.0 && !self.has_names_at_the_edge();
        let is_narrow = is_empty(self.position) && !has_names_in_cells;
        if is_narrow { reach(self.game) + 1.0 } else { MARGIN }
    }

    /// Distance of the first row and column from the edge.
    fn edge(&self) -> f64 {
        self.margin() + if self.has_names_at_the_edge() { self.names } else { 0.0 }
    }

    pub(crate) fn places(&self) -> Vec<Point> {
        let scaled = |place: Point| place.map(|part| self.edge() + UNIT * part);
        points(self.game).into_iter().map(scaled).collect()
    }

    /// Draws the squares, or the links between the cells.
    fn board(&self, places: &[Point]) -> Markup {
        let links = strokes::links(self.game, places, 0.45 * UNIT);
        let is_square = self.has_names_at_the_edge();
        html! {
            g fill="none" stroke=(EDGE) stroke-width="1.5" {
                @for &[from, to] in &links { (segment(from, to)) }
                @for &[x, y] in places {
                    @if !links.is_empty() { (circle([x, y], DOT, EDGE)) }
                    @else if !is_square { (circle([x, y], 0.45 * UNIT, "none")) }
                    @else { rect x=(rounded(x - UNIT / 2.0)) y=(rounded(y - UNIT / 2.0)) width=(UNIT) height=(UNIT) {} }
                }
            }
        }
    }

    /// Shades the places of the last and the next move, and completed lines. The next move also has a ring, for people who do not
    /// see its colour.
    fn shades(&self, places: &[Point]) -> Markup {
        let (x, o) = self.position.raw.cells().sides(self.position.side);
        let made =
            self.game.made_lines(x).chain(self.game.made_lines(o)).fold(0, |all, line| all | line);
        let shade = |cell: u8, fill| circle(places[usize::from(cell)], SHADE, fill);
        let [last, next] = [self.last, self.next].map(|mv| mv.and_then(Move::target));
        let taken = match self.next {
            Some(Move::Take { take, also, .. }) => [Some(take), also],
            _ => [None, None],
        };
        html! {
            // White discs hide the links near a piece.
            @for cell in cells(x | o) { (shade(cell, "#fff")) }
            @if let Some(cell) = last { (shade(cell, LAST)) }
            @if let Some(cell) = next { g stroke="#222" { (shade(cell, NEXT)) } }
            @for cell in cells(made) { (shade(cell, MADE)) }
            @for cell in taken.into_iter().flatten() { g stroke=(TAKEN) stroke-width="2" { (shade(cell, "none")) } }
        }
    }

    fn pieces(&self, places: &[Point]) -> Markup {
        let (x, o) = self.position.raw.sides(self.position.side);
        let going = going(self.game, self.position);
        let placed = match self.next {
            Some(
                Move::Place { to } | Move::Take { from: None, to, .. } | Move::Push { to, .. },
            ) => Some(to),
            _ => None,
        };
        html! {
            g fill="none" stroke-width="5" stroke-linecap="round" {
                @for (word, side) in [(x, Side::X), (o, Side::O)] {
                    @for cell in cells(word & CELLS) {
                        @if going == Some(cell) {
                            g stroke-dasharray="2 7" opacity="0.7" { (piece(side, places[usize::from(cell)])) }
                        } @else { (piece(side, places[usize::from(cell)])) }
                    }
                    @if self.game.has_ages() { (ages(word, side, places)) }
                }
                @if let Some(to) = placed { g opacity="0.6" { (piece(self.position.side, places[usize::from(to)])) } }
            }
        }
    }

    /// Draws an arrow for the next move if it moves a piece. For a push, the arrow points in the direction in which the row
    /// slides.
    fn arrow(&self, places: &[Point]) -> Markup {
        let (from, to) = match self.next {
            Some(Move::Shift { from, to } | Move::Take { from: Some(from), to, .. }) => (from, to),
            Some(Move::Push { from, to }) => (to, from),
            Some(Move::Place { .. } | Move::Take { .. } | Move::Pass) | None => return html! {},
        };
        let [from, to] = [from, to].map(|cell| places[usize::from(cell)]);
        let way = [to[0] - from[0], to[1] - from[1]];
        let length = way[0].hypot(way[1]).max(1.0);
        let [right, down] = way.map(|part| part / length);
        let tip = [to[0] - 2.0 * right, to[1] - 2.0 * down];
        let barb = |turn: f64| {
            [tip[0] - 9.0 * right + turn * 5.0 * down, tip[1] - 9.0 * down - turn * 5.0 * right]
        };
        let start = [from[0] + PIECE * right, from[1] + PIECE * down];
        html! {
            g stroke="#222" stroke-width="3" stroke-linecap="round" {
                @for from in [start, barb(1.0), barb(-1.0)] { (segment(from, tip)) }
            }
        }
    }

    fn names(&self, places: &[Point]) -> Markup {
        let grid = self.game.board_shape().grid().filter(|_| self.has_names_at_the_edge());
        let occupied = self.position.raw.mover | self.position.raw.waiter;
        let empty = (0..self.game.cells()).filter(|cell| occupied >> cell & 1 == 0);
        let at = |index: u8| self.edge() + UNIT * f64::from(index);
        // The middle of the space for names, and half the height of a digit.
        let [middle, half] = [self.names * 2.0 / 3.0, self.names / 4.5];
        let name = |text: &str, [x, y]: Point| name(text, [x, y + half]);
        html! {
            @if self.names > 0.0 {
                g font-family="sans-serif" font-size=(rounded(middle)) text-anchor="middle" fill="#555" {
                    @if let Some((rows, columns)) = grid {
                        @for column in 0..columns { (name(&char::from(b'a' + column).to_string(), [at(column), middle])) }
                        @for row in 0..rows { (name(&(row + 1).to_string(), [middle, at(row)])) }
                    } @else {
                        @for cell in empty {
                            (circle(places[usize::from(cell)], self.names / 2.0, "#fff"))
                            (name(&self.game.format_cell(cell), places[usize::from(cell)]))
                        }
                    }
                }
            }
        }
    }
}

/// Returns true if no piece is on the board.
pub(crate) fn is_empty(position: Situation) -> bool {
    position.raw.cells() == Position { mover: 0, waiter: 0 }
}

/// Distance between the outermost places of a board, across and down.
fn span(game: &Game) -> [f64; 2] {
    let places = points(game);
    [0, 1].map(|axis| UNIT * places.iter().map(|place| place[axis]).fold(0.0, f64::max))
}

/// Distance from the middle of an empty cell to its edge.
fn reach(game: &Game) -> f64 {
    if game.links().is_some() { DOT } else { UNIT / 2.0 }
}

/// Length of the longer side of a board, empty or with pieces on its edge.
pub(crate) fn length(game: &Game, is_empty: bool) -> f64 {
    let [width, height] = span(game);
    width.max(height) + if is_empty { 2.0 * reach(game) } else { UNIT }
}

/// The text of the attribute `viewBox` for a picture of this size.
fn view([width, height]: [f64; 2]) -> String {
    format!("0 0 {} {}", rounded(width), rounded(height))
}

fn name(text: &str, [x, y]: Point) -> Markup {
    html! { text x=(rounded(x)) y=(rounded(y)) { (text) } }
}

/// The numbers of pieces of X and of O in hand; `None` if the game never has pieces in hand.
pub fn in_hand(game: &Game, position: Situation) -> Option<[u64; 2]> {
    let (x, o) = position.raw.sides(position.side);
    game.has_hands().then_some([x >> SHIFT, o >> SHIFT])
}

/// The piece of the side to move that leaves the board when that side places its next piece; `None` if no piece leaves.
pub fn going(game: &Game, position: Situation) -> Option<u8> {
    let sequence = Sequence::of(position.raw.mover);
    let goes = game.layer_of(position.raw).is_some_and(|layer| game.moves(layer).oldest.is_some());
    sequence.cells().first().copied().filter(|_| goes && game.end_at(position).is_none())
}

/// Draws the number of each piece of a side next to it, 1 for the oldest.
fn ages(word: u64, side: Side, places: &[Point]) -> Markup {
    let color = if side == Side::X { X } else { O };
    html! {
        g font-family="sans-serif" font-size="10" text-anchor="middle" stroke="none" fill=(color) {
            @for (&cell, number) in Sequence::of(word).cells().iter().zip(1..) {
                (name(&i32::to_string(&number), strokes::moved(places[usize::from(cell)], [16.0, 18.0], 1.0)))
            }
        }
    }
}

/// Draws a piece.
pub(crate) fn piece(side: Side, [x, y]: Point) -> Markup {
    let (left, right, top, bottom) = (x - PIECE, x + PIECE, y - PIECE, y + PIECE);
    let [left, right, top, bottom, y] = [left, right, top, bottom, y].map(rounded);
    match side {
        Side::X => html! {
            path d={ "M" (left) " " (top) "L" (right) " " (bottom) "M" (right) " " (top) "L" (left) " " (bottom) } stroke=(X) {}
        },
        Side::O => html! {
            path d={ "M" (left) " " (y) @for end in [right, left] { "A" (PIECE) " " (PIECE) " 0 1 1 " (end) " " (y) } } stroke=(O) {}
        },
    }
}
