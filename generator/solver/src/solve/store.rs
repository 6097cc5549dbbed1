//! Storage outside the solver's memory, for rows and pending entries that do not fit, and for rows that survive the process.
//!
//! The solver also works without a store. `morpion-builder` has an implementation in files.

use morpion_machine::threads::lock;
use std::fmt::Debug;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

/// Place in which a process stores rows. By default rows are in memory, and are not saved.
#[derive(Clone, Debug, Default)]
pub struct Storage {
    /// Store to which blocks are saved, and which has the blocks beyond the room.
    pub store: Option<Arc<dyn Store>>,
    /// Memory of the first blocks; `None` if all blocks are in memory. A room needs a store.
    pub room: Option<Arc<Room>>,
}

/// Limits of memory while a layer is solved, in bytes. Entries that a pass sends have memory of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// For the rows of the layer, which other layer groups may need too.
    pub rows: u64,
    /// For everything that the layer group needs.
    pub group: u64,
    /// For the pending entries of one exchange.
    pub pending: usize,
}

/// Memory for the first blocks of rows and for their planes.
#[derive(Debug)]
pub struct Room {
    /// The limits, by layer.
    budgets: Vec<Budget>,
    used: Mutex<Used>,
}

/// Bytes that are used, and bytes that are reserved for planes. Only passes use planes, so children after takes, which are dropped before
/// the passes, may take the reserved bytes.
#[derive(Debug, Default)]
struct Used {
    rows: u64,
    planes: u64,
}

impl Room {
    /// Room with these limits, by layer. Layers without a limit have no room.
    pub fn new(budgets: Vec<Budget>) -> Arc<Room> {
        Arc::new(Room { budgets, used: Mutex::default() })
    }

    fn budget(&self, layer: usize) -> Budget {
        self.budgets.get(layer).copied().unwrap_or_default()
    }
}

/// The memory of some blocks, and of their planes.
#[derive(Debug)]
pub(crate) struct Share {
    /// Number of blocks.
    pub blocks: usize,
    /// The room that these blocks use; `None` if memory is not limited.
    room: Option<(Arc<Room>, Used)>,
}

impl Storage {
    /// Limit in bytes of the pending entries of an exchange while a layer is solved.
    pub fn pending(&self, layer: usize) -> usize {
        self.room.as_ref().map_or(usize::MAX, |room| room.budget(layer).pending)
    }

    /// Takes memory for at most `count` blocks of a layer. Each has `rows` bytes, and planes of `planes` bytes.
    pub(crate) fn take(
        &self,
        layer: usize,
        contents: Contents,
        count: usize,
        [rows, planes]: [u64; 2],
    ) -> Share {
        let Some(room) = &self.room else { return Share { blocks: count, room: None } };
        let mut used = lock(&room.used);
        let free = match contents {
            Contents::Table => room.budget(layer).rows.saturating_sub(used.rows + used.planes),
            Contents::Holds => room.budget(layer).group.saturating_sub(used.rows + used.planes),
            Contents::Taken(before) => room.budget(before).group.saturating_sub(used.rows),
        };
        let blocks = (free / (rows + planes).max(1)).min(count as u64);
        let share = Used { rows: blocks * rows, planes: blocks * planes };
        used.rows += share.rows;
        used.planes += share.planes;
        Share { blocks: blocks as usize, room: Some((Arc::clone(room), share)) }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if let Some((room, share)) = &self.room {
            let mut used = lock(&room.used);
            used.rows -= share.rows;
            used.planes -= share.planes;
        }
    }
}

/// State of blocks while their layer is solved: in memory for the first blocks, and in scratch bytes for the other blocks.
pub(crate) struct Homes<T> {
    memory: Vec<Mutex<T>>,
    /// `None` if all blocks are in memory.
    scratch: Option<Box<dyn Scratch>>,
}

/// The state of one block, or the bytes that contain it.
pub(crate) enum Home<'h, T> {
    Memory(MutexGuard<'h, T>),
    Scratch(&'h dyn Scratch),
}

impl<T: Default> Homes<T> {
    /// Homes of `blocks` blocks, of which the first `in_memory` are in memory.
    ///
    /// # Errors
    /// If the store fails.
    pub fn new(storage: &Storage, in_memory: usize, blocks: usize) -> io::Result<Homes<T>> {
        let store = storage.store.as_ref().filter(|_| in_memory < blocks);
        let memory = std::iter::repeat_with(Mutex::default).take(in_memory).collect();
        Ok(Homes { memory, scratch: store.map(|store| store.scratch()).transpose()? })
    }

    /// The home of a block.
    pub fn of(&self, block: usize) -> Home<'_, T> {
        match self.scratch.as_deref().filter(|_| block >= self.memory.len()) {
            Some(scratch) => Home::Scratch(scratch),
            None => Home::Memory(lock(&self.memory[block])),
        }
    }
}

/// Contents that take memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Entries of the table.
    Table,
    /// Codes of the best children outside.
    Holds,
    /// Preferences of children after takes from the layer of this number.
    Taken(usize),
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
}

/// Stores blocks, which consist of strips and a log, and scratch bytes. Several threads may use different blocks at the same time.
pub trait Store: Debug + Send + Sync {
    /// Begins a new block. When it is finished, it replaces the old block as a whole. If it is dropped, the old block stays.
    ///
    /// # Errors
    /// If the block cannot be written.
    fn create(&self, block: BlockId) -> io::Result<Box<dyn NewBlock>>;

    /// Opens a block to read it.
    ///
    /// # Errors
    /// If the block is missing or damaged.
    fn open(&self, block: BlockId) -> io::Result<Box<dyn OldBlock>>;

    /// Appends bytes to the log of a block. If the process is killed meanwhile, either all bytes are appended or none.
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

    /// Creates scratch bytes, which are gone when the process ends.
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

    /// Begins the log with these bytes, after the last strip, and replaces the old block.
    ///
    /// # Errors
    /// If the block cannot be written.
    fn finish(self: Box<Self>, log: &[u8]) -> io::Result<()>;
}

/// A block that is being read.
pub trait OldBlock {
    /// Reads a strip of the block, which has this length.
    ///
    /// # Errors
    /// If the strip is damaged, or has another length.
    fn read(&self, strip: usize, into: &mut [u8]) -> io::Result<()>;

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
