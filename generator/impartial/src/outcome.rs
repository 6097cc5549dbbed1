//! Who wins, in the one word that every answer has for it.

/// `win` or `loss` for the side to move.
#[must_use]
pub fn outcome(win: bool) -> &'static str {
    if win { "win" } else { "loss" }
}
