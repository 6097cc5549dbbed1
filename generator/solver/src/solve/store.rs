//! Storage outside the solver's memory, for rows and pending entries that do not fit, and for rows that survive the process.
//!
//! The solver works without one. `morpion-builder` has an implementation in files.

use std::fmt::Debug;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Place in which a process stores rows.
#[derive(Clone, Debug)]
pub enum Storage {
    /// In memory. Blocks are saved to this store, if there is one.
    Memory(Option<Arc<dyn Store>>),
    /// The first blocks in memory, until the room is used, and the other blocks in this store.
    Stored(Arc<dyn Store>, Arc<Room>),
}

/// Bytes of memory that rows and their planes may take.
#[derive(Debug)]
pub struct Room(AtomicU64);

impl Room {
    /// Room for this many bytes.
    pub fn new(bytes: u64) -> Arc<Room> {
        Arc::new(Room(bytes.into()))
    }

    /// Takes room for at most `count` blocks of `bytes` each. Returns the number of blocks.
    pub(crate) fn take(&self, bytes: u64, count: usize) -> usize {
        let fit = |left: u64| (left / bytes.max(1)).min(count as u64);
        let left = self.0.fetch_update(Relaxed, Relaxed, |left| Some(left - fit(left) * bytes));
        left.map_or(0, fit) as usize
    }

    /// Returns room that was taken.
    pub(crate) fn give_back(&self, bytes: u64) {
        self.0.fetch_add(bytes, Relaxed);
    }
}

/// Contents of the rows of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Entries of the table.
    Table,
    /// Codes of the best children outside.
    Holds,
}

/// Identity of a block.
#[derive(Clone, Copy, Debug)]
pub struct BlockId {
    /// Number of the layer.
    pub layer: usize,
    /// Number of the block in its layer.
    pub block: usize,
    /// Number of strips of the block.
    pub strips: usize,
    /// Contents of the rows.
    pub contents: Contents,
}

/// Stores blocks, which consist of strips and a log, and scratch bytes. Several threads may use different blocks at the same time.
pub trait Store: Debug + Send + Sync {
    /// Begins a block. It replaces an old one as a whole when it is finished, and never if it is dropped.
    ///
    /// # Errors
    /// If the block cannot be written.
    fn create(&self, block: BlockId) -> io::Result<Box<dyn NewBlock>>;

    /// Opens a block to read it.
    ///
    /// # Errors
    /// If the block is missing or damaged.
    fn open(&self, block: BlockId) -> io::Result<Box<dyn OldBlock>>;

    /// Appends bytes to the log of a block. If the process is killed meanwhile, all of them are appended, or none.
    ///
    /// # Errors
    /// If the block is missing or cannot be written.
    fn append(&self, block: BlockId, bytes: &[u8]) -> io::Result<()>;

    /// Makes a block survive a crash of the machine.
    ///
    /// # Errors
    /// If the block is missing or cannot be written.
    fn sync(&self, block: BlockId) -> io::Result<()>;

    /// Removes a block, if there is one.
    ///
    /// # Errors
    /// If the block cannot be removed.
    fn remove(&self, block: BlockId) -> io::Result<()>;

    /// Creates scratch bytes, which end with the process.
    ///
    /// # Errors
    /// If there is no room.
    fn scratch(&self) -> io::Result<Box<dyn Scratch>>;
}

/// A block that is being written, strip by strip.
pub trait NewBlock {
    /// Writes the next strip.
    ///
    /// # Errors
    /// If the block cannot be written.
    fn write(&mut self, strip: &[u8]) -> io::Result<()>;

    /// Writes the next strip in its stored form, from [`OldBlock::stored`].
    ///
    /// # Errors
    /// If the block cannot be written.
    fn copy(&mut self, stored: &[u8]) -> io::Result<()>;

    /// Begins the log with these bytes, after the last strip.
    ///
    /// # Errors
    /// If the block cannot be written.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Replaces the old block.
    ///
    /// # Errors
    /// If the block cannot be written.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// A block that is being read.
pub trait OldBlock {
    /// Reads a strip of the block, which has this length.
    ///
    /// # Errors
    /// If the strip is damaged, or has another length.
    fn read(&self, strip: usize, into: &mut [u8]) -> io::Result<()>;

    /// The stored form of a strip.
    fn stored(&self, strip: usize) -> &[u8];

    /// The bytes that were appended to the log, up to the first damage.
    fn log(&self) -> Vec<&[u8]>;
}

/// Bytes that grow as they are written. Several threads may read at the same time.
pub trait Scratch: Send + Sync {
    /// Writes bytes at an offset.
    ///
    /// # Errors
    /// If there is no room.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Reads bytes that were written at an offset.
    ///
    /// # Errors
    /// If they cannot be read.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()>;
}
