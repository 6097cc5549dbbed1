//! A build whose layers are not held in memory: solved block by block into files, which are joined in the partial file.

use super::{Work, is_right};
use crate::build::join::join;
use crate::build::plan::BuildMode;
use crate::build::stream::TableWriter;
use crate::error::SolveError;
use crate::layout::Layout;
use crate::sets::FoldedSets;
use crate::solve::blocks::shard::{Part, Shard};
use crate::solve::blocks::{self, team::Threads};
use anyhow::Result;
use morpion_lookup::raw::Encoding;
use std::io::{self, ErrorKind};

impl Work<'_> {
    /// Solves into the partial file, from where an interrupted build stopped or from the beginning, with wider entries where
    /// distances need them.
    pub(super) fn solve_in_blocks(&self, layout: &Layout, sets: &FoldedSets) -> Result<()> {
        let kept = Shard::part_of(&self.files.rows_path()).ok();
        let mut is_resumed = kept.is_some();
        // A table whose distances turned out to need wider entries is resumed with those.
        let mut encoding = match kept.map(|part| part.table.encoding) {
            Some(Encoding::Plies16) => Encoding::Plies16,
            _ => layout.header().encoding,
        };
        loop {
            let (layout, mode) = self.replan(layout, encoding)?;
            match self.join_blocks(&layout, sets, mode) {
                Ok(()) if !is_resumed || is_right(&self.files.partial, self.progress)? => {
                    return Ok(());
                }
                Err(SolveError::TooDeep(_)) if encoding == Encoding::Plies8 => {
                    encoding = Encoding::Plies16;
                }
                // What was read back is damaged, or not what the rules make of it: once more, from the beginning.
                Ok(()) => {}
                Err(SolveError::Io(error)) if is_resumed && is_misfit(&error) => {}
                Err(error) => return Err(error.into()),
            }
            self.files.clear()?;
            is_resumed = false;
        }
    }

    fn join_blocks(
        &self,
        layout: &Layout,
        sets: &FoldedSets,
        mode: BuildMode,
    ) -> Result<(), SolveError> {
        let (threads, limit) = match mode {
            BuildMode::Blocks { threads, waiting } => (threads, waiting),
            BuildMode::Whole => (rayon::current_num_threads(), usize::MAX),
        };
        let rows = self.files.rows_path();
        let part = Part { table: layout.header().clone(), process: 0, processes: 1 };
        let mut shard = Shard::open(&rows, part, [0, 1], false)?;
        let mut team = Threads { threads, limit, folder: Some(rows.clone()) };
        let (interval, progress) = (self.options.checkpoint, self.progress);
        match layout.header().encoding {
            Encoding::Plies16 => {
                blocks::solve::<u16>(sets, &mut shard, &mut team, interval, progress)
            }
            _ => blocks::solve::<u8>(sets, &mut shard, &mut team, interval, progress),
        }?;
        let (header, packing) = (layout.header(), self.options.packing);
        let out = TableWriter::resume(&self.files.partial, header, packing, 0, None)?;
        Ok(join(out, layout, sets, &[rows], progress)?.finish()?)
    }
}

/// Whether a file is not what it has to be, or not there.
fn is_misfit(error: &io::Error) -> bool {
    [ErrorKind::InvalidData, ErrorKind::UnexpectedEof, ErrorKind::NotFound].contains(&error.kind())
}
