//! Tiny lookup library for tables of perfect play in morpion (tic-tac-toe) and its family.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod builtin;
mod chunks;
mod error;
pub mod format;
mod game;
mod oracle;
pub mod rank;
mod rules;
mod score;
mod symmetry;
mod table;
mod text;

pub use builtin::{builtin, builtin_names};
pub use error::{PositionError, ProbeError, RulesError, TableError, TextError};
pub use game::{Counts, Game, Move, Moves, Over, Position};
pub use oracle::{MAX_MOVES, RankedMove, RankedMoves};
pub use rules::{
    Board, During, MAX_CELLS, MAX_COLUMNS, Movement, Opening, Rules, Side, Start, Travel, Value,
};
pub use score::{DrawKind, Encoding, Score};
pub use symmetry::Permutation;
pub use table::Table;
