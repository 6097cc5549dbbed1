//! Random games on a grid with holes, joined sides, lines of an exact length and shapes. Everything is computed square by square
//! from its definition.

use super::kinds::Kind as Further;
use super::ways::{Need, Way};
use super::{Moves, Spec, during, stuck};
use proptest::prelude::*;

/// A grid of the independent solver: the cell of each square.
pub struct Grid {
    pub rows: i32,
    pub columns: i32,
    wrap: &'static str,
    pub cells: Vec<Option<u8>>,
    /// The steps to neighbours, down and to the right. Steps back are not listed.
    directions: Vec<(i32, i32)>,
}

impl Grid {
    pub fn new(rows: i32, columns: i32, wrap: &'static str, blocked: &[usize]) -> Grid {
        let mut next = 0;
        let mut cell = |square: usize| {
            let open = !blocked.contains(&square);
            next += u8::from(open);
            open.then(|| next - 1)
        };
        let cells = (0..(rows * columns) as usize).map(&mut cell).collect();
        let directions = vec![(0, 1), (1, 0), (1, 1), (1, -1)];
        Grid { rows, columns, wrap, cells, directions }
    }

    /// A board whose neighbours are in these directions only.
    pub fn along(self, directions: &[(i32, i32)]) -> Grid {
        Grid { directions: directions.to_vec(), ..self }
    }

    /// The lines of `length` cells inside whole rows, columns and diagonals: next to each other, or with gaps.
    pub fn whole(&self, length: usize, gaps: bool) -> Vec<(u64, u64)> {
        let mut lines = Vec::new();
        let squares = self.squares().filter(|&(row, column)| self.at(row, column).is_some());
        for (first, &(down, right)) in
            squares.flat_map(|at| self.directions.iter().map(move |step| (at, step)))
        {
            let mut cells = Vec::new();
            let (mut row, mut column) = first;
            while let Some(cell) = self.at(row, column).filter(|cell| !cells.contains(cell)) {
                cells.push(cell);
                (row, column) = (row + down, column + right);
            }
            let is_ring = self.at(row, column) == cells.first().copied();
            let is_first = self.at(first.0 - down, first.1 - right).is_none();
            let whole = match (down, right) {
                (0, _) => self.columns,
                (_, 0) => self.rows,
                _ if self.rows == self.columns => self.rows,
                _ => 0,
            };
            if cells.len() != whole as usize || !is_ring && !is_first {
                continue;
            }
            let set =
                |cells: &mut dyn Iterator<Item = u8>| cells.fold(0u64, |set, cell| set | 1 << cell);
            for start in
                0..if is_ring { cells.len() } else { (cells.len() + 1).saturating_sub(length) }
            {
                lines.push((set(&mut cells.iter().copied().cycle().skip(start).take(length)), 0));
            }
            if gaps {
                let all = set(&mut cells.iter().copied());
                lines.extend((1..=all).filter(|part| part & !all == 0).map(|part| (part, 0)));
            }
        }
        lines.retain(|(line, _)| line.count_ones() as usize == length);
        lines
    }

    fn at(&self, mut row: i32, mut column: i32) -> Option<u8> {
        if self.wrap == "columns" || self.wrap == "both" {
            row = row.rem_euclid(self.rows);
        }
        if self.wrap == "rows" || self.wrap == "both" {
            column = column.rem_euclid(self.columns);
        }
        let inside = row >= 0 && row < self.rows && column >= 0 && column < self.columns;
        inside.then(|| self.cells[(row * self.columns + column) as usize])?
    }

