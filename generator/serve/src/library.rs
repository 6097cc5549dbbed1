//! The tables that are served: games by name, their descriptions, and answers about positions.

use super::describe::{Description, Summary};
use super::extract::{All, Named, unknown};
use super::refusal::Refusal;
use axum::body::Bytes;
use morpion_games::catalogue::{self, Table};
use morpion_lookup::raw::Position;
use morpion_lookup::{ErrorKind, Side};
use morpion_report::answer::Answer;
use std::error::Error;
use std::sync::Arc;
use thiserror::Error;

/// Minimum size in bytes of tables that may have to be read from disk.
const LARGE: u64 = 64 << 20;

/// One game: its table and its description.
pub(crate) struct ServedGame {
    /// The open table.
    pub table: Table,
    /// Entry for the list of games.
    pub summary: Summary,
    /// The description as JSON, made once and shared by all responses.
    pub description: Bytes,
    /// The rule file, if the program contains it.
    pub rules: Option<&'static str>,
}

/// All games, in the order in which they are listed.
pub struct Library {
    games: All<ServedGame>,
}

/// A table that cannot be served.
#[derive(Debug, Error)]
#[error("{game}: the table is damaged")]
pub struct Damaged {
    /// Name of the game.
    game: String,
    source: Box<dyn Error + Send + Sync>,
}

impl Library {
    /// Makes a library of open tables. If several have the same name, the first one is served.
    ///
    /// # Errors
    /// If a table is damaged.
    pub fn new(tables: Vec<Table>) -> Result<Library, Damaged> {
        let mut games: Vec<Arc<ServedGame>> = Vec::new();
        for table in tables {
            let name = table.game().rules().name.clone();
            if games.iter().any(|game| game.summary.game == name) {
                continue;
            }
            let damaged =
                |source: Box<dyn Error + Send + Sync>| Damaged { game: name.clone(), source };
            let summary = Summary::of(&table).map_err(|error| damaged(error.into()))?;
            let description = Description::of(&table, summary.clone());
            let description = description.map_err(|error| damaged(error.into()))?;
            let description =
                serde_json::to_vec(&description).expect("a description has text keys").into();
            let rules = catalogue::standard_rules(&table);
            games.push(Arc::new(ServedGame { table, summary, description, rules }));
        }
        Ok(Library { games: games.into() })
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Checks that no game is served.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    pub(crate) fn all(&self) -> &All<ServedGame> {
        &self.games
    }
}

impl Named for ServedGame {
    fn find(games: &[Arc<ServedGame>], name: &str) -> Result<Arc<ServedGame>, Refusal> {
        let names = games.iter().map(|game| game.summary.game.as_str());
        let at = names.clone().position(|known| known == name);
        at.map(|at| games[at].clone()).ok_or_else(|| unknown(name, names))
    }
}

impl ServedGame {
    /// Reads a position. Without a text it is the start.
    ///
    /// # Errors
    /// 400 if the text has an invalid character, 404 if the game does not have this position; both with the text.
    pub(crate) fn position(&self, text: Option<&str>) -> Result<(Position, Side), Refusal> {
        match text {
            None => Ok(self.table.game().start().parts()),
            Some(text) => {
                let read = self.table.game().parse_position(text);
                read.map(morpion_lookup::Position::parts).map_err(|error| {
                    Refusal::position(&error, error.kind() == ErrorKind::Character, text)
                })
            }
        }
    }

    /// Reads the table. A large table may have to be read from disk, so other tasks move to another thread.
    pub(crate) fn ask<T>(&self, question: impl FnOnce() -> T) -> T {
        if self.table.size() < LARGE { question() } else { tokio::task::block_in_place(question) }
    }

    /// The answer of `query --json`, with or without the traps of drawing moves.
    ///
    /// # Errors
    /// 500 if the table is damaged.
    pub(crate) fn answer(
        &self,
        position: Position,
        side: Side,
        traps: bool,
    ) -> Result<Answer, Refusal> {
        Ok(Answer::new(&self.table, position, side, traps)?)
    }
}
