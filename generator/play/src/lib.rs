//! Games played out: a [`referee`] who knows the rules, [`record`]s of games, [`players`] from random to perfect, the
//! [`arena`] in which they meet, an engine for other arenas ([`ugi`]), and reproducible random numbers ([`dice`]).

pub mod arena;
pub mod dice;
pub mod players;
pub mod record;
pub mod referee;
pub mod ugi;
