//! The rows of a layer, block by block: in memory, or in a store. The place of a block is fixed when the rows are made.
//!
//! A block is [`BLOCK_ROWS`] neighbouring rows, visited strip by strip.

use crate::error::SolveError;
use crate::solve::code::Code;
use crate::solve::log::{self, Log};
use crate::solve::planes::{BLOCK_ROWS, STRIP_ROWS, STRIPS};
use crate::solve::shape::Shape;
use crate::solve::store::{BlockId, Contents, Share, Storage, Store};
use morpion_machine::memory::filled;
use morpion_machine::threads::lock;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

/// Fills or changes the entries of a strip.
pub type Change<'v, E> = dyn FnMut(usize, &mut [E]) -> Result<(), SolveError> + 'v;

/// Visits the entries of a strip.
pub type Visit<'v, E> = dyn FnMut(usize, &[E]) -> Result<(), SolveError> + 'v;

/// The rows of solved layers, by number.
pub type Solved<E> = BTreeMap<usize, Rows<E>>;

/// The rows of one layer. Several threads may work on different blocks at the same time.
pub struct Rows<E> {
    /// The layer's shape.
    pub shape: Shape,
    /// The first blocks, which are in memory.
    blocks: Vec<Mutex<Vec<E>>>,
    /// The room that these blocks take.
    _share: Share,
    /// Store of the other blocks, and of copies of the blocks in memory; `None` if nothing is saved.
    store: Option<Arc<dyn Store>>,
}

impl<E: Code> Rows<E> {
    /// The rows of a layer of this shape. Blocks in memory are empty at first. They take room for their rows and for `planes` planes.
    pub fn new(storage: &Storage, shape: Shape, contents: Contents, planes: u64) -> Rows<E> {
        let entries = (BLOCK_ROWS * shape.columns) as u64;
        let (bytes, planes) = (entries * size_of::<E>() as u64, entries / 8 * planes);
        let share = storage.take(shape.layer, contents, shape.blocks(), [bytes, planes]);
        let blocks = std::iter::repeat_with(Mutex::default).take(share.blocks).collect();
        Rows { shape, blocks, _share: share, store: storage.store.clone() }
    }

    /// Number of blocks that are in memory: the first blocks of the layer.
    pub fn in_memory(&self) -> usize {
        self.blocks.len()
    }

    /// Creates a block. The entries of each strip start as [`Code::none`], and `fill` writes them.
    ///
    /// # Errors
    /// If `fill` or the store fails.
    pub fn make(&self, block: usize, fill: &mut Change<E>) -> Result<(), SolveError> {
        let strips = self.shape.strips_of(block);
        if let Some(mut codes) = self.block(block) {
            let entries = strips.clone().map(|strip| self.shape.entries_of(strip)).sum();
            *codes = filled(entries, E::none());
            let mut strips = strips.zip(codes.chunks_mut(self.full_strip()));
            return strips.try_for_each(|(strip, codes)| fill(strip, codes));
        }
        let (mut new, mut codes) = (self.store()?.create(self.id(block))?, Vec::new());
        for strip in strips {
            codes.clear();
            codes.resize(self.shape.entries_of(strip), E::none());
            fill(strip, &mut codes)?;
            new.write(&E::bytes(&codes))?;
        }
        Ok(new.finish(&[])?)
    }

    /// Visits the strips of a block in order.
    ///
    /// # Errors
    /// If `visit` or the store fails.
    pub fn read(&self, block: usize, visit: &mut Visit<E>) -> Result<(), SolveError> {
        let strips = self.shape.strips_of(block);
        let Some(codes) = self.block(block) else {
            return self.read_stored(block, strips, &mut |strip, codes| visit(strip, codes));
        };
        strips
            .zip(codes.chunks(self.full_strip()))
            .try_for_each(|(strip, codes)| visit(strip, codes))
    }

    /// Changes the strips of a block in order. Returns false, without changes, if the block is not in memory.
    ///
    /// # Errors
    /// If `change` fails.
    pub fn change(&self, block: usize, change: &mut Change<E>) -> Result<bool, SolveError> {
        let Some(mut codes) = self.block(block) else { return Ok(false) };
        let mut strips = self.shape.strips_of(block).zip(codes.chunks_mut(self.full_strip()));
        strips.try_for_each(|(strip, codes)| change(strip, codes))?;
        Ok(true)
    }

    /// Changes the strips of a block in order. A stored block gets a new log: the mark of this distance.
    fn rewrite(
        &self,
        block: usize,
        distance: u16,
        change: &mut Change<E>,
    ) -> Result<(), SolveError> {
        if self.change(block, change)? {
            return Ok(());
        }
        let mut new = self.store()?.create(self.id(block))?;
        self.read_stored(block, self.shape.strips_of(block), &mut |strip, codes| {
            change(strip, codes)?;
            Ok(new.write(&E::bytes(codes))?)
        })?;
        Ok(new.finish(&log::mark(distance))?)
    }

    /// Appends records to the log of a stored block.
    ///
    /// # Errors
    /// If the store fails.
    pub fn append(&self, block: usize, records: &[u8]) -> Result<(), SolveError> {
        if !records.is_empty() {
            self.store()?.append(self.id(block), records)?;
        }
        Ok(())
    }

