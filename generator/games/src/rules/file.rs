//! Rule files: the TOML text that describes a game.

use super::grid;
use morpion_lookup::raw::rank::{binomial, cells, subsets};
use morpion_lookup::{
    Board, During, Game, MAX_CELLS, Movement, Opening, Rules, Start, TextError, Travel, Value,
};
use serde::Deserialize;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

/// The longest rule file that is read, in bytes: room for twice the lines there may be, were each of all cells.
pub const MAX_BYTES: usize = 1 << 20;

/// The most different lines that are taken down before those that contain another are left out.
const MAX_LISTED: u64 = 1 << 16;

/// A rule file that describes no game.
#[derive(Debug, Error)]
#[error("{file}: {fault}")]
pub struct RuleFileError {
    /// The file, as it was named.
    pub file: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a rule file.
#[derive(Debug, Error)]
pub enum Fault {
    /// It could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is longer than `MAX_BYTES`.
    #[error("found more than {MAX_BYTES} bytes, expected a rule file of at most as many")]
    TooLong,
    /// It is no TOML, or has an unknown key or a value of the wrong type.
    #[error("TOML, line {line}, column {column}: {message}")]
    Toml {
        /// The line, from 1.
        line: usize,
        /// The character of the line, from 1.
        column: usize,
        /// What is wrong there, in one line.
        message: String,
    },
    /// Sound TOML, unsound rules.
    #[error("{key}: found {found}, expected {expected}")]
    Rules {
        /// The key.
        key: String,
        /// What stands there.
        found: String,
        /// What should.
        expected: String,
    },
    /// An illegal start.
    #[error("opening.start: {0}")]
    Start(#[from] TextError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    name: String,
    title: Option<String>,
    board: BoardTable,
    lines: LinesTable,
    pieces: Option<PiecesTable>,
    moves: Option<MovesTable>,
    opening: Option<OpeningTable>,
    goal: Option<GoalTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardTable {
    rows: Option<u64>,
    columns: Option<u64>,
    cells: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinesTable {
    length: Option<u64>,
    within: Option<Within>,
    gaps: Option<bool>,
    sets: Option<Vec<Vec<u64>>>,
    add: Option<Vec<Vec<u64>>>,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Within {
    Full,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PiecesTable {
    each: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MovesTable {
    to: To,
    edges: Option<Vec<(u64, u64)>>,
    stay: Option<bool>,
    stuck: Option<Stuck>,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum To {
    Any,
    Orthogonal,
    King,
    Drawn,
    Edges,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stuck {
    Loss,
    Draw,
    Win,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpeningTable {
    forbidden: Option<Vec<u64>>,
    during: Option<DuringKey>,
    start: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DuringKey {
    First,
    EachFirst,
    Placing,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalTable {
    misere: Option<bool>,
}

/// Reads the rule file at `path`, of which no more than `MAX_BYTES` are taken into memory.
///
/// # Errors
/// One that names the file, the key, what was found and what was expected.
pub fn read(path: &Path) -> Result<Game, RuleFileError> {
    let text = bytes(path).and_then(|bytes| {
        let fault = || {
            io::Error::new(
                io::ErrorKind::InvalidData,
                "found bytes that are no UTF-8, expected text",
            )
        };
        Ok(String::from_utf8(bytes).map_err(|_| fault())?)
    });
    text.and_then(|text| game(&text))
        .map_err(|fault| RuleFileError { file: path.display().to_string(), fault })
}

fn bytes(path: &Path) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_BYTES { Err(Fault::TooLong) } else { Ok(bytes) }
}

/// Reads the rules in `text`; `file` names them in errors.
///
/// # Errors
/// As [`read`].
pub fn parse(file: &str, text: &str) -> Result<Game, RuleFileError> {
    game(text).map_err(|fault| RuleFileError { file: file.into(), fault })
}

fn game(text: &str) -> Result<Game, Fault> {
    if text.len() > MAX_BYTES {
        return Err(Fault::TooLong);
    }
    let file: RuleFile = toml::from_str(text).map_err(|error| no_toml(text, &error))?;
    let board = board(&file.board)?;
    let mut rules = Rules::new(file.name, board, lines(board, &file.lines)?);
    if let Some(title) = file.title {
        rules.title = title;
    }
    rules.pieces = file.pieces.map(|pieces| narrow("pieces.each", pieces.each)).transpose()?;
    rules.movement = file.moves.as_ref().map(|moves| movement(board, moves)).transpose()?;
    rules.opening =
        file.opening.as_ref().map_or(Ok(None), |opening| restriction(board, opening))?;
    rules.misere = file.goal.and_then(|goal| goal.misere).unwrap_or(false);
    rules.normalise();
    if let Some(start) = file.opening.as_ref().and_then(|opening| opening.start.as_ref()) {
        if let Some(opening) = file.opening.as_ref().filter(|opening| opening.forbidden.is_some()) {
            let found = format!(
                "`start` and `forbidden` = {:?}",
                opening.forbidden.as_deref().unwrap_or_default()
            );
            return Err(fault("opening", found, "one of them: nothing is placed after `start`"));
        }
        rules.start = Some(preset(&rules, start)?);
    }
    Game::new(rules).map_err(|error| fault(error.key, error.found, error.expected))
}

fn no_toml(text: &str, error: &toml::de::Error) -> Fault {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line_begins = before.rfind('\n').map_or(0, |newline| newline + 1);
    Fault::Toml {
        line: before.matches('\n').count() + 1,
        column: before[line_begins..].chars().count() + 1,
        message: error.message().lines().collect::<Vec<_>>().join(", "),
    }
}

fn fault(key: &str, found: impl Into<String>, expected: impl Into<String>) -> Fault {
    Fault::Rules { key: key.into(), found: found.into(), expected: expected.into() }
}

fn narrow(key: &str, number: u64) -> Result<u8, Fault> {
    u8::try_from(number).map_err(|_| fault(key, number.to_string(), "a number below 256"))
}

fn board(table: &BoardTable) -> Result<Board, Fault> {
    let board = match (table.rows, table.columns, table.cells) {
        (Some(rows), Some(columns), None) => {
            if columns > 26 {
                return Err(fault("board.columns", columns.to_string(), "at most 26 columns"));
            }
            Board::Grid {
                rows: narrow("board.rows", rows)?,
                columns: narrow("board.columns", columns)?,
            }
        }
        (None, None, Some(cells)) => Board::Plain { cells: narrow("board.cells", cells)? },
        (None, None, None) => {
            return Err(fault("board", "neither", "`rows` and `columns`, or `cells`"));
        }
        (_, _, Some(_)) => {
            return Err(fault("board", "`cells` beside `rows` or `columns`", "one or the other"));
        }
        (None, ..) => return Err(fault("board", "`columns` alone", "`rows` beside it")),
        (_, None, _) => return Err(fault("board", "`rows` alone", "`columns` beside it")),
    };
    let cells = board.cells();
    if cells == 0 || cells > u32::from(MAX_CELLS) {
        return Err(fault("board", format!("{cells} cells"), format!("1 to {MAX_CELLS} cells")));
    }
    Ok(board)
}

/// The set of the cells that are named, each once.
fn cell_set(key: &str, board: Board, cells: &[u64]) -> Result<u64, Fault> {
    let mut set = 0u64;
    for &cell in cells {
        let bit = off_board(key, board, cell)?;
        if set & 1 << bit != 0 {
            let among = &cells[..cells.len().min(usize::from(MAX_CELLS))];
            return Err(fault(key, format!("cell {cell} twice in {among:?}"), "each cell once"));
        }
        set |= 1 << bit;
    }
    Ok(set)
}

fn off_board(key: &str, board: Board, cell: u64) -> Result<u8, Fault> {
    let last = u64::from(board.cells()) - 1;
    if cell > last {
        return Err(fault(key, format!("cell {cell}"), format!("cells of the board, 0 to {last}")));
    }
    Ok(cell as u8)
}

fn line_sets(key: &str, board: Board, sets: &[Vec<u64>]) -> Result<Vec<u64>, Fault> {
    let line = |cells: &Vec<u64>| {
        if cells.is_empty() {
            return Err(fault(key, "an empty line", "lines of at least one cell"));
        }
        cell_set(key, board, cells)
    };
    let mut lines = sets.iter().map(line).collect::<Result<Vec<u64>, Fault>>()?;
    lines.sort_unstable();
    lines.dedup();
    check_number(lines.len() as u64)?;
    Ok(lines)
}

/// Refuses more lines than can be looked through for those that contain another.
fn check_number(lines: u64) -> Result<(), Fault> {
    if lines > MAX_LISTED {
        return Err(fault("lines", format!("{lines} lines"), "at most 4,096 lines"));
    }
    Ok(())
}

fn lines(board: Board, table: &LinesTable) -> Result<Vec<u64>, Fault> {
    if let Some(sets) = &table.sets {
        let others = [
            ("length", table.length.is_some()),
            ("within", table.within.is_some()),
            ("gaps", table.gaps.is_some()),
            ("add", table.add.is_some()),
        ];
        if let Some((other, _)) = others.iter().find(|(_, given)| *given) {
            return Err(fault(
                "lines",
                format!("`sets` and `{other}`"),
                "one form: `sets`, or `length` with its options",
            ));
        }
        let lines = line_sets("lines.sets", board, sets)?;
        if lines.is_empty() {
            return Err(fault("lines.sets", "no line at all", "at least one line"));
        }
        return Ok(lines);
    }
    let Some(length) = table.length else {
        return Err(fault("lines", "neither", "`length` or `sets`"));
    };
    let Board::Grid { rows, columns } = board else {
        return Err(fault(
            "lines.length",
            format!("{length} on a board that is no grid"),
            "`sets`",
        ));
    };
    let gaps = table.gaps.unwrap_or(false);
    if gaps && table.within.is_none() {
        return Err(fault("lines.gaps", "`gaps` alone", "`within = \"full\"` beside it"));
    }
    if length == 0 {
        return Err(fault("lines.length", "0, an empty line", "at least 1"));
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
        return Err(fault("lines.length", found, "a length that fits"));
    }
    Ok(lines)
}

fn movement(board: Board, table: &MovesTable) -> Result<Movement, Fault> {
    if (table.to == To::Edges) != table.edges.is_some() {
        let found =
            if table.edges.is_some() { "`edges` without `to = \"edges\"`" } else { "no `edges`" };
        return Err(fault("moves.edges", found, "`to = \"edges\"` and `edges` together"));
    }
    let links = |keep: fn(i32, i32, bool) -> bool| match board {
        Board::Grid { rows, columns } => Ok(Travel::Links(grid::links(rows, columns, keep))),
        _ => {
            let found = "moves along a grid on a board that is none";
            Err(fault("moves.to", found, "`any` or `edges`"))
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
                    return Err(fault("moves.edges", format!("[{a}, {b}]"), "two different cells"));
                }
                Ok((off_board("moves.edges", board, a)?, off_board("moves.edges", board, b)?))
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

fn restriction(board: Board, table: &OpeningTable) -> Result<Option<Opening>, Fault> {
    let (forbidden, during) = match (&table.forbidden, table.during) {
        (Some(forbidden), Some(during)) => (forbidden, during),
        (None, None) => return Ok(None),
        (Some(_), None) => {
            return Err(fault("opening.during", "nothing", "`first`, `each-first` or `placing`"));
        }
        (None, Some(_)) => {
            return Err(fault("opening.during", "`during` alone", "`forbidden` beside it"));
        }
    };
    let during = match during {
        DuringKey::First => During::First,
        DuringKey::EachFirst => During::EachFirst,
        DuringKey::Placing => During::Placing,
    };
    Ok(Some(Opening { forbidden: cell_set("opening.forbidden", board, forbidden)?, during }))
}

/// Reads a preset start. The rules are complete but for it; their own reader knows how positions are written.
fn preset(rules: &Rules, text: &str) -> Result<Start, Fault> {
    let game =
        Game::new(rules.clone()).map_err(|error| fault(error.key, error.found, error.expected))?;
    let (position, side) = game.parse_position(text)?;
    let (x, o) = position.sides(side);
    Ok(Start { x, o, side })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(body: &str) -> Result<Game, RuleFileError> {
        parse("t.toml", &format!("name = \"t\"\n{body}"))
    }

    #[test]
    fn lines_of_the_three_forms() {
        let count = |body: &str| of(body).unwrap().rules().lines.len();
        let square =
            |n: u32, lines: &str| format!("[board]\nrows = {n}\ncolumns = {n}\n[lines]\n{lines}");
        assert_eq!(count(&square(3, "length = 3")), 8);
        assert_eq!(count(&square(5, "length = 4")), 28);
        assert_eq!(count(&square(5, "length = 4\nwithin = \"full\"")), 24);
        assert_eq!(count(&square(5, "length = 4\nwithin = \"full\"\ngaps = true")), 60);
        assert_eq!(count(&square(4, "length = 4\nwithin = \"full\"")), 10);
        assert_eq!(count(&square(5, "length = 4\nadd = [[0, 1, 5, 6]]")), 29);
        assert_eq!(
            count("[board]\nrows = 3\ncolumns = 4\n[lines]\nlength = 3\nwithin = \"full\""),
            6 + 4
        );
        assert_eq!(count("[board]\ncells = 5\n[lines]\nsets = [[0, 1], [1, 0], [0, 1, 2]]"), 1);
    }

    #[test]
    fn links_of_a_grid() {
        let links = |to: &str| {
            let body = format!(
                "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n[pieces]\neach = 3\n[moves]\nto = \"{to}\""
            );
            match &of(&body).unwrap().rules().movement.as_ref().unwrap().to {
                Travel::Links(links) => links.len(),
                _ => 0,
            }
        };
        assert_eq!(
            (links("orthogonal"), links("king"), links("drawn"), links("any")),
            (12, 20, 16, 0)
        );
    }

    #[test]
    fn faults_name_the_key() {
        let board = "[board]\nrows = 3\ncolumns = 3\n";
        let lines = "[lines]\nlength = 3\n";
        for (body, expected) in [
            (format!("colour = 1\n{board}{lines}"), "unknown field `colour`"),
            (format!("{board}deep = 2\n{lines}"), "unknown field `deep`"),
            ("[board]\nrows = 3\n[lines]\nlength = 3".into(), "`columns` beside it"),
            ("[board]\nrows = 7\ncolumns = 6\n[lines]\nlength = 3".into(), "42 cells"),
            ("[board]\nrows = 1\ncolumns = 27\n[lines]\nlength = 3".into(), "at most 26 columns"),
            (format!("{board}[lines]\nlength = 4"), "longer than every row"),
            (format!("{board}[lines]\nlength = 0"), "an empty line"),
            (format!("{board}[lines]\nsets = [[]]"), "an empty line"),
            (format!("{board}[lines]\nsets = [[0, 9]]"), "cell 9"),
            (format!("{board}[lines]\nsets = [[1, 1]]"), "cell 1 twice"),
            (format!("{board}[lines]\nlength = 3\nsets = [[0]]"), "`sets` and `length`"),
            (format!("{board}[lines]\nlength = 3\ngaps = true"), "`gaps` alone"),
            (
                "[board]\nrows = 36\ncolumns = 1\n[lines]\nlength = 18\nwithin = \"full\"\ngaps = true"
                    .into(),
                "found 9075135300 lines, expected at most 4,096",
            ),
            (format!("{board}[lines]\nsets = [{:?}]", [1; 99]), "cell 1 twice in [1, 1, "),
            (format!("{board}{lines}[pieces]\neach = 5"), "pieces.each: found 5"),
            (format!("{board}{lines}[moves]\nto = \"any\""), "`[pieces]` with `each`"),
            (
                format!(
                    "{board}{lines}[pieces]\neach = 3\n[moves]\nto = \"any\"\nedges = [[0, 1]]"
                ),
                "`edges` without",
            ),
            (format!("{board}{lines}[pieces]\neach = 3\n[moves]\nto = \"edges\""), "no `edges`"),
            (
                format!("{board}{lines}[pieces]\neach = 3\n[moves]\nstay = true"),
                "missing field `to`",
            ),
            (format!("{board}{lines}[opening]\nforbidden = [4]"), "opening.during"),
            (format!("{board}{lines}[opening]\nduring = \"first\""), "`forbidden` beside it"),
            (format!("{board}{lines}[opening]\nforbidden = [9]\nduring = \"first\""), "cell 9"),
            (format!("{board}{lines}[opening]\nstart = \"XXX/.../OOO x\""), "opening.start"),
        ] {
            let error = of(&body).expect_err(&body).to_string();
            assert!(error.starts_with("t.toml: ") && error.contains(expected), "{body}\n{error}");
        }
        let moving = format!(
            "{board}[lines]\nsets = [[0, 4, 8]]\n[pieces]\neach = 3\n[moves]\nto = \"any\"\n[opening]\n"
        );
        for start in
            ["XX./.../OOO x", "XXX/.../OOO", "X../.X./OOX x", "XXX/..O/OO o x", "XXXX/.../OOO x"]
        {
            let error = of(&format!("{moving}start = \"{start}\"")).expect_err(start).to_string();
            assert!(error.contains("opening.start"), "{error}");
        }
        of(&format!("{moving}start = \"XXX/.../OOO x\"")).unwrap();
    }

    #[test]
    fn what_is_too_long_is_refused_and_what_is_not_is_read() {
        let text = "name = \"t\"\n[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3\n#";
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.toml");
        // The last one is cut off in the middle of a character.
        for (filler, bytes) in [("x", MAX_BYTES), ("x", MAX_BYTES + 1), ("é", 2 * MAX_BYTES)] {
            let padded = text.to_owned() + &filler.repeat((bytes - text.len()) / filler.len());
            std::fs::write(&file, &padded).unwrap();
            for game in [read(&file), parse("t", &padded)] {
                match game {
                    Ok(_) => assert_eq!(padded.len(), MAX_BYTES),
                    Err(error) => {
                        assert!(matches!(error.fault, Fault::TooLong), "{error}");
                        assert!(padded.len() > MAX_BYTES);
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_toml_is_told_in_one_line_with_its_place() {
        for (text, place) in [
            ("this is no TOML", "TOML, line 1, column 6: "),
            ("name = \"é\" x\n", "TOML, line 1, column 12: "),
            ("name = \"x\"\n\nrows = [1,\n", "TOML, line 3, column 11: "),
            ("", "TOML, line 1, column 1: missing field `name`"),
        ] {
            let error = parse("t.toml", text).expect_err(text).to_string();
            assert!(error.starts_with(&format!("t.toml: {place}")), "{text}\n{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}
