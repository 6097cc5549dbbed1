//! Games and tables by name: the standard games, and the folders in which their tables are searched for.
//!
//! In: a name or a file name. Out: the game or its open table; else the names there are and the folders searched.

use crate::rules::{self, RuleFileError};
use morpion_lookup::{FileError, Game, TableFile};
use std::path::{Path, PathBuf};
use thiserror::Error;

macro_rules! presets {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../presets/", $name, ".toml")))),*]
    };
}

/// The standard games with the text of their rule files, small ones first.
const STANDARD: &[(&str, &str)] = presets![
    "classic",
    "misere",
    "swap",
    "swap-pass",
    "tapatan",
    "nine-holes",
    "nine-holes-any",
    "nine-holes-diagonals",
    "picaria",
    "achi",
    "rota",
    "shisima",
    "classic4",
    "beginner4",
    "swap4",
    "teeko",
    "beginner5",
    "swap5",
    "classic5x4k4",
    "classic5k5",
    "classic5k4",
];

/// The ending of a table's file name.
pub const EXTENSION: &str = "morpion";

/// That of a packed one.
pub const PACKED: &str = "morpion.zst";

/// A table from a file of either kind, from memory, or from the program.
pub type Table = morpion_lookup::Table<TableFile>;

/// Why nothing is found by a name.
#[derive(Debug, Error)]
pub enum LookupError {
    /// A name that is no game.
    #[error(
        "no game named {name:?}: expected one of {}, a NAME.toml beside the tables, or a file",
        names()
    )]
    Unknown {
        /// The name.
        name: String,
    },
    /// A game without a table.
    #[error("{name} is not built: no {name}.{EXTENSION} in {}; build it with: morpion build {name}", list(.searched))]
    NotBuilt {
        /// The game.
        name: String,
        /// The folders that were searched.
        searched: Vec<PathBuf>,
    },
    /// A file that is no table, or not of the game it is named after.
    #[error(transparent)]
    Table(#[from] FileError),
    /// A rule file that describes no game.
    #[error(transparent)]
    Rules(#[from] RuleFileError),
}

fn names() -> String {
    STANDARD.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn list(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// The standard games, small ones first.
pub fn standard() -> impl Iterator<Item = Game> {
    STANDARD
        .iter()
        .map(|(name, text)| rules::parse(&format!("{name}.toml"), text).expect("a preset is sound"))
}

/// The standard game of this name.
pub fn standard_game(name: &str) -> Option<Game> {
    standard().find(|game| game.rules().name == name)
}

/// The folders in which tables and rule files are searched for, in this order.
#[derive(Clone, Debug)]
pub struct Folders(Vec<PathBuf>);

/// Where a table was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file.
    File(PathBuf),
    /// Inside the program.
    BuiltIn,
}

impl Folders {
    /// `first` where it is given, then `MORPION_TABLES` (a list), `./tables`, `$XDG_DATA_HOME/morpion`.
    pub fn new(first: Option<PathBuf>) -> Folders {
        let mut folders: Vec<PathBuf> = first.into_iter().collect();
        if let Some(list) = std::env::var_os("MORPION_TABLES") {
            folders.extend(
                std::env::split_paths(&list).filter(|folder| !folder.as_os_str().is_empty()),
            );
        }
        folders.push("tables".into());
        let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/share"));
        let data = std::env::var_os("XDG_DATA_HOME")
            .filter(|folder| !folder.is_empty())
            .map(PathBuf::from);
        folders.extend(data.or_else(home).map(|folder| folder.join("morpion")));
        Folders(folders)
    }

    /// The first file of this name in one of the folders.
    pub fn find(&self, file_name: &str) -> Option<PathBuf> {
        self.0.iter().map(|folder| folder.join(file_name)).find(|file| file.is_file())
    }

    /// All regular files whose names end with a point and this, folder by folder, each folder's by name.
    pub fn files(&self, ending: &str) -> Vec<PathBuf> {
        let in_folder = |folder: &PathBuf| {
            let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let mut files: Vec<PathBuf> = files
                .map(|file| file.path())
                .filter(|file| {
                    let name = file.file_name().and_then(|name| name.to_str());
                    let stem = name.and_then(|name| name.strip_suffix(ending));
                    stem.is_some_and(|stem| stem.ends_with('.'))
                })
                .filter(|file| file.is_file())
                .collect();
            files.sort();
            files
        };
        self.0.iter().flat_map(in_folder).collect()
    }

    /// The rules of a standard game, or of `NAME.toml` in one of the folders.
    ///
    /// # Errors
    /// Where there is no such game, or its rule file is unsound.
    pub fn game(&self, name: &str) -> Result<Game, LookupError> {
        if let Some(game) = standard_game(name) {
            return Ok(game);
        }
        let file = self
            .0
            .iter()
            .map(|folder| folder.join(format!("{name}.toml")))
            .find(|file| file.is_file());
        match file.filter(|_| !name.contains(['/', '\\'])) {
            Some(file) => Ok(rules::read(&file)?),
            None => Err(LookupError::Unknown { name: name.into() }),
        }
    }

    /// The names of all games that may have a table: the standard ones, then the other table files of the folders.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = STANDARD.iter().map(|(name, _)| name.to_string()).collect();
        for ending in [EXTENSION, PACKED] {
            for file in self.files(ending) {
                let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                let name = name.strip_suffix(ending).and_then(|name| name.strip_suffix('.'));
                let name = name.unwrap_or_default();
                if !names.iter().any(|other| other == name) && !is_file_name(name) {
                    names.push(name.to_owned());
                }
            }
        }
        names
    }

    /// Opens the table of a game, or a table file where `name` is one.
    ///
    /// # Errors
    /// Where there is no such game, none is built, or the file is no table of the game.
    pub fn open(&self, name: &str) -> Result<(Table, Place), LookupError> {
        if is_file_name(name) {
            let file = PathBuf::from(name);
            return Ok((open_file(&file)?, Place::File(file)));
        }
        // A table without a rule file is found by its own name and answers by its own rules.
        let game = match self.game(name) {
            Ok(game) => Some(game),
            Err(LookupError::Unknown { .. }) => None,
            Err(other) => return Err(other),
        };
        let in_folder = |folder: &PathBuf| {
            [EXTENSION, PACKED].map(|ending| folder.join(format!("{name}.{ending}")))
        };
        if let Some(file) = self.0.iter().flat_map(in_folder).find(|file| file.is_file()) {
            let table = open_file(&file)?;
            if let Some(game) = &game {
                table.expect_rules(game).map_err(|error| FileError::new(&file, error))?;
            }
            return Ok((table, Place::File(file)));
        }
        if let Some(table) = morpion_lookup::builtin(name) {
            return Ok((table.into(), Place::BuiltIn));
        }
        match game {
            Some(_) => Err(LookupError::NotBuilt { name: name.into(), searched: self.0.clone() }),
            None => Err(LookupError::Unknown { name: name.into() }),
        }
    }
}

/// Whether an argument names a table file rather than a game.
fn is_file_name(name: &str) -> bool {
    name.contains(['/', '\\']) || Path::new(name).extension().is_some()
}

fn open_file(file: &Path) -> Result<Table, LookupError> {
    // SAFETY: tables are only ever replaced by renaming a new file over them, never changed in place.
    let bytes = unsafe { TableFile::map(file) }?;
    Ok(Table::open(bytes).map_err(|error| FileError::new(file, error))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_sound_and_named_after_its_file() {
        let names: Vec<String> = standard().map(|game| game.rules().name.clone()).collect();
        assert_eq!(names, STANDARD.iter().map(|(name, _)| name.to_string()).collect::<Vec<_>>());
    }
}
