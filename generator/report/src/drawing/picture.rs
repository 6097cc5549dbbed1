//! Pictures of boards, in SVG: the cells with their names, the links between them, and the lines.

use super::diagram::{Diagram, NAMES};
use super::strokes::{Point, distance, moved, rounded, segment};
use maud::{Markup, html};
use morpion_core::{Game, Position, Situation, rank::cells};
use std::cmp::Ordering;
use std::f64::consts::{FRAC_PI_8, PI};

/// Distance between lines that share cells and a direction.
const LANE: f64 = 5.0;
/// Colours of lines: across, down to the right, down, down to the left, and lines that are not straight.
const COLOURS: [&str; 5] = ["#1b6ca8", "#c8553d", "#2e7d5b", "#8e5ea2", "#b8860b"];

/// Draws the empty board of a game as in a [`Diagram`]. Lines are coloured by direction. Lines that overlap are drawn next to
/// each other.
pub fn draw(game: &Game) -> String {
    let position = Situation { raw: Position { mover: 0, waiter: 0 }, ..game.start() };
    let board = Diagram { game, position, last: None, next: None, names: NAMES };
    let title = format!("The board of {}: links in grey, lines in colours", game.name());
    board.document_with(&title, &lines(game, &board.places()))
}

fn lines(game: &Game, places: &[Point]) -> Markup {
    let lines: Vec<Vec<Point>> = game
        .lines()
        .iter()
        .map(|&line| path(cells(line).map(|cell| places[usize::from(cell)]).collect()))
        .collect();
    html! {
        g fill="none" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" opacity="0.7" {
            @for (at, line) in lines.iter().enumerate() {
                @match direction(line) {
                    Some(direction) => {
                        g stroke=(COLOURS[eighth(direction)]) { (in_lane(&lines, at, direction)) }
                    }
                    None => (bent(line)),
                }
            }
        }
    }
}

/// Draws a straight line next to the earlier lines of equal direction that share cells with this line.
fn in_lane(lines: &[Vec<Point>], at: usize, direction: f64) -> Markup {
    let line = &lines[at];
    let is_beside = |other: &&Vec<Point>| {
        *other == line
            || self::direction(other).is_some_and(|other| (other - direction).abs() < 1e-3)
                && other.iter().filter(|&place| line.contains(place)).count() > 1
    };
    let all = lines.iter().filter(is_beside).count();
    let lane = lines[..at].iter().filter(is_beside).count();
    let shift = LANE * (lane as f64 - (all - 1) as f64 / 2.0);
    let across = [-direction.sin(), direction.cos()];
    let [from, to] = [line[0], line[line.len() - 1]].map(|end| moved(end, across, shift));
    segment(from, to)
}

/// Draws a line that is not straight: as a ring if its ends are as near to each other as neighbours on the line, else as a path.
fn bent(line: &[Point]) -> Markup {
    let gap = distance(line[0], line[line.len() - 1]);
    let is_ring = line.windows(2).all(|pair| gap < distance(pair[0], pair[1]) + 1.0);
    let [x, y] = centre(line);
    // A ring is drawn closer to its middle, so that neighbouring rings do not touch.
    let inside = |&place: &Point| {
        moved(place, [place[0] - x, place[1] - y], if is_ring { -0.35 } else { 0.0 })
    };
    let texts = line.iter().map(inside).map(|[x, y]| format!("{},{}", rounded(x), rounded(y)));
    let points = texts.collect::<Vec<_>>().join(" ");
    match is_ring {
        true => html! { polygon points=(points) stroke=(COLOURS[4]) {} },
        false => html! { polyline points=(points) stroke=(COLOURS[4]) {} },
    }
}

/// The cells of a line in the order in which it is drawn: from end to end, or around the middle of the cells.
fn path(mut line: Vec<Point>) -> Vec<Point> {
    // Cells above each other may differ by a rounding error.
    let from_the_left = |place: &Point| (place[0].round(), place[1]);
    line.sort_by(|a, b| ascending(from_the_left(a), from_the_left(b)));
    if line.len() < 3 || direction(&line).is_some() {
        return line;
    }
    let [x, y] = centre(&line);
    let turn = |place: &Point| (place[1] - y).atan2(place[0] - x);
    line.sort_by(|a, b| ascending(turn(a), turn(b)));
    // An open path has its longest step between its ends.
    let longest = |&at: &usize| {
        let before = line[(at + line.len() - 1) % line.len()];
        (distance(before, line[at]) * 10.0).round() as u64
    };
    let first = (0..line.len()).rev().max_by_key(longest).unwrap_or(0);
    line.rotate_left(first);
    line
}

/// The middle of some places.
fn centre(line: &[Point]) -> Point {
    [0, 1].map(|axis| line.iter().map(|place| place[axis]).sum::<f64>() / line.len() as f64)
}

/// The order of two finite numbers, or of two pairs.
fn ascending<T: PartialOrd>(a: T, b: T) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
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
