//! Games played out: a [`referee`] who knows the rules, [`record`]s of games, [`players`] from a random one to a perfect one,
//! the [`arena`] in which they meet, and reproducible [`dice`].

pub mod arena;
pub mod dice;
pub mod players;
pub mod record;
pub mod referee;
