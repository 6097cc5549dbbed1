//! Rows in memory.

use super::files::FileRows;
use super::{Change, Grid, Rows, Visit};
use crate::error::SolveError;
use crate::solve::entry::Entry;
use crate::solve::planes::{STRIP_ROWS, STRIPS};
use morpion_machine::memory::filled;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The blocks of a layer in memory, and the files in which they are saved.
pub struct MemoryRows<E> {
    grid: Grid,
    blocks: Vec<Mutex<Vec<E>>>,
    files: Option<FileRows>,
}

impl<E: Entry> MemoryRows<E> {
    /// Creates blocks without entries.
    pub fn new(grid: Grid, files: Option<FileRows>) -> MemoryRows<E> {
        let blocks = std::iter::repeat_with(Mutex::default).take(grid.blocks()).collect();
        MemoryRows { grid, blocks, files }
    }

    /// The entries of a block. Poisoning is harmless, because a panic ends the build.
    fn block(&self, block: usize) -> MutexGuard<'_, Vec<E>> {
        self.blocks[block].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn strip(&self) -> usize {
        STRIP_ROWS * self.grid.columns
    }
}

impl<E: Entry> Rows<E> for MemoryRows<E> {
    fn grid(&self) -> Grid {
        self.grid
    }

    fn is_in_memory(&self) -> bool {
        true
    }

    fn make(&self, block: usize, fill: &mut Change<E>) -> Result<(), SolveError> {
        let strips = self.grid.strips_of(block);
        let entries = strips.clone().map(|strip| self.grid.entries(strip)).sum();
        let mut made = filled(entries, E::none());
        for (strip, codes) in strips.zip(made.chunks_mut(self.strip())) {
            fill(strip, codes)?;
        }
        *self.block(block) = made;
        Ok(())
    }

    fn read(&self, block: usize, visit: &mut Visit<E>) -> Result<(), SolveError> {
        let codes = self.block(block);
        let mut strips = self.grid.strips_of(block).zip(codes.chunks(self.strip()));
        strips.try_for_each(|(strip, codes)| visit(strip, codes))
    }

    fn change(&self, block: usize, visit: &mut Change<E>) -> Result<(), SolveError> {
        let mut codes = self.block(block);
        let mut strips = self.grid.strips_of(block).zip(codes.chunks_mut(self.strip()));
        strips.try_for_each(|(strip, codes)| visit(strip, codes).map(drop))
    }

    fn write_now(
        &self,
        strip: usize,
        write: &mut dyn FnMut(&mut [E]) -> io::Result<()>,
    ) -> io::Result<bool> {
        let mut codes = self.block(strip / STRIPS);
        let start = strip % STRIPS * self.strip();
        write(&mut codes[start..start + self.grid.entries(strip)])?;
        Ok(true)
    }

    fn save(&self, block: usize) -> Result<(), SolveError> {
        let Some(files) = &self.files else { return Ok(()) };
        let codes = self.block(block);
        let mut strips = codes.chunks(self.strip());
        files.make(block, &mut |_, out: &mut [E]| {
            out.copy_from_slice(strips.next().unwrap_or_default());
            Ok(true)
        })?;
        Rows::<E>::save(files, block)
    }

    fn load(&self, block: usize) -> Result<(), SolveError> {
        let Some(files) = &self.files else { return Ok(()) };
        let mut all = Vec::new();
        files.read(block, &mut |_, codes: &[E]| {
            all.extend_from_slice(codes);
            Ok(())
        })?;
        *self.block(block) = all;
        Ok(())
    }

    fn free(&self, block: usize) {
        *self.block(block) = Vec::new();
    }

    fn remove(&self, block: usize) -> io::Result<()> {
        self.files.as_ref().map_or(Ok(()), |files| Rows::<E>::remove(files, block))
    }
}
