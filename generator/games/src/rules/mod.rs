//! Rule files: games as TOML text, which is read into its `shape`. Then the `board`, the `lines` and the other
//! `parts` of the rules are made from the shape, checked together, and compiled into a game.

mod board;
mod conditions;
mod data;
mod fault;
mod file;
mod grid;
mod layers;
mod lines;
mod odd;
mod page;
mod parts;
mod shape;
mod text;
mod validate;

pub use data::{During, Jump, Mills, Movement, Opening, Rules, To};
pub use fault::{RuleFault, RuleFileError};
pub use file::{NamedGame, named_of, parse, parse_named, read_named, rules_of};
pub use page::{PAGE, starter};
pub use shape::keys;
pub use text::{UnknownKey, varied, whole};
