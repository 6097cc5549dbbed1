//! Enumerations of the words in answers, for the description of the HTTP interface.

use utoipa::ToSchema;

/// Outcome for the side to move.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Outcome {
    /// The side to move can force a win.
    Win,
    /// The other side can force a win.
    Loss,
}
