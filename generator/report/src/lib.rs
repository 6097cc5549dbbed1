//! Answers of tables, for people and for programs: an [`answer`] to a position and the [`mod@ranking`] of its moves, a perfect [`mod@line`] of play, a winning
//! [`strategy`], all [`mod@entries`], the [`count`] of reachable positions (and of [`classes`] of arrangements), the number of
//! [`games`], the [`census`] and its [`chart`], the [`atlas`]; scores and numbers in [`words`].

pub mod answer;
pub mod atlas;
pub mod census;
pub mod chart;
pub mod classes;
pub mod count;
pub mod distribution;
pub mod entries;
pub mod games;
pub mod line;
pub mod ranking;
#[cfg(feature = "schema")]
pub mod schema;
pub mod strategy;
pub mod words;
