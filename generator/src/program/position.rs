//! The arguments of commands that ask about one position.

use super::tables::{TableSource, Tables};
use anyhow::{Context, Result};
use morpion_games::catalogue::Table;
use morpion_lookup::Position;
use std::path::PathBuf;

/// A table and one position of it.
#[derive(clap::Args, Clone, Debug)]
pub struct PositionArgs {
    /// A game by name, or a table file; with --rules the position
    #[arg(value_name = "GAME|TABLE", required_unless_present = "rules")]
    game: Option<String>,
    /// A position as in `morpion query`; without it the start
    #[arg(value_name = "POSITION")]
    position: Option<String>,
    /// Solve the game of this rule file on the fly instead
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
}

impl PositionArgs {
    /// Opens the table, or solves a game that is small enough, and reads the position.
    pub fn open(self) -> Result<(Table, Position)> {
        let PositionArgs { mut game, mut position, rules, tables } = self;
        if rules.is_some() {
            anyhow::ensure!(
                position.is_none(),
                "with --rules, give at most one position and no game"
            );
            position = game.take();
        }
        let table = TableSource { game, rules, tables }.open_or_solve()?;
        let position = match position {
            Some(text) => table.game().parse_position(&text).with_context(|| {
                format!("{:?} is not a position of {}", text.trim(), name(&table))
            })?,
            None => table.game().start(),
        };
        Ok((table, position))
    }
}

fn name(table: &Table) -> &str {
    table.game().name()
}
