//! The core of `morpion-lookup`: opens the bytes of a table and answers from them.
//!
//! Programs use `morpion-lookup`, which has files, text and lines of play too, and shows everything here under its own name. Begin
//! with [`Table`]: it reads the [`Header`] of a [`Source`], keeps the rules as a [`Game`], and finds the entry of a [`Position`].
//!
//! ```
//! use morpion_core::{Position, Table};
//!
//! let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../builtin/classic.morpion"));
//! let table = Table::from_source(&bytes[..])?;
//! let position = Position { mover: 0b011, waiter: 0b011_000 };
//! assert_eq!(table.probe(position).unwrap().plies(), Some(1));
//! assert_eq!(table.best_move(position).unwrap().unwrap().score.plies(), Some(1));
//! # Ok::<(), morpion_core::TableError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[macro_use]
mod macros;

mod board;
mod children;
pub mod chunks;
mod encoding;
mod error;
mod error_kind;
mod format;
mod game;
mod images;
pub mod key;
mod layers;
mod moves;
mod oracle;
mod order;
mod position;
mod probe;
pub mod rank;
mod rank_delta;
pub mod reader;
mod rules;
mod score;
mod source;
mod steps;
mod symmetry;
mod table;

pub use board::{Board, MAX_CELLS, MAX_COLUMNS, MAX_SQUARES};
pub use encoding::Encoding;
pub use error::{Damage, PositionError, ProbeError, RulesError, TableError};
pub use error_kind::ErrorKind;
pub use format::{
    ALIGNMENT, Group, Header, LayerSection, MAGIC, MAX_SYMMETRIES, METADATA_LIMIT, MapSection,
    SUM_UNIT, Sections, VERSION, deserialise, fingerprint, read_preamble, serialise, sums_length,
    symmetry_bits,
};
pub use game::Game;
pub use images::Images;
pub use layers::{Layer, LayerGraph, Over};
pub use oracle::{RankedMove, RankedMoves};
pub use order::{MAX_AGED, Sequence, order, orders};
pub use position::{AGED, CELLS, Counts, MAX_MOVES, Move, Position, SHIFT, Side};
pub use rules::{
    Additions, During, Further, Mills, Movement, Opening, Point, Rules, Start, Stuck, Takes,
    Travel, Value,
};
pub use score::{DrawKind, Score};
pub use source::{ReadError, Source, slice, word};
pub use steps::{Form, Oldest, Step};
pub use symmetry::Permutation;
pub use table::Table;
