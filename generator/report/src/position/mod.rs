//! About one position: its answer, the ranking of its moves, a line of play.

pub mod answer;
pub mod line;
pub mod ranking;
