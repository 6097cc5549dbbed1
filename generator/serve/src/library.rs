//! The tables that are served: games by name, their descriptions, and answers about positions.

use crate::refusal::Refusal;
use anyhow::{Context, Result};
use axum::body::Bytes;
use morpion_core::{Situation, Source};
use morpion_games::catalogue::{self, Table};
use morpion_report::description::{Description, Summary};
use regex_lite::Regex;
use std::mem;
use std::sync::{Arc, LazyLock};

/// Minimum size in bytes of tables that may have to be read from disk.
const LARGE: u64 = 64 << 20;

/// Pattern of the text of a position. After the side to move, it may have the pieces in hand, or the order of pieces that age.
const POSITION: &str = r"^[XxOo12._0#/|;,() \[\]\t\r\n-]*([ \t\r\n][XxOo][ \t\r\n]+[A-Za-z0-9,]*/[A-Za-z0-9,]*[ \t\r\n]*)?$";

/// One game: its table and its description.
pub(crate) struct ServedGame {
    pub table: Table,
    pub summary: Summary,
    /// The description as JSON, made once and shared by all responses.
    pub description: Bytes,
    /// The checksum at the end of the table.
    pub version: u64,
    /// The rule file, if the program contains it.
    pub rules: Option<&'static str>,
}

/// All games, in the order in which they are listed.
#[derive(Clone, Default)]
pub struct Library {
    pub(crate) games: Vec<Arc<ServedGame>>,
    /// Names of games whose new table is damaged, and whose old table is still served.
    pub(crate) kept: Vec<String>,
    /// Games that are not served, because their table is damaged: their places and names.
    left_out: Vec<(usize, String)>,
}

impl Library {
    /// Adds an open table. If several tables have the same name, the first table is served.
    ///
    /// # Errors
    /// If the table is damaged.
    pub fn add(&mut self, table: Table) -> Result<()> {
        let name = table.game().name();
        if self.find(name).is_none() {
            let game = ServedGame::new(table);
            self.games.push(Arc::new(game?));
        }
        Ok(())
    }

    /// Leaves out a game with a damaged table. If an older table of the game is served, it stays.
    pub fn leave_out(&mut self, name: String) {
        self.left_out.push((self.games.len(), name));
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Names of games that are not served, because their table is damaged.
    pub(crate) fn left_out(&self) -> Vec<&str> {
        self.left_out.iter().map(|(_, name)| name.as_str()).collect()
    }

    /// Finds a game by its name.
    pub(crate) fn find(&self, name: &str) -> Option<&Arc<ServedGame>> {
        self.games.iter().find(|game| game.summary.game == name)
    }

    /// Serves the old table of each game whose new table is damaged.
    pub(crate) fn keeping(mut self, old: &Library) -> Library {
        // Begins with the last game, so that the places of earlier games stay right.
        for (place, name) in mem::take(&mut self.left_out).into_iter().rev() {
            match old.find(&name).filter(|_| self.find(&name).is_none()) {
                Some(game) => {
                    self.games.insert(place, game.clone());
                    self.kept.insert(0, name);
                }
                None => self.left_out.insert(0, (place, name)),
            }
        }
        self
    }
}

impl ServedGame {
    /// Describes a table.
    ///
    /// # Errors
    /// If the table is damaged.
    fn new(table: Table) -> Result<ServedGame> {
        let name = table.game().name();
        let described =
            Description::of(&table).with_context(|| format!("{name}: the table is damaged"))?;
        let description = serde_json::to_vec(&described)?.into();
        let (summary, rules) = (described.summary, catalogue::standard_rules(&table));
        let mut sum = [0; 8];
        table.source().read_at(table.size() - 8, &mut sum)?;
        Ok(ServedGame { table, summary, description, version: u64::from_le_bytes(sum), rules })
    }

    /// Reads a position; without a text, the start. Returns 400 if the text has an invalid character, and 404 if the game does
    /// not have this position. Both errors contain the text.
    pub(crate) fn position(&self, text: Option<&str>) -> Result<Situation, Refusal> {
        static FORM: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(POSITION).expect("the pattern is a valid one"));
        let game = self.table.game();
        let Some(text) = text else { return Ok(game.start()) };
        game.parse_position(text)
            .map_err(|error| Refusal::position(&error, !FORM.is_match(text), text))
    }

    /// Reads the table. A large table may have to be read from disk, so other tasks move to another thread.
    pub(crate) fn ask<T>(&self, question: impl FnOnce() -> T) -> T {
        if self.table.size() < LARGE { question() } else { tokio::task::block_in_place(question) }
    }
}
