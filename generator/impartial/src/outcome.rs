//! Who wins, in one word.

/// `win` or `loss` for the side to move.
#[must_use]
pub fn outcome(win: bool) -> &'static str {
    if win { "win" } else { "loss" }
}
