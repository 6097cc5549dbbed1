//! Answers about a standard game without a table, from the pages of results.

use super::tables::{TableSource, is_not_built};
use crate::terminal::prelude::*;
use anyhow::Error;
use morpion_core::Game;
use morpion_generator::family::known::Known;
use serde_json::{Map, Value, json};

/// The standard game and its known facts, if `error` says that it is not built.
///
/// # Errors
/// If `error` says something else, or nothing is known about the game: `error`.
pub fn known(source: &TableSource, error: Error) -> Result<(Game, Known)> {
    if !is_not_built(&error) {
        return Err(error);
    }
    let game = source.tables.game(&source.game)?;
    let known = Known::of(&game).ok_or(error)?;
    Ok((game, known))
}

/// Prints the known facts about a game that is not built.
pub fn print((game, known): &(Game, Known), is_json: bool, out: &mut Output) -> Result<()> {
    let (name, build) = (game.name(), format!("morpion build {} --packed", game.name()));
    if is_json {
        let fact = |(key, fact): &(&str, String)| (key.replace(' ', "_"), Value::from(&**fact));
        let facts: Map<String, Value> = known.facts.iter().map(fact).collect();
        return out.json(&json!({ "game": name, "title": game.title(), "built": false, "facts": facts, "build": build }));
    }
    let game = ("game", format!("{name}  ({})", Shown(game.title())));
    out.facts(&[&[game], &known.facts[..]].concat())?;
    writeln!(
        out,
        "\nThere is no table of this game here; these facts are from the atlas and the records."
    )?;
    Ok(writeln!(out, "`{build}` makes the table, and `morpion plan {name}` says what that takes.")?)
}
