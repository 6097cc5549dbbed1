//! Shards that are whole tables: of games whose members solve groups of layers together, and have the codes of all rows.
//!
//! The shard has the files of a build by one process: `.NAME.partial`, which becomes the table, and `.NAME.rows`.

use crate::build::checkpoint::{BuildFiles, FileKeeper};
use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::exchange::Team;
use crate::solve::rows::Storage;
use crate::solve::solve;
use morpion_machine::progress::Progress;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// Solves a game with a team into the shard of this member, from its checkpoint or from the beginning. States are written every `interval`.
///
/// # Errors
/// Errors of [`solve`]; or if another process has the shard.
pub fn solve_into(
    shard: &Path,
    (layout, sets): (&Layout, &FoldedSets),
    storage: &Storage,
    team: &mut dyn Team,
    interval: Duration,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let files = BuildFiles::lock(shard, layout.game().name())?
        .ok_or_else(|| io::Error::other("another process writes this shard"))?;
    let mut keeper = FileKeeper::open(&files, layout, sets, None, interval)?;
    solve(sets, layout.header().encoding, storage, team, &mut keeper, progress)?;
    keeper.finish()
}

/// Copies the table of a shard to `out`.
pub(crate) fn copy<W: Write>(shard: &Path, name: &str, out: &mut W) -> io::Result<()> {
    let table = shard.join(format!(".{name}.partial"));
    io::copy(&mut File::open(table)?, out).map(drop)
}