    fn squares(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
        (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column)))
    }

    /// Every row of `length` different cells in each of the eight directions, with the cells that extend it.
    pub fn runs(&self, length: i32, exact: bool) -> Vec<(u64, u64)> {
        let mut lines = Vec::new();
        for (row, column) in self.squares() {
            let back = self.directions.iter().map(|(down, right)| (-down, -right));
            for (down, right) in self.directions.iter().copied().chain(back) {
                let at = |step: i32| {
                    // There are few steps, so that once around is enough.
                    let (mut row, mut column) = (row, column);
                    let sign = step.signum();
                    for _ in 0..step.abs() {
                        (row, column) = (row + sign * down, column + sign * right);
                        let cell = self.at(row, column)?;
                        let square = self.cells.iter().position(|&other| other == Some(cell))?;
                        (row, column) =
                            (square as i32 / self.columns, square as i32 % self.columns);
                    }
                    self.at(row, column)
                };
                let cells: Option<Vec<u8>> = (0..length).map(at).collect();
                let Some(cells) = cells else { continue };
                let line = cells.iter().fold(0u64, |set, cell| set | 1 << cell);
                if line.count_ones() as i32 != length {
                    continue;
                }
                let ends = [at(-1), at(length)].into_iter().flatten();
                let around = ends.fold(0u64, |set, cell| set | 1 << cell) & !line;
                lines.push((line, if exact { around } else { 0 }));
            }
        }
        lines
    }

    /// A shape in every place, turned and mirrored in every way.
    pub fn shapes(&self, shape: &[(i32, i32)]) -> Vec<(u64, u64)> {
        let mut lines = Vec::new();
        for (row, column) in self.squares() {
            for (a, b, c, d) in [
                (1, 0, 0, 1),
                (0, -1, 1, 0),
                (-1, 0, 0, -1),
                (0, 1, -1, 0),
                (1, 0, 0, -1),
                (-1, 0, 0, 1),
                (0, 1, 1, 0),
                (0, -1, -1, 0),
            ] {
                for origin in 0..9 {
                    let (from_row, from_column) = (row - origin / 3, column - origin % 3);
                    let cells: Option<Vec<u8>> = shape
                        .iter()
                        .map(|(x, y)| {
                            self.at(from_row + a * x + b * y, from_column + c * x + d * y)
                        })
                        .collect();
                    let Some(cells) = cells else { continue };
                    let line = cells.iter().fold(0u64, |set, cell| set | 1 << cell);
                    if line.count_ones() as usize == shape.len() {
                        lines.push((line, 0));
                    }
                }
            }
        }
        lines
    }

    /// The cells to which a piece on each cell may move. `step` counts if `to` is `steps`.
    pub fn targets(&self, to: &str, step: (i32, i32)) -> Vec<u64> {
        let mut targets = vec![0u64; self.cells.iter().flatten().count()];
        for (from, to) in
            self.rays(to, step).iter().filter_map(|(ray, _)| Some((*ray.first()?, *ray.get(1)?)))
        {
            targets[usize::from(from)] |= 1 << to;
        }
        targets
    }

    /// The squares with cells, each with the directions of its links. `step` counts if `to` is `steps`.
    fn links(&self, to: &str, step: (i32, i32)) -> Vec<((i32, i32), (i32, i32))> {
        let mut links = Vec::new();
        for (row, column) in self.squares() {
            if self.at(row, column).is_none() {
                continue;
            }
            let far: i32 = if to == "steps" { 3 } else { 2 };
            for (down, right) in
                (-far..=far).flat_map(|down| (-far..=far).map(move |right| (down, right)))
            {
                let is_near = down.abs().max(right.abs()) == 1;
                let straight = is_near && (down == 0) != (right == 0);
                let linked = match to {
                    "orthogonal" => straight,
                    "king" => {
                        let is_step = |a: i32, b: i32| self.directions.contains(&(a, b));
                        is_step(down, right) || is_step(-down, -right)
                    }
                    // Turned and mirrored, a step keeps its two lengths.
                    "steps" => [step, (step.1, step.0)].contains(&(down.abs(), right.abs())),
                    _ => straight || is_near && (row + column) % 2 == 0,
                };
                if linked {
                    links.push(((row, column), (down, right)));
                }
            }
        }
        links
    }

    /// The cells from a cell in a direction, and true if they go all around.
    fn ray(&self, from: (i32, i32), (down, right): (i32, i32)) -> Ray {
        let mut cells: Vec<u8> = self.at(from.0, from.1).into_iter().collect();
        let mut step = 1;
        while let Some(cell) = self.at(from.0 + step * down, from.1 + step * right) {
            if cells.contains(&cell) {
                return (cells, true);
            }
            cells.push(cell);
            step += 1;
        }
        (cells, false)
    }

    /// The rays from all cells in the directions of links, each beginning with the cell.
    pub fn rays(&self, to: &str, step: (i32, i32)) -> Vec<Ray> {
        self.links(to, step).into_iter().map(|(at, direction)| self.ray(at, direction)).collect()
    }

    /// The rays along edges: from one edge to the nearest one in the same direction.
    pub fn along_edges(&self, edges: &[[u8; 2]]) -> Vec<Ray> {
        let squares = (0..).zip(&self.cells).filter_map(|(square, cell)| Some((square, (*cell)?)));
        let places: Vec<(i32, i32)> =
            squares.map(|(square, _)| (square / self.columns, square % self.columns)).collect();
        let way = |from: u8, to: u8| {
            let ((a, b), (c, d)) = (places[usize::from(from)], places[usize::from(to)]);
            let (down, right) = (c - a, d - b);
            // The direction with the smallest numbers, and how often it fits.
            let times = (1..=64).rev().find(|n| down % n == 0 && right % n == 0).unwrap();
            ((down / times, right / times), times)
        };
        let edges: Vec<[u8; 2]> = edges.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
        let ray = |&[from, to]: &[u8; 2]| {
            let (direction, mut cells) = (way(from, to).0, vec![from, to]);
            loop {
                let last = *cells.last().unwrap();
                let next = edges
                    .iter()
                    .filter(|edge| edge[0] == last && way(last, edge[1]).0 == direction);
                match next.min_by_key(|edge| way(last, edge[1]).1) {
                    Some(edge) => cells.push(edge[1]),
                    None => return (cells, false),
                }
            }
        };
        edges.iter().map(ray).collect()
    }

    pub fn name(&self, cell: u8) -> String {
        let square = self.cells.iter().position(|&other| other == Some(cell)).unwrap() as i32;
        let letter = (b'a' + (square % self.columns) as u8) as char;
        format!("{letter}{}", square / self.columns + 1)
    }
}

