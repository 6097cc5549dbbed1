//! Games of heaps.
//!
//! A [`HeapGame`] answers sums of heaps from its Grundy table. Games with a name need no table: they are solved at the
//! first question.

use super::extract::Named;
use super::job::Job;
use super::refusal::Refusal;
use morpion_grundy::{Code, GrundyTable};
use morpion_impartial::octal::answer::{AnswerError, HeapAnswer, HeapMove, answer};
use morpion_impartial::octal::misere;
use morpion_impartial::octal::named::{NAMED, resolve};
use morpion_impartial::octal::table::{BuildError, closed_header, header, in_memory};
use morpion_impartial::octal::{Moves, Task, Values, solve};
use morpion_machine::progress::{Stopped, Unobserved};
use std::sync::{Arc, OnceLock};

/// The largest heap that is solved for a game without a table and without a known period.
const SOLVED: usize = 1 << 14;
/// Maximum number of winning moves in one answer; `more` says that there are others.
const MOVES: usize = 200;
/// Maximum number of heaps in one sum.
const HEAPS: usize = 64;

/// A game of heaps.
pub struct HeapGame {
    /// Its name, or its code if it has no name.
    pub name: String,
    /// One-line description.
    pub title: String,
    /// Its rules.
    pub code: Code,
    table: OnceLock<Result<GrundyTable, String>>,
}

impl HeapGame {
    /// Lists the games with a name, then the unnamed games that have a table, each once.
    pub fn all(mut tables: Vec<GrundyTable>) -> Vec<Arc<HeapGame>> {
        let mut games: Vec<HeapGame> = Vec::new();
        for named in NAMED {
            let Ok(code) = named.code.parse::<Code>() else { continue };
            if games.iter().any(|game| game.code == code) {
                continue;
            }
            let built = tables.iter().position(|table| is_of(table, &code));
            games.push(HeapGame {
                name: named.name.into(),
                title: named.title.into(),
                table: built.map_or_else(OnceLock::new, |at| Ok(tables.remove(at)).into()),
                code,
            });
        }
        for table in tables {
            let Ok((code, _)) = table.octal() else { continue };
            if games.iter().all(|game| game.code != *code) {
                games.push(HeapGame {
                    name: code.to_string(),
                    title: "an octal game without a name".into(),
                    code: code.clone(),
                    table: Ok(table).into(),
                });
            }
        }
        games.into_iter().map(Arc::new).collect()
    }

    /// Returns the table. Solves the game now if it has none.
    ///
    /// # Errors
    /// 500 if it cannot be solved.
    pub(crate) fn table(&self) -> Result<&GrundyTable, Refusal> {
        let solved =
            self.table.get_or_init(|| compute(&self.code).map_err(|error| error.to_string()));
        solved.as_ref().map_err(|error| Refusal::fault(error.clone()))
    }

    /// The answer to a sum of heaps, with at most [`MOVES`] winning moves.
    ///
    /// # Errors
    /// 404 for too many heaps or a sum beyond the table, 503 if `job` gives up.
    pub(crate) fn answer(
        &self,
        heaps: &[u64],
        in_misere: bool,
        job: &Job,
    ) -> Result<HeapAnswer, Refusal> {
        if heaps.len() > HEAPS {
            return Err(Refusal::missing(format!(
                "{} heaps, expected at most {HEAPS}",
                heaps.len()
            )));
        }
        let answer = if in_misere {
            misere::answer(&self.code, heaps, MOVES, job)
        } else {
            answer(self.table()?, heaps, MOVES, job)
        };
        answer.map_err(|error| match error {
            AnswerError::Table(error) => error.into(),
            AnswerError::NoRule(error) => error.into(),
            AnswerError::Stopped(_) => job.given_up(),
        })
    }

    /// The first legal move of the first heap that has one.
    pub fn any_move(&self, heaps: &[u64]) -> Option<HeapMove> {
        heaps.iter().find_map(|&heap| {
            (0..=heap).find_map(|take| {
                let (digit, left) = (self.code.digit(take), heap - take);
                let leave = match left {
                    0 if digit & 1 != 0 => vec![],
                    1.. if digit & 2 != 0 => vec![left],
                    2.. if digit & 4 != 0 => vec![1, left - 1],
                    _ => return None,
                };
                Some(HeapMove { heap, take, leave })
            })
        })
    }
}

fn is_of(table: &GrundyTable, code: &Code) -> bool {
    table.octal().is_ok_and(|(found, _)| found == code)
}

/// Solves a game up to its first period, but not beyond [`SOLVED`].
fn compute(code: &Code) -> Result<GrundyTable, BuildError> {
    match Moves::new(code) {
        None => in_memory(&closed_header(code)?, &Values::none()),
        Some(moves) => {
            let solution = solve(&moves, Task::until_period(SOLVED), &Unobserved)
                .unwrap_or_else(|Stopped| unreachable!("nothing stops it"));
            in_memory(&header(code, &solution, None)?, &solution.values)
        }
    }
}

impl Named for HeapGame {
    fn find(games: &[Arc<HeapGame>], name: &str) -> Result<Arc<HeapGame>, Refusal> {
        let Ok(code) = resolve(name) else {
            let names: Vec<&str> = games.iter().map(|game| game.name.as_str()).collect();
            let name: String = name.chars().take(64).collect();
            let names = names.join(", ");
            return Err(Refusal::missing(format!(
                "no game {name:?} here: expected one of {names}"
            )));
        };
        games.iter().find(|game| game.code == code).cloned().ok_or_else(|| {
            Refusal::missing(format!(
                "{code} has no table here; build it with: morpion nim build \"{code}\""
            ))
        })
    }
}
