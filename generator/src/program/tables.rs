//! Arguments that choose games and their tables.
//!
//! Arguments name a game, a table file or a rule file. The table is opened, or the game is solved in memory.

use super::output::note;
use super::progress::{Bars, When};
use clap::Args;
use indicatif::BinaryBytes;
use morpion_games::catalogue::{self, LookupError, Table};
use morpion_games::rules;
use morpion_lookup::Game;
use morpion_lookup::raw::Encoding;
use morpion_machine::usage::available_memory;
use morpion_report::words::grouped;
use morpion_solver::build::plan::Plan;
use morpion_solver::build::table;
use morpion_solver::layout::Layout;
use std::path::{Path, PathBuf};

use morpion_terminal::folders::noted;
pub use morpion_terminal::folders::{Tables, Target, folder};

/// Games to build.
#[derive(Args, Clone, Debug)]
pub struct Games {
    /// Games by name or rule file
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Games by rule file
    #[arg(long, value_name = "FILE")]
    rules: Vec<PathBuf>,
    #[command(flatten)]
    tables: Tables,
}

impl Games {
    /// The named games, those of rule files last; `others` if none was named.
    pub fn named(&self, others: impl Iterator<Item = Game>) -> anyhow::Result<Vec<Game>> {
        let by_name = self.games.iter().map(|name| Ok(self.tables.game(name)?));
        let games = by_name.chain(self.rules.iter().map(|file| read_rules(file)));
        let games: Vec<Game> = games.collect::<anyhow::Result<_>>()?;
        Ok(if games.is_empty() { others.collect() } else { games })
    }
}

/// A table that is opened by name or file, or solved on the fly from a rule file.
#[derive(Args, Clone, Debug)]
pub struct TableSource {
    /// A game by name, a table file, or a rule file to be solved on the fly
    #[arg(value_name = "GAME|TABLE", required_unless_present = "rules")]
    pub game: Option<String>,
    /// Solve the game of this rule file on the fly instead
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    #[command(flatten)]
    pub tables: Tables,
}

/// Maximum number of entries of a game that is solved on the fly. It takes a second or two, and one byte per entry.
const ON_THE_FLY: u64 = 200_000_000;

/// Number of entries that are solved within about a second, without a message.
const SHORT: u64 = 5_000_000;

impl TableSource {
    /// Opens the table, or solves the rule file's game in memory.
    pub fn open(&self) -> anyhow::Result<Table> {
        match (&self.rules, &self.game) {
            (Some(rules), _) => solve(&read_rules(rules)?),
            (None, Some(file)) if catalogue::is_rule_file(file) => solve(&self.tables.game(file)?),
            (None, Some(game)) => Ok(self.tables.open_one(game)?.0),
            (None, None) => {
                anyhow::bail!("no game is given: name one, or its rule file with --rules")
            }
        }
    }

    /// Opens the table like [`TableSource::open`], but solves a known game without a table in memory.
    pub fn open_or_solve(&self) -> anyhow::Result<Table> {
        match (&self.rules, &self.game) {
            (None, Some(name)) if !catalogue::is_rule_file(name) => {
                match self.tables.open_one(name) {
                    Ok((table, _)) => Ok(table),
                    Err(LookupError::NotBuilt { .. }) => solve(&self.tables.game(name)?),
                    Err(other) => Err(other.into()),
                }
            }
            _ => self.open(),
        }
    }
}

/// Reads the rules in the file that `--rules` names. If the name is a game or a table, the error says so.
pub fn read_rules(file: &Path) -> anyhow::Result<Game> {
    rules::read_named(file).map(noted).map_err(|error| {
        let name = file.to_string_lossy();
        let kind = if catalogue::is_table_file(&name) {
            "a table"
        } else if catalogue::standard_game(&name).is_some() {
            "the name of a game"
        } else {
            return error.into();
        };
        anyhow::anyhow!("{name} is {kind} and not a rule file: leave out --rules")
    })
}

/// Unpacks a packed table into memory, for commands that read all of it in random order.
pub fn whole(table: Table) -> anyhow::Result<Table> {
    if table.source().packed().is_some() {
        let (needed, most) = (table.size(), available_memory());
        anyhow::ensure!(
            most.is_none_or(|most| needed <= most),
            "{}: unpacking takes {} of memory, but at most {} may be used: unpack it to disk with `morpion unpack`",
            table.game().name(),
            BinaryBytes(needed),
            BinaryBytes(most.unwrap_or_default())
        );
    }
    Ok(table.loaded()?)
}

/// Refuses a table of values alone with which play could go round in circles.
pub fn with_distances(table: Table) -> anyhow::Result<Table> {
    anyhow::ensure!(
        table.ends_wins(),
        "{}: values alone could lead in circles: use the table with distances",
        table.game().name()
    );
    Ok(table)
}

/// Solves a game in memory if it is small enough.
fn solve(game: &Game) -> anyhow::Result<Table> {
    let bars = Bars::new(When::Auto, game.name());
    let name = game.name();
    let Plan { entries, bounds, .. } = Plan::of(&Layout::new(game, Some(Encoding::Plies8), &bars)?);
    anyhow::ensure!(
        entries <= ON_THE_FLY,
        "{name} has {} entries, more than the {} that are solved on the fly: build its table first",
        grouped(entries),
        grouped(ON_THE_FLY)
    );
    let most = available_memory().unwrap_or(u64::MAX);
    anyhow::ensure!(
        bounds.memory <= most,
        "{name} needs {} of memory, but at most {} may be used: build its table first, with rows in files",
        BinaryBytes(bounds.memory),
        BinaryBytes(most)
    );
    if entries > SHORT {
        note(format_args!("{name}: solving {} entries in memory", grouped(entries)));
    }
    let solved = table::solve(game, &bars);
    bars.clear();
    Ok(Table::from_source(solved?.into())?)
}
