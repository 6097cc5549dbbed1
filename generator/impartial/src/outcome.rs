//! The word for the result in every answer.

/// Returns `win` or `loss` for the side to move.
#[must_use]
pub fn outcome(win: bool) -> &'static str {
    if win { "win" } else { "loss" }
}
