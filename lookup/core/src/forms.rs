//! Rewrites other notations of a board as rows: lists, drawings, and rows with spaces for empty cells.
//!
//! [`forms`] gives several readings of a text. The caller parses them as rows and takes the first one that has the size of the board.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Characters that each stand for one cell in every form.
const MARKS: &str = "XxOo12WwBb._#0";

/// The rows that a text may mean if it is not written as rows itself. `columns` and `cells` are the size of the game's board.
pub(crate) fn forms(text: &str, columns: usize, cells: usize) -> impl Iterator<Item = String> {
    let forms = [items(text), blanks(text, columns), runs(text, columns), numbered(text, cells)];
    forms.into_iter().chain([drawing(text, columns)]).flatten()
}

/// Removes the fractions from a text of numbers if all fractions are 0: otherwise `1.0 0.0 2.0` could be read as nine cells.
pub(crate) fn without_fractions(text: &str) -> Option<Cow<'_, str>> {
    let is_side = |word: &str| word.len() == 1 && "XxOo".contains(word);
    let is_whole = |word: &str| {
        let (whole, zeros) = word.split_once('.').unwrap_or((word, "x"));
        ["0", "1", "2", "-0", "-1"].contains(&whole) && zeros.chars().all(|zero| zero == '0')
    };
    let is_stroke = |word: &str| word.chars().all(|c| "-+=".contains(c));
    let mut words = text.split(|c: char| c.is_whitespace() || ",|[]()".contains(c));
    let are_numbers = words.all(|word| is_stroke(word) || is_side(word) || is_whole(word));
    let mut is_fraction = false;
    let is_kept = |c: &char| {
        is_fraction = *c == '.' || is_fraction && *c == '0';
        !is_fraction
    };
    (text.contains('.') && are_numbers).then(|| text.chars().filter(is_kept).collect())
}

/// Rewrites a blank last cell before the side to move as `.`: `X|O|  x` becomes `X|O|.` with x to move. The last letter is the side, not a
/// cell, if more blanks precede it than any other letter.
pub(crate) fn blank_before_side(text: &str) -> Cow<'_, str> {
    let Some(end) = text.rfind([',', '|', '\t']) else { return text.into() };
    let (board, last) = text.split_at(end + 1);
    let blanks = |item: &str| item.len() - item.trim_start_matches(' ').len();
    let items = || board.split([',', '|', '\t', '\n', '/', ';']);
    let marked = items().filter(|item| item.contains(char::is_alphanumeric)).map(blanks).max();
    // Without other letters, the limit is the width of the widest blank cell, at most 1.
    let most = marked.unwrap_or_else(|| items().map(blanks).max().unwrap_or(0).min(1));
    let side = last.trim();
    let is_side = side.len() == 1 && "XxOoWwBb".contains(side) && blanks(last) > most;
    if is_side { (board.to_string() + ".\n" + side).into() } else { text.into() }
}

/// Lists: `1,0,-1`, `["X", null, "O"]`, `x,o,b`, `X,,O`, cells of a sheet with tabs between them, and numbers with spaces. -1 is O.
fn items(text: &str) -> Option<String> {
    // The side to move is a single letter after the last item.
    let is_side = |(list, side): &(&str, &str)| {
        side.len() == 1 && "xXoOwWbB".contains(*side) && !list.trim_end().ends_with(',')
    };
    let text = text.trim_matches([' ', '\r', '\n']);
    let (text, side) = text.rsplit_once([' ', '\n']).filter(is_side).unwrap_or((text, ""));
    let separator = [',', '\t'].into_iter().find(|&separator| text.contains(separator));
    let (has_commas, is_nested) = (separator.is_some(), text.contains(['[', '(']));
    // A list may be printed with its type in front, as in `array([…])`.
    let is_type =
        |(word, _): &(&str, &str)| word.len() > 1 && word.chars().all(char::is_alphabetic);
    let text = text.split_once('(').filter(is_type).map_or(text, |(_, list)| list);
    let is_white = text.contains(['w', 'W']);
    let mut rows = String::new();
    for row in text.split(['[', ']', '(', ')', '/', ';', '\n']) {
        let is_structure = row.chars().all(|c| c == ',' || c.is_whitespace());
        if is_structure && (is_nested || row.trim_matches([' ', '\r']).is_empty()) {
            continue;
        }
        for item in row.split(|c: char| separator.map_or(c.is_whitespace(), |found| c == found)) {
            let item = item.trim();
            let quoted = ['"', '\''].map(|quote| item.strip_prefix(quote)?.strip_suffix(quote));
            let quoted = quoted[0].or(quoted[1]);
            match (quoted.unwrap_or(item), item.parse::<f32>()) {
                (_, Ok(1.0)) => rows.push('1'),
                (_, Ok(2.0 | -1.0)) => rows.push('2'),
                (_, Ok(0.0)) => rows.push('0'),
                ("b" | "B", _) if has_commas && !is_white => rows.push('.'),
                ("null" | "None" | "nan" | "NaN", _) => rows.push('.'),
                ("", _) if quoted.is_some() || has_commas && !is_nested => rows.push('.'),
                (word, _) if quoted.is_some() => rows.push_str(&word.replace(' ', ".")),
                (word, _) => rows.push_str(word),
            }
        }
        rows.push('/');
    }
    rows.pop();
    let is_board = rows.chars().all(|c| "/-".contains(c) || MARKS.contains(c));
    (is_board && (has_commas || is_nested || text.contains("-1"))).then(|| rows + " " + side)
}

