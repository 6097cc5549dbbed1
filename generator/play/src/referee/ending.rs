//! Ends of games: by the rules, or because a game repeats itself.

use morpion_core::Over;
use std::fmt;

/// Reason why a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The rules of the game ended it.
    Rules(Over),
    /// A position occurred for the third time.
    Repeated,
}

impl Ending {
    /// The name of the reason, in records.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Rules(over) => over.name(),
            Ending::Repeated => "repetition",
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
            Ending::Repeated => write!(f, "the position occurs for the 3rd time"),
        }
    }
}
