//! The words of answers as types, for the description of the HTTP interface.
//!
//! Schemas that list the words. (`Value` is what the derive macro calls a value of any kind.)

use utoipa::ToSchema;

/// For the side to move.
#[derive(ToSchema)]
#[schema(as = Value, rename_all = "lowercase")]
pub enum Worth {
    /// The side to move can force a win.
    Win,
    /// Neither side can force a win.
    Draw,
    /// The other side can force a win.
    Loss,
}

/// For a side that has no legal move.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Stuck {
    /// It wins.
    Win,
    /// The game is drawn.
    Draw,
    /// It loses.
    Loss,
    /// It passes.
    Pass,
}

/// Kind of a draw: perfect play ends, or can continue forever.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Draw {
    /// On a full board or with a blocked side.
    End,
    /// Never.
    Cycle,
}

/// Reason why the game is over.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Over {
    /// The last move made a line.
    Line,
    /// Nothing can be placed any more.
    Full,
    /// The side to move has no legal move.
    Stuck,
}

/// Encoding of the entries of a table.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Encoding {
    /// One byte with value and distance.
    Plies,
    /// Two bytes with value and distance.
    Plies16,
    /// Two bits with the value.
    Wdl,
}

/// Destinations of a piece.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Travel {
    /// Any empty cell.
    Any,
    /// An empty cell that is linked to its own.
    Links,
}

/// Duration of a restriction of cells.
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
pub enum During {
    /// For the game's first piece.
    First,
    /// For the first piece of each side.
    EachFirst,
    /// While pieces are placed.
    Placing,
}