/// Cells in one direction, and true if they go all around.
pub type Ray = (Vec<u8>, bool);

/// Slides along empty cells until the border or a piece stops them. Nothing stops a piece that goes all around.
pub fn slides(rays: &[Ray]) -> Vec<Way> {
    let mut slides = Vec::new();
    for (ray, is_ring) in rays {
        for last in 1..(ray.len() - usize::from(*is_ring)).max(1) {
            let passed = ray[1..last].iter().map(|&cell| (cell, Need::Empty));
            let stop = ray.get(last + 1).map(|&cell| (cell, Need::Taken));
            let needs = passed.chain(stop).collect();
            slides.push(Way { from: ray[0], to: ray[last], needs });
        }
    }
    slides
}

/// Jumps to the second cell in a direction, over a piece on the first.
pub fn jumps(rays: &[Ray], need: Need) -> Vec<Way> {
    let jump = |(ray, _): &Ray| match ray[..] {
        [from, over, to, ..] => Some(Way { from, to, needs: vec![(over, need)] }),
        _ => None,
    };
    rays.iter().filter_map(jump).collect()
}

const SHAPES: &[(&str, &[(i32, i32)])] = &[
    ("XX/XX", &[(0, 0), (0, 1), (1, 0), (1, 1)]),
    ("X./XX", &[(0, 0), (1, 0), (1, 1)]),
    ("X.X", &[(0, 0), (0, 2)]),
];

/// Steps, as lengths down and right.
const STEPS: &[(i32, i32)] = &[(1, 2), (0, 1), (0, 2), (2, 2), (3, 1), (0, 3)];

/// At most nine cells, small enough for the dictionary.
pub fn random_game() -> impl Strategy<Value = Spec> {
    let sizes = prop_oneof![
        Just((3, 3)),
        Just((2, 4)),
        Just((4, 2)),
        Just((1, 7)),
        Just((3, 4)),
        Just((2, 5)),
        Just((4, 3))
    ];
    let wrap = prop_oneof![Just(""), Just("rows"), Just("columns"), Just("both")];
    let board = (sizes, wrap, proptest::collection::btree_set(0usize..12, 0..4));
    let lines = (1..=4i32, any::<(bool, bool)>(), proptest::option::of(0..SHAPES.len()));
    let ways = ["any", "orthogonal", "king", "drawn", "steps"];
    let to = (proptest::sample::select(ways.to_vec()), proptest::sample::select(STEPS.to_vec()));
    let kind = (0..4usize, 0..8u8, to, stuck(), during(), any::<(bool, bool)>());
    let forbidden = proptest::collection::btree_set(0..4u8, 0..3);
    (board, lines, kind, forbidden).prop_map(game)
}

/// Pushes on a grid of at most nine cells.
pub fn random_pushes() -> impl Strategy<Value = Spec> {
    let sizes = vec![(3, 3), (2, 4), (4, 2), (1, 5), (2, 2), (3, 2), (1, 1)];
    let wrap = proptest::sample::select(vec!["", "rows", "columns", "both"]);
    let lines = (1..=4i32, any::<(bool, bool)>(), proptest::option::of(0..SHAPES.len()));
    let stuck = proptest::sample::select(vec!["loss", "draw", "win"]);
    let board = (proptest::sample::select(sizes), wrap);
    (board, lines, stuck, any::<bool>()).prop_map(|((size, wrap), lines, stuck, misere)| {
        let board = (size, wrap, std::collections::BTreeSet::new());
        let kind = (0, 0, ("any", (1, 2)), stuck, "first", (false, misere));
        let spec = game((board, lines, kind, std::collections::BTreeSet::new()));
        let moves = Moves::new("to = \"push\"", Vec::new(), false, stuck);
        let (rows, columns) = size;
        Spec { moves: Some(moves), kind: Further::Pushes { rows, columns }, ..spec }
    })
}

