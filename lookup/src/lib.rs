//! Perfect play for morpion (tic-tac-toe) and its family: opens a solved table and answers value, distance and perfect
//! moves of any position, without search and without the heap.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use morpion_lookup::{Score, Table};
//!
//! let table = Table::builtin("swap").unwrap();
//! let position = table.game().parse_position("XX./OO./XO. x")?;
//! assert_eq!(table.probe(position)?, Score::Win { plies: Some(1) }); // for the side to move, in one half-move
//! for best in table.ranked_moves(position)?.best() {                 // every perfect move
//!     assert_eq!(table.game().format_move(best.mv), "a3-c1");
//! }
//! // `play` checks that a move is legal; `after` does not, and is for moves that the library gave.
//! assert!(table.game().play(position, table.game().parse_move("a1-b1")?).is_err());
//! # Ok(()) }
//! ```
//!
//! - **Tables.** [`Table::builtin`] has the games of nine cells. The `morpion` program builds others. `open_game` opens the table of a game
//!   by its name, and `Tables` keeps the tables that it opened. `Table::open` opens a file, plain or packed, `Table::map` maps it into
//!   memory, and [`Table::from_source`] opens any [`Source`]: a slice, a `Vec`, or a reader of your own.
//! - **Questions.** A [`Situation`] is a board with the pieces and the side to move. Batches take a [`Position`], which is only the sets of
//!   cells. Most other methods take either of these types. [`Game`] has the rules: legal moves, the end of the game, notation.
//!   [`Table::probe`], [`Table::probe_many`], [`Table::ranked_moves`] and [`Table::best_move`] answer. [`Table::line`] plays perfectly to
//!   the end, and [`Table::orbit`] lists the symmetric forms of a position.
//! - **Errors.** Invalid input yields a typed error, never a panic: [`PositionError`] for positions, texts and moves,
//!   [`TableError`] for tables, with the path of a file, and [`ProbeError`] for answers. [`Table::check_sums`] finds any damage to a table. Without that
//!   check, a damaged table may answer a wrong value or [`ProbeError::Damaged`].
//! - **Threads.** A [`Table`] holds no state and is `Send + Sync` if its source is: share it by reference.
//!
//! # Cost
//!
//! | call | time | memory |
//! |---|---|---|
//! | [`Table::from_source`], `Table::map`, [`Table::builtin`] | microseconds, for a table of any size | some kilobytes |
//! | `Table::open` | reading the file, and if it is packed unpacking it; microseconds above 64 MiB | the table; above 64 MiB some kilobytes |
//! | [`Table::probe`] | two reads of the table: some 20 ns in cache, one cache miss or two in a large table | none |
//! | [`Table::probe_many`] | half of that for each position, because their cache misses overlap | the list of answers |
//! | [`Table::best_move`], [`Table::ranked_moves`] | two reads, and one for each move in the same row | none |
//! | [`Table::line`] | a [`Table::best_move`] for each move | some hundred bytes per move |
//! | [`Table::orbit`] | a few nanoseconds per symmetry and piece, without the table | a position per symmetry |
//! | methods of [`Game`] and [`Situation`] | nanoseconds, without the table | their result |
//! | [`Table::check_sums`] | reading all of the table | 1 MiB if it is not in memory, and 8 bytes per MiB |
//!
//! `cargo bench -p morpion-lookup` measures these costs. From a source that is not in memory, a probe reads 4 bytes of a map and the 1 or 2
//! bytes of an entry. Moves need 4 bytes and one row of the table, in a buffer of its length.
//!
//! # Features
//!
//! - `std` (default): files, and `std::io::Error` as a [`TableError`]. Without it the crate is `no_std` and needs `alloc`.
//! - `map` (default, with `std`): mapped files, `Table::map` and `Bytes::map`, which are `unsafe` because another process
//!   can change the file. Without it no code is `unsafe`, and memmap2 and libc are not compiled.
//! - `packed` (default, with `std`): packed tables, `NAME.morpion.zst`, a fifth as large, from any source: `Packed`. A table of at
//!   most 64 MiB is unpacked when it is opened; in a larger table, or from a source, a value takes some 100 µs if its frames have to be
//!   unpacked and under 1 µs if they are cached.
//!
//! `tables/FORMAT.md` describes the format of the file; [`raw`] gives access to its parts.
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

mod batch;
mod builtin;
mod bytes;
mod line_of_play;
#[cfg(feature = "packed")]
mod packed;
pub mod raw;
mod table;
#[cfg(feature = "std")]
mod tables;

pub use bytes::Bytes;
pub use line_of_play::{LineEnd, LineOfPlay};
#[doc(inline)]
pub use morpion_core::{
    Board, DrawKind, ErrorKind, Game, MAX_CELLS, Move, Over, Position, PositionError, ProbeError,
    RankedMove, RankedMoves, Score, Side, Situation, Source, TableError, Value,
};
#[cfg(feature = "packed")]
pub use packed::Packed;
pub use table::Table;
#[cfg(feature = "std")]
pub use tables::{Tables, open_game};

/// Compiles and runs the examples of the README.
#[cfg(all(doctest, feature = "packed"))]
#[doc = include_str!("../README.md")]
struct Readme;
