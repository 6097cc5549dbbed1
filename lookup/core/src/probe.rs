//! The value of a position.
//!
//! One entry of a map and one entry of a layer are read.

use crate::chunks::by_chunks;
use crate::error::ProbeError;
use crate::index::Index;
use crate::position::Position;
use crate::reader::{Access, Reader};
use crate::score::Score;

impl Index {
    /// Value and distance of a position, of a table in memory. Takes one read in a map and one in a layer.
    ///
    /// # Errors
    /// If the game does not have the position, or the table contradicts itself.
    pub fn probe_in_memory(&self, bytes: &[u8], position: Position) -> Result<Score, ProbeError> {
        by_chunks!(self.chunks, chunks => self.probe_by(chunks, bytes, position))
    }

    /// Value and distance of a position, of a table that is not in memory.
    ///
    /// # Errors
    /// As above, and if the source cannot be read.
    pub fn probe_remote(
        &self,
        remote: Access<'_>,
        position: Position,
    ) -> Result<Score, ProbeError> {
        self.probe_by(self.chunks, remote, position)
    }

    #[inline(always)]
    pub(crate) fn probe_by<R: Reader>(
        &self,
        chunks: usize,
        reader: R,
        position: Position,
    ) -> Result<Score, ProbeError> {
        let entry = self.map_entry(chunks, reader, position.mover);
        match self.address_of_sets(chunks, position, entry) {
            Ok(address) => self.score_at(reader, address, position),
            Err(error) => self.probe_words(reader, position, error),
        }
    }

    /// The score of a position without a place of its own: the game is over, or its words are more than sets of cells. Else `error`.
    #[cold]
    #[inline(never)]
    fn probe_words<R: Reader>(
        &self,
        reader: R,
        position: Position,
        error: ProbeError,
    ) -> Result<Score, ProbeError> {
        if self.game.is_plain() {
            return Err(error);
        }
        if let Some(score) = self.game.ended(position) {
            return Ok(score);
        }
        let address = self.address_of(reader, position)?;
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
        match self.code(reader, address)?.and_then(|code| self.header.encoding.decode(code)) {
            Some(score) => Ok(score),
            None => Err(self.no_entry(position)),
        }
    }
}
