//! Rule files: the TOML text that describes a game.
//!
//! Reads a file or its text into a [`NamedGame`], or returns the first error.

use super::board::{ReadBoard, board, narrow};
use super::fault::{MAX_BYTES, RuleFault, RuleFileError};
use super::lines::lines;
use super::parts::{aliases, movement, preset, restriction};
use super::shape::{CellKey, RuleFile};
use morpion_lookup::{Game, Rules};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A game with its aliases, which are not part of the rules or of a table.
#[derive(Clone, Debug)]
pub struct NamedGame {
    /// The game with its own name.
    pub game: Game,
    /// The aliases.
    pub aliases: Vec<String>,
}

/// Reads the rule file at `path`. At most `MAX_BYTES` are read into memory.
///
/// # Errors
/// [`RuleFileError`] names the file, the key and the reason.
pub fn read(path: &Path) -> Result<Game, RuleFileError> {
    read_named(path).map(|named| named.game)
}

/// Reads a rule file like [`read`], with the aliases of the game.
///
/// # Errors
/// Errors of [`read`].
pub fn read_named(path: &Path) -> Result<NamedGame, RuleFileError> {
    let text = bytes(path).and_then(|bytes| {
        let fault = || io::Error::new(io::ErrorKind::InvalidData, "not UTF-8 text");
        Ok(String::from_utf8(bytes).map_err(|_| fault())?)
    });
    text.and_then(|text| named_game(&text))
        .map_err(|fault| RuleFileError { file: path.display().to_string(), fault })
}

fn bytes(path: &Path) -> Result<Vec<u8>, RuleFault> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_BYTES { Err(RuleFault::TooLong) } else { Ok(bytes) }
}

/// Reads the rules in `text`; `file` names them in errors.
///
/// # Errors
/// Errors of [`read`].
pub fn parse(file: &str, text: &str) -> Result<Game, RuleFileError> {
    parse_named(file, text).map(|named| named.game)
}

/// Reads rules like [`parse`], with the aliases of the game.
///
/// # Errors
/// Errors of [`read`].
pub fn parse_named(file: &str, text: &str) -> Result<NamedGame, RuleFileError> {
    named_game(text).map_err(|fault| RuleFileError { file: file.into(), fault })
}

fn named_game(text: &str) -> Result<NamedGame, RuleFault> {
    if text.len() > MAX_BYTES {
        return Err(RuleFault::TooLong);
    }
    let file = RuleFile::read(text)?;
    let ReadBoard { board, names, layout, grid } = board(&file.board)?;
    let mut rules = Rules::new(file.name, board, Vec::new());
    (rules.names, rules.layout) = (names, layout);
    (rules.lines, rules.prolongations) =
        lines(&rules, grid.as_ref(), &file.lines)?.into_iter().unzip();
    if let Some(title) = file.title {
        rules.title = title;
    }
    rules.pieces = file.pieces.map(|pieces| narrow("pieces.each", pieces.each)).transpose()?;
    let moves = file.moves.as_ref();
    rules.movement = moves.map(|moves| movement(&rules, grid.as_ref(), moves)).transpose()?;
    rules.opening =
        file.opening.as_ref().map_or(Ok(None), |opening| restriction(&rules, opening))?;
    rules.misere = file.goal.and_then(|goal| goal.misere).unwrap_or(false);
    if let Some(start) = file.opening.as_ref().and_then(|opening| opening.start.as_ref()) {
        if let Some(opening) = file.opening.as_ref().filter(|opening| opening.forbidden.is_some()) {
            let named = opening.forbidden.iter().flatten().map(CellKey::to_string);
            let found =
                format!("`start` and `forbidden` = [{}]", named.collect::<Vec<_>>().join(", "));
            return Err(RuleFault::of_key(
                "opening",
                found,
                "one of them: nothing is placed after `start`",
            ));
        }
        rules.start = Some(preset(&rules, start)?);
    }
    let aliases = aliases(&rules.name, file.aliases.unwrap_or_default())?;
    Ok(NamedGame { game: Game::new(rules)?, aliases })
}
