//! Games and tables by name: the standard games, and the folders in which their tables are searched for.
//!
//! Finds a game or opens a table by its name or file name. Errors name similar games, or the folders that were searched.

use crate::nearest::nearest;
use crate::rules::{self, NamedGame, RuleFileError};
use morpion_lookup::{Bytes, Game, TableError, Tables};
use std::path::{Path, PathBuf};
use thiserror::Error;

macro_rules! presets {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../presets/", $name, ".toml")))),*]
    };
}

/// The standard games with the text of their rule files, smaller games first.
const STANDARD: &[(&str, &str)] = presets! {
    "classic" "misere" "swap" "swap-pass" "tapatan" "nine-holes" "nine-holes-any" "nine-holes-diagonals" "picaria"
    "achi" "rota" "shisima" "disappearing" "disappearing-line-first" "disappearing-remove-first" "disappearing-4"
    "quixo3" "classic4" "beginner4" "swap4" "teeko" "beginner5" "swap5" "classic5x4k4" "classic5k5" "classic5k4"
    "swap6" "beginner6" "quixo4" "five-mens-morris" "six-mens-morris" "seven-mens-morris" "disappearing4x4"
    "disappearing4x4-line-first" "disappearing4x4-remove-first" "nine-mens-morris" "lasker-morris" "morabaraba"
    "quixo5"
};

/// Names of standard games whose titles are sentences or begin alike. Titles are part of published tables, and these names are not.
const SHORT_TITLES: &[(&str, &str)] = &[
    ("swap", "Swap"),
    ("swap-pass", "Swap with pass"),
    ("nine-holes-any", "Nine holes, any cell"),
    ("beginner4", "Three of four on 4×4"),
    ("swap4", "Swap on 4×4"),
    ("beginner5", "Four of five on 5×5"),
    ("swap5", "Swap on 5×5"),
    ("classic5x4k4", "Four in a row on 5×4"),
    ("swap6", "Swap on 6×6"),
    ("beginner6", "Five of six on 6×6"),
    ("disappearing-4", "Disappearing tic-tac-toe, four marks"),
    ("disappearing-line-first", "Disappearing tic-tac-toe, lines first"),
    ("disappearing-remove-first", "Disappearing tic-tac-toe, oldest first"),
    ("disappearing4x4-line-first", "Disappearing tic-tac-toe on 4×4, lines first"),
    ("disappearing4x4-remove-first", "Disappearing tic-tac-toe on 4×4, oldest first"),
];

/// Extension of a rule file.
const RULES: &str = "toml";

/// Extension of a plain table.
pub const EXTENSION: &str = "morpion";

/// Extension of a packed table.
pub const PACKED: &str = "morpion.zst";

/// A table from a file of either kind, from memory, or from the program.
pub use morpion_lookup::Table;

/// Reason why a name leads to no game or table.
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
    #[error("{file} is a table: give the name of a game or a rule file")]
    TableFile {
        /// The file.
        file: String,
    },
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

/// The folders of `MORPION_TABLES`.
fn listed() -> impl Iterator<Item = PathBuf> {
    let list = std::env::var_os("MORPION_TABLES").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&list).collect();
    folders.into_iter().filter(|folder| !folder.as_os_str().is_empty())
}

fn list(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// The standard games, smaller games first.
pub fn standard() -> impl Iterator<Item = Game> {
    named().map(|named| named.game)
}

/// The standard games with their aliases.
fn named() -> impl Iterator<Item = NamedGame> {
    STANDARD.iter().map(|(name, text)| {
        rules::parse_named(&format!("{name}.toml"), text).expect("a preset is sound")
    })
}

/// The standard game of this name or alias.
pub fn standard_game(name: &str) -> Option<Game> {
    named().find(|named| is_called(named, name)).map(|named| named.game)
}

/// The rule file of the standard game of this name.
pub fn standard_text(name: &str) -> Option<&'static str> {
    STANDARD.iter().find(|(standard, _)| *standard == name).map(|&(_, text)| text)
}

/// The rule file of the standard game to which a table belongs.
pub fn standard_rules(table: &Table) -> Option<&'static str> {
    let name = &table.game().name();
    let (_, text) = STANDARD.iter().find(|(standard, _)| standard == name)?;
    let game = rules::parse(name, text).ok()?;
    table.expect_rules(&game).is_ok().then_some(text)
}

/// The title of a game for menus: the name of a standard game, else the title up to its first colon or comma.
pub fn short_title(game: &Game) -> &str {
    let (name, title) = (game.name(), game.title());
    let is_standard = || {
        let line = format!("title = \"{title}\"");
        STANDARD.iter().any(|(standard, text)| *standard == name && text.contains(&line))
    };
    match SHORT_TITLES.iter().find(|(standard, _)| *standard == name) {
        Some((_, short)) if is_standard() => short,
        _ => title.split([':', ',']).next().unwrap_or(title),
    }
}

