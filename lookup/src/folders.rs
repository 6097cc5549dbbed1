//! Where table files are looked for: the same folders for the program and for every language.
//!
//! The environment says which. A table is `NAME.morpion` in one of them, or packed `NAME.morpion.zst`.

use crate::rules::Rules;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// The user's folder of tables, where `morpion build` writes: `$XDG_DATA_HOME/morpion`, or `.local/share/morpion` in the user's
/// home, where there is one.
#[must_use]
pub fn user() -> Option<PathBuf> {
    let home = || Some(PathBuf::from(set("HOME")?).join(".local/share"));
    set("XDG_DATA_HOME").map(PathBuf::from).or_else(home).map(|data| data.join("morpion"))
}

/// The folders that `MORPION_TABLES` lists, as `PATH` lists its own.
fn listed() -> Vec<PathBuf> {
    split(set("MORPION_TABLES").unwrap_or_default())
}

/// The folders of tables of the machine that are there: `morpion` in those of `$XDG_DATA_DIRS`, without it in `/usr/local/share`
/// and `/usr/share`.
fn system() -> Vec<PathBuf> {
    let shared = set("XDG_DATA_DIRS").unwrap_or_else(|| "/usr/local/share:/usr/share".into());
    let folders = split(shared).into_iter().map(|data| data.join("morpion"));
    folders.filter(|folder| folder.is_dir()).collect()
}

/// The folders in which tables are looked for, in this order: those that `MORPION_TABLES` lists, `own` of the program, the
/// [`user`]'s, and those of the machine that are there, `morpion` in `$XDG_DATA_DIRS`.
#[must_use]
pub fn all(own: Option<PathBuf>) -> Vec<PathBuf> {
    [listed(), own.into_iter().collect(), user().into_iter().collect(), system()].concat()
}

/// The first file of a game's table in these folders, plain or packed; none where the text names no game, which keeps it
/// inside the folders.
#[must_use]
pub fn find(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    if !Rules::is_name(name) {
        return None;
    }
    let mut files = folders
        .iter()
        .flat_map(|folder| ENDINGS.map(|ending| folder.join(format!("{name}{ending}"))));
    files.find(|file| file.is_file())
}

/// The endings of table files, plain and packed.
pub const ENDINGS: [&str; 2] = [".morpion", ".morpion.zst"];

/// A variable that is there and not empty.
fn set(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

fn split(list: OsString) -> Vec<PathBuf> {
    env::split_paths(&list).filter(|folder| !folder.as_os_str().is_empty()).collect()
}
