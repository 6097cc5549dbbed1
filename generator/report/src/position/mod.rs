//! About one position: its answer, the ranking of its moves, a line of play, the strategy of the winner.

pub mod answer;
pub mod line;
pub mod ranking;
pub mod strategy;
