//! Rule files: a game as TOML text. The text is read into its `shape`, of which the `board`, the `lines` and the other
//! `parts` of the rules are made.

mod board;
mod fault;
mod file;
mod grid;
mod lines;
mod page;
mod parts;
mod shape;

pub use fault::{RuleFault, RuleFileError};
pub use file::{NamedGame, parse, parse_named, read, read_named};
pub use page::{PAGE, starter};
