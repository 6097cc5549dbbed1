//! The arguments of commands that ask about one position.

use super::tables::TableSource;
use anyhow::{Context, Result};
use morpion_games::catalogue::Table;
use morpion_lookup::{Game, Position};

/// A table and one position of it.
#[derive(clap::Args, Clone, Debug)]
pub struct PositionArgs {
    #[command(flatten)]
    source: TableSource,
    /// A position as in `morpion query`; without it the start
    #[arg(value_name = "POSITION")]
    position: Option<String>,
}

impl PositionArgs {
    /// Opens the table, or solves a game that is small enough, and reads the position.
    pub fn open(self) -> Result<(Table, Position)> {
        let table = self.source.open_or_solve()?;
        let position = position(table.game(), self.position.as_deref())?;
        Ok((table, position))
    }
}

/// Reads a position; without a text it is the start.
pub fn position(game: &Game, text: Option<&str>) -> Result<Position> {
    let Some(text) = text else { return Ok(game.start()) };
    game.parse_position(text)
        .with_context(|| format!("{:?} is not a position of {}", text.trim(), game.name()))
}
