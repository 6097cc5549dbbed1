//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let table = morpion_lookup::builtin("swap").ok_or("no such table")?;
//! let game = table.game();
//! let (position, _side) = game.parse_position("XX./OO./XO. x")?;
//!
//! let score = table.probe(position)?;                       // for the side to move: a win in one half-move
//! assert_eq!((score.value().name(), score.plies()), ("win", Some(1)));
//!
//! let moves = table.ranked_moves(position)?;                       // all moves with their worth, the best first
//! let perfect: Vec<String> = moves.best().iter().map(|best| game.format_move(best.mv)).collect();
//! assert_eq!(perfect, ["a3-c1"]);
//! # Ok(()) }
//! ```
//!
//! Perfect play for morpion (tic-tac-toe) and its family: a table holds the value of every position of a game, and this
//! library reads it. Value, distance and perfect moves cost one or a few reads of memory, without search and without the
//! heap.
//!
//! - **Where tables come from.** [`builtin`] has the games of nine cells. The `morpion` program builds others:
//!   [`Table::read`] reads a file into memory, `Table::map` maps one of any size in microseconds, and [`Table::open`] opens
//!   any [`Source`]: a slice, a `Vec`, or a reader of your own.
//! - **What is asked.** A [`Position`] is two sets of cells, the mover's and the waiter's; [`Game`] knows the rules, its
//!   legal moves, and how positions and moves are written. [`Table::probe`], [`Table::probe_many`], [`Table::ranked_moves`],
//!   [`Table::best`] answer.
//! - **What can go wrong.** Any bits are a position or a named [`PositionError`], any bytes are a table or a named
//!   [`TableError`], a file that is none a [`FileError`] with its path; nothing panics. A damaged table is found by [`Table::check_sums`]; without that it may give a wrong
//!   value or [`ProbeError::Damaged`], and nothing worse.
//! - **Threads.** A [`Table`] holds no state and is `Send + Sync` where its source is: share it by reference.
//! - **Cost.** `cargo bench -p morpion-lookup` measures it: some 20 ns for a value from a table in cache, one missed read of memory in a
//!   large one, half of one for a position of a batch. What says nothing of its cost takes some
//!   nanoseconds, whatever the table, and allocates nothing but what it gives back.
//!
//! # Features
//!
//! - `std` (default): files, and [`std::io::Error`] as a [`ReadError`]. Without it the crate is `no_std` and needs `alloc`:
//!   opening a table takes some kilobytes, answering from memory none.
//! - `map` (default, with `std`): mapped files, `Table::map` and `Bytes::map`, which are the only `unsafe` functions.
//!   Without it memmap2 and libc are not compiled.
//!
//! The format of the file is described in `tables/FORMAT.md`, beside readers for C, Python and JavaScript.
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

mod builtin;
mod bytes;
mod children;
mod chunks;
mod encoding;
mod error;
mod format;
mod game;
mod key;
mod notation;
mod oracle;
mod probe;
mod rank;
mod rank_delta;
pub mod raw;
mod reader;
mod rules;
mod score;
mod source;
mod symmetry;
mod table;
mod text;

pub use builtin::{builtin, builtin_names};
pub use bytes::Bytes;
#[cfg(feature = "std")]
pub use error::FileError;
pub use error::{Damage, PositionError, ProbeError, RulesError, TableError, TextError};
pub use game::{Counts, Game, LegalMoves, MAX_MOVES, Move, Over, Position};
pub use notation::Setup;
pub use oracle::{RankedMove, RankedMoves};
pub use rules::{Board, During, MAX_CELLS, Movement, Opening, Rules, Side, Start, Travel, Value};
pub use score::{DrawKind, Score};
pub use source::{ReadError, Source};
pub use table::Table;
