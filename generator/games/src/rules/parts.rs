//! The parts of the rules, each made from its table of the rule file.
//!
//! In: board, lines, moves, opening and start as they were written. Out: sets of cells, links and choices as
//! [`morpion_lookup::Rules`] has them, or the key that contradicts another one or the board.

use super::fault::RuleFault;
use super::grid;
use super::shape::{BoardTable, DuringKey, LinesTable, MovesTable, OpeningTable, Stuck, To};
use morpion_lookup::raw::rank::{binomial, cells, subsets};
use morpion_lookup::{
    Board, During, Game, MAX_CELLS, Movement, Opening, Rules, Start, Travel, Value,
};

/// The most different lines that are listed before those that contain another are left out.
const MAX_LISTED: u64 = 1 << 16;

/// The other names of a game: each a name, none twice.
pub(super) fn aliases(name: &str, aliases: Vec<String>) -> Result<Vec<String>, RuleFault> {
    for (index, alias) in aliases.iter().enumerate() {
        let shown: String = alias.chars().take(64).collect();
        if !Rules::is_name(alias) {
            let expected = "1 to 64 letters, digits, `-` or `_`";
            return Err(RuleFault::of_key("aliases", format!("{shown:?}"), expected));
        }
        if alias == name {
            let expected = "names other than the game's own";
            return Err(RuleFault::of_key("aliases", format!("{shown:?}"), expected));
        }
        if aliases[..index].contains(alias) {
            return Err(RuleFault::of_key("aliases", format!("{shown:?} twice"), "each name once"));
        }
    }
    Ok(aliases)
}

/// A number that fits the rules.
pub(super) fn narrow(key: &str, number: u64) -> Result<u8, RuleFault> {
    u8::try_from(number)
        .map_err(|_| RuleFault::of_key(key, number.to_string(), "a number below 256"))
}

/// The board, of 1 to [`MAX_CELLS`] cells.
pub(super) fn board(table: &BoardTable) -> Result<Board, RuleFault> {
    let board = match (table.rows, table.columns, table.cells) {
        (Some(rows), Some(columns), None) => {
            if columns > 26 {
                return Err(RuleFault::of_key(
                    "board.columns",
                    columns.to_string(),
                    "at most 26 columns",
                ));
            }
            Board::Grid {
                rows: narrow("board.rows", rows)?,
                columns: narrow("board.columns", columns)?,
            }
        }
        (None, None, Some(cells)) => Board::Plain { cells: narrow("board.cells", cells)? },
        (None, None, None) => {
            return Err(RuleFault::of_key("board", "neither", "`rows` and `columns`, or `cells`"));
        }
        (_, _, Some(_)) => {
            return Err(RuleFault::of_key(
                "board",
                "`cells` beside `rows` or `columns`",
                "one or the other",
            ));
        }
        (None, ..) => {
            return Err(RuleFault::of_key("board", "`columns` alone", "`rows` beside it"));
        }
        (_, None, _) => {
            return Err(RuleFault::of_key("board", "`rows` alone", "`columns` beside it"));
        }
    };
    let cells = board.cells();
    if cells == 0 || cells > u32::from(MAX_CELLS) {
        return Err(RuleFault::of_key(
            "board",
            format!("{cells} cells"),
            format!("1 to {MAX_CELLS} cells"),
        ));
    }
    Ok(board)
}

/// The set of the cells that are named, each once.
fn cell_set(key: &str, board: Board, cells: &[u64]) -> Result<u64, RuleFault> {
    let mut set = 0u64;
    for &cell in cells {
        let bit = on_board(key, board, cell)?;
        if set & 1 << bit != 0 {
            let among = &cells[..cells.len().min(usize::from(MAX_CELLS))];
            return Err(RuleFault::of_key(
                key,
                format!("cell {cell} twice in {among:?}"),
                "each cell once",
            ));
        }
        set |= 1 << bit;
    }
    Ok(set)
}

/// The number of a cell of the board.
fn on_board(key: &str, board: Board, cell: u64) -> Result<u8, RuleFault> {
    let last = u64::from(board.cells()) - 1;
    if cell > last {
        return Err(RuleFault::of_key(
            key,
            format!("cell {cell}"),
            format!("cells of the board, 0 to {last}"),
        ));
    }
    Ok(cell as u8)
}

/// The sets that are written out as lines.
fn line_sets(key: &str, board: Board, sets: &[Vec<u64>]) -> Result<Vec<u64>, RuleFault> {
    let line = |cells: &Vec<u64>| {
        if cells.is_empty() {
            return Err(RuleFault::of_key(key, "an empty line", "lines of at least one cell"));
        }
        cell_set(key, board, cells)
    };
    let mut lines = sets.iter().map(line).collect::<Result<Vec<u64>, RuleFault>>()?;
    lines.sort_unstable();
    lines.dedup();
    check_number(lines.len() as u64)?;
    Ok(lines)
}

/// Refuses more lines than can be searched for those that contain another.
fn check_number(lines: u64) -> Result<(), RuleFault> {
    if lines > MAX_LISTED {
        return Err(RuleFault::of_key("lines", format!("{lines} lines"), "at most 4,096 lines"));
    }
    Ok(())
}

