//! Diagrams of positions, in SVG: the board, the pieces, and the moves before and after.

use super::geometry::points;
use super::strokes::{self, Point, rounded, segment};
use morpion_core::{CELLS, Game, Move, SHIFT, Sequence, Side, Situation, rank::cells};
use svg::node::element::{Circle, Group, Path, Rectangle, SVG, Text, Title};

/// Distance between neighbouring cells.
const UNIT: f64 = 40.0;
/// Space around the places of the cells, and the space for the names of rows and columns.
const MARGIN: f64 = 24.0;
const NAMES: f64 = 18.0;
/// Half the size of a piece.
const PIECE: f64 = 12.0;
/// Height of the text below the board.
const TEXT: f64 = 16.0;

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
    /// True to write the names of the cells.
    pub is_named: bool,
}

impl Diagram<'_> {
    /// Draws the diagram as a document of its own, with a title for those who cannot see it.
    pub fn document(&self) -> String {
        let text = self.game.format_position(self.position);
        let title = Title::new(format!("{}: {text}", self.game.name()));
        let drawn = self.draw().set("role", "img").set("xmlns", "http://www.w3.org/2000/svg");
        format!("{}\n", drawn.add(title))
    }

    /// Draws the diagram as an element with the natural size of its board.
    pub fn draw(&self) -> SVG {
        let places = self.places();
        let [width, height] = self.size();
        SVG::new()
            .set("viewBox", (0, 0, rounded(width), rounded(height)))
            .set("width", rounded(width))
            .set("height", rounded(height))
            .add(
                Rectangle::new()
                    .set("width", "100%")
                    .set("height", "100%")
                    .set("rx", 4)
                    .set("fill", "#fff"),
            )
            .add(self.board(&places))
            .add(self.shades(&places))
            .add(self.names(&places))
            .add(self.pieces(&places))
            .add(self.arrow(&places))
            .add(self.beside())
    }

    /// Draws the diagram with this length of its longer side.
    pub fn sized(&self, length: f64) -> SVG {
        let [width, height] = self.size();
        let scale = length / width.max(height);
        self.draw().set("width", (width * scale).round()).set("height", (height * scale).round())
    }

    /// Width and height.
    fn size(&self) -> [f64; 2] {
        let places = self.places();
        let [width, height] =
            [0, 1].map(|axis| places.iter().map(|place| place[axis]).fold(0.0, f64::max) + MARGIN);
        [width, if in_hand(self.game, self.position).is_some() { height + TEXT } else { height }]
    }

    /// The pieces in hand, below the board.
    fn beside(&self) -> Group {
        let group = Group::new().set("font-family", "sans-serif").set("font-size", 12);
        let Some([x, o]) = in_hand(self.game, self.position) else { return group };
        let text = Text::new(format!("In hand: X {x}, O {o}"));
        let [_, height] = self.size();
        group.add(text.set("x", 12).set("y", rounded(height - 8.0)).set("fill", "#555"))
    }

    /// Returns true if rows and columns are named at the edge; otherwise each empty cell has its name.
    fn has_names_at_the_edge(&self) -> bool {
        let board = self.game.board_shape();
        let is_square = |(cell, place): (u8, Point)| {
            board.square(cell).is_some_and(|(row, column)| place == [column, row].map(f64::from))
        };
        self.game.about().names.is_empty() && (0..).zip(points(self.game)).all(is_square)
    }

    fn places(&self) -> Vec<Point> {
        let names = if self.is_named && self.has_names_at_the_edge() { NAMES } else { 0.0 };
        let scaled = |place: Point| place.map(|part| names + MARGIN + UNIT * part);
        points(self.game).into_iter().map(scaled).collect()
    }

    /// Squares, or the links between the cells.
    fn board(&self, places: &[Point]) -> Group {
        let group = Group::new().set("fill", "none").set("stroke", EDGE).set("stroke-width", 1.5);
        let links = strokes::links(self.game, places, 0.45 * UNIT);
        if !links.is_empty() {
            let group = links.into_iter().fold(group, Group::add);
            let dot = |&place: &Point| circle(place, 3.0).set("fill", EDGE);
            return places.iter().map(dot).fold(group, Group::add);
        }
        let is_square = self.has_names_at_the_edge();
        places.iter().fold(group, |group, &[x, y]| match is_square {
            true => group.add(
                Rectangle::new()
                    .set("x", rounded(x - UNIT / 2.0))
                    .set("y", rounded(y - UNIT / 2.0))
                    .set("width", UNIT)
                    .set("height", UNIT),
            ),
            false => group.add(circle([x, y], 0.45 * UNIT)),
        })
    }

    /// The places of the last and the next move, and of completed lines.
    fn shades(&self, places: &[Point]) -> Group {
        let (x, o) = self.position.raw.cells().sides(self.position.side);
        let made =
            self.game.made_lines(x).chain(self.game.made_lines(o)).fold(0, |all, line| all | line);
        let shade =
            |cell: u8, fill: &str| circle(places[usize::from(cell)], 16.0).set("fill", fill);
        // Links end at the pieces.
        let mut group =
            cells(x | o).fold(Group::new(), |group, cell| group.add(shade(cell, "#fff")));
        let shades =
            [(self.last.and_then(Move::target), LAST), (self.next.and_then(Move::target), NEXT)];
        for (cell, fill) in shades.into_iter().filter_map(|(cell, fill)| Some((cell?, fill))) {
            group = group.add(shade(cell, fill));
        }
        let group = cells(made).fold(group, |group, cell| group.add(shade(cell, MADE)));
        match self.next {
            Some(Move::Take { take, also, .. }) => {
                let taken = [Some(take), also].into_iter().flatten();
                let ring = |cell| shade(cell, "none").set("stroke", TAKEN).set("stroke-width", 2);
                taken.fold(group, |group, cell| group.add(ring(cell)))
            }
            _ => group,
        }
    }

    fn pieces(&self, places: &[Point]) -> Group {
        let (x, o) = self.position.raw.sides(self.position.side);
        let mut group =
            Group::new().set("fill", "none").set("stroke-width", 5).set("stroke-linecap", "round");
        let going = going(self.game, self.position);
        for (word, side) in [(x, Side::X), (o, Side::O)] {
            for cell in cells(word & CELLS) {
                let piece = piece(side, places[usize::from(cell)]);
                group = group.add(match going == Some(cell) {
                    true => piece.set("stroke-dasharray", "2 7").set("opacity", 0.7),
                    false => piece,
                });
            }
            if self.game.has_ages() {
                group = group.add(ages(word, side, places));
            }
        }
        match self.next {
            Some(
                Move::Place { to } | Move::Take { from: None, to, .. } | Move::Push { to, .. },
            ) => group.add(piece(self.position.side, places[usize::from(to)]).set("opacity", 0.6)),
            _ => group,
        }
    }

    /// An arrow for the next move, if it moves a piece; for a push, in the direction in which the row slides.
    fn arrow(&self, places: &[Point]) -> Group {
        let group = Group::new()
            .set("stroke", "#222")
            .set("stroke-width", 3)
            .set("stroke-linecap", "round");
        let (from, to) = match self.next {
            Some(Move::Shift { from, to } | Move::Take { from: Some(from), to, .. }) => (from, to),
            Some(Move::Push { from, to }) => (to, from),
            Some(Move::Place { .. } | Move::Take { .. } | Move::Pass) | None => return group,
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
        group.add(segment(start, tip)).add(segment(barb(1.0), tip)).add(segment(barb(-1.0), tip))
    }

    fn names(&self, places: &[Point]) -> Group {
        let group = Group::new()
            .set("font-family", "sans-serif")
            .set("font-size", 12)
            .set("text-anchor", "middle")
            .set("fill", "#555");
        if !self.is_named {
            return group;
        }
        let name = |text: String, [x, y]: Point| {
            Text::new(text).set("x", rounded(x)).set("y", rounded(y + 4.0))
        };
        let Some((rows, columns)) =
            self.game.board_shape().grid().filter(|_| self.has_names_at_the_edge())
        else {
            let is_empty =
                |cell: &u8| (self.position.raw.mover | self.position.raw.waiter) >> cell & 1 == 0;
            return (0..self.game.cells()).filter(is_empty).fold(group, |group, cell| {
                let place = places[usize::from(cell)];
                group
                    .add(circle(place, 9.0).set("fill", "#fff"))
                    .add(name(self.game.format_cell(cell), place))
            });
        };
        let at = |index: u8| NAMES + MARGIN + UNIT * f64::from(index);
        let group = (0..columns).fold(group, |group, column| {
            group.add(name(char::from(b'a' + column).to_string(), [at(column), 12.0]))
        });
        (0..rows).fold(group, |group, row| group.add(name((row + 1).to_string(), [12.0, at(row)])))
    }
}

