//! The planes of the blocks of a layer between two passes: in memory, or in scratch bytes of the store beside the rows.

use crate::error::SolveError;
use crate::solve::code::Code;
use crate::solve::planes::Bits;
use crate::solve::rows::Rows;
use crate::solve::store::{Home, Homes, Scratch, Storage};
use morpion_machine::threads::Pool;
use std::io;

/// The planes that a block remembers from one pass to the next.
#[derive(Default)]
pub struct BlockPlanes {
    /// The children that are not won.
    pub unwon: Vec<Bits>,
    /// The parents that are decided.
    pub decided: Vec<Bits>,
    /// The children that are undecided. Empty if rows are in memory, where each entry shows if it is undecided.
    pub undecided: Vec<Bits>,
    /// The parents that children outside win, and the parents that children outside hold. Both are empty without children outside.
    pub outside: [Vec<Bits>; 2],
}

/// Number of planes of a block.
const PLANES: usize = 5;

impl BlockPlanes {
    fn all(&mut self) -> [&mut Vec<Bits>; PLANES] {
        let [wins, holds] = &mut self.outside;
        [&mut self.unwon, &mut self.decided, &mut self.undecided, wins, holds]
    }
}

/// The planes of all blocks.
pub struct Remembered {
    /// In scratch bytes, the planes of a block are neighbours, in the order of [`BlockPlanes`].
    blocks: Homes<BlockPlanes>,
    /// Length of each plane; 0 if it is empty.
    columns: [usize; PLANES],
    /// Planes of blocks in scratch bytes while threads work on them.
    buffers: Pool<BlockPlanes>,
}

impl Remembered {
    /// Room for the planes of these children. They are in memory for the blocks whose rows are.
    ///
    /// # Errors
    /// If the store fails.
    pub fn new<E: Code>(
        storage: &Storage,
        children: &Rows<E>,
        has_outside: bool,
    ) -> io::Result<Remembered> {
        let columns = [true, true, true, has_outside, has_outside];
        let (shape, in_memory) = (children.shape, children.in_memory());
        Ok(Remembered {
            blocks: Homes::new(storage, in_memory, shape.blocks())?,
            columns: columns.map(|has| if has { shape.columns } else { 0 }),
            buffers: Pool::default(),
        })
    }

    /// Calls `work` with the planes of a block. Planes that are not in memory are empty unless they are `recalled`. `work` returns true for
    /// each plane that it changed, in the order of [`BlockPlanes`].
    ///
    /// # Errors
    /// If `work` or the store fails.
    pub fn with(
        &self,
        block: usize,
        is_recalled: bool,
        work: impl FnOnce(&mut BlockPlanes) -> Result<[bool; PLANES], SolveError>,
    ) -> Result<(), SolveError> {
        let scratch = match self.blocks.of(block) {
            Home::Memory(mut planes) => return work(&mut planes).map(drop),
            Home::Scratch(scratch) => scratch,
        };
        let place = |plane: usize| {
            let before = self.columns[..plane].iter().sum::<usize>();
            (block * self.columns.iter().sum::<usize>() + before) * size_of::<Bits>()
        };
        let mut planes = self.buffers.take();
        for (number, plane) in planes.all().into_iter().enumerate() {
            plane.clear();
            if is_recalled {
                plane.resize(self.columns[number], Bits::NONE);
                read(scratch, place(number) as u64, plane)?;
            }
        }
        let has_changed = work(&mut planes)?;
        for (number, plane) in planes.all().into_iter().enumerate() {
            if has_changed[number] {
                write(scratch, place(number) as u64, plane)?;
            }
        }
        self.buffers.put(planes);
        Ok(())
    }
}

/// Number of [`Bits`] that are read or written at once.
const PIECE: usize = 1 << 10;

fn read(scratch: &dyn Scratch, mut at: u64, plane: &mut [Bits]) -> io::Result<()> {
    let mut bytes = vec![0; plane.len().min(PIECE) * size_of::<Bits>()];
    for piece in plane.chunks_mut(PIECE) {
        let bytes = &mut bytes[..size_of_val(piece)];
        scratch.read_at(at, bytes)?;
        let words = piece.iter_mut().flat_map(|bits| &mut bits.0);
        words.zip(bytes.as_chunks().0).for_each(|(word, &read)| *word = u64::from_ne_bytes(read));
        at += bytes.len() as u64;
    }
    Ok(())
}

fn write(scratch: &dyn Scratch, mut at: u64, plane: &[Bits]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(plane.len().min(PIECE) * size_of::<Bits>());
    for piece in plane.chunks(PIECE) {
        bytes.clear();
        bytes.extend(piece.iter().flat_map(|bits| bits.0).flat_map(u64::to_ne_bytes));
        scratch.write_at(at, &bytes)?;
        at += bytes.len() as u64;
    }
    Ok(())
}