fn is_called(named: &NamedGame, name: &str) -> bool {
    named.game.name() == name || named.aliases.iter().any(|alias| alias == name)
}

/// Folder of tables in a project.
const PROJECT: &str = "tables";

/// The folder for new tables: `tables` if the current folder contains `tables` or a `Cargo.toml`, otherwise the user's data
/// folder. Tables are searched for in both.
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
    /// Searches `first` if it is given, then `MORPION_TABLES` (a list), `./tables`, the user's folder and the
    /// machine's.
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
        self.tables
            .folders()
            .iter()
            .map(|folder| folder.join(file_name))
            .find(|file| file.is_file())
    }

    /// All regular files with this extension, ordered by folder, then by name.
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
        self.tables.folders().iter().flat_map(in_folder).collect()
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
            return Ok(rules::read_named(Path::new(name))?);
        }
        if is_table_file(name) {
            return Err(LookupError::TableFile { file: name.into() });
        }
        if let Some(named) = named().find(|named| is_called(named, name)) {
            return Ok(named);
        }
        let file = self.find(&format!("{name}.{RULES}")).filter(|_| !is_file_name(name));
        if let Some(file) = file {
            return Ok(rules::read_named(&file)?);
        }
        // An unreadable rule file prevents only its own game from being found.
        let files = self.files(RULES);
        let own: Vec<NamedGame> =
            files.iter().filter_map(|file| rules::read_named(file).ok()).collect();
        if let Some(named) = own.iter().find(|named| is_called(named, name)) {
            return Ok(named.clone());
        }
        // A table without a rule file has the rules.
        if let Some(file) = self.tables.find(name) {
            let named = rules::named_of(open_file(&file)?.game());
            if let Some(named) = named.filter(|named| named.game.name() == name) {
                return Ok(named);
            }
        }
        let aliases = named().chain(own).flat_map(|named| named.aliases);
        let known = self.names().into_iter().chain(aliases);
        let missing = listed().find(|folder| !folder.is_dir());
        Err(LookupError::Unknown { name: name.into(), nearest: nearest(name, known), missing })
    }

    /// The names of all games that may have a table: the standard games, then the games of rule files and tables in the
    /// folders. Other TOML files there are ignored.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = STANDARD.iter().map(|(name, _)| name.to_string()).collect();
        for ending in [RULES, EXTENSION, PACKED] {
            for file in self.files(ending) {
                let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                let name = name.strip_suffix(ending).and_then(|name| name.strip_suffix('.'));
                let name = name.unwrap_or_default();
                let is_none = match ending {
                    RULES => is_file_name(name),
                    _ => !Game::is_name(name),
                };
                let known = names.iter().any(|other| other == name);
                if !known && !is_none && (ending != RULES || rules::read(&file).is_ok()) {
                    names.push(name.to_owned());
                }
            }
        }
        names
    }

    /// Opens the table of a game by its name or rule file, or the table file `name`. A table of the same name with other rules is
    /// not the table of a rule file, whose rules may have changed since.
    ///
    /// # Errors
    /// If there is no such game, its table is not built, or the file is not a table of the game.
    pub fn open(&self, name: &str) -> Result<(Table, Location), LookupError> {
        if is_rule_file(name) {
            let game = self.game(name)?;
            let file = self.tables.find(game.name());
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
        if let Some(file) = self.tables.find(name) {
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
    let plain = morpion_lookup::Table::builtin(name).map(Ok);
    Ok(plain.or_else(packed).transpose()?)
}

/// The bytes of a packed table inside the program.
pub fn builtin_packed(name: &str) -> Option<&'static [u8]> {
    morpion_tables::packed(name)
}

/// Checks that an argument names a rule file.
pub fn is_rule_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == RULES)
}

/// Checks that an argument names a table file.
pub fn is_table_file(name: &str) -> bool {
    [EXTENSION, PACKED].iter().any(|ending| name.ends_with(&format!(".{ending}")))
}

/// Checks that an argument names a file rather than a game.
pub fn is_file_name(name: &str) -> bool {
    name.contains(['/', '\\']) || Path::new(name).extension().is_some()
}

fn open_file(file: &Path) -> Result<Table, LookupError> {
    // SAFETY: programs replace tables by renaming a new file over them, and never change them in place.
    let bytes = unsafe { Bytes::map(file) }?;
    Ok(Table::from_source(bytes).map_err(|error| error.at(file))?)
}
