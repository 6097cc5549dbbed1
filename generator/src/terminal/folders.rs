//! Arguments that choose folders of tables.

use crate::terminal::output::{lines_of, note};
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use morpion_builder::folders::{self, Folders, LookupError};
use morpion_core::Game;
use morpion_games::rules::NamedGame;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Parses the name of a folder of tables. Names of games and tables are text, so folder names must be text too.
pub fn folder() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(|name| match name.into_string() {
        Ok(name) => Ok(PathBuf::from(name)),
        Err(_) => Err("the name is not UTF-8: choose another folder"),
    })
}

/// Folders in which tables are searched for.
#[derive(Args, Clone, Debug)]
pub struct Tables {
    /// Search this folder first [then: MORPION_TABLES (a list), ./tables, morpion in $XDG_DATA_HOME and $XDG_DATA_DIRS, built-in tables]
    #[arg(long = "tables", value_name = "DIR", value_parser = existing_folder())]
    folder: Option<PathBuf>,
}

/// Parses the name of an existing folder.
fn existing_folder() -> impl TypedValueParser<Value = PathBuf> {
    folder().try_map(|folder| {
        let missing = "this folder does not exist: create it, or name another one";
        folder.is_dir().then_some(folder).ok_or(missing)
    })
}

impl Tables {
    /// The folders, in order.
    pub fn folders(&self) -> Folders {
        Folders::new(self.folder.clone())
    }

    /// The folder that the user named, and no other; all folders if none is named.
    pub fn published(&self) -> Folders {
        self.folder.clone().map_or_else(|| self.folders(), Folders::only)
    }

    /// The rules of a game by name or rule file, with warnings about odd rules on standard error.
    pub fn game(&self, name: &str) -> Result<Game, LookupError> {
        self.folders().named(name).map(noted)
    }
}

/// Opens the table of every game in `folders` that has one. A damaged table is skipped with a note.
///
/// # Errors
/// If no table is opened.
pub fn open_all(
    folders: &Folders,
    mut open: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut is_empty = true;
    for name in folders.names() {
        match open(&name) {
            Ok(()) => is_empty = false,
            Err(error) if is_not_built(&error) => {}
            Err(error) => {
                for line in lines_of(&error) {
                    note(format_args!("morpion: left out: {line}"));
                }
            }
        }
    }
    anyhow::ensure!(!is_empty, "no tables found: build one with `morpion build classic`");
    Ok(())
}

/// Returns true if the game has no table.
pub fn is_not_built(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(LookupError::NotBuilt { .. }))
}

/// Folder of new tables.
#[derive(Args, Clone, Debug)]
pub struct Target {
    /// Folder of new tables [default: ./tables if the current folder has tables or Cargo.toml, otherwise $XDG_DATA_HOME/morpion or
    /// ~/.local/share/morpion]
    #[arg(long, value_name = "DIR", value_parser = folder())]
    out: Option<PathBuf>,
}

impl Target {
    /// Returns the named folder, or the default.
    pub fn folder(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(folders::folder_to_write)
    }
}

/// Prints the warnings about odd rules of a game on standard error, each warning once, and returns the game.
pub fn noted(named: NamedGame) -> Game {
    static NOTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    for warning in named.warnings() {
        if NOTED.lock().unwrap_or_else(PoisonError::into_inner).insert(warning.clone()) {
            note(format_args!("morpion: warning: {warning}"));
        }
    }
    named.game
}
