//! Rule files: games as TOML text, which is read into its `shape`. Then the `board`, the `lines` and the other
//! `parts` of the rules are made from the shape.

mod board;
mod fault;
mod file;
mod grid;
mod lines;
mod odd;
mod page;
mod parts;
mod shape;

pub use fault::{RuleFault, RuleFileError};
pub use file::{NamedGame, parse, parse_named, read, read_named};
pub use page::{PAGE, starter};
