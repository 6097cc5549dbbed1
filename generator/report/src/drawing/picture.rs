//! Pictures of boards, in SVG: the cells with their names, the links between them, and the lines.

use super::geometry::points;
use super::strokes::{self, Point, circle, distance, moved, rounded, segment};
use maud::{Markup, html};
use morpion_core::{Game, rank::cells};
use std::f64::consts::{FRAC_PI_8, PI};

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
    let [width, height] = [0, 1]
        .map(|axis| rounded(places.iter().map(|place| place[axis]).fold(0.0, f64::max) + MARGIN));
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) {
            title { "The board of " (game.name()) ": links in grey, lines in colours" }
            rect width="100%" height="100%" fill="#fff" {}
            g stroke="#d4d4d4" stroke-width="10" {
                @for [from, to] in strokes::links(game, &places, 0.5 * UNIT) { (segment(from, to)) }
            }
            (lines(game, &places))
            g font-family="sans-serif" font-size="11" text-anchor="middle" {
                @for (&[x, y], cell) in places.iter().zip(0..) {
                    g stroke="#444" { (circle([x, y], CELL, "#fff")) }
                    text x=(rounded(x)) y=(rounded(y + 4.0)) fill="#222" { (game.format_cell(cell)) }
                }
            }
        }
    };
    format!("{}\n", picture.into_string())
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

/// Draws a straight line in the first lane that no earlier line of the same place has.
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

/// A line that is not straight: a ring if its ends are as near to each other as its other cells, else a path.
fn bent(line: &[Point]) -> Markup {
    let gap = distance(line[0], line[line.len() - 1]);
    let is_ring = line.windows(2).all(|pair| gap < distance(pair[0], pair[1]) + 1.0);
    let centre =
        [0, 1].map(|axis| line.iter().map(|place| place[axis]).sum::<f64>() / line.len() as f64);
    // Closer to the middle, so that neighbouring rings do not touch.
    let inside = |&place: &Point| {
        moved(
            place,
            [place[0] - centre[0], place[1] - centre[1]],
            if is_ring { -0.35 } else { 0.0 },
        )
    };
    let texts = line.iter().map(inside).map(|[x, y]| format!("{},{}", rounded(x), rounded(y)));
    let points = texts.collect::<Vec<_>>().join(" ");
    match is_ring {
        true => html! { polygon points=(points) stroke=(COLOURS[4]) {} },
        false => html! { polyline points=(points) stroke=(COLOURS[4]) {} },
    }
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
