//! Games of heaps.
//!
//! A [`HeapGame`] answers sums of heaps from its Grundy table. Games with a name need no table: they are solved at the
//! first question.

use crate::octal::Task;
use crate::octal::answer::HeapAnswer;
use crate::octal::misere;
use crate::octal::named::{NAMED, resolve};
use crate::octal::normal;
use crate::octal::table::{BuildError, in_memory, solved};
use crate::routes::Refused;
use morpion_grundy::{Closed, Code, GrundyTable};
use morpion_machine::progress::{Progress, Unobserved};
use serde::Serialize;
use std::sync::{Arc, OnceLock};

/// The largest heap that is solved for a game without a table and without a known period.
const SOLVED: usize = 1 << 14;
/// Maximum number of winning moves in one answer; `more` says that there are others.
const MOVES: usize = 200;
/// Maximum number of heaps in one sum.
const HEAPS: usize = 64;
/// Maximum number of values in a description.
const VALUES: u64 = 64;

/// A game of heaps with its table, or solved at the first question.
pub struct HeapGame {
    listed: ListedHeaps,
    code: Code,
    table: OnceLock<Result<GrundyTable, BuildError>>,
}

#[derive(Clone, Serialize)]
struct ListedHeaps {
    /// Its name, or its code if it has no name.
    game: String,
    /// Its octal code.
    code: String,
    /// One-line description.
    title: String,
}

#[derive(Serialize)]
pub struct HeapGames {
    /// The games, named ones first.
    games: Vec<ListedHeaps>,
}

#[derive(Serialize)]
pub struct HeapDescription {
    #[serde(flatten)]
    listed: ListedHeaps,
    /// Digits of the code from d0; `null` if they repeat forever.
    digits: Option<Vec<u8>>,
    /// The closed form of the values, if there is one.
    closed: Option<ClosedForm>,
    /// The largest heap with a known value; `null` if every heap has one.
    heaps: Option<u64>,
    /// Length of the period of the values, if it is known.
    period: Option<u64>,
    /// The heap at which the period begins.
    preperiod: Option<u64>,
    /// The values of the heaps from 0 on.
    values: Vec<u64>,
}

/// The games whose values have a closed form.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ClosedForm {
    Nim,
    Lasker,
}

impl HeapGame {
    /// Lists the games with a name, then the unnamed games that have a table, each once.
    pub(crate) fn all(tables: Vec<GrundyTable>) -> Arc<[Arc<HeapGame>]> {
        let named = NAMED.iter().filter_map(|named| {
            Some((named.code.parse().ok()?, named.name.to_owned(), named.title, None))
        });
        let tabled = tables.into_iter().filter_map(|table| {
            let code = table.octal().ok()?.0.clone();
            Some((code.clone(), code.to_string(), "an octal game without a name", Some(table)))
        });
        let mut games: Vec<HeapGame> = Vec::new();
        for (code, game, title, table) in named.chain(tabled) {
            let at = games.iter().position(|game| game.code == code).unwrap_or_else(|| {
                let listed = ListedHeaps { game, code: code.to_string(), title: title.into() };
                games.push(HeapGame { listed, code, table: OnceLock::new() });
                games.len() - 1
            });
            // Of several tables of a game, the first is used.
            if let Some(table) = table {
                let _ = games[at].table.set(Ok(table));
            }
        }
        games.into_iter().map(Arc::new).collect()
    }

    /// Finds a game by its name or code. Returns `None` if the name is neither, and a message if the game has no table.
    pub fn find(games: &[Arc<HeapGame>], name: &str) -> Result<Option<Arc<HeapGame>>, String> {
        let Ok(code) = resolve(name) else { return Ok(None) };
        let found = games.iter().find(|game| game.code == code).cloned();
        found.map(Some).ok_or_else(|| {
            format!("{code} has no table here; build it with: morpion nim build \"{code}\"")
        })
    }

    /// Lists the games.
    pub fn list(games: &[Arc<HeapGame>]) -> HeapGames {
        HeapGames { games: games.iter().map(|game| game.listed.clone()).collect() }
    }

    /// Describes the game and its first values.
    pub fn describe(&self) -> Result<HeapDescription, Refused> {
        let table = self.table()?;
        let (code, header) = table.octal()?;
        let period = header.period;
        let endless = period.is_some() || code.closed().is_some();
        Ok(HeapDescription {
            listed: self.listed.clone(),
            digits: code.finite().map(<[u8]>::to_vec),
            closed: code.closed().map(|closed| match closed {
                Closed::Nim => ClosedForm::Nim,
                Closed::Lasker => ClosedForm::Lasker,
            }),
            heaps: (!endless).then_some(header.values),
            period: period.map(|period| period.length),
            preperiod: period.map(|period| period.start),
            values: (0..VALUES).map_while(|heap| table.heap(heap).ok()).collect(),
        })
    }

    /// Answers a sum of heaps, with at most `MOVES` winning moves.
    pub fn sum(
        &self,
        heaps: &[u64],
        in_misere: bool,
        progress: &dyn Progress,
    ) -> Result<HeapAnswer, Refused> {
        if heaps.len() > HEAPS {
            let message = format!("{} heaps, expected at most {HEAPS}", heaps.len());
            return Err(Refused::new(404, message));
        }
        Ok(match in_misere {
            true => misere::answer(&self.code, heaps, MOVES, progress),
            false => normal::answer(self.table()?, heaps, MOVES, progress),
        }?)
    }

    /// Returns the table. Solves the game now if it has none, up to its first period, but not beyond [`SOLVED`].
    fn table(&self) -> Result<&GrundyTable, Refused> {
        let solved = self.table.get_or_init(|| {
            let (header, values) = solved(&self.code, Task::until_period(SOLVED), &Unobserved)?;
            in_memory(&header, &values)
        });
        solved.as_ref().map_err(|error| Refused::new(500, error))
    }
}