    /// Writes the records of a stored block to its strips.
    ///
    /// # Errors
    /// If the store fails.
    pub fn merge(&self, block: usize) -> Result<(), SolveError> {
        if block < self.in_memory() {
            return Ok(());
        }
        self.rewrite(block, u16::MAX, &mut |_, _| Ok(()))
    }

    /// Writes one strip. Returns false if its block is not in memory.
    ///
    /// # Errors
    /// If `write` fails.
    pub fn write_now(
        &self,
        strip: usize,
        write: impl FnOnce(&mut [E]) -> io::Result<()>,
    ) -> io::Result<bool> {
        let Some(mut codes) = self.block(strip / STRIPS).filter(|codes| !codes.is_empty()) else {
            return Ok(false);
        };
        let start = strip % STRIPS * self.full_strip();
        write(&mut codes[start..start + self.shape.entries_of(strip)])?;
        Ok(true)
    }

    /// Copies one strip to `into`, which becomes empty if the block was not created.
    ///
    /// # Errors
    /// If the store fails.
    pub fn copy_strip(&self, strip: usize, into: &mut Vec<E>) -> Result<(), SolveError> {
        into.clear();
        let block = strip / STRIPS;
        let Some(codes) = self.block(block) else {
            return self.read_stored(block, strip..=strip, &mut extend(into));
        };
        into.extend_from_slice(
            codes.chunks(self.full_strip()).nth(strip % STRIPS).unwrap_or_default(),
        );
        Ok(())
    }

    /// Saves a block that is solved up to this distance so that it survives a crash of the machine, if there is a store.
    ///
    /// # Errors
    /// If the store fails.
    pub fn save(&self, block: usize, distance: u16) -> Result<(), SolveError> {
        let Some(store) = &self.store else { return Ok(()) };
        if let Some(codes) = self.block(block) {
            let mut new = store.create(self.id(block))?;
            codes.chunks(self.full_strip()).try_for_each(|codes| new.write(&E::bytes(codes)))?;
            new.finish(&log::mark(distance))?;
        } else {
            store.append(self.id(block), &log::mark(distance))?;
        }
        Ok(store.sync(self.id(block))?)
    }

    /// Resets a saved block to this distance: later entries are undecided again.
    ///
    /// # Errors
    /// If the store fails, or the block was not saved up to this distance.
    pub fn rewind(&self, block: usize, distance: u16) -> Result<(), SolveError> {
        let old = self.store()?.open(self.id(block))?;
        // Records after the last mark may be lost, but a lost mark is damage.
        if Log::of(&*old)?.mark < Some(distance) {
            let fault = format!("block {block} of layer {} ends early", self.shape.layer);
            return Err(io::Error::new(io::ErrorKind::InvalidData, fault).into());
        }
        drop(old);
        self.load(block)?;
        self.rewrite(block, distance, &mut |_, codes| {
            let is_ahead = |code: &E| code.plies().is_some_and(|plies| plies > distance);
            let ahead = codes.iter_mut().filter(|code| is_ahead(code));
            ahead.for_each(|code| *code = E::default());
            Ok(())
        })
    }

    /// Reads a saved block back, if it is one of the blocks in memory.
    ///
    /// # Errors
    /// If the block is missing or damaged.
    pub fn load(&self, block: usize) -> Result<(), SolveError> {
        let (Some(mut all), Some(_)) = (self.block(block), &self.store) else { return Ok(()) };
        all.clear();
        self.read_stored(block, self.shape.strips_of(block), &mut extend(&mut all))
    }

    /// Removes all stored blocks.
    ///
    /// # Errors
    /// If the store fails.
    pub fn remove_stored(&self) -> io::Result<()> {
        let Some(store) = &self.store else { return Ok(()) };
        (0..self.shape.blocks()).try_for_each(|block| store.remove(self.id(block)))
    }

    /// The entries of a block in memory.
    fn block(&self, block: usize) -> Option<MutexGuard<'_, Vec<E>>> {
        self.blocks.get(block).map(lock)
    }

    /// Number of entries of a full strip.
    fn full_strip(&self) -> usize {
        STRIP_ROWS * self.shape.columns
    }

    fn id(&self, block: usize) -> BlockId {
        let strips = self.shape.strips_of(block).len();
        BlockId { layer: self.shape.layer, block, strips }
    }

    fn store(&self) -> io::Result<&dyn Store> {
        self.store.as_deref().ok_or_else(|| io::ErrorKind::Unsupported.into())
    }

    /// Visits strips of a stored block.
    fn read_stored(
        &self,
        block: usize,
        strips: impl Iterator<Item = usize>,
        visit: &mut Change<E>,
    ) -> Result<(), SolveError> {
        let old = self.store()?.open(self.id(block))?;
        let (log, mut codes) = (Log::of(&*old)?, Vec::new());
        for strip in strips {
            let number = strip % STRIPS;
            codes.resize(self.shape.entries_of(strip), E::default());
            E::fill(&mut codes, |bytes| old.read(number, bytes))?;
            log.apply(number, &mut codes)?;
            visit(strip, &mut codes)?;
        }
        Ok(())
    }
}

/// Appends each visited strip to `all`.
fn extend<E: Code>(all: &mut Vec<E>) -> impl FnMut(usize, &mut [E]) -> Result<(), SolveError> {
    |_, codes| {
        all.extend_from_slice(codes);
        Ok(())
    }
}
