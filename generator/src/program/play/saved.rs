//! Saves the games of a session, and knows whether the present one would be lost. The file of `--save` contains the last game
//! that had a move; other files are named by the person.

use anyhow::{Context, Result};
use morpion_play::record::Record;
use std::fs::canonicalize;
use std::path::{Path, PathBuf};

/// The games that a session has written.
#[derive(Default)]
pub struct Saved {
    /// The file of `--save`.
    path: Option<PathBuf>,
    /// The game in that file, if this sitting wrote it.
    kept: Option<Record>,
    /// The game last written to another file, which no later game replaces by itself.
    elsewhere: Option<Record>,
}

impl Saved {
    /// Nothing yet; `path` is the file of `--save`.
    pub fn new(path: Option<PathBuf>) -> Saved {
        Saved { path, ..Saved::default() }
    }

    /// The file of `--save`.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Brings the file of `--save` up to date, and returns true if it has the game. A game without a move is not written: there is nothing
    /// to keep, and the file may hold another game.
    pub fn keep(&mut self, record: &Record) -> Result<bool> {
        let Some(path) = self.path.as_deref().filter(|_| !record.moves.is_empty()) else {
            return Ok(false);
        };
        if self.kept.as_ref() != Some(record) {
            record.write(path).with_context(|| path.display().to_string())?;
            self.kept = Some(record.clone());
        }
        Ok(true)
    }

    /// Writes the game to a file that a person named.
    pub fn write(&mut self, record: &Record, path: &Path) -> Result<()> {
        record.write(path).with_context(|| path.display().to_string())?;
        self.stands_in(record, path);
        Ok(())
    }

    /// Notes that this file has the game.
    pub fn stands_in(&mut self, record: &Record, path: &Path) {
        let same = |kept: &PathBuf| match (canonicalize(kept), canonicalize(path)) {
            (Ok(kept), Ok(path)) => kept == path,
            _ => kept == path,
        };
        let place =
            if self.path.as_ref().is_some_and(same) { &mut self.kept } else { &mut self.elsewhere };
        *place = Some(record.clone());
    }

    /// Checks that nothing would be left of the game if another one replaced it now.
    pub fn would_be_lost(&self, record: &Record) -> bool {
        !record.moves.is_empty() && self.elsewhere.as_ref() != Some(record)
    }
}
