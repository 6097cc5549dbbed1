//! `morpion cram query`: positions, their values and winning dominoes.

use crate::impartial::table::open;
use crate::terminal::answers::answer_each;
use crate::terminal::folders::Tables;
use crate::terminal::prelude::*;
use morpion_impartial::cram::{self, Board, Regions};

/// Ask for the value of positions, who wins, and every winning domino
#[derive(clap::Args)]
pub struct Args {
    /// Rows and columns
    #[arg(value_name = "MxN")]
    board: Board,
    /// Positions; without any, reads one per line from standard input
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    #[command(flatten)]
    tables: Tables,
    /// Print one JSON object per position
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let board = args.board;
    let table = match args.tables.folders().find(&board.file_name()) {
        Some(file) => {
            let table = open(&file)?;
            let header = table.cram()?;
            if (u32::from(header.rows), u32::from(header.columns)) != (board.rows, board.columns) {
                bail!("{}: a table of another board, not of {board}", file.display());
            }
            Some(table)
        }
        None => None,
    };
    let mut regions = Regions::default();
    let mut value = |occupied| match &table {
        Some(table) => Ok(table.cells(occupied)?),
        None => Ok(regions.value(board, occupied)),
    };
    answer_each(
        out,
        args.json,
        &args.positions,
        |_| false,
        |text| {
            let answered = board
                .parse_position(text)
                .map_err(anyhow::Error::from)
                .and_then(|occupied| cram::answer(board, occupied, &mut value));
            Ok(match answered {
                Ok(answer) if args.json => Ok(serde_json::to_string(&answer)?),
                Ok(answer) => {
                    let moves: Vec<String> = answer.moves.iter().map(|m| m.join("-")).collect();
                    let (position, value, outcome) =
                        (answer.position, answer.value, answer.outcome);
                    Ok(format!("{position}  value {value}  {outcome}  {}", moves.join(" ")))
                }
                Err(error) => Err(error.to_string()),
            })
        },
    )?;
    Ok(())
}
