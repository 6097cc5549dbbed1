//! `morpion strategy`: a lesson for one side and, as JSON, all positions from which that side wins.

use super::query::position;
use super::tables::{TableSource, whole, with_distances};
use crate::terminal::prelude::*;
use morpion_core::{Side, Situation, Value};
use morpion_report::error::ReportError;
use morpion_report::lesson::{Lesson, page, text};
use morpion_report::strategy::{Reach, Won};

/// Teach one side to keep its win or draw, with few positions
#[derive(clap::Args)]
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
    let lesson = match Lesson::new(&table, position, owner) {
        // The winning positions exist without a lesson too.
        Err(ReportError::Lost { .. }) if args.json && args.html.is_none() => None,
        lesson => Some(lesson?),
    };
    if let (Some(file), Some(lesson)) = (&args.html, &lesson) {
        write_file(file, &page::page(game, lesson))?;
    }
    match &lesson {
        Some(lesson) if !args.json => {
            writeln!(out, "{}", Shown(game.title()))?;
            write!(out, "{}", text::text(game, lesson))?;
        }
        _ => write_json(&table, position, owner, lesson.as_ref(), out)?,
    }
    Ok(())
}

/// Writes the positions that `winner` wins and the lesson. Positions are written as they are found, since their text may be larger than memory.
fn write_json(
    table: &Table,
    start: Situation,
    winner: Side,
    lesson: Option<&Lesson>,
    out: &mut impl Write,
) -> Result<()> {
    let game = table.game();
    let reach = Reach::new(game, start.raw, start.side)?;
    let wanted = if start.side == winner { Value::Win } else { Value::Loss };
    let wins = table.probe(start)?.value() == wanted;
    let text = |raw, side| game.format_position(Situation { raw, side, ..start });
    write!(
        out,
        "{{\"game\":{},\"position\":\"{}\",\"for\":\"{}\",\"wins\":{wins},\"won\":[",
        serde_json::to_string(game.name())?,
        game.format_position(start),
        winner.letter()
    )?;
    let mut separator = "";
    for won in reach.won(table, winner) {
        let Won { position, side, .. } = won?;
        write!(out, "{separator}\"{}\"", text(position, side))?;
        separator = ",";
    }
    write!(out, "],\"strategy\":{{")?;
    separator = "";
    for won in reach.won(table, winner) {
        if let Won { position, side, mv: Some(mv) } = won? {
            write!(out, "{separator}\"{}\":\"{}\"", text(position, side), game.format_move(mv))?;
            separator = ",";
        }
    }
    Ok(writeln!(out, "}},\"lesson\":{}}}", serde_json::to_string(&lesson)?)?)
}
