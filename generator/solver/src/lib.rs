//! Solves games of the morpion family by retrograde analysis.
//!
//! [`layout`] determines the layout of a table, and [`sets`] folds the players' sets into rows. [`solve`] computes the
//! entries layer by layer, from the last to the first. A [`sink`] makes a table of the entries, and [`table`] does all steps in memory:
//!
//! ```
//! use morpion_games::rules::parse;
//! use morpion_lookup::Table;
//! use morpion_machine::progress::Unobserved;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rules = "name = \"small\"\n[board]\nrows = 2\ncolumns = 3\n[lines]\nlength = 2";
//! let game = parse("small.toml", rules)?;
//! let bytes = morpion_solver::table::solve(&game, &Unobserved)?;
//! let table = Table::from_source(bytes)?;
//! let answer = table.probe(game.parse_position(".../X.. o")?)?;
//! assert_eq!((answer.value().name(), answer.plies()), ("loss", Some(2)));
//! # Ok(())
//! # }
//! ```
//!
//! The crate uses neither files nor a terminal. `morpion-builder` solves games that need files, and resumes interrupted builds.

mod ages;
pub mod error;
pub mod layout;
pub mod sets;
pub mod sink;
pub mod solve;
pub mod table;
pub mod values;