/// The lines, at least one, in any order and with those that contain another.
pub(super) fn lines(board: Board, table: &LinesTable) -> Result<Vec<u64>, RuleFault> {
    if let Some(sets) = &table.sets {
        let others = [
            ("length", table.length.is_some()),
            ("within", table.within.is_some()),
            ("gaps", table.gaps.is_some()),
            ("add", table.add.is_some()),
        ];
        if let Some((other, _)) = others.iter().find(|(_, given)| *given) {
            return Err(RuleFault::of_key(
                "lines",
                format!("`sets` and `{other}`"),
                "one form: `sets`, or `length` with its options",
            ));
        }
        let lines = line_sets("lines.sets", board, sets)?;
        if lines.is_empty() {
            return Err(RuleFault::of_key("lines.sets", "no line at all", "at least one line"));
        }
        return Ok(lines);
    }
    let Some(length) = table.length else {
        return Err(RuleFault::of_key("lines", "neither", "`length` or `sets`"));
    };
    let Board::Grid { rows, columns } = board else {
        return Err(RuleFault::of_key(
            "lines.length",
            format!("{length} on a board that is no grid"),
            "`sets`",
        ));
    };
    let gaps = table.gaps.unwrap_or(false);
    if gaps && table.within.is_none() {
        return Err(RuleFault::of_key(
            "lines.gaps",
            "`gaps` alone",
            "`within = \"full\"` beside it",
        ));
    }
    if length == 0 {
        return Err(RuleFault::of_key("lines.length", "0, an empty line", "at least 1"));
    }
    let length = length.min(u64::from(MAX_CELLS) + 1) as usize;
    let runs = grid::runs(rows, columns, table.within.is_some());
    if gaps {
        // Counted before they are listed: the halves of one row of 36 cells are 9,075,135,300.
        check_number(runs.iter().map(|run| binomial(run.len() as u32, length as u32)).sum())?;
    }
    let mut lines = Vec::new();
    for run in runs {
        if gaps {
            let chosen = subsets(run.len() as u32, length as u32);
            lines.extend(
                chosen.map(|chosen| cells(chosen).fold(0, |set, at| set | 1 << run[at as usize])),
            );
        } else {
            lines.extend(
                run.windows(length).map(|line| line.iter().fold(0u64, |set, cell| set | 1 << cell)),
            );
        }
    }
    if let Some(add) = &table.add {
        lines.extend(line_sets("lines.add", board, add)?);
    }
    if lines.is_empty() {
        let found = format!(
            "{length}, longer than every row of a board of {rows} rows and {columns} columns"
        );
        return Err(RuleFault::of_key("lines.length", found, "a length that fits"));
    }
    Ok(lines)
}

/// How pieces move.
pub(super) fn movement(board: Board, table: &MovesTable) -> Result<Movement, RuleFault> {
    if (table.to == To::Edges) != table.edges.is_some() {
        let found =
            if table.edges.is_some() { "`edges` without `to = \"edges\"`" } else { "no `edges`" };
        return Err(RuleFault::of_key(
            "moves.edges",
            found,
            "`to = \"edges\"` and `edges` together",
        ));
    }
    let links = |keep: fn(i32, i32, bool) -> bool| match board {
        Board::Grid { rows, columns } => Ok(Travel::Links(grid::links(rows, columns, keep))),
        _ => {
            let found = "moves along a grid on a board that is none";
            Err(RuleFault::of_key("moves.to", found, "`any` or `edges`"))
        }
    };
    let to = match table.to {
        To::Any => Travel::Any,
        To::Orthogonal => links(|down, right, _| down.abs() + right.abs() == 1)?,
        To::King => links(|_, _, _| true)?,
        To::Drawn => links(|down, right, even| even || down.abs() + right.abs() == 1)?,
        To::Edges => {
            let read = |&(a, b): &(u64, u64)| {
                if a == b {
                    return Err(RuleFault::of_key(
                        "moves.edges",
                        format!("[{a}, {b}]"),
                        "two different cells",
                    ));
                }
                Ok((on_board("moves.edges", board, a)?, on_board("moves.edges", board, b)?))
            };
            Travel::Links(table.edges.iter().flatten().map(read).collect::<Result<_, _>>()?)
        }
    };
    let mut movement = Movement::new(to);
    movement.stay = table.stay.unwrap_or(false);
    movement.stuck = match table.stuck {
        None | Some(Stuck::Loss) => Value::Loss,
        Some(Stuck::Draw) => Value::Draw,
        Some(Stuck::Win) => Value::Win,
    };
    Ok(movement)
}

/// The opening rule, where there is one.
pub(super) fn restriction(
    board: Board,
    table: &OpeningTable,
) -> Result<Option<Opening>, RuleFault> {
    let (forbidden, during) = match (&table.forbidden, table.during) {
        (Some(forbidden), Some(during)) => (forbidden, during),
        (None, None) => return Ok(None),
        (Some(_), None) => {
            return Err(RuleFault::of_key(
                "opening.during",
                "nothing",
                "`first`, `each-first` or `placing`",
            ));
        }
        (None, Some(_)) => {
            return Err(RuleFault::of_key(
                "opening.during",
                "`during` alone",
                "`forbidden` beside it",
            ));
        }
    };
    let during = match during {
        DuringKey::First => During::First,
        DuringKey::EachFirst => During::EachFirst,
        DuringKey::Placing => During::Placing,
    };
    Ok(Some(Opening { forbidden: cell_set("opening.forbidden", board, forbidden)?, during }))
}

/// Reads a preset start. `rules` are complete but for it: positions are read as those of the game without it.
pub(super) fn preset(rules: &Rules, text: &str) -> Result<Start, RuleFault> {
    let game = Game::new(rules.clone())?;
    let (position, side) = game.parse_position(text)?;
    let (x, o) = position.sides(side);
    Ok(Start { x, o, side })
}
