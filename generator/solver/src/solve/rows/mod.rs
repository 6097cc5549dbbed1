//! Storage of the rows of a layer, block by block: in memory, or packed in files.
//!
//! A block is [`BLOCK_ROWS`](crate::solve::planes::BLOCK_ROWS) neighbouring rows, visited strip by strip. The solver
//! uses only the trait [`Rows`].

mod files;
mod memory;

use crate::error::SolveError;
use crate::solve::Shape;
use crate::solve::entry::Entry;
use crate::solve::planes::{STRIP_ROWS, STRIPS};
use files::FileRows;
use memory::MemoryRows;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Fills or changes the entries of a strip. Returns true if it changed them.
pub type Change<'v, E> = dyn FnMut(usize, &mut [E]) -> Result<bool, SolveError> + 'v;

/// Visits the entries of a strip.
pub type Visit<'v, E> = dyn FnMut(usize, &[E]) -> Result<(), SolveError> + 'v;

/// The rows of one layer. Several threads may work on different blocks at the same time.
pub trait Rows<E: Entry>: Sync {
    /// Number of rows and columns.
    fn grid(&self) -> Grid;

    /// Returns true if every block is in memory, so that visiting it costs nothing.
    fn is_in_memory(&self) -> bool;

    /// Creates a block. The entries of each strip start as [`Entry::none`], and `fill` writes them.
    ///
    /// # Errors
    /// If `fill` fails, or a file cannot be written.
    fn make(&self, block: usize, fill: &mut Change<E>) -> Result<(), SolveError>;

    /// Visits the strips of a block in order.
    ///
    /// # Errors
    /// If `visit` fails, or a file cannot be read.
    fn read(&self, block: usize, visit: &mut Visit<E>) -> Result<(), SolveError>;

    /// Visits the strips of a block in order, and stores the strips for which `visit` returns true.
    ///
    /// # Errors
    /// If `visit` fails, or a file cannot be read or written.
    fn change(&self, block: usize, visit: &mut Change<E>) -> Result<(), SolveError>;

    /// Writes one strip of a block that is in memory. Returns false if it is not in memory.
    ///
    /// # Errors
    /// If `write` fails.
    fn write_now(
        &self,
        strip: usize,
        write: &mut dyn FnMut(&mut [E]) -> io::Result<()>,
    ) -> io::Result<bool>;

    /// Saves a block so that it survives a crash of the machine.
    ///
    /// # Errors
    /// If its file cannot be written.
    fn save(&self, block: usize) -> Result<(), SolveError>;

    /// Reads back a saved block.
    ///
    /// # Errors
    /// If its file is missing or damaged.
    fn load(&self, block: usize) -> Result<(), SolveError>;

    /// Frees the memory of a block.
    fn free(&self, block: usize);

    /// Removes the file of a block, if there is one.
    ///
    /// # Errors
    /// If it cannot be removed.
    fn remove(&self, block: usize) -> io::Result<()>;
}

/// Place in which a process stores rows.
#[derive(Clone, Debug)]
pub enum Storage {
    /// In memory. Blocks are saved to this folder, if there is one.
    Memory(Option<PathBuf>),
    /// In files in this folder.
    Files(PathBuf),
}

impl Storage {
    /// The rows of a layer.
    pub(crate) fn rows<E: Entry>(&self, shape: &Shape) -> Box<dyn Rows<E>> {
        let grid = Grid { rows: shape.rows, columns: shape.columns };
        let files = |folder: &Path| FileRows::new(folder, shape.counts, grid);
        match self {
            Storage::Memory(folder) => {
                Box::new(MemoryRows::new(grid, folder.as_deref().map(files)))
            }
            Storage::Files(folder) => Box::new(files(folder)),
        }
    }
}

/// Number of rows and columns of a layer, and its division into blocks and strips.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Number of orbits of the mover's sets.
    pub rows: usize,
    /// Number of the waiter's sets for each row.
    pub columns: usize,
}

impl Grid {
    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.rows.div_ceil(STRIP_ROWS * STRIPS)
    }

    /// Number of strips.
    pub fn strips(&self) -> usize {
        self.rows.div_ceil(STRIP_ROWS)
    }

    /// The strips of a block.
    pub fn strips_of(&self, block: usize) -> Range<usize> {
        block * STRIPS..self.strips().min((block + 1) * STRIPS)
    }

    /// Number of entries of a strip.
    pub fn entries(&self, strip: usize) -> usize {
        (self.rows - strip * STRIP_ROWS).min(STRIP_ROWS) * self.columns
    }
}
