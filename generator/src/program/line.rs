//! Formats one line of perfect play, for `morpion query --line`.

use crate::terminal::prelude::*;
use morpion_core::Situation;
use morpion_games::catalogue::Table;
use morpion_report::line::LineAnswer;

/// Plays the first perfect move of each side from `position` on. Returns a JSON object, or a line of text for each position.
pub fn line(table: &Table, position: Situation, json: bool) -> Result<String> {
    let line = table.line(position, usize::MAX)?;
    let answer = LineAnswer::new(table.game(), &line);
    if json {
        return Ok(serde_json::to_string(&answer)?);
    }
    let texts = line.positions.iter().enumerate().map(|(index, &position)| {
        let end = match (answer.cycle, answer.over) {
            _ if index < answer.moves.len() => answer.moves[index].clone(),
            (Some(before), _) => format!("as position {before}: a cycle"),
            (_, over) => format!("over: {}", over.unwrap_or_default()),
        };
        let score = in_words(table.probe(position)?);
        Ok(format!("{index:>3}  {}  {score:<18}  {end}", answer.positions[index]))
    });
    Ok(texts.collect::<Result<Vec<_>>>()?.join("\n"))
}
