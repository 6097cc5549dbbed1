//! Reads rule files by the definitions of `tables/RULES.md`, without the library.

use super::grid::{Grid, jumps, slides};
use super::kinds::{Kind, Mills};
use super::ways::Need;
use super::{Moves, Spec};
use serde_json::Value;
use toml::de::{DeTable, DeValue};

/// The values that choose a rule.
const CHOICES: [&str; 17] = [
    "loss",
    "draw",
    "win",
    "pass",
    "first",
    "each-first",
    "placing",
    "before-lines",
    "after-lines",
    "any",
    "outside",
    "outside-first",
    "two-any",
    "two-outside",
    "two-outside-first",
    "rows",
    "columns",
];

fn json(value: &DeValue) -> Value {
    match value {
        DeValue::String(text) => (&**text).into(),
        DeValue::Integer(digits) => digits.as_str().parse::<i64>().unwrap().into(),
        DeValue::Boolean(is_so) => (*is_so).into(),
        DeValue::Array(values) => values.iter().map(|value| json(value.get_ref())).collect(),
        DeValue::Table(table) => object(table),
        other => panic!("{other:?} is not in rule files"),
    }
}

fn object(table: &DeTable) -> Value {
    let pairs = table.iter().map(|(key, value)| (key.get_ref().to_string(), json(value.get_ref())));
    Value::Object(pairs.collect())
}

/// A value that chooses a rule; an empty one if the key is missing.
fn choice(value: &Value) -> &'static str {
    let Some(text) = value.as_str() else { return "" };
    let found = CHOICES.iter().chain(&["both"]).find(|choice| **choice == text);
    found.unwrap_or_else(|| panic!("define {text} here"))
}

