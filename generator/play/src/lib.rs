//! Games played out: a [`referee`] who knows the rules, [`record`]s of games, [`link`]s to them, [`players`] from random to perfect, the
//! [`arena`] in which they meet, an engine for other arenas ([`ugi`]), [`puzzles`], and reproducible random numbers ([`dice`]).

pub mod arena;
pub mod dice;
pub mod link;
pub mod players;
pub mod puzzles;
pub mod record;
pub mod referee;
pub mod ugi;
