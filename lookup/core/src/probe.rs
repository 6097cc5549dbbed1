//! The value of a position.
//!
//! One entry of a map and one entry of a layer are read.

use crate::chunks::by_chunks;
use crate::error::ProbeError;
use crate::error_kind::ErrorKind;
use crate::game::Position;
use crate::key::Keys;
use crate::reader::{Access, Never, Reader};
use crate::score::Score;
use crate::source::Source;
use crate::table::Table;

impl<S: Source> Table<S> {
    /// Value and distance of a position. Takes one read in a map and one in a layer. Nothing is allocated.
    ///
    /// # Errors
    /// [`ProbeError::Position`] if the game does not have the position, [`ProbeError::Damaged`] if the table contradicts
    /// itself, [`ProbeError::Read`] if its source cannot be read.
    #[inline]
    pub fn probe(&self, position: impl Into<Position>) -> Result<Score, ProbeError> {
        match self.access() {
            Access::Memory(bytes) => self.keys().probe_in_memory(bytes, position.into()),
            remote => self.keys().probe_remote(remote, position.into()),
        }
    }
}

impl Keys {
    fn probe_in_memory(&self, bytes: &[u8], position: Position) -> Result<Score, ProbeError> {
        by_chunks!(self.chunks(), chunks => self.probe_by(chunks, bytes, position))
    }

    fn probe_remote(&self, remote: Access<'_>, position: Position) -> Result<Score, ProbeError> {
        self.probe_by(self.chunks(), remote, position)
    }

    #[inline(always)]
    fn probe_by<R: Reader>(
        &self,
        chunks: usize,
        reader: R,
        position: Position,
    ) -> Result<Score, ProbeError> {
        let entry = self.map_entry(chunks, reader, position.mover);
        let address = self.address(chunks, position, entry)?;
        self.score_at(reader, address, position)
    }

    /// The score at the address of a position's entry.
    #[inline(always)]
    pub fn score_at<R: Reader>(
        &self,
        reader: R,
        address: u64,
        position: Position,
    ) -> Result<Score, ProbeError> {
        match self.code(reader, address) {
            Ok(code) => match code.and_then(|code| self.header.encoding.decode(code)) {
                Some(score) => Ok(score),
                None => Err(self.no_entry(position)),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// The scores of many positions, from memory: the reads of many positions overlap.
    pub fn probe_many_in_memory(
        &self,
        bytes: &[u8],
        positions: &[Position],
        answers: &mut [Result<Score, ErrorKind>],
    ) {
        by_chunks!(self.chunks(), chunks => self.probe_many_by(chunks, bytes, positions, answers));
    }

    #[inline(always)]
    fn probe_many_by(
        &self,
        chunks: usize,
        bytes: &[u8],
        positions: &[Position],
        answers: &mut [Result<Score, ErrorKind>],
    ) {
        const UNIT: usize = 64;
        // An address beyond every file; the fault of the position is found when it is visited.
        const NOWHERE: u64 = u64::MAX;
        // No map has sets of this size.
        const NO_ENTRY_OF_MAP: (u32, usize) = (0, usize::MAX);
        let mut entries = [NO_ENTRY_OF_MAP; UNIT];
        let mut addresses = [NOWHERE; UNIT];
        let mut codes = [None; UNIT];
        for (positions, answers) in positions.chunks(UNIT).zip(answers.chunks_mut(UNIT)) {
            // Map entries, addresses, codes, scores: each step for all positions of a unit before the next step, so that the
            // loads of one step overlap.
            for (entry, position) in entries.iter_mut().zip(positions) {
                *entry = self.map_entry(chunks, bytes, position.mover).unwrap_or(NO_ENTRY_OF_MAP);
            }
            for ((address, &position), &entry) in addresses.iter_mut().zip(positions).zip(&entries)
            {
                *address = self.address::<Never>(chunks, position, Ok(entry)).unwrap_or(NOWHERE);
            }
            for (code, &address) in codes.iter_mut().zip(&addresses[..positions.len()]) {
                *code = self.code(bytes, address).ok().flatten();
            }
            for ((answer, &position), &code) in answers.iter_mut().zip(positions).zip(&codes) {
                *answer = match code.and_then(|code| self.header.encoding.decode(code)) {
                    Some(score) => Ok(score),
                    None => self.probe_in_memory(bytes, position).map_err(|error| error.kind()),
                };
            }
        }
    }
}
