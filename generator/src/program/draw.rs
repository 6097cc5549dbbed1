//! `morpion draw`: a diagram of a position.

use super::play::board;
use super::position::position;
use super::tables::Tables;
use anyhow::{Result, ensure};
use morpion_report::diagram::Diagram;
use morpion_terminal::output::Output;
use std::io::Write;
use std::process::ExitCode;

/// Draw a position, as text or as SVG
#[derive(clap::Args)]
#[command(after_help = "\
Draws the board with the names of its cells. A table is not needed. --move shows
a move of the side to move: an arrow, or a faint piece.

Examples:
  morpion draw swap \"X../.O./..X o\"
  morpion draw picaria \"X.O/.X./O.. x\" --svg > picaria.svg
  morpion draw classic \"X../.O./..X o\" --move b1 --svg > move.svg
  morpion draw mine.toml --svg > board.svg")]
pub struct Args {
    /// A game by name, or a rule file
    #[arg(value_name = "GAME")]
    game: String,
    /// A position as in `morpion query`; without it the start
    #[arg(value_name = "POSITION")]
    position: Option<String>,
    /// Show this move too; needs --svg
    #[arg(long = "move", value_name = "MOVE", requires = "svg")]
    mv: Option<String>,
    #[command(flatten)]
    tables: Tables,
    /// Print SVG
    #[arg(long)]
    svg: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let game = args.tables.game(&args.game)?;
    let position = position(&game, args.position.as_deref())?;
    let next = args.mv.as_deref().map(|mv| game.parse_move(mv)).transpose()?;
    if let Some(next) = next {
        ensure!(
            game.play(position, next).is_ok(),
            "{} is not legal here: `morpion query` lists the moves",
            game.format_move(next)
        );
    }
    if args.svg {
        let diagram = Diagram { game: &game, position, last: None, next, is_named: true };
        write!(out, "{}", diagram.document())?;
    } else {
        write!(out.coloured(), "{}{}", board::draw(&game, position, None), board::links(&game))?;
    }
    Ok(ExitCode::SUCCESS)
}
