//! Rule files: a game as TOML text. The text is read into its `shape`, of which the `parts` of the rules are made.

mod board;
mod fault;
mod file;
mod grid;
mod lines;
mod parts;
mod shape;

pub use fault::{RuleFault, RuleFileError};
pub use file::{NamedGame, parse, parse_named, read, read_named};
