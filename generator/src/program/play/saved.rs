//! Saves the games of a session, and knows whether the present game is saved. The file of `--save` contains the last game that
//! had a move. Other files are named by the player.

use crate::terminal::prelude::*;
use morpion_play::record::Record;
use std::fs::canonicalize;

/// Reads a game from a file, and the names of the tags or keys that are not used.
pub fn read(path: &Path) -> Result<(Record, Vec<String>)> {
    Ok(Record::from_bytes(&std::fs::read(path)?)?)
}

/// The games that a session has saved.
#[derive(Default)]
pub struct Saved {
    /// The file of `--save`.
    pub path: Option<PathBuf>,
    /// The game in that file, if this session wrote it.
    kept: Option<Record>,
    /// The game last written to another file, which later games do not replace.
    elsewhere: Option<Record>,
}

impl Saved {
    /// Begins without saved games; `path` is the file of `--save`.
    pub fn new(path: Option<PathBuf>) -> Saved {
        Saved { path, ..Saved::default() }
    }

    /// Updates the file of `--save`, and returns true if it contains the game. A game without moves is not written,
    /// because the file may contain another game.
    pub fn keep(&mut self, record: &Record) -> Result<bool> {
        let Some(path) = self.path.as_deref().filter(|_| !record.moves.is_empty()) else {
            return Ok(false);
        };
        if self.kept.as_ref() != Some(record) {
            write_file(path, &record.to_text())?;
            self.kept = Some(record.clone());
        }
        Ok(true)
    }

    /// Writes the game to a file that the player named.
    pub fn write(&mut self, record: &Record, path: &Path) -> Result<()> {
        write_file(path, &record.to_text())?;
        self.remember_saved(record, path);
        Ok(())
    }

    /// Remembers that this file contains the game.
    pub fn remember_saved(&mut self, record: &Record, path: &Path) {
        let same = |kept: &PathBuf| match (canonicalize(kept), canonicalize(path)) {
            (Ok(kept), Ok(path)) => kept == path,
            _ => kept == path,
        };
        let place =
            if self.path.as_ref().is_some_and(same) { &mut self.kept } else { &mut self.elsewhere };
        *place = Some(record.clone());
    }

    /// Returns true if the game is not saved, so that starting another game would lose it.
    pub fn would_be_lost(&self, record: &Record) -> bool {
        !record.moves.is_empty() && self.elsewhere.as_ref() != Some(record)
    }
}
