//! Sources of a game's values: a table, a closed form, or a solution on the fly.

use crate::table::open;
use anyhow::{Context, Result, anyhow, bail};
use morpion_grundy::{Code, GrundyTable};
use morpion_impartial::octal::{LAST_HEAP, Moves, Solution, Task, Values, named, solve, table};
use morpion_impartial::table::is_named;
use morpion_machine::progress::Stopped;
use morpion_terminal::folders::Tables;
use morpion_terminal::progress::{Bars, When};
use std::path::PathBuf;

/// Last heap to compute for a game without a table.
const ON_THE_FLY: u64 = 1 << 19;
/// Minimum number of heaps to compute for a game without a table, so that short periods are found.
const AT_LEAST: u64 = 1 << 10;
/// Maximum work for finding a period if only a period can answer, in the unit of [`Task::work`]: about half a second.
const FOR_A_PERIOD: usize = 1 << 31;

/// Finds a game by name, code or file, and its table if one exists.
pub fn find(tables: &Tables, game: &str) -> Result<(Option<PathBuf>, Option<Code>)> {
    if is_named(game) {
        return Ok((Some(game.into()), None));
    }
    let code = named::resolve(game).with_context(|| {
        format!("{game:?} is neither a game (morpion nim games) nor an octal code")
    })?;
    Ok((tables.folders().find(&table::file_name(&code)), Some(code)))
}

/// Returns a table that answers heaps up to `longest`, from a file or solved in memory.
pub fn heaps_to(tables: &Tables, game: &str, longest: u64) -> Result<GrundyTable> {
    let (file, code) = find(tables, game)?;
    if let Some(file) = file {
        let table = open(&file)?;
        if let (Some(code), Ok((found, _))) = (&code, table.octal())
            && code != found
        {
            bail!("{}: a table of {found}, not of {code}", file.display());
        }
        return Ok(table);
    }
    let Some(code) = code else { bail!("{game:?} is not a game; see: morpion nim games") };
    if code.closed().is_some() {
        return Ok(table::in_memory(&table::closed_header(&code)?, &Values::none())?);
    }
    let moves = finite(&code)?;
    let last = longest.clamp(AT_LEAST, ON_THE_FLY) as usize;
    let mut task = Task::until_period(last);
    if longest > ON_THE_FLY {
        task.work = FOR_A_PERIOD;
    }
    let solution = solve_with_progress(&moves, task, When::Auto, &code)?;
    if longest > solution.heaps() as u64 && solution.period.is_none() {
        let heaps = solution.heaps();
        let what_can_be_done = if longest <= LAST_HEAP {
            format!("build a table first: morpion nim build {code} --heaps {longest}")
        } else {
            format!(
                "only a period would answer it; a table looks further, to heap {LAST_HEAP} at most: morpion nim build {code} --heaps 2^20"
            )
        };
        bail!(
            "{code}: heap {longest} is beyond the {heaps} heaps computed on the fly, which show no certified period; {what_can_be_done}"
        );
    }
    Ok(table::in_memory(&table::header(&code, &solution), &solution.values)?)
}

/// Returns the moves of a finite code.
pub fn finite(code: &Code) -> Result<Moves> {
    match Moves::new(code) {
        Some(moves) => Ok(moves),
        None => {
            table::closed_header(code)?;
            bail!("{code} has a closed form: choose a finite code")
        }
    }
}

/// Solves a game and reports progress.
pub fn solve_with_progress(moves: &Moves, task: Task, when: When, code: &Code) -> Result<Solution> {
    solve(moves, task, &Bars::new(when, &code.to_string()))
        .map_err(|Stopped| anyhow!("{code}: stopped before the end: nothing is kept"))
}

/// Reads a number of heaps: digits, or a power of two such as `2^20`.
pub fn heaps(text: &str) -> Result<u64, String> {
    let wrong = || {
        format!("{text:?} is not a number of heaps: write digits, or a power of two such as 2^20")
    };
    match text.split_once('^') {
        Some(("2", power)) => {
            let power: u32 = power.parse().map_err(|_| wrong())?;
            1_u64.checked_shl(power).ok_or_else(wrong)
        }
        _ => text.parse().map_err(|_| wrong()),
    }
}

/// Reads a number of heaps that the solver can compute.
pub fn heaps_to_compute(text: &str) -> Result<usize, String> {
    match heaps(text)? {
        n @ 1..=LAST_HEAP => Ok(n as usize),
        n => Err(format!("{n} heaps are too few or too many: choose 1 to {LAST_HEAP}")),
    }
}
