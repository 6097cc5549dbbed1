//! `morpion atlas`: every standard game on one page.

use super::Tables;
use super::progress::{Bars, When, stop_on_signal};
use anyhow::Result;
use morpion_generator::atlas::{answers, introduction, rules};
use morpion_generator::catalogue::{LookupError, standard};
use morpion_generator::image;
use morpion_generator::plan::Plan;
use morpion_generator::solver::operator::Operator;
use morpion_lookup::Table;
use std::process::ExitCode;

/// Print the atlas: rules and perfect play of the standard games, as a page in Markdown
#[derive(clap::Args)]
#[command(after_help = "\
Games without a table are solved in memory where they are small enough; the largest have to be built first.

Examples:
  morpion atlas > tables/ATLAS.md
  morpion atlas tapatan nine-holes")]
pub struct Args {
    /// Games by name; without any, all standard games
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    tables: Tables,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let all = args.games.is_empty();
    let names =
        if all { standard().map(|game| game.rules().name.clone()).collect() } else { args.games };
    stop_on_signal();
    // Printed as a whole at the end, so that a page in a file is never half of one.
    let mut page = if all { introduction() } else { String::new() };
    for name in names {
        let source = Source { game: Some(name.clone()), rules: None, tables: args.tables.clone() };
        let table = source.open_or_solve()?;
        if !page.is_empty() {
            page.push('\n');
        }
        page.push_str(&rules(table.game()));
        page.push('\n');
        page.push_str(&answers(&table, &bars)?);
    }
    print!("{page}");
    Ok(ExitCode::SUCCESS)
}

/// Entries up to which a game without a table is solved for the page.
const IN_MEMORY: u64 = 200_000_000;

/// Opens a table, or solves the game as `morpion build` would.
fn open(tables: &Tables, name: &str, bars: &Bars) -> Result<Table<'static>> {
    match tables.open(name) {
        Err(missing @ LookupError::NotBuilt { .. }) => {
            let game = tables.folders().game(name)?;
            let encoding = Plan::default_encoding(&game);
            if Plan::new(&game, encoding)?.entries > IN_MEMORY {
                return Err(missing.into());
            }
            Ok(Table::from_vec(image::solve_as(&game, encoding, Operator::default(), bars)?)?)
        }
        opened => Ok(opened?.0),
    }
}
