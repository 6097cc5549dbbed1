//! The core of `morpion-lookup`: games, positions and moves with their texts, and the answers of tables whose bytes are at hand.
//!
//! Programs use `morpion-lookup`, which opens files and keeps tables, and re-exports the stable part of this crate.
//!
//! A [`Game`] has a board, lines, and a [`LayerGraph`] with the moves. A [`Position`] is the sets of cells of both sides, and a
//! [`Situation`] a position with its board and the side to move.
//!
//! A table is opened in three steps. [`read_preamble`] checks the first bytes of a [`Source`] and returns the bytes of its header.
//! [`Header`] reads from these bytes the game and the fields after the game. [`index::Index`] finds the entry of a [`Position`].
//! [`Header::new`], [`preamble()`], [`Sums`] and [`seek_table`] are for programs that write tables.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[macro_use]
mod macros;
#[macro_use]
pub mod fields;

mod about;
mod beside;
mod board;
mod cell_names;
mod census;
pub mod chunks;
mod encoding;
mod error;
mod format;
mod forms;
mod game;
mod images;
pub mod index;
mod layers;
mod move_text;
mod moves;
mod oracle;
mod order;
mod position;
mod probe;
pub mod rank;
mod rank_delta;
pub mod reader;
mod score;
mod seek_index;
mod situation;
mod source;
mod steps;
mod symmetry;
mod text;
mod words;

pub use about::{About, Point, Start};
pub use board::{Board, MAX_COLUMNS, MAX_SQUARES};
pub use cell_names::{cell_name, cell_named, read_cell};
pub use census::{Census, Deepest, LayerCensus, census_range, read_census};
pub use encoding::Encoding;
pub use error::{Damage, ErrorKind, PositionError, ProbeError, TableError};
pub use fields::{METADATA_LIMIT, deserialise, serialise};
pub use format::{
    ALIGNMENT, Group, Header, LayerSection, MAGIC, MAX_SYMMETRIES, MapSection, SUM_UNIT, Sums,
    VERSION, body_begins, check_sums, preamble, read_preamble, sums_length, symmetry_bits,
};
pub use game::Game;
pub use images::Images;
pub use layers::{Layer, LayerGraph, Over, Stuck, Takes};
pub use oracle::{RankedMove, RankedMoves};
pub use order::{MAX_AGED, Sequence, order, orders};
pub use position::{AGED, CELLS, Counts, MAX_CELLS, MAX_MOVES, Move, Position, SHIFT, Side};
pub use score::{DrawKind, Score, Value};
pub use seek_index::{
    MAX_FRAME, MAX_FRAMES, SEEK_FOOTER, SEEK_FRAME, SEEK_MAGIC, seek_index, seek_table,
};
pub use situation::Situation;
pub use source::{Source, slice, word};
pub use steps::{Condition, Effect, Moves, Oldest, Step, Travel};
pub use symmetry::{Permutation, orbit};
pub use words::{Orders, Words};
