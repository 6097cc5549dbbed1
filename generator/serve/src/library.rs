//! The tables that are served.
//!
//! In: open tables. Out: a game by name, what is always said of it, and its answers to positions.

use super::describe::{Description, Summary};
use super::json;
use super::refusal::Refusal;
use axum::body::Bytes;
use morpion_games::catalogue::{self, Table};
use morpion_lookup::{ErrorKind, Position, Side};
use morpion_report::answer::Answer;

/// Tables from this size on may have to be read from disk.
const LARGE: u64 = 64 << 20;

/// One game: its table and what is always said of it.
pub(crate) struct ServedGame {
    /// The open table.
    pub table: Table,
    /// For the list of games.
    pub summary: Summary,
    /// The description as JSON, made once and shared by all who are sent it.
    pub description: Bytes,
    /// Its rule file, where the program has it.
    pub rules: Option<&'static str>,
}

/// All games, in the order in which they are listed.
pub struct Library {
    games: Vec<ServedGame>,
}

impl Library {
    /// Takes open tables. One game a name: the first table wins.
    ///
    /// # Errors
    /// The game whose table is damaged, and how.
    pub fn new(tables: Vec<Table>) -> anyhow::Result<Library> {
        use anyhow::Context;
        let mut games: Vec<ServedGame> = Vec::new();
        for table in tables {
            let name = table.game().rules().name.clone();
            if games.iter().any(|game| game.summary.game == name) {
                continue;
            }
            let summary = Summary::of(&table).with_context(|| name.clone())?;
            let description = Description::of(&table, summary.clone()).with_context(|| name)?;
            let description = json::to_vec(&description)?.into();
            let rules = catalogue::standard_rules(&table);
            games.push(ServedGame { table, summary, description, rules });
        }
        Ok(Library { games })
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// All games.
    pub(crate) fn all(&self) -> &[ServedGame] {
        &self.games
    }

    /// The game of this name.
    ///
    /// # Errors
    /// 404 that names the games there are.
    pub(crate) fn find(&self, name: &str) -> Result<&ServedGame, Refusal> {
        self.games.iter().find(|game| game.summary.game == name).ok_or_else(|| {
            let names: Vec<&str> =
                self.games.iter().map(|game| game.summary.game.as_str()).collect();
            let name: String = name.chars().take(64).collect();
            Refusal::missing(format!("no game {name:?} here: expected one of {}", names.join(", ")))
        })
    }
}

impl ServedGame {
    /// Reads a position; without a text it is the start.
    ///
    /// # Errors
    /// 400 for a text with characters that no position has, 404 where the game has no such position; with the text.
    pub(crate) fn position(&self, text: Option<&str>) -> Result<(Position, Side), Refusal> {
        match text {
            None => Ok(self.table.game().start()),
            Some(text) => {
                self.table.game().parse_position(text).map_err(|error| match error.kind() {
                    ErrorKind::Character => Refusal::bad_input(error.to_string(), text),
                    _ => Refusal::missing_input(error.to_string(), text),
                })
            }
        }
    }

    /// Asks the table, which may take a while where it has to be read from disk.
    pub(crate) fn ask<T>(&self, question: impl FnOnce() -> T) -> T {
        if self.table.size() < LARGE { question() } else { tokio::task::block_in_place(question) }
    }

    /// The answer of `query --json`.
    ///
    /// # Errors
    /// 500 where the table is damaged.
    pub(crate) fn answer(&self, position: Position, side: Side) -> Result<Answer, Refusal> {
        Ok(Answer::new(&self.table, position, side)?)
    }
}
