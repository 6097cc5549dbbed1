//! Sources of a game's values: a table, a closed form, or a solution on the fly.

use crate::impartial::table::open;
use crate::terminal::folders::Tables;
use crate::terminal::progress::{Bars, When};
use anyhow::{Context, Result, bail};
use morpion_grundy::{GrundyError, GrundyTable};
use morpion_impartial::octal::{LAST_HEAP, Task, named, table};
use morpion_impartial::table::is_named;
use std::path::PathBuf;

/// Last heap to compute for a game without a table.
const ON_THE_FLY: u64 = 1 << 19;
/// Minimum number of heaps to compute for a game without a table, so that short periods are found.
const AT_LEAST: u64 = 1 << 10;
/// Maximum work for finding a period if only a period can answer, in the unit of [`Task::work`]: about half a second.
const FOR_A_PERIOD: usize = 1 << 31;

/// Finds a game by name, code or file. Returns its table and the file. Without a file, solves the game in memory for heaps up to
/// `longest`.
pub fn heaps_to(
    tables: &Tables,
    game: &str,
    longest: u64,
) -> Result<(GrundyTable, Option<PathBuf>)> {
    if is_named(game) {
        let file = PathBuf::from(game);
        return Ok((open(&file)?, Some(file)));
    }
    let code = named::resolve(game).with_context(|| {
        format!("{game:?} is neither a game (morpion nim games) nor an octal code")
    })?;
    if let Some(file) = tables.folders().find(&table::file_name(&code)) {
        let table = open(&file)?;
        if let Ok((found, _)) = table.octal()
            && code != *found
        {
            bail!("{}: a table of {found}, not of {code}", file.display());
        }
        return Ok((table, Some(file)));
    }
    let mut task = Task::until_period(longest.clamp(AT_LEAST, ON_THE_FLY) as usize);
    if longest > ON_THE_FLY {
        task.work = FOR_A_PERIOD;
    }
    let bars = Bars::new(When::Auto, &code.to_string());
    let (header, values) = table::solved(&code, task, &bars)?;
    let table = table::in_memory(&header, &values)?;
    if let Err(GrundyError::Beyond { last, .. }) = table.heap(longest) {
        let what_can_be_done = if longest <= LAST_HEAP {
            format!("build a table first: morpion nim build {code} --heaps {longest}")
        } else {
            format!(
                "only a period would answer it; a table looks further, to heap {LAST_HEAP} at most: morpion nim build {code} --heaps 2^20"
            )
        };
        bail!(
            "{code}: heap {longest} is beyond the {last} heaps computed on the fly, which show no certified period; {what_can_be_done}"
        );
    }
    Ok((table, None))
}

/// Reads a number of heaps that the solver can compute: digits, or a power of two such as `2^20`.
pub fn heaps(text: &str) -> Result<usize, String> {
    let heaps = match text.strip_prefix("2^") {
        Some(power) => power.parse().ok().and_then(|power| 1_u64.checked_shl(power)),
        None => text.parse().ok(),
    };
    match heaps {
        Some(heaps @ 1..=LAST_HEAP) => Ok(heaps as usize),
        Some(n) => Err(format!("{n} heaps are too few or too many: choose 1 to {LAST_HEAP}")),
        None => Err(format!(
            "{text:?} is not a number of heaps: write digits, or a power of two such as 2^20"
        )),
    }
}
