//! The core of `morpion-lookup`: opens the bytes of a table and answers from them.
//!
//! Programs use `morpion-lookup`, which has rules, files, text and lines of play too, and shows everything here under its own name.
//!
//! A table is opened in three steps. [`read_preamble`] checks the first bytes of a [`Source`] and returns the bytes of its header. The
//! game there becomes a [`Game`], which has the lines and a [`LayerGraph`] with the moves. The fields after it are the
//! [`Header`]. [`index::Index::new`] takes both, and finds the entry of a [`Position`].
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
mod board;
mod cell_names;
mod census;
pub mod chunks;
mod encoding;
mod error;
mod format;
mod game;
mod images;
pub mod index;
mod layers;
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
mod source;
mod steps;
mod symmetry;
mod words;

pub use about::{About, Point, Start};
pub use board::{Board, MAX_COLUMNS, MAX_SQUARES};
pub use cell_names::{cell_name, cell_named, read_cell, write_cell};
pub use census::{Census, Deepest, LayerCensus, census_range, read_census};
pub use encoding::Encoding;
pub use error::{Damage, ErrorKind, PositionError, PositionFault, ProbeError, TableError};
pub use fields::{METADATA_LIMIT, deserialise, serialise};
pub use format::{
    ALIGNMENT, Group, Header, LayerSection, MAGIC, MAX_SYMMETRIES, MapSection, SUM_UNIT, VERSION,
    body_begins, read_preamble, sums_length, symmetry_bits,
};
pub use game::Game;
pub use images::Images;
pub use layers::{Layer, LayerGraph, Over, Stuck, Takes};
pub use oracle::{RankedMove, RankedMoves};
pub use order::{MAX_AGED, Sequence, order, orders};
pub use position::{AGED, CELLS, Counts, MAX_CELLS, MAX_MOVES, Move, Position, SHIFT, Side};
pub use score::{DrawKind, Score, Value};
pub use seek_index::{MAX_FRAME, MAX_FRAMES, seek_index};
pub use source::{Source, slice, word};
pub use steps::{Condition, Effect, Moves, Oldest, Step, Travel};
pub use symmetry::{Permutation, orbit};
pub use words::Words;
