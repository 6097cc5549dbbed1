//! A lesson as an indented tree of text.

use super::rows::{LEGEND, summary};
use super::{Branch, Lesson};
use morpion_core::Game;
use std::fmt::Write;

/// Formats a lesson. Each line has its number, the other side's reply, the owner's move, and the position between them.
#[must_use]
pub fn text(game: &Game, lesson: &Lesson) -> String {
    let [result, size] = summary(lesson);
    let mut text = format!("From {}: {result}\n{size}\n\n", lesson.position);
    let rows = Branch::in_order(&lesson.replies, &lesson.steps);
    let lines: Vec<String> = rows.iter().map(|row| line(game, lesson, row)).collect();
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let digits = lesson.steps.len().to_string().len();
    for (row, line) in rows.iter().zip(&lines) {
        let number = row.step.map_or(String::new(), |step| step.number.to_string());
        let position = game.format_position(row.position(game, lesson));
        // The side to move is left out, since it is always the owner. Pieces in hand or ages after it stay.
        let board = position.replacen(&format!(" {}", lesson.owner), "", 1);
        let _ = writeln!(text, "{number:>digits$}  {line:<width$}  {board}");
    }
    let _ = match rows.is_empty() {
        true => writeln!(text, "The game is over."),
        false => writeln!(text, "\n{}", LEGEND.join("\n")),
    };
    text
}

fn line(game: &Game, lesson: &Lesson, row: &Branch<'_>) -> String {
    let reference = row.reference().map(|(_, words)| words);
    let parts =
        [row.reply(lesson.side), row.answer(lesson.side), reference, row.ending(game, lesson.side)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{:indent$}{}", "", parts.join(", "), indent = 2 * row.depth)
}