type Board = ((i32, i32), &'static str, std::collections::BTreeSet<usize>);
type Lines = (i32, (bool, bool), Option<usize>);
type Drawn = (&'static str, (i32, i32));
type Kind = (usize, u8, Drawn, &'static str, &'static str, (bool, bool));

fn game(drawn: (Board, Lines, Kind, std::collections::BTreeSet<u8>)) -> Spec {
    let (((rows, columns), wrap, blocked), lines, kind, forbidden) = drawn;
    let (length, (exact, only_shape), shape) = lines;
    let (kind, each, (to, step), stuck, during, (stay, misere)) = kind;
    let squares = (rows * columns) as usize;
    let mut blocked: Vec<usize> = blocked.into_iter().filter(|&square| square < squares).collect();
    // At most nine cells are left.
    let more: Vec<usize> =
        (0..squares).filter(|square| !blocked.contains(square)).skip(9).collect();
    blocked.extend(more);
    let grid = Grid::new(rows, columns, wrap, &blocked);
    let cells = grid.cells.iter().flatten().count() as u8;
    let name = |square: usize| {
        let letter = (b'a' + (square as i32 % columns) as u8) as char;
        format!("\"{letter}{}\"", square as i32 / columns + 1)
    };
    let mut board = format!("[board]\nrows = {rows}\ncolumns = {columns}\n");
    if !blocked.is_empty() {
        let names: Vec<String> = blocked.iter().map(|&square| name(square)).collect();
        board += &format!("blocked = [{}]\n", names.join(", "));
    }
    if !wrap.is_empty() {
        board += &format!("wrap = \"{wrap}\"\n");
    }
    board += "[lines]\n";
    let mut lines = Vec::new();
    let runs = grid.runs(length, exact);
    let shape =
        shape.map(|shape| SHAPES[shape]).map(|(text, squares)| (text, grid.shapes(squares)));
    let shape = shape.filter(|(_, places)| !places.is_empty());
    if let Some((text, places)) = &shape {
        board += &format!("shapes = [\"{text}\"]\n");
        lines.extend(places);
    }
    if shape.is_none() || !only_shape {
        if runs.is_empty() {
            // Lines of this length fit nowhere, which is refused.
            if shape.is_none() {
                board += "length = 1\n";
                lines.extend(grid.runs(1, false));
            }
        } else {
            board += &format!("length = {length}\nexact = {exact}\n");
            lines.extend(runs);
        }
    }
    // Diagonals are drawn on every other cell only if an even number of cells closes the ring.
    let is_odd = |length: i32, wraps: bool| wraps && length % 2 == 1;
    let uneven = is_odd(columns, wrap == "rows" || wrap == "both")
        || is_odd(rows, wrap == "columns" || wrap == "both");
    // A step that fits nowhere is refused.
    let targets = grid.targets(to, step);
    let is_short = step.0.max(step.1) < rows.max(columns);
    let is_useless = to == "steps" && !(is_short && targets.iter().any(|&cells| cells != 0));
    let to = if to == "drawn" && uneven || is_useless { "king" } else { to };
    let steps =
        if to == "steps" { format!("\nsteps = [[{}, {}]]", step.0, step.1) } else { String::new() };
    let each = 1 + each % (cells / 2).max(1);
    let any_cell = || (0..cells).map(|from| (1u64 << cells) - 1 - (1 << from)).collect();
    let targets = if to == "any" { any_cell() } else { grid.targets(to, step) };
    let moves = Moves::new(&format!("to = \"{to}\"{steps}"), targets, stay, stuck);
    let moves = Some(moves).filter(|_| kind > 1);
    let forbidden: Vec<u8> = forbidden.into_iter().filter(|&cell| cell < cells).collect();
    Spec {
        written: None,
        board,
        cells,
        lines,
        each: (kind > 0).then_some(each).filter(|&each| 2 * each <= cells),
        moves: moves.filter(|_| 2 * each <= cells),
        forbidden_names: forbidden.iter().map(|&cell| grid.name(cell)).collect(),
        forbidden,
        during,
        start: None,
        misere,
        kind: Further::Plain,
    }
    .placing_is_possible()
}
