//! Types that list the words of answers, for the description of the HTTP interface.

use utoipa::ToSchema;

/// Outcome for the side to move.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Outcome {
    /// It can force a win.
    Win,
    /// The other side can.
    Loss,
}
