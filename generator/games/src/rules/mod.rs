//! Rule files: a game as TOML text.

mod file;
mod grid;

pub use file::{Fault, RuleFileError, parse, read};
