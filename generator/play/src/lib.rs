//! Playing games. A [`referee`] knows the rules, [`players`] range from random to perfect, and they meet in the
//! [`arena`]. An [`appraisal`] judges a game by their results. There are [`record`]s of games, [`link`]s to them, and
//! [`puzzles`]. Random numbers are reproducible ([`dice`]).

pub mod appraisal;
pub mod arena;
pub mod dice;
pub mod link;
pub mod players;
pub mod puzzles;
pub mod record;
pub mod referee;