/// Spaces for empty cells, if nothing else is an empty cell.
fn blanks(text: &str, columns: usize) -> Option<String> {
    let rows = text.trim_matches(['\n', '\r']).replace('\r', "").replace('\n', "/");
    let last = rows.rsplit('/').next().map_or(0, str::len);
    // The side to move is a single letter after the last row.
    let (board, side) = rows.split_at_checked(
        rows.len().checked_sub(2).filter(|_| last == columns + 2).unwrap_or(rows.len()),
    )?;
    let is_blank = board.contains(' ') && !board.contains(['.', '_', '-', '|', ',']);
    is_blank.then(|| board.replace(' ', ".") + side)
}

/// Rows in which a digit n stands for n empty cells, as in FEN, the notation of chess: `X2/1O1/3 x`. Further fields of FEN are ignored.
fn runs(text: &str, columns: usize) -> Option<String> {
    let mut fields = text.split_whitespace();
    let board = fields.next().filter(|board| board.contains('/'))?;
    let run = |mark: char| mark.to_digit(10).map_or(mark.into(), |run| ".".repeat(run as usize));
    let rows: Vec<String> = board.split('/').map(|row| row.chars().map(run).collect()).collect();
    let has_runs = board.contains(|mark| ('2'..='9').contains(&mark));
    let are_whole = has_runs && rows.iter().all(|row| row.len() == columns);
    are_whole.then(|| rows.join("/") + " " + fields.next().unwrap_or_default())
}

/// Boards whose empty cells contain their numbers, from 0 or from 1. Some number must be above 2, because 0 to 2 could be marks. A text
/// without X and O must be a drawing.
fn numbered(text: &str, cells: usize) -> Option<String> {
    let is_mark = |c: char| c.is_ascii_alphanumeric();
    let words: Vec<&str> = match cells {
        ..10 => text.matches(is_mark).collect(),
        _ => text.split(|c| !is_mark(c)).filter(|word| !word.is_empty()).collect(),
    };
    let read = |first| {
        let cells = words.iter().enumerate();
        cells.map(|(at, &word)| if word.parse() == Ok(at + first) { "." } else { word }).collect()
    };
    let is_board = |marks: &Vec<&str>| marks.iter().all(|mark| "XxOo.".contains(mark));
    let is_high = words.iter().any(|word| word.parse().is_ok_and(|number: u64| number > 2));
    let is_drawn = text.contains(['|', '\n', 'X', 'x', 'O', 'o']);
    let marks = [0, 1].map(read).into_iter().find(is_board).filter(|_| is_high && is_drawn)?;
    let (board, side) = marks.split_at_checked(cells)?;
    Some(board.concat() + " " + &side.concat())
}

/// The rows of a drawing, which has cells between bars, or marks between other strokes. Columns and rows may have names.
fn drawing(text: &str, columns: usize) -> Option<String> {
    let text = text.replace(['│', '║'], "|").replace(['─', '═', '┼', '╬', '+', '='], "-");
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let names = (*b"aA01").map(|first| (first..).take(columns).map(char::from).collect::<String>());
    let is_names = |line: &&str| names.contains(&line.split_whitespace().collect());
    let header = text.lines().find(is_names);
    let is_lettered = header.is_some_and(|line| line.contains(['a', 'A']));
    // Strokes beside marks are links between cells. Then a bar is a link too, and does not separate cells.
    let is_linked =
        MARKS.chars().any(|mark| text.contains(&[mark, '-', '-'].iter().collect::<String>()));
    let (mut rows, mut labels) = (String::new(), Vec::new());
    for line in lines.filter(|line| !is_names(line)) {
        let radix = if is_lettered { 10 } else { 36 };
        let label = |(name, row)| Some((u32::from_str_radix(name, radix).ok()?, row));
        let labelled = line.trim_start().split_once(' ').filter(|_| header.is_some());
        let line = labelled.and_then(label).map_or(line, |(label, row)| {
            labels.push(label);
            row
        });
        let cells: Vec<&str> = line.split('|').map(|cell| cell.trim().trim_matches('_')).collect();
        let cells = match cells.len().checked_sub(columns) {
            Some(2) => &cells[1..=columns],
            Some(1) if header.is_some() && cells[0].is_empty() => &cells[1..],
            _ => &cells[..],
        };
        let strokes: String = line.chars().filter(|c| !"-|/\\ \t\r".contains(*c)).collect();
        let separator = if strokes.len() == 1 && "XxOoWwBb".contains(&strokes) { ' ' } else { '/' };
        let is_barred = columns > 1 && cells.len() == columns;
        if is_barred && !is_linked && cells.iter().all(|cell| cell.len() < 2) {
            rows.push('/');
            rows.extend(cells.iter().map(|cell| if cell.is_empty() { "." } else { cell }));
        } else if !strokes.is_empty() {
            rows.push(separator);
            rows.push_str(&strokes);
        }
    }
    // Names of rows that are digits could be marks. They are names if every row has one and they count up or down.
    let counts = |up: usize| labels.windows(2).all(|pair| pair[up] == pair[1 - up] + 1);
    let are_names = labels.len() == rows.matches('/').count() && (counts(0) || counts(1));
    let is_certain = header.is_none() || are_names || is_lettered && labels.is_empty();
    let is_board = is_certain && rows.chars().all(|c| "/ ".contains(c) || MARKS.contains(c));
    (is_board && text.trim().contains('\n')).then(|| rows.trim_start_matches('/').into())
}
