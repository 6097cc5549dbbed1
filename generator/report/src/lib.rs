//! Reports from tables, as text and as JSON.
//!
//! - About a position: an [`answer`], the [`mod@ranking`] of its moves, a perfect [`mod@line`] of play, a [`lesson`] for one
//!   side, and the [`strategy`] of the winner from all positions.
//! - About a table: all [`mod@entries`] and the [`census`].
//! - About a game: its `description`, the [`count`] of reachable positions, the [`classes`] of arrangements, the number of
//!   [`games`].
//! - About all games: the [`atlas`], a comparison of games of [`disappearing`] pieces, and the [`registry`] of solved games.
//! - As SVG: the [`diagram`] of a position, each [`figure`] of a table, a game or several games, and the [`picture`] of a board, with the places of [`geometry`].
//!
//! [`words`] formats scores, numbers and rules, [`html`] pages. [`worth`] names scores for JSON, [`error`] lists the reasons why a report fails.

pub mod answer;
pub mod atlas;
pub mod census;
pub mod classes;
pub mod count;
pub mod description;
pub mod disappearing;
pub mod distribution;
pub mod entries;
pub mod error;
pub mod figure;
pub mod games;
mod least;
pub mod lesson;
pub mod line;
pub mod orbits;
pub mod ranking;
pub mod registry;
pub mod schema;
pub mod strategy;
pub mod words;
pub mod worth;

pub use morpion_diagram::{diagram, geometry, html, picture};
