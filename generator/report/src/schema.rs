//! Enumerations of the words in answers, for the description of the HTTP interface.
//!
//! `Value` is the derive macro's name for a value of any kind.

use utoipa::ToSchema;

/// Value for the side to move.
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

/// Result for a side without a legal move.
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
    /// Play ends on a full board or with a blocked side.
    End,
    /// Play can continue forever.
    Cycle,
}

/// Reason why the game is over.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Over {
    /// The last move made a line.
    Line,
    /// No more pieces can be placed.
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

/// Cells to which a piece can move.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Travel {
    /// Any empty cell.
    Any,
    /// An empty cell that is linked to the piece's cell.
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
