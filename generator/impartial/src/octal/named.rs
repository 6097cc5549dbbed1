//! Octal games with a name.

use morpion_grundy::{Code, CodeError};
use serde::Serialize;

/// A named game. The keys of the JSON form are part of the interface.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Named {
    /// The name on the command line.
    #[serde(rename = "game")]
    pub name: &'static str,
    /// Its octal code.
    pub code: &'static str,
    /// The rules in one line.
    pub title: &'static str,
}

/// All names, in alphabetical order. Sources: *Winning Ways*, chapter 4; Guy and Smith 1956; Berlekamp's and Grossman's papers in
/// *Games of No Chance*.
pub const NAMED: &[Named] = &[
    named("dawson", "0.07", "Dawson's Kayles: take exactly two neighbours; cram on one row"),
    named("dawson-chess", "0.137", "Dawson's chess: take a counter and its neighbours with it"),
    named("dawson-kayles", "0.07", "the full name of dawson"),
    named(
        "guiles",
        "0.15",
        "Guiles: take a heap of one, or two counters, leaving nothing or two heaps",
    ),
    named("kayles", "0.77", "Kayles: knock down one pin or two neighbouring ones"),
    named("lasker", "4.(3)", "Lasker's nim: take any number, or split a heap"),
    named("nim", "0.(3)", "take any number from one heap"),
    named("officers", "0.6", "Officers: take one counter, leaving one heap or two, never none"),
    named("she-loves-me", "0.3", "take one"),
    named("sticks", "0.333", "take one, two or three"),
    named(
        "treblecross",
        "0.007",
        "one-dimensional morpion, both sides play crosses: a row of n cells is heap n + 2",
    ),
];

const fn named(name: &'static str, code: &'static str, title: &'static str) -> Named {
    Named { name, code, title }
}

/// Returns the code of a named game, or the code that `text` spells.
///
/// # Errors
/// If the text is neither a name nor a code.
pub fn resolve(text: &str) -> Result<Code, CodeError> {
    match NAMED.iter().find(|game| game.name.eq_ignore_ascii_case(text)) {
        Some(game) => game.code.parse(),
        None => text.parse(),
    }
}
