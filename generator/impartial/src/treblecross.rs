//! Treblecross in its own words: a row of cells, both sides play crosses, three in a row win.
//!
//! A cross beside another, or with one cell between, gives the game away; so a cross takes the two cells on each side of it out of play, and
//! a stretch of `n` free cells is a heap of `n + 2` in 0.007.

use super::outcome::outcome;
use anyhow::bail;
use morpion_grundy::{GrundyError, GrundyTable};
use serde::Serialize;

/// The answer to a row. The keys of the JSON form are part of the interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowAnswer {
    /// The code, 0.007.
    pub code: &'static str,
    /// The row, `X` and `.`.
    pub row: String,
    /// The heaps of its stretches, from the left; none where a three can be made at once.
    pub heaps: Vec<u64>,
    /// Their values.
    pub values: Vec<u64>,
    /// The value of the row; none where a three stands or can be made at once.
    pub value: Option<u64>,
    /// `win` or `loss` for the side to move.
    pub outcome: &'static str,
    /// Every winning cell, from 1 on the left.
    pub moves: Vec<usize>,
    /// There, and `line`, where three crosses stand in a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<&'static str>,
}

/// Reads a row: `X` or `x` a cross, `.`, `-` or `_` a free cell.
///
/// # Errors
/// Another character, or no cell.
pub fn parse(text: &str) -> anyhow::Result<Vec<bool>> {
    let text = text.trim();
    if text.is_empty() {
        bail!("an empty row, expected cells X and .");
    }
    text.chars()
        .enumerate()
        .map(|(at, c)| match c {
            'X' | 'x' => Ok(true),
            '.' | '-' | '_' => Ok(false),
            other => bail!("row {text:?}: found {other:?} at cell {}, expected X or .", at + 1),
        })
        .collect()
}

/// Whether a text is meant as a row rather than as a heap.
#[must_use]
pub fn is_row(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && !text.chars().any(|c| c.is_ascii_digit())
}

/// The longest heap of a row that [`answer`] needs.
#[must_use]
pub fn longest(row: &[bool]) -> u64 {
    row.len() as u64 + 2
}

/// The answer to a row; `table` is one of 0.007.
///
/// # Errors
/// A heap that the table cannot answer.
pub fn answer(table: &GrundyTable, row: &[bool]) -> Result<RowAnswer, GrundyError> {
    let mut answer = RowAnswer {
        code: "0.007",
        row: row.iter().map(|x| if *x { 'X' } else { '.' }).collect(),
        heaps: vec![],
        values: vec![],
        value: None,
        outcome: "loss",
        moves: vec![],
        over: None,
    };
    if row.windows(3).any(|w| w == [true; 3]) {
        answer.over = Some("line");
        return Ok(answer);
    }
    let three = |cell: usize| {
        let mut row = row.to_vec();
        row[cell] = true;
        row[cell.saturating_sub(2)..(cell + 3).min(row.len())].windows(3).any(|w| w == [true; 3])
    };
    let at_once: Vec<usize> = (0..row.len()).filter(|c| !row[*c] && three(*c)).collect();
    if !at_once.is_empty() {
        answer.outcome = "win";
        answer.moves = at_once.into_iter().map(|c| c + 1).collect();
        return Ok(answer);
    }
    let near = |cell: usize| row[cell.saturating_sub(2)..(cell + 3).min(row.len())].contains(&true);
    let mut stretches: Vec<(usize, u64)> = Vec::new();
    for cell in 0..row.len() {
        if !near(cell) {
            match stretches.last_mut() {
                Some((start, cells)) if *start + *cells as usize == cell => *cells += 1,
                _ => stretches.push((cell, 1)),
            }
        }
    }
    let mut sum = 0;
    for (_, cells) in &stretches {
        let value = table.heap(cells + 2)?;
        answer.heaps.push(cells + 2);
        answer.values.push(value);
        sum ^= value;
    }
    answer.value = Some(sum);
    answer.outcome = outcome(sum != 0);
    if sum != 0 {
        for ((start, cells), value) in stretches.iter().zip(&answer.values) {
            for i in 0..*cells {
                // A cross at cell i of the stretch leaves heaps of i and of cells − 1 − i.
                let left = table.heap(i)? ^ table.heap(cells - 1 - i)?;
                if left == sum ^ value {
                    answer.moves.push(start + i as usize + 1);
                }
            }
        }
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::super::moves::Moves;
    use super::super::solver::{Task, solve};
    use super::super::table;
    use super::*;
    use std::collections::HashMap;

    /// Whether the side to move wins, by the rules alone: three in a row win.
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
        let solution = solve(&Moves::new(&code).unwrap(), Task::all(64), |_| ());
        let header = table::header(&code, &solution, None).unwrap();
        let table = table::in_memory(&header, &solution.values).unwrap();
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
