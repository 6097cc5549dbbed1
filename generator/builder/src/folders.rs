//! Folders in which tables and rule files are searched for.
//!
//! Finds a game or opens a table by its name or file name. Errors name similar games, or the folders that were searched.

use morpion_core::{Game, TableError};
use morpion_games::catalogue::{
    RULES, Table, builtin_packed, is_file_name, is_rule_file, is_table_file, standard,
    standard_named,
};
use morpion_games::nearest::nearest;
use morpion_games::rules::{self, NamedGame, RuleFileError};
use morpion_lookup::{Bytes, Tables};
use std::fs::File;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Reason why no game or table is found by a name.
#[derive(Debug, Error)]
pub enum LookupError {
    /// An unknown name.
    #[error("no game named {name:?}{}; morpion games lists all{}", did_you_mean(.nearest), no_folder(.missing))]
    Unknown {
        /// The name.
        name: String,
        /// The most similar known names, the most similar first.
        nearest: Vec<String>,
        /// A folder of `MORPION_TABLES` that does not exist.
        missing: Option<PathBuf>,
    },
    /// A table file instead of a game or its rules.
    #[error("{0} is a table: give the name of a game or a rule file")]
    TableFile(String),
    /// A game without a table.
    #[error("{name} is not built: no table in {}; build it with: morpion build {name}", list(.searched))]
    NotBuilt {
        /// The game.
        name: String,
        /// The folders that were searched.
        searched: Vec<PathBuf>,
    },
    /// The file is not a table, or is the table of a game with another name.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The rule file is invalid.
    #[error(transparent)]
    Rules(#[from] RuleFileError),
}

fn did_you_mean(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => format!(", did you mean {name}?"),
        [names @ .., last] => format!(", did you mean {} or {last}?", names.join(", ")),
    }
}

fn no_folder(missing: &Option<PathBuf>) -> String {
    let note = |folder: &PathBuf| format!("; MORPION_TABLES has {folder:?}, which is not a folder");
    missing.as_ref().map_or(String::new(), note)
}

fn list(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Folder of tables in a project.
const PROJECT: &str = "tables";

/// The folder for new tables: `tables` if the current folder contains `tables` or a `Cargo.toml`, otherwise the user's data folder. Tables
/// are searched for in both folders.
pub fn folder_to_write() -> PathBuf {
    let in_project = Path::new(PROJECT).is_dir() || Path::new("Cargo.toml").is_file();
    let data = Tables::user_folder().filter(|_| !in_project);
    data.unwrap_or_else(|| PROJECT.into())
}

/// The folders in which tables and rule files are searched for, in this order.
#[derive(Clone, Debug)]
pub struct Folders {
    tables: Tables,
    /// True if tables inside the program are found too.
    builtin: bool,
}

/// Location of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// In a file.
    File(PathBuf),
    /// Inside the program.
    BuiltIn,
}

impl Folders {
    /// Searches `first` if it is given, then `MORPION_TABLES` (a list), `./tables`, the user's folder and the folder of the machine.
    pub fn new(first: Option<PathBuf>) -> Folders {
        let mut all: Vec<PathBuf> = first.into_iter().collect();
        all.extend_from_slice(Tables::standard_with(Some(PROJECT.into())).folders());
        Folders { tables: Tables::in_folders(all), builtin: true }
    }

    /// Searches one folder, and no tables inside the program.
    pub fn only(folder: PathBuf) -> Folders {
        Folders { tables: Tables::in_folders([folder]), builtin: false }
    }

    /// The first file of this name in one of the folders.
    pub fn find(&self, file_name: &str) -> Option<PathBuf> {
        let mut files = self.tables.folders().iter().map(|folder| folder.join(file_name));
        files.find(|file| file.is_file())
    }

