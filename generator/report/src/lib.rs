//! What tables say, for people and for programs: an [`answer`] to a position, a perfect [`mod@line`] of play, a winning
//! [`strategy`], the [`count`] of reachable positions (and of classes, by [`burnside`]), the [`census`], the [`atlas`].

pub mod answer;
pub mod atlas;
pub mod burnside;
pub mod census;
pub mod count;
pub mod line;
pub mod strategy;
