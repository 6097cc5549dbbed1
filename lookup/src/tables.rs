//! Finds tables by the names of their games in folders, which are the same for the program and for every language.
//!
//! Environment variables name the folders. A table is the file `NAME.morpion` in one of the folders, or `NAME.morpion.zst` if it is packed.

use crate::builtin::canonical;
use crate::{ErrorKind, Game, Table, TableError};
use alloc::string::String;
use alloc::vec::Vec;
use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The endings of table files, plain and packed.
const ENDINGS: [&str; 2] = [".morpion", ".morpion.zst"];

/// Tables by the names of their games, in folders. A table is opened at its first use, and stays open.
///
/// ```
/// use morpion_lookup::Tables;
///
/// let tables = Tables::standard();
/// assert_eq!(tables.open("tic-tac-toe")?.game().name(), "classic");
/// assert!(std::sync::Arc::ptr_eq(&tables.open("classic")?, &tables.open("tic-tac-toe")?));
/// # Ok::<(), morpion_lookup::TableError>(())
/// ```
///
/// A clone shares the open tables.
#[derive(Clone, Debug)]
pub struct Tables {
    folders: Vec<PathBuf>,
    /// True if the tables inside this crate are searched after the folders.
    builtin: bool,
    open: Arc<Mutex<HashMap<String, Arc<Table>>>>,
}

impl Tables {
    /// Tables in the folders in `MORPION_TABLES` (a list like `PATH`), then the user's folder (`morpion` in `$XDG_DATA_HOME`, or in
    /// `.local/share` of the home), then the machine's folders (`morpion` in each of `$XDG_DATA_DIRS`, or in `/usr/local/share` and
    /// `/usr/share`). Last come the tables inside this crate.
    pub fn standard() -> Tables {
        Tables::standard_with(None)
    }

    /// Like [`Tables::standard`], with the folder `own` after the folders of `MORPION_TABLES`.
    #[doc(hidden)]
    pub fn standard_with(own: Option<PathBuf>) -> Tables {
        let listed = split(variable("MORPION_TABLES").unwrap_or_default());
        let folders = listed.chain(own).chain(Tables::user_folder()).chain(system());
        Tables { builtin: true, ..Tables::in_folders(folders) }
    }

    /// The same tables, and after all other folders those in `folder`.
    #[doc(hidden)]
    #[must_use]
    pub fn with_last(mut self, folder: Option<PathBuf>) -> Tables {
        let new = folder.filter(|folder| !self.folders.contains(folder));
        self.folders.extend(new);
        self
    }

    /// Tables in these folders only, which are searched in this order.
    pub fn in_folders<F: Into<PathBuf>>(folders: impl IntoIterator<Item = F>) -> Tables {
        let folders = folders.into_iter().map(Into::into).collect();
        Tables { folders, builtin: false, open: Arc::default() }
    }

    /// The user's folder of tables, where `morpion build` writes: `$XDG_DATA_HOME/morpion`, or `.local/share/morpion` in the user's home;
    /// `None` if neither `XDG_DATA_HOME` nor `HOME` is set.
    #[doc(hidden)]
    pub fn user_folder() -> Option<PathBuf> {
        let home = || Some(PathBuf::from(variable("HOME")?).join(".local/share"));
        let data = variable("XDG_DATA_HOME").map(PathBuf::from).or_else(home);
        data.map(|data| data.join("morpion"))
    }

