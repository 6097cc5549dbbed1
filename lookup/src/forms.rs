//! Boards as other programs write them, rewritten as rows: lists, spaces for empty cells, and drawings.
//!
//! [`forms`] gives the rows that a text may mean. Reading them decides: only a form with the size of the board is a position.

use alloc::string::String;
use alloc::vec::Vec;

/// Characters that are a cell in every form.
const MARKS: &str = "XxOo12WwBb._#0";

/// The rows that a board with so many columns may mean, if its text itself does not have the size of the board.
pub(crate) fn forms(text: &str, columns: usize) -> impl Iterator<Item = String> {
    [items(text), blanks(text, columns), drawing(text, columns)].into_iter().flatten()
}

/// Lists: `1,0,-1`, `["X", null, "O"]`, `x,o,b`, `X,,O`, and numbers with spaces between them. -1 is O.
fn items(text: &str) -> Option<String> {
    // The side to move is a letter of its own after the last item.
    let is_side = |(list, side): &(&str, &str)| {
        side.len() == 1 && "xXoOwWbB".contains(*side) && !list.trim_end().ends_with(',')
    };
    let (text, side) =
        text.trim().rsplit_once(char::is_whitespace).filter(is_side).unwrap_or((text, ""));
    let (has_commas, is_nested) = (text.contains(','), text.contains(['[', '(']));
    let is_white = text.contains(['w', 'W']);
    let mut rows = String::new();
    for row in text.split(['[', ']', '(', ')', '/', ';', '\n']) {
        let is_structure = row.chars().all(|c| c == ',' || c.is_whitespace());
        if is_structure && (is_nested || row.trim().is_empty()) {
            continue;
        }
        for item in row.split(|c: char| if has_commas { c == ',' } else { c.is_whitespace() }) {
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
    (is_board && (has_commas || text.contains("-1"))).then(|| rows + " " + side)
}

/// Spaces for empty cells, if nothing else is an empty cell.
fn blanks(text: &str, columns: usize) -> Option<String> {
    let rows = text.trim_matches(['\n', '\r']).replace('\r', "").replace('\n', "/");
    let last = rows.rsplit('/').next().map_or(0, str::len);
    // The side to move is a letter of its own after the last row.
    let (board, side) = rows.split_at_checked(
        rows.len().checked_sub(2).filter(|_| last == columns + 2).unwrap_or(rows.len()),
    )?;
    let is_blank = board.contains(' ') && !board.contains(['.', '_', '-', '|', ',']);
    is_blank.then(|| board.replace(' ', ".") + side)
}

/// Lines of a drawing: cells between bars, or marks between other strokes. Columns and rows may have names.
fn drawing(text: &str, columns: usize) -> Option<String> {
    let text = text.replace(['│', '║'], "|").replace(['─', '═', '┼', '╬', '+', '='], "-");
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let names = |line: &str| {
        line.split_whitespace().map(str::as_bytes).eq((b'a'..).take(columns).map(|c| [c]))
    };
    let is_named = text.lines().any(names);
    // Links between cells are drawn as strokes beside marks. Between bars is a cell otherwise.
    let is_linked =
        MARKS.chars().any(|mark| text.contains(&[mark, '-', '-'].iter().collect::<String>()));
    let mut rows = String::new();
    for line in lines.filter(|line| !names(line)) {
        let is_name = |c: char| is_named && (c.is_ascii_digit() || c == ' ');
        let line = line.trim_start_matches(is_name);
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let cells = if cells.len() == columns + 2 { &cells[1..=columns] } else { &cells[..] };
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
    let is_board = rows.chars().all(|c| "/ ".contains(c) || MARKS.contains(c));
    (is_board && text.trim().contains('\n')).then(|| rows.trim_start_matches('/').into())
}
