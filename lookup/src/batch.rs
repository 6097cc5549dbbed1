//! Looks up the values of many positions at once.
//!
//! For each position, one entry of a map and one entry of a layer are read; the reads of many positions overlap.

use crate::table::Table;
use crate::{ErrorKind, MAX_CELLS, Position, ProbeError, Score, Source, TableError};
use alloc::vec::Vec;
use morpion_core::by_chunks;
use morpion_core::index::Index;
use morpion_core::reader::Access;

impl<S: Source> Table<S> {
    /// Values and distances of many positions: `answers` becomes a list with the score of each position, or the kind of the error that
    /// [`Table::probe`] returns for it. Old contents of `answers` are replaced; its memory is reused.
    ///
    /// ```
    /// use morpion_lookup::{ErrorKind, Position, Score, Table};
    ///
    /// let table = Table::builtin("classic").unwrap();
    /// let positions = [Position { mover: 0b011, waiter: 0b011_000 }, Position { mover: 1, waiter: 1 }];
    /// let mut answers = Vec::new();
    /// table.probe_many(&positions, &mut answers)?;
    /// assert_eq!(answers, [Ok(Score::Win { plies: Some(1) }), Err(ErrorKind::Overlap)]);
    /// # Ok::<(), morpion_lookup::TableError>(())
    /// ```
    ///
    /// Faster than one [`Table::probe`] after the other on tables larger than the caches, because the reads of many positions overlap. If
    /// the table is in memory, only the list is allocated. Otherwise the reads are in the order of the file, so that a frame of a packed
    /// table, for example, is read once for all its positions: pass many positions.
    ///
    /// # Errors
    /// The first error of the source. The source is not read again after it: all valid positions that have no score yet get the kind of
    /// this error. A table in memory has no such errors.
    pub fn probe_many(
        &self,
        positions: &[Position],
        answers: &mut Vec<Result<Score, ErrorKind>>,
    ) -> Result<(), TableError> {
        answers.resize(positions.len(), Err(ErrorKind::Io));
        match self.access() {
            Access::Memory(bytes) => {
                probe_many_in_memory(&self.index, bytes, positions, answers);
                Ok(())
            }
            remote => probe_many_in_order(&self.index, remote, positions, answers),
        }
    }
}

#[inline(never)]
fn probe_many_in_memory(
    index: &Index,
    bytes: &[u8],
    positions: &[Position],
    answers: &mut [Result<Score, ErrorKind>],
) {
    let bytes = Access::Memory(bytes);
    by_chunks!(index.chunks, chunks => probe_many_by(index, chunks, bytes, positions, answers));
}

/// Probes many positions in memory, 64 at a time, so that their loads overlap.
#[inline(always)]
fn probe_many_by(
    index: &Index,
    chunks: usize,
    bytes: Access<'_>,
    positions: &[Position],
    answers: &mut [Result<Score, ErrorKind>],
) {
    const UNIT: usize = 64;
    // An address beyond every file, for positions with a fault, which `probe_again` finds.
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
            *entry = index.map_entry(chunks, bytes, position.mover).unwrap_or(NO_ENTRY_OF_MAP);
        }
        for ((address, &position), &entry) in addresses.iter_mut().zip(positions).zip(&entries) {
            *address = index.address_of_sets(chunks, position, entry).unwrap_or(NOWHERE);
        }
        for (code, &address) in codes.iter_mut().zip(&addresses[..positions.len()]) {
            *code = index.code(bytes, address).ok().flatten();
        }
        for ((answer, &position), &code) in answers.iter_mut().zip(positions).zip(&codes) {
            *answer = match code.and_then(|code| index.header.encoding.decode(code)) {
                Some(score) => Ok(score),
                None => probe_again(index, bytes, position),
            };
        }
    }
}

/// The reason why a position has no score. A function of its own, because the loop is faster without this code.
#[cold]
#[inline(never)]
fn probe_again(index: &Index, bytes: Access<'_>, position: Position) -> Result<Score, ErrorKind> {
    index.probe(bytes, position).map_err(|error| error.kind())
}

fn probe_many_in_order(
    index: &Index,
    remote: Access<'_>,
    positions: &[Position],
    answers: &mut [Result<Score, ErrorKind>],
) -> Result<(), TableError> {
    /// Number of positions that are sorted together.
    const UNIT: usize = 1 << 16;
    let (mut failed, game) = (None, &index.header.game);
    for (positions, answers) in positions.chunks(UNIT).zip(answers.chunks_mut(UNIT)) {
        let mut order = Vec::with_capacity(positions.len());
        for (at, (&position, answer)) in positions.iter().zip(&mut *answers).enumerate() {
            match game.check(position) {
                // Sorted by size and mask, because a map has the sets of one size in the order of their masks.
                Ok(_) => {
                    let set = position.cells().mover;
                    order.push((u64::from(set.count_ones()) << MAX_CELLS | set, at));
                }
                Err(fault) => *answer = Err(fault.kind()),
            }
        }
        order.sort_unstable();
        let mut addresses = Vec::with_capacity(order.len());
        for (_, at) in order {
            let position = positions[at];
            if let Some(score) = game.ended(position) {
                answers[at] = Ok(score);
                continue;
            }
            let address = unless_failed(&mut failed, || index.address_of(remote, position));
            match address {
                Ok(address) => addresses.push((address, at)),
                Err(kind) => answers[at] = Err(kind),
            }
        }
        addresses.sort_unstable();
        for (address, at) in addresses {
            answers[at] =
                unless_failed(&mut failed, || index.score_at(remote, address, positions[at]));
        }
    }
    failed.map_or(Ok(()), Err)
}

/// The answer of `read`, or the kind of its error. An error of the source is stored in `failed`; later calls return its kind without
/// calling `read`.
fn unless_failed<T>(
    failed: &mut Option<TableError>,
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
