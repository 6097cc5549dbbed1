//! Finds the table of a board, which is named by its size or by the file.

use anyhow::{Context, Result, bail};
use morpion_impartial::cram::Board;
use morpion_impartial::table;
use morpion_terminal::folders::Tables;
use std::path::PathBuf;

pub fn file_name(board: Board) -> String {
    format!("cram-{board}.{}", table::EXTENSION)
}

/// Arguments that name an existing table.
#[derive(clap::Args)]
pub struct Built {
    /// Rows and columns, or a table file
    #[arg(value_name = "MxN|TABLE")]
    board: String,
    #[command(flatten)]
    tables: Tables,
}

impl Built {
    /// Finds the file of the board's table, or returns the named file.
    pub fn file(&self) -> Result<PathBuf> {
        let text = &self.board;
        match text.parse::<Board>() {
            Ok(board) => self.tables.folders().find(&file_name(board)).with_context(|| {
                format!("cram {text} has no table; build it with: morpion cram build {text}")
            }),
            Err(_) if table::is_named(text) => Ok(text.into()),
            Err(error) => bail!(error),
        }
    }
}
