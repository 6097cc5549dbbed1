//! `morpion atlas`: every standard game on one page.

use super::tables::{Tables, is_not_built, open_or_solve, whole};
use crate::terminal::prelude::*;
use morpion_builder::usage::available_memory;
use morpion_games::catalogue::standard;
use morpion_generator::family::atlas::{answers, introduction, result, rules};
use morpion_generator::family::registry::Solved;

/// Print rules and results of the standard games as Markdown
#[derive(clap::Args)]
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

pub fn run(args: Args, out: &mut Output) -> Result<()> {
    let all = args.games.is_empty();
    let names =
        if all { standard().map(|game| game.name().to_owned()).collect() } else { args.games };
    stop_on_signal();
    // The page is printed at the end, so that a file never contains half a page.
    let (mut page, mut results, mut games) = (String::new(), String::new(), Vec::new());
    for name in names {
        let bars = Bars::new(When::Auto, &name);
        match open(&args.tables, &name) {
            Ok(table) => {
                let solved = Solved::of(&table, &bars)?;
                if args.json {
                    games.push(solved);
                    continue;
                }
                results += &result(&solved);
                if all || !page.is_empty() {
                    page.push('\n');
                }
                page += &format!("{}\n{}", rules(table.game()), answers(&table, &solved, &bars)?);
            }
            Err(error) if all && is_not_built(&error) => {
                drop(bars);
                note(format_args!("morpion: left out: {error:#}"));
            }
            Err(error) => return Err(error),
        }
    }
    if args.json {
        out.json(&Registry { program: "morpion", version: env!("CARGO_PKG_VERSION"), games })?;
    } else {
        let introduction = if all { introduction(&results) } else { String::new() };
        write!(out, "{introduction}{page}")?;
    }
    Ok(())
}

/// Opens a table, or solves the game. A packed table that is larger than memory is read frame by frame.
fn open(tables: &Tables, name: &str) -> Result<Table> {
    let (table, _) = open_or_solve(tables, name, false, |_| true)?;
    if available_memory().is_some_and(|most| most < table.size()) {
        return Ok(table);
    }
    whole(table)
}