    /// All rule files, ordered by folder, then by name.
    fn rule_files(&self) -> impl Iterator<Item = PathBuf> {
        let in_folder = |folder: &PathBuf| {
            let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let is_rules = |file: &PathBuf| file.extension().is_some_and(|ending| ending == RULES);
            let files = files.map(|file| file.path()).filter(is_rules);
            let mut files: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
            files.sort();
            files
        };
        self.tables.folders().iter().flat_map(in_folder)
    }

    /// The rules of a standard game, of a rule file, or of `NAME.toml` in one of the folders. Aliases are found too.
    ///
    /// # Errors
    /// If there is no such game, or its rule file is invalid.
    pub fn game(&self, name: &str) -> Result<Game, LookupError> {
        self.named(name).map(|named| named.game)
    }

    /// The rules like [`Folders::game`], with aliases and warnings.
    ///
    /// # Errors
    /// Errors of [`Folders::game`].
    pub fn named(&self, name: &str) -> Result<NamedGame, LookupError> {
        if is_rule_file(name) {
            return Ok(read_rules(Path::new(name))?);
        }
        if is_table_file(name) {
            return Err(LookupError::TableFile(name.into()));
        }
        if let Some(named) = standard_named().find(|named| named.is_called(name)) {
            return Ok(named);
        }
        let file = self.find(&format!("{name}.{RULES}")).filter(|_| !is_file_name(name));
        if let Some(file) = file {
            return Ok(read_rules(&file)?);
        }
        // An unreadable rule file prevents only its own game from being found.
        let own: Vec<NamedGame> =
            self.rule_files().filter_map(|file| read_rules(&file).ok()).collect();
        if let Some(named) = own.iter().find(|named| named.is_called(name)) {
            return Ok(named.clone());
        }
        // A table without a rule file contains the rules itself.
        if let Some(file) = self.tables.find(name) {
            let named = rules::named_of(open_file(&file)?.game());
            if let Some(named) = named.filter(|named| named.game.name() == name) {
                return Ok(named);
            }
        }
        let aliases = standard_named().chain(own).flat_map(|named| named.aliases);
        let known = self.names().into_iter().chain(aliases);
        let listed = std::env::var_os("MORPION_TABLES").unwrap_or_default();
        let is_missing = |folder: &PathBuf| !folder.as_os_str().is_empty() && !folder.is_dir();
        let missing = std::env::split_paths(&listed).find(is_missing);
        Err(LookupError::Unknown { name: name.into(), nearest: nearest(name, known), missing })
    }

    /// The names of all games that may have a table, each once: the standard games, then the games of rule files, ordered by folder and
    /// name, then the games of tables, sorted by name. Other TOML files in the folders are ignored.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = standard().map(|game| game.name().to_owned()).collect();
        for file in self.rule_files() {
            let Some(name) = file.file_stem().and_then(|name| name.to_str()) else { continue };
            let is_new = !is_file_name(name) && !names.iter().any(|other| other == name);
            if is_new && read_rules(&file).is_ok() {
                names.push(name.to_owned());
            }
        }
        let tables = self.tables.names().into_iter().filter(|name| !names.contains(name));
        let tables: Vec<String> = tables.collect();
        names.extend(tables);
        names
    }

    /// Opens the table of a game by its name or rule file, or the table file `name`. Given a rule file, a table of the same name but with
    /// other rules is an error, because the rules may have changed since the build.
    ///
    /// # Errors
    /// If there is no such game, its table is not built, or the file is not a table of the game.
    pub fn open(&self, name: &str) -> Result<(Table, Location), LookupError> {
        self.open_kind(name, false)
    }

    /// Opens a table like [`Folders::open`]. If a folder has both kinds of tables, `prefers_packed` selects the packed table.
    ///
    /// # Errors
    /// Errors of [`Folders::open`].
    pub fn open_kind(
        &self,
        name: &str,
        prefers_packed: bool,
    ) -> Result<(Table, Location), LookupError> {
        let find = |name: &str| self.tables.find_kind(name, prefers_packed);
        if is_rule_file(name) {
            let game = self.game(name)?;
            let file = find(game.name());
            let table = file.and_then(|file| Some((open_file(&file).ok()?, Location::File(file))));
            let table = table.filter(|(table, _)| table.expect_rules(&game).is_ok());
            return table.ok_or_else(|| self.not_built(name));
        }
        if is_file_name(name) {
            let file = PathBuf::from(name);
            return Ok((open_file(&file)?, Location::File(file)));
        }
        // A table without a rule file is found by its own name and uses the rules in its header.
        let (game, unknown) = match self.game(name) {
            Ok(game) => (Some(game), None),
            Err(unknown @ LookupError::Unknown { .. }) => (None, Some(unknown)),
            Err(other) => return Err(other),
        };
        // The game's own name, since `name` may be an alias or a rule file.
        let name = game.as_ref().map_or(name, |game| game.name());
        if let Some(file) = find(name) {
            let table = open_file(&file)?;
            if let Some(game) = &game {
                let other = |error: TableError| error.at(&file);
                table.expect_rules(game).map_err(other)?;
            }
            return Ok((table, Location::File(file)));
        }
        if self.builtin
            && let Some(table) = builtin(name)?
        {
            return Ok((table, Location::BuiltIn));
        }
        Err(unknown.unwrap_or_else(|| self.not_built(name)))
    }

    fn not_built(&self, name: &str) -> LookupError {
        LookupError::NotBuilt { name: name.into(), searched: self.tables.folders().to_vec() }
    }
}

