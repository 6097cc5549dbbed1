//! Ends of games: by the rules, or because a game repeats itself.

use morpion_lookup::Over;
use std::fmt;

/// Reason why a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The rules of the game ended it.
    Rules(Over),
    /// A position occurred too often.
    Repeated {
        /// Number of occurrences.
        times: u32,
    },
    /// The position equals an earlier one.
    TurnsAgo {
        /// Number of turns since then.
        turns: u32,
    },
}

impl Ending {
    /// The name of the reason, `repetition` or `turns-ago`.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Rules(over) => over.name(),
            Ending::Repeated { .. } => "repetition",
            Ending::TurnsAgo { .. } => "turns-ago",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Rules(Over::Line) => write!(f, "a line is made"),
            Ending::Rules(Over::Full) => write!(f, "nothing can be placed any more"),
            Ending::Rules(Over::Stuck) => write!(f, "the side to move is blocked"),
            Ending::Rules(Over::OwnLine) => write!(f, "the side to move has a line"),
            Ending::Rules(Over::Few) => write!(f, "the side to move has too few pieces"),
            Ending::Repeated { times } => write!(f, "the position occurs for the {}", nth(*times)),
            Ending::TurnsAgo { turns: 1 } => write!(f, "the position is that of a turn ago"),
            Ending::TurnsAgo { turns } => write!(f, "the position is that of {turns} turns ago"),
        }
    }
}

/// `2nd time`, `3rd time`, …
fn nth(times: u32) -> String {
    let suffix = match (times % 10, times % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{times}{suffix} time")
}
