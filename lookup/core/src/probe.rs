//! Looks up the value of a position.
//!
//! One entry of a map and one entry of a layer are read.

use crate::chunks::by_chunks;
use crate::error::ProbeError;
use crate::index::Index;
use crate::position::Position;
use crate::reader::Access;
use crate::score::Score;
use crate::source::Source;

impl Index {
    /// Value and distance of a position. Takes one read in a map and one in a layer.
    ///
    /// # Errors
    /// If the game does not have the position, the table contradicts itself, or the source cannot be read.
    #[inline]
    pub fn probe(&self, access: Access<'_>, position: Position) -> Result<Score, ProbeError> {
        match access {
            Access::Memory(bytes) => self.probe_in_memory(bytes, position),
            Access::Remote(source) => self.probe_remote(source, position),
        }
    }

    /// Probes a table in memory. A function of its own, so that the compiler makes a version for memory alone and for each number of
    /// chunks.
    #[inline(never)]
    fn probe_in_memory(&self, bytes: &[u8], position: Position) -> Result<Score, ProbeError> {
        by_chunks!(self.chunks, chunks => self.probe_by(chunks, Access::Memory(bytes), position))
    }

    #[inline(never)]
    fn probe_remote(&self, source: &dyn Source, position: Position) -> Result<Score, ProbeError> {
        self.probe_by(self.chunks, Access::Remote(source), position)
    }

    #[inline(always)]
    pub(crate) fn probe_by(
        &self,
        chunks: usize,
        access: Access<'_>,
        position: Position,
    ) -> Result<Score, ProbeError> {
        let entry = self.map_entry(chunks, access, position.mover);
        let entry = entry.map_err(|error| self.missing(position, error));
        match entry.and_then(|entry| self.address_of_sets(chunks, position, entry)) {
            Ok(address) => self.score_at(access, address, position),
            Err(error) => self.probe_words(access, position, error),
        }
    }

    /// The score of a position that [`Index::address_of_sets`] does not find: the game is over, or words are more than sets of cells.
    /// Returns `error` in a game without such positions.
    #[cold]
    #[inline(never)]
    fn probe_words(
        &self,
        access: Access<'_>,
        position: Position,
        error: ProbeError,
    ) -> Result<Score, ProbeError> {
        if self.header.game.has_children_in_one_row() {
            return Err(error);
        }
        if let Some(score) = self.header.game.ended(position) {
            return Ok(score);
        }
        let address = self.address_of(access, position)?;
        self.score_at(access, address, position)
    }

    /// The score at the address of a position's entry.
    #[inline(always)]
    pub fn score_at(
        &self,
        access: Access<'_>,
        address: u64,
        position: Position,
    ) -> Result<Score, ProbeError> {
        match self.code(access, address)?.and_then(|code| self.header.encoding.decode(code)) {
            Some(score) => Ok(score),
            None => Err(self.no_entry(position)),
        }
    }
}
