//! `morpion nim info` and `morpion nim games`: facts about a table, and the list of named games.

use super::source::heaps_to;
use crate::impartial::table::print;
use crate::terminal::folders::Tables;
use crate::terminal::prelude::*;
use morpion_grundy::Code;
use morpion_impartial::octal::named::{NAMED, Named};
use morpion_impartial::octal::table::file_name;

/// Show the facts of a table: heaps, period, greatest value, rare heaps
#[derive(clap::Args)]
pub struct Args {
    /// An octal code, a name, or a table file
    #[arg(value_name = "CODE|TABLE")]
    code: String,
    #[command(flatten)]
    tables: Tables,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let (table, file) = heaps_to(&args.tables, &args.code, ON_THE_FLY)?;
    print(&table, file.as_deref(), None, args.json, out)
}

/// Last heap to compute for a game without a table.
const ON_THE_FLY: u64 = 1 << 14;

/// List the games that have a name
#[derive(clap::Args)]
pub struct GamesArgs {
    #[command(flatten)]
    tables: Tables,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    game: &'static Named,
    table: Option<String>,
}

pub fn games(args: GamesArgs, out: &mut Output) -> Result<()> {
    for game in NAMED {
        let code: Code = game.code.parse()?;
        let file = args.tables.folders().find(&file_name(&code));
        let table = file.map(|file| file.display().to_string());
        if args.json {
            out.json(&Row { game, table })?;
        } else {
            writeln!(out, "{:<14} {:<7} {}", game.name, game.code, game.title)?;
        }
    }
    Ok(())
}
