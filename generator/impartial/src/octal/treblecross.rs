//! Treblecross in its own notation: both sides place crosses on a row of cells, and three in a row win.
//!
//! If two crosses are adjacent or have one cell between them, the other side can complete a line. So nobody uses the
//! two cells on each side of a cross, and `n` adjacent playable cells are a heap of `n + 2` in 0.007.

use crate::{TextError, outcome};
use morpion_grundy::{GrundyError, GrundyTable};
use serde::Serialize;

/// The answer to a row. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowAnswer {
    /// The code, 0.007.
    pub code: &'static str,
    /// The row, with `X` and `.`.
    pub row: String,
    /// Heaps of the sum, from the left; empty if a line is complete or can be completed at once.
    pub heaps: Vec<u64>,
    /// Values of the heaps.
    pub values: Vec<u64>,
    /// Value of the row; `None` if a line is complete or can be completed at once.
    pub value: Option<u64>,
    /// `win` or `loss` for the side to move.
    pub outcome: &'static str,
    /// Every winning cell, from 1 on the left.
    pub moves: Vec<usize>,
    /// `line` if three crosses are adjacent; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<&'static str>,
}

/// Reads a row: `X` or `x` is a cross, and `.`, `-` or `_` is a free cell.
///
/// # Errors
/// If the text has other characters.
pub fn parse(text: &str) -> Result<Vec<bool>, TextError> {
    let text = text.trim();
    let is_cross = |(at, c): (usize, char)| match c {
        'X' | 'x' => Ok(true),
        '.' | '-' | '_' => Ok(false),
        _ => Err(TextError(format!("row {text:?}: {c:?} at cell {}, expected X or .", at + 1))),
    };
    text.chars().enumerate().map(is_cross).collect()
}

/// Returns true if a text is a row rather than a heap: it has no digits.
#[must_use]
pub fn is_row(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && !text.chars().any(|c| c.is_ascii_digit())
}

/// Answers a row from a `table` of 0.007, which has to contain the heap with two more counters than the row has cells.
///
/// # Errors
/// If the table cannot answer a heap.
pub fn answer(table: &GrundyTable, row: &[bool]) -> Result<RowAnswer, GrundyError> {
    let mut answer = RowAnswer {
        code: "0.007",
        row: row.iter().map(|x| if *x { 'X' } else { '.' }).collect(),
        heaps: vec![],
        values: vec![],
        value: None,
        outcome: outcome(false),
        moves: vec![],
        over: None,
    };
    if has_line(row) {
        answer.over = Some("line");
        return Ok(answer);
    }
    let around = |cell: usize| cell.saturating_sub(2)..(cell + 3).min(row.len());
    let completes_line = |cell: &usize| {
        let mut row = row.to_vec();
        row[*cell] = true;
        has_line(&row[around(*cell)])
    };
    let at_once = (0..row.len()).filter(|cell| !row[*cell] && completes_line(cell));
    answer.moves = at_once.map(|cell| cell + 1).collect();
    if !answer.moves.is_empty() {
        answer.outcome = outcome(true);
        return Ok(answer);
    }
    let is_playable = |cell: &usize| !row[around(*cell)].contains(&true);
    let playable: Vec<usize> = (0..row.len()).filter(is_playable).collect();
    let runs: Vec<&[usize]> = playable.chunk_by(|cell, next| cell + 1 == *next).collect();
    answer.heaps = runs.iter().map(|run| run.len() as u64 + 2).collect();
    answer.values = answer.heaps.iter().map(|heap| table.heap(*heap)).collect::<Result<_, _>>()?;
    let sum = answer.values.iter().fold(0, |sum, value| sum ^ value);
    answer.value = Some(sum);
    answer.outcome = outcome(sum != 0);
    for (run, value) in runs.iter().zip(&answer.values).filter(|_| sum != 0) {
        for (before, cell) in (0..).zip(*run) {
            // A cross leaves the cells before it and after it as heaps.
            if table.heap(before)? ^ table.heap(run.len() as u64 - 1 - before)? == sum ^ value {
                answer.moves.push(cell + 1);
            }
        }
    }
    Ok(answer)
}

fn has_line(row: &[bool]) -> bool {
    row.windows(3).any(|three| three == [true; 3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::octal::{Task, table};
    use morpion_machine::progress::Unobserved;
    use std::collections::HashMap;

    /// Decides from the rules alone whether the side to move wins: three in a row win.
    fn wins(row: u32, cells: usize, known: &mut HashMap<u32, bool>) -> bool {
        if let Some(win) = known.get(&row) {
            return *win;
        }
        let win = (0..cells).filter(|c| row >> c & 1 == 0).any(|c| {
            let next = row | 1 << c;
            next & next >> 1 & next >> 2 != 0 || !wins(next, cells, known)
        });
        known.insert(row, win);
        win
    }

    #[test]
    fn rows_agree_with_the_rules() {
        let code = "0.007".parse().unwrap();
        let (header, values) = table::solved(&code, Task::all(64), &Unobserved).unwrap();
        let table = table::in_memory(&header, &values).unwrap();
        for cells in 3..=14 {
            let mut known = HashMap::new();
            for bits in 0_u32..1 << cells {
                let row: Vec<bool> = (0..cells).map(|c| bits >> c & 1 != 0).collect();
                let found = answer(&table, &row).unwrap();
                if bits & bits >> 1 & bits >> 2 != 0 {
                    assert_eq!(found.over, Some("line"));
                    continue;
                }
                assert_eq!(found.outcome == "win", wins(bits, cells, &mut known), "{}", found.row);
                let expected: Vec<usize> = (0..cells)
                    .filter(|c| bits >> c & 1 == 0)
                    .filter(|c| {
                        let next = bits | 1 << c;
                        next & next >> 1 & next >> 2 != 0 || !wins(next, cells, &mut known)
                    })
                    .map(|c| c + 1)
                    .collect();
                assert_eq!(found.moves, expected, "{}", found.row);
            }
        }
    }
}