/// Opens a table inside the program, if there is one of this name.
fn builtin(name: &str) -> Result<Option<Table>, LookupError> {
    let packed = || {
        let bytes = Bytes::detect(builtin_packed(name)?.into());
        let table = bytes.and_then(Table::from_source);
        Some(table.map_err(|error| error.at(name)))
    };
    let plain = morpion_lookup::Table::builtin(name).ok().map(Ok);
    Ok(plain.or_else(packed).transpose()?)
}

/// Reads the rule file at `path`.
///
/// # Errors
/// If the file cannot be read, or its rules are invalid.
pub fn read_rules(path: &Path) -> Result<NamedGame, RuleFileError> {
    rules::read_named(&path.display().to_string(), File::open(path))
}

fn open_file(file: &Path) -> Result<Table, LookupError> {
    // SAFETY: programs replace tables by renaming a new file over them, and never change them in place.
    let bytes = unsafe { Bytes::map(file) }?;
    Ok(Table::from_source(bytes).map_err(|error| error.at(file))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_games_are_found_by_file_name_and_alias_and_listed() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |file: &str, text: &str| std::fs::write(folder.path().join(file), text).unwrap();
        let body = "[board]\nrows = 3\ncolumns = 3\n[lines]\nlength = 3";
        write("mine.toml", &format!("name = \"mine\"\naliases = [\"my-own\"]\n{body}"));
        write("broken.toml", "name");
        let folders = Folders::new(Some(folder.path().into()));
        for name in ["mine", "my-own", folder.path().join("mine.toml").to_str().unwrap()] {
            assert_eq!(folders.game(name).unwrap().name(), "mine", "{name}");
        }
        assert!(
            matches!(folders.open("my-own"), Err(LookupError::NotBuilt { name, .. }) if name == "mine")
        );
        assert!(matches!(folders.game("broken"), Err(LookupError::Rules(_))));
        assert!(folders.names().iter().any(|name| name == "mine"));
        assert!(!folders.names().iter().any(|name| name == "broken"));
        let nearest = |name: &str| match folders.game(name) {
            Err(LookupError::Unknown { nearest, .. }) => nearest,
            other => panic!("{other:?}"),
        };
        assert_eq!(nearest("my-onw")[0], "my-own");
        assert_eq!(nearest("teko"), ["teeko"]);
        assert_eq!(nearest("Classic")[0], "classic");
        assert_eq!(nearest("backgammon"), [""; 0]);
    }
}
