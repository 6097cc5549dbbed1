//! Places of the cells in a drawing of the board.
//!
//! A cell lies where the rule file draws it. Without a drawing, cells lie on a grid, on a circle, or on a wheel around its hub.

use morpion_core::{Game, Point, rank::cells};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the place of every cell in cell widths, right and down from the top left cell. A grid is drawn as a grid. A board
/// whose links and lines form a wheel is drawn as a circle around its hub, and any other board as a circle.
pub fn points(game: &Game) -> Vec<[f64; 2]> {
    if !game.about().layout.is_empty() {
        return drawn(&game.about().layout, &game.about().names);
    }
    if let Some(rim) = wheel(game) {
        return circle(game.cells(), &rim);
    }
    if game.board_shape().grid().is_none() {
        return circle(game.cells(), &Vec::from_iter(0..game.cells()));
    }
    squares(game).map(|square| square.map(f64::from)).collect()
}

/// Returns true if every cell is drawn at its square in a grid, which may have holes.
pub(crate) fn is_grid(game: &Game) -> bool {
    squares(game).map(|square| square.map(f64::from)).eq(points(game))
}

/// The square of each cell of a grid, right and down.
fn squares(game: &Game) -> impl Iterator<Item = [u8; 2]> {
    let squares = (0..game.cells()).filter_map(|cell| game.board_shape().square(cell));
    squares.map(|(row, column)| [column, row])
}

/// A drawing, scaled so that the smallest distance is 1. Each name counts as one character. Otherwise names of two
/// characters would make columns wider than rows. A hexagonal board, whose cells have no names of their own, gets rows
/// that are closer, so that all neighbours are equally far.
fn drawn(layout: &[Point], names: &[String]) -> Vec<[f64; 2]> {
    let mut longest = BTreeMap::new();
    for (index, point) in layout.iter().enumerate() {
        let characters = names.get(index).map_or(1, |name| name.chars().count());
        let most: &mut usize = longest.entry(point.x).or_default();
        *most = characters.max(*most);
    }
    let (mut across, mut last) = (BTreeMap::new(), (0, 0));
    for &x in longest.keys() {
        let gap = x - last.0;
        let more = longest.get(&last.0).map_or(0, |characters| characters.saturating_sub(1) as u16);
        last = (x, last.1 + gap.saturating_sub(more).max(gap.min(1)));
        across.insert(x, last.1);
    }
    let height = if names.is_empty() { 0.75f64.sqrt() } else { 1.0 };
    let at = |point: &Point| [f64::from(across[&point.x]), height * f64::from(point.y)];
    let pairs = layout
        .iter()
        .enumerate()
        .flat_map(|(index, a)| layout[..index].iter().map(move |b| (at(a), at(b))));
    let nearest = pairs.map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).reduce(f64::min);
    let scale = nearest.unwrap_or(1.0);
    layout.iter().map(|point| at(point).map(|at| round(at / scale))).collect()
}

/// Returns the step, right and down, of each link that wraps around an edge; `None` for each link inside the board.
///
/// Tables store a link only as two cells, so wrapping is inferred. A link wraps if three conditions hold: it is a step to a neighbour
/// across the edge, other links make the same step inside the board, and the whole edge has such links.
pub fn wraps(game: &Game, links: &[(u8, u8)]) -> Vec<Option<(i16, i16)>> {
    let grid = game.board_shape().grid().filter(|_| game.about().layout.is_empty());
    let Some((rows, columns)) = grid else { return vec![None; links.len()] };
    let sizes = [columns, rows].map(i16::from);
    let squares: Vec<[i16; 2]> = squares(game).map(|square| square.map(i16::from)).collect();
    let at = |cell: u8| squares[usize::from(cell)];
    let pairs: BTreeSet<([i16; 2], [i16; 2])> =
        links.iter().flat_map(|&(a, b)| [(at(a), at(b)), (at(b), at(a))]).collect();
    let is_inside =
        |step: [i16; 2]| pairs.iter().any(|(a, b)| *b == [a[0] + step[0], a[1] + step[1]]);
    let is_whole_edge = |step: [i16; 2], crossed: [bool; 2]| {
        squares.iter().all(|square| {
            let beyond = [0, 1].map(|axis| square[axis] + step[axis]);
            let crosses = [0, 1].map(|axis| !(0..sizes[axis]).contains(&beyond[axis]));
            let end = [0, 1].map(|axis| beyond[axis].rem_euclid(sizes[axis]));
            crosses != crossed || !squares.contains(&end) || pairs.contains(&(*square, end))
        })
    };
    let wrap = |&(a, b): &(u8, u8)| {
        let (from, to) = (at(a), at(b));
        let step = [0, 1].map(|axis| shortest(to[axis] - from[axis], sizes[axis]));
        let crossed = [0, 1].map(|axis| from[axis] + step[axis] != to[axis]);
        let is_neighbour = step.iter().all(|way| way.abs() <= 1);
        let wraps = crossed != [false; 2]
            && is_neighbour
            && is_inside(step)
            && is_whole_edge(step, crossed);
        wraps.then_some((step[0], step[1]))
    };
    links.iter().map(wrap).collect()
}

/// The shortest signed distance on a ring of `size` places.
fn shortest(way: i16, size: i16) -> i16 {
    match 2 * way {
        twice if twice > size => way - size,
        twice if twice < -size => way + size,
        _ => way,
    }
}

fn round(at: f64) -> f64 {
    (at * 1e4).round() / 1e4
}

/// Places `rim` on a circle, and other cells in its middle. The first cell is where the top left corner of a grid would be.
fn circle(cells: u8, rim: &[u8]) -> Vec<[f64; 2]> {
    // Neighbours on the rim are a cell width apart or a little more, and the hub is at least as far from them.
    let radius = (0.55 / (std::f64::consts::PI / rim.len() as f64).sin()).max(1.0);
    let mut points = vec![[radius; 2]; usize::from(cells)];
    for (step, &cell) in rim.iter().enumerate() {
        let turn = step as f64 / rim.len() as f64 - 1.0 / 8.0;
        let angle = turn * std::f64::consts::TAU;
        points[usize::from(cell)] =
            [radius + radius * angle.sin(), radius - radius * angle.cos()].map(round);
    }
    points
}

/// The rim, in order, if the links form a wheel and turning the rim by one cell keeps the lines. In three men's
/// morris the links also form a wheel, but the lines are the sides of a square.
fn wheel(game: &Game) -> Option<Vec<u8>> {
    game.links()?;
    let last = u32::from(game.cells()) - 1;
    let degree = |cell: u8| game.neighbours(cell).count_ones();
    let hub = (0..game.cells()).find(|&cell| last > 3 && degree(cell) == last)?;
    let rim_links = |cell: u8| game.neighbours(cell) & !(1 << hub);
    let mut rim = vec![u8::from(hub == 0)];
    let mut seen = 1u64 << rim[0];
    while let Some(next) = cells(rim_links(rim[rim.len() - 1]) & !seen).next() {
        rim.push(next);
        seen |= 1 << next;
    }
    let closed = rim.iter().all(|&cell| rim_links(cell).count_ones() == 2);
    if rim.len() as u32 != last || !closed {
        return None;
    }
    let turned = |line: u64| {
        cells(line).fold(0u64, |set, cell| {
            let place = rim.iter().position(|&other| other == cell);
            set | 1 << place.map_or(cell, |place| rim[(place + 1) % rim.len()])
        })
    };
    let keeps = game.lines().iter().all(|&line| game.lines().contains(&turned(line)));
    keeps.then_some(rim)
}