/// The numbers of pieces of X and of O in hand; `None` if the game never has pieces in hand.
pub fn in_hand(game: &Game, position: Situation) -> Option<[u64; 2]> {
    let (x, o) = position.raw.sides(position.side);
    game.has_hands().then_some([x >> SHIFT, o >> SHIFT])
}

/// The piece of the side to move that goes when it places the next one; `None` if none does.
pub fn going(game: &Game, position: Situation) -> Option<u8> {
    let sequence = Sequence::of(position.raw.mover);
    let goes = game.layer_of(position.raw).is_some_and(|layer| game.moves(layer).oldest.is_some());
    sequence.cells().first().copied().filter(|_| goes && game.end_at(position).is_none())
}

/// The number of each piece of a side beside it, 1 for the oldest.
fn ages(word: u64, side: Side, places: &[Point]) -> Group {
    let group = Group::new()
        .set("font-family", "sans-serif")
        .set("font-size", 10)
        .set("text-anchor", "middle")
        .set("stroke", "none")
        .set("fill", if side == Side::X { X } else { O });
    (1..).zip(Sequence::of(word).cells()).fold(group, |group, (number, &cell)| {
        let [x, y] = places[usize::from(cell)];
        let text = Text::new(number.to_string());
        group.add(text.set("x", rounded(x + 16.0)).set("y", rounded(y + 18.0)))
    })
}

fn piece(side: Side, [x, y]: Point) -> Path {
    let (left, right, top, bottom) = (x - PIECE, x + PIECE, y - PIECE, y + PIECE);
    let [left, right, top, bottom, y] = [left, right, top, bottom, y].map(rounded);
    match side {
        Side::X => Path::new()
            .set("d", format!("M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}"))
            .set("stroke", X),
        Side::O => Path::new()
            .set(
                "d",
                format!(
                    "M{left} {y}A{PIECE} {PIECE} 0 1 1 {right} {y}A{PIECE} {PIECE} 0 1 1 {left} {y}"
                ),
            )
            .set("stroke", O),
    }
}

fn circle([x, y]: Point, radius: f64) -> Circle {
    Circle::new().set("cx", rounded(x)).set("cy", rounded(y)).set("r", radius)
}
