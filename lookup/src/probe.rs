//! The value of a position, and of many.
//!
//! For each position, one entry of a map and one entry of a layer are read.

use crate::chunks::by_chunks;
use crate::error::ProbeError;
use crate::error_kind::ErrorKind;
use crate::game::{Over, Position};
use crate::reader::{Reader, Remote, by_reader};
use crate::score::Score;
use crate::source::{ReadError, Source};
use crate::table::Table;
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
        self.score_at(reader, address?, position)
    }

    /// The score at the address of a position's entry.
    #[inline(always)]
    fn score_at<R: Reader>(
        &self,
        reader: R,
        address: u64,
        position: Position,
    ) -> Result<Score, ProbeError> {
        let keys = self.keys();
        match keys.code(reader, address) {
            Ok(code) => match code.and_then(|code| keys.header.encoding.decode(code)) {
                Some(score) => Ok(score),
                None => Err(keys.no_entry(position)),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// Values and distances of many positions: `answers[i]` becomes the score of `positions[i]`, or the kind of the error that
    /// [`Table::probe`] returns for it. If one slice is longer, the rest of it is ignored.
    ///
    /// ```
    /// use morpion_lookup::{ErrorKind, Score, Table, raw::Position};
    ///
    /// let table = Table::builtin("classic").unwrap();
    /// let positions = [Position { mover: 0b011, waiter: 0b011_000 }, Position { mover: 1, waiter: 1 }];
    /// let mut answers = [Err(ErrorKind::Io); 2];
    /// table.probe_many(&positions, &mut answers)?;
    /// assert_eq!(answers, [Ok(Score::Win { plies: Some(1) }), Err(ErrorKind::Overlap)]);
    /// # Ok::<(), morpion_lookup::ReadError>(())
    /// ```
    ///
    /// Faster than one [`Table::probe`] after the other on tables larger than the caches, because the reads of many positions
    /// overlap. Nothing is allocated if the table is in memory. Otherwise the reads are in the order of the file, so that a part
    /// of it, such as a frame of a packed table, is read once for all positions in it: pass many.
    ///
    /// # Errors
    /// The first error of the source, which is not read again: valid positions without a score have the kind of this error. A
    /// table in memory has no such errors.
    pub fn probe_many(
        &self,
        positions: &[Position],
        answers: &mut [Result<Score, ErrorKind>],
    ) -> Result<(), ReadError> {
        by_chunks!(self.keys().chunks(), C => match self.source().in_memory() {
            Some(bytes) => {
                self.probe_many_by::<C, _>(bytes, positions, answers);
                Ok(())
            }
            None => self.probe_many_in_order::<C>(positions, answers),
        })
    }

    fn probe_many_in_order<const C: usize>(
        &self,
        positions: &[Position],
        answers: &mut [Result<Score, ErrorKind>],
    ) -> Result<(), ReadError> {
        /// Positions that are sorted at once.
        const UNIT: usize = 1 << 16;
        let (keys, reader) = (self.keys(), Remote(self.source()));
        let mut failed = None;
        for (positions, answers) in positions.chunks(UNIT).zip(answers.chunks_mut(UNIT)) {
            let mut order = Vec::with_capacity(positions.len());
            for (index, (&position, answer)) in positions.iter().zip(&mut *answers).enumerate() {
                match self.game().check(position) {
                    Ok(_) => order.push(index),
                    Err(error) => *answer = Err(error.kind()),
                }
            }
            // Sets of one size have the order of their masks in their map.
            order.sort_unstable_by_key(|&index| {
                (positions[index].mover.count_ones(), positions[index].mover)
            });
            let mut addresses = Vec::with_capacity(order.len());
            for index in order {
                let position = positions[index];
                let address = unless_failed(&mut failed, || {
                    keys.address::<C, _>(position, keys.map_entry::<C, _>(reader, position.mover))
                });
                match address {
                    Ok(address) => addresses.push((address, index)),
                    Err(kind) => answers[index] = Err(kind),
                }
            }
            addresses.sort_unstable();
            for (address, index) in addresses {
                answers[index] =
                    unless_failed(&mut failed, || self.score_at(reader, address, positions[index]));
            }
        }
        failed.map_or(Ok(()), Err)
    }

    fn probe_many_by<const C: usize, R: Reader>(
        &self,
        reader: R,
        positions: &[Position],
        answers: &mut [Result<Score, ErrorKind>],
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
        for (positions, answers) in positions.chunks(UNIT).zip(answers.chunks_mut(UNIT)) {
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
            for ((answer, &position), &code) in answers.iter_mut().zip(positions).zip(&codes) {
                *answer = match code.and_then(|code| keys.header.encoding.decode(code)) {
                    Some(score) => Ok(score),
                    None => self.probe(position).map_err(|error| error.kind()),
                };
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

/// The answer of `read`, or the kind of its error. An error of the source is kept, and `read` is not called again after it.
fn unless_failed<T>(
    failed: &mut Option<ReadError>,
    read: impl FnOnce() -> Result<T, ProbeError>,
) -> Result<T, ErrorKind> {
    if let Some(error) = failed {
        return Err(error.kind());
    }
    read().map_err(|error| {
        let kind = error.kind();
        if let ProbeError::Read(error) = error {
            *failed = Some(error);
        }
        kind
    })
}
