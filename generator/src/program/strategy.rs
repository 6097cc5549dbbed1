//! `morpion strategy`: a lesson for one side.

use super::query::position;
use super::tables::{TableSource, whole, with_distances};
use crate::terminal::output::write_file;
use crate::terminal::prelude::*;
use morpion_core::{Side, Value};
use morpion_report::lesson::{Lesson, page, text};
use std::path::PathBuf;

/// Teach one side to keep its win or draw, with few positions
#[derive(clap::Args)]
#[command(after_help = help("strategy"))]
pub struct Args {
    #[command(flatten)]
    source: TableSource,
    /// A position as in `morpion query`; without it the start
    #[arg(value_name = "POSITION")]
    position: Option<String>,
    /// The side to teach [default: the side that wins; in a draw, the side to move]
    #[arg(long = "for", value_name = "SIDE", ignore_case = true, value_parser = ["x", "o"])]
    side: Option<String>,
    /// Also write the lesson as a page that unfolds, and prints on A4
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let table = args.source.open_or_solve()?;
    let position = position(table.game(), args.position.as_deref())?;
    let table = whole(with_distances(table)?)?;
    let owner = match args.side.as_deref() {
        Some("x" | "X") => Side::X,
        Some(_) => Side::O,
        None if table.probe(position)?.value() == Value::Loss => position.side.other(),
        None => position.side,
    };
    let game = table.game();
    let lesson = Lesson::new(&table, position, owner)?;
    if let Some(file) = &args.html {
        write_file(file, &page::page(game, &lesson))?;
    }
    if args.json {
        return out.json(&Named { game: game.name(), lesson: &lesson });
    }
    writeln!(out, "{}", Shown(game.title()))?;
    Ok(write!(out, "{}", text::text(game, &lesson))?)
}

#[derive(Serialize)]
struct Named<'l> {
    game: &'l str,
    #[serde(flatten)]
    lesson: &'l Lesson,
}
