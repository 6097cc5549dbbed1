//! Arguments that choose games and their tables.
//!
//! Arguments name a game, a table file or a rule file. The table is opened, or the game is solved in memory.

use crate::terminal::prelude::*;
use clap::Args;
use indicatif::BinaryBytes;
use morpion_builder::folders::{Location, LookupError};
use morpion_builder::plan::Plan;
use morpion_builder::usage::available_memory;
use morpion_core::{Encoding, Game};
use morpion_games::catalogue;
use morpion_solver::layout::lay_out;
use morpion_solver::table;

pub use crate::terminal::folders::{Tables, Target, folder, is_not_built, open_all};

/// Games to build.
#[derive(Args, Clone, Debug)]
pub struct Games {
    /// Games by name or rule file
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    tables: Tables,
}

impl Games {
    /// Returns the argument with this number. If the user named no games, returns the name of the game.
    pub fn argument<'a>(&'a self, number: usize, game: &'a Game) -> &'a str {
        self.games.get(number).map_or(game.name(), String::as_str)
    }

    /// The named games; `others` if none was named.
    pub fn named(&self, others: impl Iterator<Item = Game>) -> Result<Vec<Game>> {
        let named = self.games.iter().map(|name| Ok(self.tables.game(name)?));
        let games: Vec<Game> = named.collect::<Result<_>>()?;
        Ok(if games.is_empty() { others.collect() } else { games })
    }
}

/// A table that is opened by name or file, or solved on the fly.
#[derive(Args, Clone, Debug)]
pub struct TableSource {
    /// A game by name, a table file, or a rule file; a game without a table is solved on the fly
    #[arg(value_name = "GAME|FILE")]
    pub game: String,
    #[command(flatten)]
    pub tables: Tables,
}

/// Maximum number of entries of a game that is solved on the fly. Solving takes a second or two, and one byte per entry.
const ON_THE_FLY: u64 = 200_000_000;

impl TableSource {
    /// Opens the table, or solves the game in memory.
    pub fn open_or_solve(&self) -> Result<Table> {
        open_or_solve(&self.tables, &self.game, false, |_| true).map(|(table, _)| table)
    }

    /// Reads the rules of the game from its rule file or table file, or finds them by its name.
    pub fn rules(&self) -> Result<Game> {
        refuse_position(&self.game)?;
        match self.tables.game(&self.game) {
            // A table file contains its rules.
            Err(LookupError::TableFile(_) | LookupError::Unknown { .. }) => {
                Ok(self.tables.folders().open(&self.game)?.0.game().clone())
            }
            game => Ok(game?),
        }
    }

    /// Opens the table. The game of a rule file without a table is solved in memory.
    pub fn open(&self) -> Result<(Table, Location)> {
        open_or_solve(&self.tables, &self.game, false, catalogue::is_rule_file)
    }
}

/// Opens a table. With `prefers_packed`, a packed table is chosen in a folder that also has an unpacked table. Without a table, the game
/// is solved in memory if its name `may_be_solved`; the location is then the name.
pub fn open_or_solve(
    tables: &Tables,
    name: &str,
    prefers_packed: bool,
    may_be_solved: impl Fn(&str) -> bool,
) -> Result<(Table, Location)> {
    refuse_position(name)?;
    let opened = match tables.folders().open_kind(name, prefers_packed) {
        Err(missing @ LookupError::NotBuilt { .. }) if may_be_solved(name) => {
            let solved = solve(name, &tables.game(name)?, Some(missing))?;
            return Ok((solved, Location::File(name.into())));
        }
        opened => opened?,
    };
    // Prints the warnings. The error is ignored, since a table file has no rule file.
    let _ = tables.game(name);
    Ok(opened)
}

/// Refuses a position in the place of a game.
fn refuse_position(name: &str) -> Result<()> {
    let is_cell = |c: char| "XxOo.-_012".contains(c);
    let board = name.split_whitespace().next().unwrap_or_default();
    let is_board = board.len() >= 4 && board.chars().all(|c| is_cell(c) || c == '/');
    let is_position = is_board && board.contains(['.', '/', '_']) && !Path::new(name).exists();
    ensure!(!is_position, "{name:?} is a position: write the game before it");
    Ok(())
}

/// Unpacks a packed table into memory, for commands that read all of it in random order.
pub fn whole(table: Table) -> Result<Table> {
    if table.source().packed().is_some() {
        let (needed, most) = (table.size(), available_memory());
        ensure!(
            most.is_none_or(|most| needed <= most),
            "{}: unpacking takes {} of memory, but at most {} may be used: unpack it to disk with `morpion pack --undo`",
            table.game().name(),
            BinaryBytes(needed),
            BinaryBytes(most.unwrap_or_default())
        );
    }
    Ok(table.loaded()?)
}

/// Refuses a table of values alone with which play could go round in circles.
pub fn with_distances(table: Table) -> Result<Table> {
    ensure!(
        table.ends_wins(),
        "{}: values alone could lead in circles: use the table with distances",
        table.game().name()
    );
    Ok(table)
}

/// Solves a game in memory if it is small enough. Otherwise fails with the reason and `missing`, the error about its table.
/// Errors in the rules name `file`.
pub fn solve(file: &str, game: &Game, missing: Option<LookupError>) -> Result<Table> {
    let name = game.name();
    let refused = |message: String| match missing {
        Some(missing) => anyhow::Error::new(missing).context(message),
        None => anyhow::Error::msg(message),
    };
    let bars = Bars::new(When::Auto, &format!("{name} solved in memory"));
    let layout = lay_out(game, Some(Encoding::Plies8), &bars).with_context(|| file.to_owned())?;
    let Plan { entries, bounds, .. } = Plan::of(&layout);
    if entries > ON_THE_FLY {
        let [entries, most] = [entries, ON_THE_FLY].map(grouped);
        return Err(refused(format!(
            "{name} has {entries} entries, more than the {most} that are solved on the fly"
        )));
    }
    let most = available_memory().unwrap_or(u64::MAX);
    if bounds.memory > most {
        let [needed, most] = [bounds.memory, most].map(BinaryBytes);
        return Err(refused(format!(
            "{name} needs {needed} of memory, but at most {most} may be used"
        )));
    }
    let solved = table::solve_widened(&layout, &bars);
    drop(bars);
    Ok(Table::from_source(solved?.into())?)
}
