//! The word for the winner in every answer.

/// Returns `win` or `loss`, from the view of the side to move.
#[must_use]
pub fn outcome(win: bool) -> &'static str {
    if win { "win" } else { "loss" }
}
