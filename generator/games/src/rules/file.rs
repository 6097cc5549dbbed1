//! Rule files: the TOML text that describes a game.
//!
//! Reads a file or its text into a [`NamedGame`], or returns all faults of the text.

use super::board::board;
use super::data::{Rules, To};
use super::fault::{Faults, Keys, RuleFault, RuleFileError};
use super::layers::compiled;
use super::lines::{self, lines};
use super::odd::oddities;
use super::parts::{check_moves, check_opening, mills, movement, names, pieces, restriction};
use super::shape::RuleFile;
use super::text::{canonical, whole};
use super::validate::check;
use morpion_core::{About, Game, Side, Start};
use std::collections::BTreeSet;
use std::io::{self, Read};
use toml::de::DeTable;

/// The maximum length of a rule file in bytes. Twice the maximum number of lines would fit, even if each line had all cells.
const MAX_BYTES: usize = 1 << 20;

/// A game with its aliases, which are not part of the rules or of a table.
#[derive(Clone, Debug)]
pub struct NamedGame {
    /// The game with its own name.
    pub game: Game,
    /// The rules.
    pub rules: Rules,
    /// The aliases.
    pub aliases: Vec<String>,
    file: String,
    keys: Keys,
}

impl NamedGame {
    /// Returns true if this is the name of the game, or an alias.
    pub fn is_called(&self, name: &str) -> bool {
        self.game.name() == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// Warnings for valid rules, each with its file and line: lines that nobody can make, and pieces that are never placed.
    pub fn warnings(&self) -> Vec<String> {
        let of = |(key, message)| RuleFault::of_key(&self.keys, key, message).of(&self.file);
        oddities(&self.game, &self.rules).into_iter().map(of).collect()
    }
}

/// Reads an opened rule file, with the aliases of the game; `file` names it in errors. At most `MAX_BYTES` are read into memory.
///
/// # Errors
/// If the file was not opened or cannot be read, and errors of [`parse`].
pub fn read_named(file: &str, opened: io::Result<impl Read>) -> Result<NamedGame, RuleFileError> {
    let fault = |error| RuleFileError { file: file.into(), faults: vec![RuleFault::whole(error)] };
    parse_named(file, &opened.and_then(text).map_err(fault)?)
}

fn text(opened: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    opened.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_BYTES {
        // The text is cut off at the limit, perhaps inside a character.
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    let fault = |_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8 text");
    String::from_utf8(bytes).map_err(fault)
}

/// Reads the rules in `text`; `file` names them in errors.
///
/// # Errors
/// [`RuleFileError`] lists all faults, each with its line, the key, the reason and the remedy.
pub fn parse(file: &str, text: &str) -> Result<Game, RuleFileError> {
    parse_named(file, text).map(|named| named.game)
}

/// Reads rules like [`parse`], with the aliases of the game.
///
/// # Errors
/// Errors of [`parse`].
pub fn parse_named(file: &str, text: &str) -> Result<NamedGame, RuleFileError> {
    let file = file.to_owned();
    if text.len() > MAX_BYTES {
        let message = format!("longer than {MAX_BYTES} bytes, the most that a rule file may have");
        return Err(RuleFileError { file, faults: vec![RuleFault::whole(message)] });
    }
    let (root, errors) = DeTable::parse_recoverable(text);
    let faults = Faults::new(text, root.get_ref());
    let mut lines = BTreeSet::new();
    for error in &errors {
        let place = error.span().map_or(0, |span| span.start);
        // Further errors of the line mostly follow from the first error.
        if lines.insert(faults.line(place)) {
            let (before, rest) = text.split_at_checked(place).unwrap_or_default();
            let before = before.rsplit('\n').next().unwrap_or_default();
            let key = format!("TOML, column {}", before.chars().count() + 1);
            faults.at::<()>(place, &key, explained(error.message(), before, rest));
        }
    }
    // After such an error tables may lack keys.
    let game = errors.is_empty().then(|| {
        let file = RuleFile::read(root.get_ref(), 0, "", &faults);
        game(&file, canonical(root.get_ref()), &faults)
    });
    let (faults, keys) = faults.end();
    match game.flatten() {
        Some((game, rules, aliases)) => Ok(NamedGame { game, rules, aliases, file, keys }),
        None => Err(RuleFileError { file, faults }),
    }
}

/// The message of an error of TOML, with what to write instead. `before` is the text before the error in its line, and `rest` the text
/// after it.
fn explained(message: &str, before: &str, rest: &str) -> String {
    let is_end = |c: char| c.is_whitespace() || ",]#}".contains(c);
    let word: String = rest.split(is_end).next().unwrap_or_default().chars().take(64).collect();
    let is_unquoted = ["string values must be quoted", "invalid boolean"];
    let is_unquoted = is_unquoted.iter().any(|start| message.starts_with(start));
    match &word.to_ascii_lowercase()[..] {
        "yes" | "no" | "on" | "off" | "true" | "false" => format!("{word}; write true or false"),
        "null" | "none" | "nil" | "undefined" => format!("{word}; leave the key out"),
        _ if before.is_empty() && rest.starts_with('{') => "JSON; write a file of TOML".into(),
        _ if ["/", ";"].iter().any(|mark| before.trim_start().starts_with(mark)) => {
            "a comment; begin it with #".into()
        }
        "" if rest.starts_with(',') => "a comma after a value; leave it out".into(),
        _ if !is_unquoted => message.into(),
        word if word.ends_with(';') => format!("{word} with a semicolon; write a value alone"),
        _ => format!(
            "{word} without quotes; write \"{}\"",
            word.trim_matches(['“', '”', '„', '‘', '’', '\'', '"'])
        ),
    }
}

/// The rules of a game, read from its text. `None` if the text is not a rule file: a table may come from anybody, with any text.
#[must_use]
pub fn rules_of(game: &Game) -> Option<Rules> {
    named_of(game).map(|named| named.rules)
}

/// Reads the text of a game like [`rules_of`]. Returns the game with its rules.
pub fn named_of(game: &Game) -> Option<NamedGame> {
    parse_named(game.name(), &whole(game)).ok()
}

/// Makes the game from the tables of its file, whose canonical form is `text`. Every part is checked, even if another is wrong.
fn game(file: &RuleFile, text: String, faults: &Faults) -> Option<(Game, Rules, Vec<String>)> {
    let lines_table =
        file.lines.as_ref().filter(|table| lines::check_keys(table, faults).is_some());
    let moves = file.moves.as_ref().filter(|table| check_moves(table, faults).is_some());
    let opening = file.opening.as_ref().filter(|table| check_opening(table, faults).is_some());
    let names = names(file, faults);
    let pushes = moves.is_some_and(|table| table.to == Some(To::Push));
    let needs_pieces = faults.has("moves") && !faults.has("pieces") && !pushes;
    let remedy = "`[pieces]` with `each` beside `[moves]`";
    faults.when(needs_pieces, "moves", "moves without pieces", remedy);
    let cells = board(file.board.as_ref()?, faults)?;
    let lines = lines_table.and_then(|table| lines(&cells, table, faults));
    let mut rules = Rules {
        pieces: file.pieces.as_ref().and_then(|table| pieces(&cells, table, faults)),
        movement: moves.and_then(|table| movement(&cells, table, faults)),
        opening: opening.and_then(|table| restriction(&cells, table, faults)),
        start: None,
        misere: file.goal.as_ref().and_then(|goal| goal.misere).unwrap_or(false),
        oldest: moves.and_then(|table| table.oldest),
        mills: file.mills.as_ref().map(mills),
    };
    // Each part is right by itself. Now the parts are checked together.
    let (lines, (name, title, aliases)) = lines.zip(names).filter(|_| faults.is_empty())?;
    check(&rules, &cells, &lines, faults)?;
    rules.opening = rules.opening.filter(|opening| opening.forbidden != 0);
    let (board, names, layout) = (cells.board, cells.names.clone(), cells.layout.clone());
    let start = Start { x: 0, o: 0, side: Side::X };
    let about = About { name, title, rules: text, board, names, layout, start };
    if let Some(text) = file.opening.as_ref().and_then(|opening| opening.start.as_ref()) {
        // The start is read as a position of the game without this start.
        let game = compiled(&rules, about.clone(), &lines, faults)?;
        let position = game.parse_position(text);
        let position = position.map_or_else(|error| faults.of("opening.start", error), Some)?;
        let (x, o) = position.raw.sides(position.side);
        rules.start = Some(Start { x, o, side: position.side });
        check(&rules, &cells, &lines, faults)?;
    }
    Some((compiled(&rules, about, &lines, faults)?, rules, aliases))
}
