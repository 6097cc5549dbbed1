//! Names that nearly every command needs.

pub(crate) use super::commands::commands;
pub use super::help::help;
pub use super::output::{
    Output, Shown, WIDTH, csv, note, save, wrapped, write_file, write_wrapped,
};
pub use super::progress::{Bars, When, stop_on_signal};
pub use anyhow::{Context, Result, anyhow, bail, ensure};
pub use morpion_games::catalogue::Table;
pub use morpion_report::phrases::{aligned, brief, counted, grouped, in_words};
pub use serde::Serialize;
pub use std::io::Write;
pub use std::path::{Path, PathBuf};
