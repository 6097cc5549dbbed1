//! The tables that are served: games by name, their descriptions, and answers about positions.

use crate::refusal::Refusal;
use anyhow::{Result, anyhow};
use axum::body::Bytes;
use morpion_core::{Situation, Source};
use morpion_games::catalogue::{self, Table};
use morpion_machine::progress::Progress;
use morpion_play::appraisal::appraise;
use morpion_play::players::PlayerError;
use morpion_report::description::{Description, Summary};
use regex_lite::Regex;
use std::sync::{Arc, LazyLock, OnceLock};

/// Minimum size in bytes of tables that may have to be read from disk.
const LARGE: u64 = 64 << 20;

/// Games of each pair of players in an appraisal, which take at most a few seconds.
pub(crate) const APPRAISED: u32 = 100;

/// Texts of positions, and after a side to move their ends: the pieces in hand, or the order of pieces that age.
pub(crate) const POSITION: &str = r"^[XxOo12._0#/|;,() \[\]\t\r\n-]*([ \t\r\n][XxOo][ \t\r\n]+[A-Za-z0-9,]*/[A-Za-z0-9,]*[ \t\r\n]*)?$";

/// One game: its table and its description.
pub(crate) struct ServedGame {
    pub table: Table,
    pub summary: Summary,
    /// The description as JSON, made once and shared by all responses.
    pub description: Bytes,
    /// The checksum of all bytes of the table, with which it ends.
    pub version: u64,
    /// The rule file, if the program contains it.
    pub rules: Option<&'static str>,
    /// The grades of its puzzles, once somebody has asked for them.
    pub grades: OnceLock<Vec<u8>>,
    /// The appraisal as JSON, once somebody has asked for it.
    appraisal: OnceLock<Bytes>,
}

/// All games, in the order in which they are listed.
pub struct Library {
    pub(crate) games: Arc<[Arc<ServedGame>]>,
}

impl Library {
    /// Makes a library of open tables. If several have the same name, the first one is served.
    ///
    /// # Errors
    /// If a table is damaged.
    pub fn new(tables: Vec<Table>) -> Result<Library> {
        let mut games: Vec<Arc<ServedGame>> = Vec::new();
        for table in tables {
            let name = table.game().name();
            if games.iter().any(|game| game.summary.game == *name) {
                continue;
            }
            let described = Description::of(&table);
            let described = described
                .map_err(|error| anyhow!(error).context(format!("{name}: the table is damaged")))?;
            let description = serde_json::to_vec(&described)?.into();
            let (summary, rules) = (described.summary, catalogue::standard_rules(&table));
            let (grades, appraisal) = (OnceLock::new(), OnceLock::new());
            let mut sum = [0; 8];
            table.source().read_at(table.size() - 8, &mut sum)?;
            games.push(Arc::new(ServedGame {
                table,
                summary,
                description,
                version: u64::from_le_bytes(sum),
                rules,
                grades,
                appraisal,
            }));
        }
        Ok(Library { games: games.into() })
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }
}

impl ServedGame {
    /// Reads a position. Without a text it is the start. Returns 400 if the text has an invalid character, 404 if the game
    /// does not have this position; both with the text.
    pub(crate) fn position(&self, text: Option<&str>) -> Result<Situation, Refusal> {
        let game = self.table.game();
        let Some(text) = text else { return Ok(game.start()) };
        game.parse_position(text)
            .map_err(|error| Refusal::position(&error, !has_form_of_position(text), text))
    }

    /// Returns true if [`appraisal`](ServedGame::appraisal) answers without playing games.
    pub(crate) fn is_appraised(&self) -> bool {
        self.appraisal.get().is_some()
    }

    /// The appraisal of the game as JSON. It is made once.
    pub(crate) fn appraisal(&self, progress: &dyn Progress) -> Result<Bytes, PlayerError> {
        if let Some(made) = self.appraisal.get() {
            return Ok(made.clone());
        }
        let appraisal = appraise(&self.table, APPRAISED, progress)?;
        let json = || serde_json::to_vec(&appraisal).unwrap_or_default().into();
        Ok(self.appraisal.get_or_init(json).clone())
    }

    /// Reads the table. A large table may have to be read from disk, so other tasks move to another thread.
    pub(crate) fn ask<T>(&self, question: impl FnOnce() -> T) -> T {
        if self.table.size() < LARGE { question() } else { tokio::task::block_in_place(question) }
    }
}

/// Returns true if a text matches [`POSITION`].
fn has_form_of_position(text: &str) -> bool {
    static FORM: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(POSITION).expect("the pattern is a valid one"));
    FORM.is_match(text)
}
