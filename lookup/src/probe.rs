//! The value of a position, and of many.
//!
//! For each position, one entry of a map and one entry of a layer are read.

use crate::chunks::by_chunks;
use crate::error::ProbeError;
use crate::game::{Over, Position};
use crate::reader::{EntryError, Reader, Remote, by_reader};
use crate::score::Score;
use crate::source::{ReadError, Source};
use crate::table::Table;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

impl<S: Source> Table<S> {
    /// Value and distance of a position. Takes one read in a map and one in a layer. Nothing is allocated.
    ///
    /// # Errors
    /// [`ProbeError::Position`] if the game does not have the position, [`ProbeError::Damaged`] if the table contradicts
    /// itself, [`ProbeError::Read`] if its source cannot be read.
    #[inline]
    pub fn probe(&self, position: impl Into<Position>) -> Result<Score, ProbeError> {
        let position = position.into();
        by_reader!(self.source(), reader => self.probe_by(reader, position))
    }

    #[inline(always)]
    fn probe_by<R: Reader>(&self, reader: R, position: Position) -> Result<Score, ProbeError> {
        let keys = self.keys();
        let address = by_chunks!(keys.chunks(), C => {
            keys.address::<C, R::Error>(position, keys.map_entry::<C, R>(reader, position.mover))
        });
        match keys.code(reader, address?) {
            Ok(code) => match code.and_then(|code| keys.header.encoding.decode(code)) {
                Some(score) => Ok(score),
                None => Err(keys.no_entry(position)),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// Values and distances of many positions: calls `visit` with the index of each in `positions` and its answer, in
    /// order. Faster than one [`Table::probe`] after the other on tables larger than the caches, because the reads of
    /// many positions overlap. Nothing is allocated if the table is in memory. Otherwise the reads are in the order of
    /// the file, so that a part of it, such as a frame of a packed table, is read once for all positions in it: pass many.
    pub fn probe_many(
        &self,
        positions: &[Position],
        visit: impl FnMut(usize, Result<Score, ProbeError>),
    ) {
        by_chunks!(self.keys().chunks(), C => match self.source().in_memory() {
            Some(bytes) => self.probe_many_by::<C, _>(bytes, positions, visit),
            None => self.probe_many_in_order::<C>(positions, visit),
        });
    }

    fn probe_many_in_order<const C: usize>(
        &self,
        positions: &[Position],
        mut visit: impl FnMut(usize, Result<Score, ProbeError>),
    ) {
        /// Positions that are sorted at once.
        const UNIT: usize = 1 << 16;
        let (keys, reader) = (self.keys(), Remote(self.source()));
        for (unit, positions) in positions.chunks(UNIT).enumerate() {
            let mut order: Vec<usize> = (0..positions.len()).collect();
            // Sets of one size have the order of their masks in their map.
            order.sort_unstable_by_key(|&index| {
                (positions[index].mover.count_ones(), positions[index].mover)
            });
            let mut addresses = Vec::with_capacity(positions.len());
            for index in order {
                let entry = keys.map_entry::<C, _>(reader, positions[index].mover);
                if matches!(entry, Err(EntryError::Read(_))) {
                    break;
                }
                addresses.extend(
                    keys.address::<C, _>(positions[index], entry)
                        .ok()
                        .map(|address| (address, index)),
                );
            }
            addresses.sort_unstable();
            let mut scores = vec![None; positions.len()];
            for (address, index) in addresses {
                let Ok(code) = keys.code(reader, address) else { break };
                scores[index] = code.and_then(|code| keys.header.encoding.decode(code));
            }
            // After an error of reading, other positions get its text instead of an attempt each.
            let mut failed = None;
            for (index, (&position, score)) in positions.iter().zip(scores).enumerate() {
                let answer = match (score, &failed) {
                    (Some(score), _) => Ok(score),
                    (None, None) => self.probe(position),
                    (None, Some(text)) => match self.game().check(position) {
                        Ok(_) => Err(ProbeError::Read(ReadError::new(String::clone(text)))),
                        Err(error) => Err(error.into()),
                    },
                };
                if let (Err(ProbeError::Read(error)), None) = (&answer, &failed) {
                    failed = Some(error.to_string());
                }
                visit(unit * UNIT + index, answer);
            }
        }
    }

    fn probe_many_by<const C: usize, R: Reader>(
        &self,
        reader: R,
        positions: &[Position],
        mut visit: impl FnMut(usize, Result<Score, ProbeError>),
    ) {
        const UNIT: usize = 64;
        // An address beyond every file; the fault of the position is found when it is visited.
        const NOWHERE: u64 = u64::MAX;
        // No map has sets of this size.
        const NO_ENTRY_OF_MAP: (u32, usize) = (0, usize::MAX);
        let keys = self.keys();
        let mut entries = [NO_ENTRY_OF_MAP; UNIT];
        let mut addresses = [NOWHERE; UNIT];
        let mut codes = [None; UNIT];
        for (unit, positions) in positions.chunks(UNIT).enumerate() {
            // Map entries, addresses, codes, scores: each step for all positions of a unit before the next step, so that the
            // loads of one step overlap.
            for (entry, position) in entries.iter_mut().zip(positions) {
                *entry = keys.map_entry::<C, R>(reader, position.mover).unwrap_or(NO_ENTRY_OF_MAP);
            }
            for ((address, &position), &entry) in addresses.iter_mut().zip(positions).zip(&entries)
            {
                *address = keys.address::<C, R::Error>(position, Ok(entry)).unwrap_or(NOWHERE);
            }
            for (code, &address) in codes.iter_mut().zip(&addresses[..positions.len()]) {
                *code = keys.code(reader, address).ok().flatten();
            }
            for (index, (&position, &code)) in positions.iter().zip(&codes).enumerate() {
                let score = code.and_then(|code| keys.header.encoding.decode(code));
                visit(unit * UNIT + index, score.map_or_else(|| self.probe(position), Ok));
            }
        }
    }

    /// Returns the reason if the game is over in a position.
    ///
    /// # Errors
    /// [`ProbeError::Position`] if the game does not have the position.
    pub fn over(&self, position: impl Into<Position>) -> Result<Option<Over>, ProbeError> {
        let position = position.into();
        self.game().check(position)?;
        Ok(self.game().over(position))
    }
}
