//! `morpion atlas`: every standard game on one page.

use super::tables::{Tables, whole};
use anyhow::Result;
use morpion_games::catalogue::{LookupError, Table, standard};
use morpion_machine::usage::available_memory;
use morpion_report::atlas::{answers, introduction, no_result, result, rules, unbuilt};
use morpion_report::registry::Solved;
use morpion_solver::build::table;
use morpion_solver::layout::Layout;
use morpion_terminal::output::{Output, note};
use morpion_terminal::progress::{Bars, When, stop_on_signal};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;

/// Print rules and results of the standard games as Markdown
#[derive(clap::Args)]
#[command(after_help = "\
Small games without a table are solved in memory. The largest have to be built
first. If one is missing, the page contains only its rules; if you name it, that
is an error.

The page links to a picture of each board, boards/NAME.svg, in the repository.

--json prints the games for a registry of solved games: rules, value, number of
positions, longest win, method, proof and checksum. It leaves out games without
a table.

Examples:
  morpion atlas > ATLAS.md
  morpion atlas --json > solved.json
  morpion atlas tapatan nine-holes")]
pub struct Args {
    /// Games by name; without any, all standard games
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    tables: Tables,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

/// A registry of solved games.
#[derive(Serialize)]
struct Registry {
    program: &'static str,
    version: &'static str,
    games: Vec<Solved>,
}

pub fn run(args: Args, out: &mut Output) -> Result<ExitCode> {
    let all = args.games.is_empty();
    let names =
        if all { standard().map(|game| game.name().to_owned()).collect() } else { args.games };
    stop_on_signal();
    if args.json {
        return registry(&args.tables, &names, all, out);
    }
    // The page is printed at the end, so that a file never contains half a page.
    let (mut page, mut results) = (String::new(), String::new());
    for name in names {
        if all || !page.is_empty() {
            page.push('\n');
        }
        let bars = Bars::new(When::Auto, &name);
        match open(&args.tables, &name, &bars) {
            Ok(table) => {
                let solved = Solved::of(&table, &bars)?;
                results += &result(&table, &solved)?;
                page.push_str(&rules(table.game()));
                page.push('\n');
                page.push_str(&answers(&table, &solved, &bars)?);
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

/// Prints the registry of solved games. If `all` games are asked for, those without a table are left out with a note.
fn registry(tables: &Tables, names: &[String], all: bool, out: &mut Output) -> Result<ExitCode> {
    let mut games = Vec::new();
    for name in names {
        let bars = Bars::new(When::Auto, name);
        match open(tables, name, &bars) {
            Ok(table) => games.push(Solved::of(&table, &bars)?),
            Err(error) if all && is_unbuilt(&error) => {
                bars.clear();
                note(format_args!("morpion: left out: {error}"));
            }
            Err(error) => return Err(error),
        }
    }
    out.json(&Registry { program: "morpion", version: env!("CARGO_PKG_VERSION"), games })?;
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