    /// The folders, in the order in which they are searched.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The names of all tables, sorted, each once.
    pub fn names(&self) -> Vec<String> {
        let files = self.folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok());
        let files = files.flatten().flatten().filter(|file| file.path().is_file());
        let files = files.filter_map(|file| file.file_name().into_string().ok());
        let name = |file: String| {
            let name = ENDINGS.iter().find_map(|ending| file.strip_suffix(ending))?;
            Game::is_name(name).then(|| name.into())
        };
        let builtin = Table::builtin_names().filter(|_| self.builtin).map(String::from);
        let mut names: Vec<String> = files.filter_map(name).chain(builtin).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The first file of a game's table in these folders, plain or packed; `None` if there is no such file. The answer is also `None` if
    /// `name` cannot name a game, so that a path such as `../x` cannot leave the folders.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        self.find_kind(name, false)
    }

    /// Like [`Tables::find`]. If a folder has both a plain and a packed table, returns the packed one if `prefers_packed`.
    #[doc(hidden)]
    pub fn find_kind(&self, name: &str, prefers_packed: bool) -> Option<PathBuf> {
        if !Game::is_name(name) {
            return None;
        }
        let [plain, packed] = ENDINGS;
        let endings = if prefers_packed { [packed, plain] } else { ENDINGS };
        let file =
            |folder: &PathBuf| endings.map(|ending| folder.join(alloc::format!("{name}{ending}")));
        self.folders.iter().flat_map(file).find(|file| file.is_file())
    }

    /// The table of the game with this name or alias, opened as by [`Table::open`] at the first call. Calls in other threads wait
    /// meanwhile.
    ///
    /// # Errors
    /// If the table cannot be opened; the error has the path. Its kind is [`ErrorKind::Name`](crate::ErrorKind::Name) if there is no such
    /// table (the message has the folders that were searched), and [`ErrorKind::OtherRules`](crate::ErrorKind::OtherRules) if the file is
    /// the table of another game.
    pub fn open(&self, name: &str) -> Result<Arc<Table>, TableError> {
        let name = canonical(name);
        // Poisoning is harmless: only open tables are kept.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.get(name) {
            return Ok(table.clone());
        }
        let table = self.open_by(name, |path| Table::open(path))?;
        Ok(open.entry(name.into()).or_insert(Arc::new(table)).clone())
    }

    /// Opens a table as [`Tables::open`] does, but a file by `open`, and again at each call.
    ///
    /// # Errors
    /// Errors of [`Tables::open`] and of `open`.
    #[doc(hidden)]
    pub fn open_by(
        &self,
        name: &str,
        open: impl FnOnce(&Path) -> Result<Table, TableError>,
    ) -> Result<Table, TableError> {
        let name = canonical(name);
        let Some(path) = self.find(name) else {
            let builtin = Table::builtin(name).ok().filter(|_| self.builtin);
            return builtin.ok_or_else(|| self.not_found(name));
        };
        let table = open(&path)?;
        table.expect_name(name).map_err(|error| error.at(path))?;
        Ok(table)
    }

    fn not_found(&self, name: &str) -> TableError {
        let folders: Vec<String> = self.folders.iter().map(|at| at.display().to_string()).collect();
        let searched = if folders.is_empty() { "" } else { " in " };
        let name: String = name.chars().take(64).collect();
        let other = match self.builtin {
            true => ", or add its folder to MORPION_TABLES; morpion-tables has larger games",
            false => "",
        };
        let message = format_args!(
            "no table{searched}{}: build it with `morpion build {name}`{other}",
            folders.join(", ")
        );
        TableError::new(ErrorKind::Name, message).at(name)
    }
}

/// Opens the table of the game with this name or alias, from the first of the [standard folders](Tables::standard) that has it, or from
/// this crate. To share open tables, use [`Tables`].
///
/// ```
/// assert_eq!(morpion_lookup::open_game("tic-tac-toe")?.game().name(), "classic");
/// # Ok::<(), morpion_lookup::TableError>(())
/// ```
///
/// # Errors
/// Errors of [`Tables::open`].
pub fn open_game(name: &str) -> Result<Table, TableError> {
    Tables::standard().open_by(name, |path| Table::open(path))
}

/// The folders of tables for all users of the machine.
fn system() -> impl Iterator<Item = PathBuf> {
    let shared = variable("XDG_DATA_DIRS").unwrap_or_else(|| "/usr/local/share:/usr/share".into());
    split(shared).map(|data| data.join("morpion"))
}

/// The value of an environment variable; `None` if it is not set or empty.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

fn split(list: OsString) -> impl Iterator<Item = PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&list).collect();
    folders.into_iter().filter(|folder| !folder.as_os_str().is_empty())
}
