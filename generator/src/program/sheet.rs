//! A sheet of puzzles to print: the puzzles on the first page, their solutions on the second one.

use anyhow::Result;
use morpion_games::catalogue::{Table, short_title};
use morpion_play::puzzles::{Puzzle, solution};
use morpion_report::diagram::Diagram;
use morpion_report::html::{document, escaped};
use morpion_report::phrases::counted;
use std::fmt::Write;

/// Number of puzzles on a sheet.
pub const PUZZLES: usize = 6;

/// Length of the longer side of a diagram, in pixels of the page.
const PUZZLE: f64 = 170.0;
const SOLUTION: f64 = 110.0;

/// Writes a sheet of puzzles with their numbers and tables.
pub fn sheet(puzzles: &[(u64, Puzzle, &Table)]) -> Result<String> {
    let (mut tasks, mut solutions) = (String::new(), String::new());
    for (place, (number, puzzle, table)) in (1..).zip(puzzles) {
        let game = table.game();
        let position = game.parse_position(&puzzle.position)?;
        let letter = position.side.letter().to_ascii_uppercase();
        let moves = solution(table, position)?;
        let first = moves.first().copied();
        let task = match puzzle.plies {
            Some(plies) => {
                format!("{letter} to move wins in {}.", counted(plies.div_ceil(2).into(), "move"))
            }
            _ => format!("{letter} to move: only one move keeps the draw."),
        };
        let diagram = Diagram { game, position, last: None, next: None, is_named: true };
        write!(
            tasks,
            "<figure>\n{}<figcaption><b>{place}. {}</b><br>{task}<br><small>{}<br>Puzzle {number}, grade {}</small></figcaption>\n</figure>\n",
            diagram.sized(PUZZLE),
            escaped(short_title(game)),
            escaped(game.title()),
            puzzle.grade
        )?;
        let diagram = Diagram { next: first, ..diagram };
        let names: Vec<String> = moves.iter().map(|&mv| game.format_move(mv)).collect();
        write!(
            solutions,
            "<figure>\n{}<figcaption><b>{place}. {letter} {}</b><br>{}</figcaption>\n</figure>\n",
            diagram.sized(SOLUTION),
            escaped(names.first().map_or("", String::as_str)),
            escaped(&names.join(" "))
        )?;
    }
    let body = format!(
        "<section>\n<h1>Find the move</h1>\n<p>Name: ____________________</p>\n<div class=\"puzzles\">\n{tasks}</div>\n</section>\n\
         <section>\n<h1>Solutions</h1>\n<p>The line after each move is the longest resistance.</p>\n<div class=\"solutions\">\n\
         {solutions}</div>\n</section>\n"
    );
    Ok(document("Puzzles", include_str!("sheet.css"), &body))
}