fn number(value: &Value) -> Option<u8> {
    value.as_u64().map(|number| number as u8)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Two numbers: rows down, and columns to the right.
fn step(value: &Value) -> (i32, i32) {
    let [down, right] = [0, 1].map(|at| value[at].as_i64().unwrap() as i32);
    (down, right)
}

/// The cells and their names.
struct Board {
    grid: Grid,
    names: Vec<String>,
}

impl Board {
    fn of(board: &Value) -> Board {
        let mut read = if let Some(cells) = board["cells"].as_i64() {
            let names = (0..cells).map(|cell| cell.to_string()).collect();
            Board { grid: Grid::new(1, cells as i32, "", &[]).along(&[]), names }
        } else if let Some(text) = board["layout"].as_str() {
            Board::drawn(text, &list(&board["steps"]).iter().map(step).collect::<Vec<_>>())
        } else if let Some(side) = board["hex"].as_i64() {
            let (side, length) = (side as usize, 2 * side as usize - 1);
            let is_off = |square: &usize| (square / length).abs_diff(square % length) >= side;
            let blocked: Vec<usize> = (0..length * length).filter(is_off).collect();
            let grid = Grid::new(length as i32, length as i32, "", &blocked);
            Board::named_by_squares(grid.along(&[(0, 1), (1, 0), (1, 1)]))
        } else {
            let [rows, columns] =
                ["rows", "columns"].map(|key| board[key].as_i64().unwrap() as i32);
            let wrap = choice(&board["wrap"]);
            let all = Board::named_by_squares(Grid::new(rows, columns, wrap, &[]));
            let blocked = list(&board["blocked"]).iter().map(|cell| all.cell(cell).into());
            let blocked: Vec<usize> = blocked.collect();
            Board::named_by_squares(Grid::new(rows, columns, wrap, &blocked))
        };
        let names = list(&board["names"]).iter().map(|name| name.as_str().unwrap().to_owned());
        if names.len() > 0 {
            read.names = names.collect();
        }
        read
    }

    fn named_by_squares(grid: Grid) -> Board {
        let cells = grid.cells.iter().flatten();
        let names = cells.map(|&cell| grid.name(cell)).collect();
        Board { grid, names }
    }

    /// The board of a drawing, in which a name begins at the place of its cell.
    fn drawn(text: &str, steps: &[(i32, i32)]) -> Board {
        let lines: Vec<&str> = text.lines().collect();
        let columns = lines.iter().map(|line| line.len()).max().unwrap();
        let (mut names, mut blocked) = (Vec::new(), Vec::new());
        for (row, line) in lines.iter().enumerate() {
            for column in 0..columns {
                let at = |column: usize| line.as_bytes().get(column).copied().unwrap_or(b' ');
                let is_first = at(column) != b' ' && (column == 0 || at(column - 1) == b' ');
                match is_first {
                    true => names.push(line[column..].split(' ').next().unwrap().to_owned()),
                    false => blocked.push(row * columns + column),
                }
            }
        }
        let grid = Grid::new(lines.len() as i32, columns as i32, "", &blocked);
        Board { grid: grid.along(steps), names }
    }

    /// A cell by its number or name.
    fn cell(&self, key: &Value) -> u8 {
        let named = |name| self.names.iter().position(|other| other == name).unwrap() as u8;
        number(key).unwrap_or_else(|| named(key.as_str().unwrap()))
    }

    fn set(&self, cells: &Value) -> u64 {
        list(cells).iter().fold(0, |set, cell| set | 1 << self.cell(cell))
    }

    /// The lines, each with the cells that extend it.
    fn lines(&self, rules: &Value) -> Vec<(u64, u64)> {
        let written = [&rules["sets"], &rules["add"]].into_iter().flat_map(list);
        let mut lines: Vec<(u64, u64)> = written.map(|line| (self.set(line), 0)).collect();
        if let Some(length) = rules["length"].as_u64() {
            lines.extend(match rules["within"].is_string() {
                true => self.grid.whole(length as usize, rules["gaps"] == true),
                false => self.grid.runs(length as i32, rules["exact"] == true),
            });
        }
        for shape in list(&rules["shapes"]) {
            let rows = (0..).zip(shape.as_str().unwrap().split('/'));
            let squares = rows.flat_map(|(row, text)| {
                (0..).zip(text.bytes()).map(move |(at, mark)| (row, at, mark))
            });
            let squares = squares.filter(|square| square.2 == b'X');
            lines.extend(
                self.grid.shapes(&squares.map(|(row, at, _)| (row, at)).collect::<Vec<_>>()),
            );
        }
        lines
    }

    /// The moves after all pieces are placed, and the cells linked with each cell.
    fn moves(&self, rules: &Value) -> (Moves, Vec<u64>) {
        let to = rules["to"].as_str().unwrap_or("any");
        let pair = |edge: &Value| [0, 1].map(|at| self.cell(&edge[at]));
        let edges: Vec<[u8; 2]> = list(&rules["edges"]).iter().map(pair).collect();
        let links = match to {
            "slide" | "queen" => "king",
            "slide-orthogonal" => "orthogonal",
            other => other,
        };
        let cells = self.names.len();
        let steps = list(&rules["steps"]).iter().map(step);
        let rays = match (edges.is_empty(), to) {
            (false, _) => self.grid.along_edges(&edges),
            (_, "any" | "push") => Vec::new(),
            (_, "steps") => steps.flat_map(|step| self.grid.rays(links, step)).collect(),
            _ => self.grid.rays(links, (0, 0)),
        };
        let mut linked = vec![0u64; cells];
        for (ray, _) in rays.iter().filter(|(ray, _)| ray.len() > 1) {
            linked[usize::from(ray[0])] |= 1 << ray[1];
        }
        if to == "any" {
            linked = (0..cells).map(|cell| ((1 << cells) - 1) & !(1 << cell)).collect();
        }
        let slide = match to {
            "slide" | "slide-orthogonal" => slides(&rays),
            "queen" => {
                let mut moves = slides(&rays);
                moves
                    .iter_mut()
                    .for_each(|way| way.needs.retain(|need| matches!(need.1, Need::Empty)));
                moves
            }
            _ => Vec::new(),
        };
        let jump = match rules["jump"].as_str() {
            None => Vec::new(),
            Some("own") => jumps(&rays, Need::Own),
            Some("other") => jumps(&rays, Need::Other),
            Some("any") => jumps(&rays, Need::Taken),
            Some(other) => panic!("define {other} here"),
        };
        let targets = if slide.is_empty() { linked.clone() } else { vec![0; cells] };
        let stuck = Some(choice(&rules["stuck"])).filter(|stuck| !stuck.is_empty());
        let moves = Moves::new("", targets, rules["stay"] == true, stuck.unwrap_or("loss"));
        (Moves { ways: [slide, jump].concat(), ..moves }, linked)
    }
}

impl Spec {
    /// The game of a rule file.
    pub fn read(text: &str) -> Spec {
        let file = object(DeTable::parse(text).unwrap().get_ref());
        let board = Board::of(&file["board"]);
        let (moves, opening) = (&file["moves"], &file["opening"]);
        let (read, linked) = board.moves(moves);
        let each = number(&file["pieces"]["each"]);
        let mills = &file["mills"];
        let full = Some(choice(&mills["full"])).filter(|full| !full.is_empty());
        let takes = Some(choice(&mills["takes"])).filter(|takes| !takes.is_empty());
        let kind = match (choice(&moves["oldest"]), mills) {
            ("", Value::Object(_)) => Kind::Mills(Mills {
                takes: takes.unwrap_or("outside-first"),
                least: number(&mills["least"]).unwrap_or(3),
                fly: number(&mills["fly"]).unwrap_or(0),
                full,
                mixed: mills["mixed"] == true,
            }),
            ("", _) if moves["to"] == "push" => {
                Kind::Pushes { rows: board.grid.rows, columns: board.grid.columns }
            }
            ("", _) => Kind::Plain,
            (oldest, _) => Kind::Ageing(oldest),
        };
        let spec = Spec {
            written: Some(text.to_owned()),
            board: String::new(),
            cells: board.names.len() as u8,
            lines: board.lines(&file["lines"]),
            each,
            moves: Some(read).filter(|_| moves.is_object()),
            forbidden: list(&opening["forbidden"]).iter().map(|cell| board.cell(cell)).collect(),
            forbidden_names: Vec::new(),
            during: Some(choice(&opening["during"]))
                .filter(|during| !during.is_empty())
                .unwrap_or("first"),
            start: opening["start"].as_str().map(str::to_owned),
            misere: file["goal"]["misere"] == true,
            kind,
        };
        let into = match &moves["beside"] {
            Value::Null => 0,
            Value::String(_) => (1 << spec.cells) - 1,
            cells => board.set(cells),
        };
        if into == 0 { spec } else { spec.with_moves_beside(&linked, into) }
    }
}
