//! The words of answers as types, for the description of the HTTP interface.
//!
//! In: nothing. Out: schemas that list the words.

use utoipa::ToSchema;

/// For the side to move.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Outcome {
    /// It can force a win.
    Win,
    /// The other side can.
    Loss,
}
