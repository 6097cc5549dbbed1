//! Reports from tables, as text and as JSON.
//!
//! - About a position: an [`answer`], the [`mod@ranking`] of its moves, a perfect [`mod@line`] of play, a [`lesson`] for one
//!   side, and the [`strategy`] of the winner from all positions.
//! - About a table: all [`mod@entries`] and the [`census`].
//! - About a game: its `description`, the [`count`] of reachable positions, the number of [`games`].
//! - As SVG: the [`diagram`] of a position, and the [`picture`] of a board, with the places of [`geometry`]. Drawing needs no table.
//!
//! - To print: a [`sheet`] of tasks, or of a board with its pieces.
//!
//! [`phrases`] formats scores, numbers and rules. [`worth`] names scores for JSON, [`error`] lists the reasons why a report fails.

mod drawing;
pub mod error;
mod game;
mod html;
pub mod lesson;
pub mod phrases;
mod position;
pub mod sheet;
mod table;
pub mod worth;

pub use drawing::{diagram, geometry, picture};
pub use game::{count, description, games, least};
pub use position::{answer, line, ranking, strategy};
pub use table::{census, distribution, entries, orbits};
