//! `morpion atlas`: every standard game on one page.

use super::output::Output;
use super::progress::{Bars, When, stop_on_signal};
use super::tables::{Tables, whole};
use anyhow::Result;
use morpion_games::catalogue::{LookupError, Table, standard};
use morpion_machine::usage::available_memory;
use morpion_report::atlas::{answers, introduction, no_result, result, rules, unbuilt};
use morpion_solver::build::table;
use morpion_solver::layout::Layout;
use std::io::Write;
use std::process::ExitCode;

/// Print rules and results of the standard games as Markdown
#[derive(clap::Args)]
#[command(after_help = "\
Small games without a table are solved in memory. The largest have to be built
first. If one is missing, the page contains only its rules; if you name it, that
is an error.

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

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let all = args.games.is_empty();
    let names =
        if all { standard().map(|game| game.rules().name.clone()).collect() } else { args.games };
    stop_on_signal();
    // The page is printed at the end, so that a file never contains half a page.
    let (mut page, mut results) = (String::new(), String::new());
    for name in names {
        if all || !page.is_empty() {
            page.push('\n');
        }
        let bars = Bars::new(When::Auto, &name);
        match open(&args.tables, &name, &bars) {
            Ok(table) => {
                results += &result(&table)?;
                page.push_str(&rules(table.game()));
                page.push('\n');
                page.push_str(&answers(&table, &bars)?);
            }
            // The whole page can be printed without the largest tables. It names the missing ones.
            Err(error) if all && is_unbuilt(&error) => {
                let game = args.tables.folders().game(&name)?;
                results += &no_result(&game);
                page.push_str(&rules(&game));
                page.push('\n');
                page.push_str(&unbuilt(&game, &bars)?);
            }
            Err(error) => return Err(error),
        }
    }
    if all {
        write!(out, "{}", introduction(&results))?;
    }
    write!(out, "{page}")?;
    Ok(ExitCode::SUCCESS)
}

/// Maximum number of entries of a game without a table that is solved for the page.
const IN_MEMORY: u64 = 200_000_000;

/// Opens a table, or solves the game like `morpion build`.
fn open(tables: &Tables, name: &str, bars: &Bars) -> Result<Table> {
    match tables.open(name) {
        Err(missing @ LookupError::NotBuilt { .. }) => {
            let game = tables.folders().game(name)?;
            let layout = Layout::new(&game, None, bars)?;
            if layout.entries() > IN_MEMORY {
                return Err(missing.into());
            }
            Ok(Table::from_source(table::solve_layout(&layout, bars)?.into())?)
        }
        opened => {
            let table = opened?.0;
            // A packed table that is larger than memory is read frame by frame.
            match available_memory().is_some_and(|most| most < table.size()) {
                true => Ok(table),
                false => whole(table),
            }
        }
    }
}

fn is_unbuilt(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(LookupError::NotBuilt { .. }))
}
