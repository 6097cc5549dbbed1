//! Games of heaps.
//!
//! A [`HeapGame`] answers sums of heaps from its Grundy table, which is made at the first question.

use crate::facts::OctalFacts;
use crate::octal::Task;
use crate::octal::answer::HeapAnswer;
use crate::octal::named::{NAMED, Named, resolve};
use crate::octal::normal;
use crate::octal::table::{BuildError, in_memory, solved};
use morpion_grundy::{Code, GrundyError, GrundyTable};
use morpion_machine::progress::{Progress, Unobserved};
use serde::Serialize;
use std::sync::OnceLock;

/// The largest heap that is solved for a game without a known period.
const SOLVED: usize = 1 << 14;
/// Maximum number of winning moves in one answer; `more` says that there are others.
const MOVES: usize = 200;
/// Maximum number of heaps in one sum.
const HEAPS: usize = 64;
/// Maximum number of values in a description.
const VALUES: u64 = 64;

/// A game of heaps with its table, once it is solved.
pub struct HeapGame {
    named: &'static Named,
    code: Code,
    table: OnceLock<Result<GrundyTable, BuildError>>,
}

#[derive(Serialize)]
pub struct HeapGames {
    games: Vec<&'static Named>,
}

#[derive(Serialize)]
pub struct HeapDescription {
    game: &'static str,
    title: &'static str,
    /// Digits of the code from d0; `null` if they repeat forever.
    digits: Option<Vec<u8>>,
    facts: OctalFacts,
    /// The values of the heaps from 0 on.
    values: Vec<u64>,
}

impl HeapGame {
    /// Lists the games with a name.
    pub(crate) fn all() -> Vec<HeapGame> {
        let game = |named: &'static Named| {
            Some(HeapGame { named, code: named.code.parse().ok()?, table: OnceLock::new() })
        };
        NAMED.iter().filter_map(game).collect()
    }

    /// Finds a game by its name or code.
    ///
    /// # Errors
    /// If the name is neither, or the code has no name.
    pub fn find<'g>(games: &'g [HeapGame], name: &str) -> Result<&'g HeapGame, String> {
        let code = resolve(name).map_err(|_| format!("{name:?} is not a game of heaps"))?;
        games.iter().find(|game| game.code == code).ok_or_else(|| {
            format!("{code} has no name here; solve it with: morpion nim build \"{code}\"")
        })
    }

    /// Lists the games.
    pub fn list(games: &[HeapGame]) -> HeapGames {
        HeapGames { games: games.iter().map(|game| game.named).collect() }
    }

    /// Describes the game and its first values.
    ///
    /// # Errors
    /// If the game cannot be solved.
    pub fn describe(&self) -> Result<HeapDescription, String> {
        let table = self.table()?;
        let text = |error: GrundyError| error.to_string();
        Ok(HeapDescription {
            game: self.named.name,
            title: self.named.title,
            digits: self.code.finite().map(<[u8]>::to_vec),
            facts: OctalFacts::of(table).map_err(text)?,
            values: (0..VALUES).map_while(|heap| table.heap(heap).ok()).collect(),
        })
    }

    /// Answers a sum of heaps, with at most `MOVES` winning moves.
    ///
    /// # Errors
    /// If there are too many heaps, the game cannot be solved, or it has no value for a heap.
    pub fn sum(&self, heaps: &[u64], progress: &dyn Progress) -> Result<HeapAnswer, String> {
        if heaps.len() > HEAPS {
            return Err(format!("{} heaps, expected at most {HEAPS}", heaps.len()));
        }
        let answer = normal::answer(self.table()?, heaps, MOVES, progress);
        answer.map_err(|error| error.to_string())
    }

    /// Returns the table. Solves the game at the first call, up to its first period, but not beyond [`SOLVED`].
    fn table(&self) -> Result<&GrundyTable, String> {
        let solved = self.table.get_or_init(|| {
            let (header, values) = solved(&self.code, Task::until_period(SOLVED), &Unobserved)?;
            in_memory(&header, &values)
        });
        solved.as_ref().map_err(ToString::to_string)
    }
}
