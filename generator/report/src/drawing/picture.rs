//! Pictures of boards, in SVG: the cells with their names, the links between them, and the lines.

use super::geometry::points;
use super::strokes::{self, Point, distance, moved, rounded, segment};
use morpion_core::{Game, rank::cells};
use std::f64::consts::{FRAC_PI_8, PI};
use svg::node::element::{Circle, Group, Polygon, Polyline, Rectangle, Text, Title};
use svg::{Document, Node};

/// Distance between neighbouring cells.
const UNIT: f64 = 60.0;
/// Space around the cells.
const MARGIN: f64 = 34.0;
/// Radius of a cell.
const CELL: f64 = 13.0;
/// Distance between lines that share cells and a direction.
const LANE: f64 = 5.0;
/// Colours of lines: across, down to the right, down, down to the left, and lines that are not straight.
const COLOURS: [&str; 5] = ["#1b6ca8", "#c8553d", "#2e7d5b", "#8e5ea2", "#b8860b"];

/// Draws the board of a game. Links are broad and grey. Lines are coloured by direction; where they overlap, they are drawn next to each
/// other.
pub fn draw(game: &Game) -> String {
    let places: Vec<Point> =
        points(game).into_iter().map(|at| at.map(|part| MARGIN + UNIT * part)).collect();
    let size =
        [0, 1].map(|axis| places.iter().map(|place| place[axis]).fold(0.0, f64::max) + MARGIN);
    let name = game.name();
    let mut document = Document::new()
        .set("viewBox", (0, 0, rounded(size[0]), rounded(size[1])))
        .set("width", rounded(size[0]))
        .set("height", rounded(size[1]))
        .set("role", "img")
        .add(Title::new(format!("The board of {name}: links in grey, lines in colours")))
        .add(Rectangle::new().set("width", "100%").set("height", "100%").set("fill", "#fff"))
        .add(links(game, &places))
        .add(lines(game, &places));
    document.append(names(game, &places));
    format!("{document}\n")
}

fn links(game: &Game, places: &[Point]) -> Group {
    let group = Group::new().set("stroke", "#d4d4d4").set("stroke-width", 10);
    strokes::links(game, places, 0.5 * UNIT).into_iter().fold(group, Group::add)
}

fn lines(game: &Game, places: &[Point]) -> Group {
    let lines: Vec<Vec<Point>> = game
        .lines()
        .iter()
        .map(|&line| path(cells(line).map(|cell| places[usize::from(cell)]).collect()))
        .collect();
    let mut group = Group::new()
        .set("fill", "none")
        .set("stroke-width", 3)
        .set("stroke-linecap", "round")
        .set("stroke-linejoin", "round")
        .set("opacity", 0.7);
    for (index, line) in lines.iter().enumerate() {
        let Some(direction) = direction(line) else {
            group.append(bent(line));
            continue;
        };
        let across = [-direction.sin(), direction.cos()];
        let is_beside = |other: &[Point]| {
            other == line.as_slice()
                || self::direction(other).is_some_and(|other| (other - direction).abs() < 1e-3)
                    && other.iter().filter(|&place| line.contains(place)).count() > 1
        };
        // The first lane that no earlier line beside this one has.
        let all = lines.iter().filter(|other| is_beside(other)).count();
        let lane = lines[..index].iter().filter(|other| is_beside(other)).count();
        let shift = LANE * (lane as f64 - (all - 1) as f64 / 2.0);
        let [from, to] = [line[0], line[line.len() - 1]].map(|end| moved(end, across, shift));
        group.append(segment(from, to).set("stroke", COLOURS[eighth(direction)]));
    }
    group
}

/// A line that is not straight: a ring if its ends are as near to each other as its other cells, else a path.
fn bent(line: &[Point]) -> Box<dyn Node> {
    let gap = distance(line[0], line[line.len() - 1]);
    let is_ring = line.windows(2).all(|pair| gap < distance(pair[0], pair[1]) + 1.0);
    let centre =
        [0, 1].map(|axis| line.iter().map(|place| place[axis]).sum::<f64>() / line.len() as f64);
    // Closer to the middle, so that neighbouring rings do not touch.
    let inside = |&place: &Point| {
        let way = [place[0] - centre[0], place[1] - centre[1]];
        moved(place, way, -0.35)
    };
    let text = |place: Point| format!("{},{}", rounded(place[0]), rounded(place[1]));
    let colour = COLOURS[4];
    match is_ring {
        true => {
            let places: Vec<String> = line.iter().map(inside).map(text).collect();
            Box::new(Polygon::new().set("points", places.join(" ")).set("stroke", colour))
        }
        false => {
            let places: Vec<String> = line.iter().copied().map(text).collect();
            Box::new(Polyline::new().set("points", places.join(" ")).set("stroke", colour))
        }
    }
}

fn names(game: &Game, places: &[Point]) -> Group {
    let mut group = Group::new()
        .set("font-family", "sans-serif")
        .set("font-size", 11)
        .set("text-anchor", "middle");
    for (cell, &[x, y]) in (0..).zip(places) {
        let circle = Circle::new().set("cx", rounded(x)).set("cy", rounded(y)).set("r", CELL);
        group.append(circle.set("fill", "#fff").set("stroke", "#444"));
        let name = Text::new(game.format_cell(cell));
        group.append(name.set("x", rounded(x)).set("y", rounded(y + 4.0)).set("fill", "#222"));
    }
    group
}

/// The cells of a line in the order in which it is drawn: from end to end, or around their middle.
fn path(mut line: Vec<Point>) -> Vec<Point> {
    // Cells above each other may differ by a rounding error.
    sort_by(&mut line, &|place| [place[0].round(), place[1]]);
    if line.len() < 3 || direction(&line).is_some() {
        return line;
    }
    let centre =
        [0, 1].map(|axis| line.iter().map(|place| place[axis]).sum::<f64>() / line.len() as f64);
    sort_by(&mut line, &|place| [(place[1] - centre[1]).atan2(place[0] - centre[0]), 0.0]);
    // An open path has its longest step between its ends.
    let longest = |&at: &usize| {
        let before = line[(at + line.len() - 1) % line.len()];
        (distance(before, line[at]) * 10.0).round() as u64
    };
    let first = (0..line.len()).rev().max_by_key(longest).unwrap_or(0);
    line.rotate_left(first);
    line
}

/// Sorts places by the first number of a key, then by the second.
fn sort_by(places: &mut [Point], key: &dyn Fn(&Point) -> [f64; 2]) {
    places.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
    });
}

/// The angle of a straight line, from 0 (across) to below π; `None` for other lines.
fn direction(line: &[Point]) -> Option<f64> {
    let (first, last) = (line[0], line[line.len() - 1]);
    let (dx, dy) = (last[0] - first[0], last[1] - first[1]);
    let length = dx.hypot(dy);
    let is_near = |place: &Point| {
        ((place[0] - first[0]) * dy - (place[1] - first[1]) * dx).abs() < 0.5 * length.max(1.0)
    };
    line.iter().all(is_near).then(|| {
        let angle = dy.atan2(dx).rem_euclid(PI);
        if PI - angle < 1e-6 { 0.0 } else { angle }
    })
}

/// The nearest of the four directions in eighths of a turn.
fn eighth(direction: f64) -> usize {
    ((direction + FRAC_PI_8) / (2.0 * FRAC_PI_8)) as usize % 4
}
