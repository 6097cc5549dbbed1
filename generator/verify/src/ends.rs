//! Finds the draws that end again, starting from finished games, until nothing changes.
//!
//! If pieces move, it is not enough that every drawing child is a draw that ends. That also holds for a cycle of draws
//! that are all marked as ending. A draw ends only if it can be traced to finished games.

use super::keys::{Keys, bytes};
use super::report::{Collector, Unfinished, words};
use morpion_format::Encode;
use morpion_lookup::raw::rank::cells;
use morpion_lookup::raw::{Census, Encoding, Header, LayerSection};
use morpion_lookup::{DrawKind, Game, Score};
use morpion_machine::progress::{Progress, Stopped};
use morpion_machine::threads;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The layer whose draws are traced: the movement layer, if its census has draws that end. If the census has none
/// although there are some, another check reports it.
pub(super) fn traced(game: &Game, header: &Header, stored: &Census) -> Option<usize> {
    let index = (0..header.layers.len()).find(|&index| game.graph().is_cyclic(index))?;
    (stored.layers.get(index)?.draws_end > 0).then_some(index)
}

/// Checks the draws that end in the movement layer.
pub(super) fn check(
    keys: &Keys,
    stored: &Census,
    progress: &dyn Progress,
    collector: &Collector,
) -> Result<(), Unfinished> {
    let header = keys.table.raw().header();
    let Some(index) = traced(keys.table.game(), header, stored) else { return Ok(()) };
    let code = |kind| header.encoding.encode(Score::Draw { kind });
    let [Some(end), cycle] = [DrawKind::End, DrawKind::Cycle].map(code) else { return Ok(()) };
    let layer = header.layers[index];
    let codes = bytes(keys.table.source(), layer.offset, layer.bytes)?;
    let draws = Draws::new(keys, index, &codes, end);
    while draws.trace(progress)? {}
    let [found, expected] = [Some(end), cycle].map(|code| words(header.encoding, code));
    for (row, column) in draws.all_untraced() {
        collector.add((index, row, column), found.clone(), expected.clone());
    }
    Ok(())
}

/// The entries of a layer that are marked as draws that end.
struct Draws<'a> {
    keys: &'a Keys<'a>,
    index: usize,
    layer: LayerSection,
    encoding: Encoding,
    codes: &'a [u8],
    /// The code of a draw that ends.
    end: u16,
    /// Number of words in `untraced` for each row.
    words: u64,
    /// One bit per entry: the entry is marked as a draw that ends, and is not traced to finished games yet.
    untraced: Vec<AtomicU64>,
}

impl<'a> Draws<'a> {
    fn new(keys: &'a Keys<'a>, index: usize, codes: &'a [u8], end: u16) -> Draws<'a> {
        let header = keys.table.raw().header();
        let layer = header.layers[index];
        let words = layer.columns.div_ceil(64);
        let untraced = (0..layer.rows * words).map(|_| AtomicU64::new(0)).collect();
        let draws =
            Draws { keys, index, layer, encoding: header.encoding, codes, end, words, untraced };
        threads::each(layer.rows as usize, &|row| {
            let row = row as u64;
            for column in (0..layer.columns).filter(|&column| draws.code(row, column) == end) {
                let (word, mask) = draws.bit(row, column);
                word.fetch_or(mask, Ordering::Relaxed);
            }
        });
        draws
    }

    fn code(&self, row: u64, column: u64) -> u16 {
        let key = (row * self.layer.columns + column) as usize;
        match self.encoding {
            Encoding::Plies16 => {
                let code = self.codes[2 * key..].first_chunk().copied().unwrap_or_default();
                u16::from_le_bytes(code)
            }
            // A movement layer has distances.
            Encoding::Plies8 | Encoding::Wdl => self.codes[key].into(),
        }
    }

    fn bit(&self, row: u64, column: u64) -> (&AtomicU64, u64) {
        (&self.untraced[(row * self.words + column / 64) as usize], 1 << (column % 64))
    }

    fn is_untraced(&self, row: u64, column: u64) -> bool {
        let (word, mask) = self.bit(row, column);
        word.load(Ordering::Relaxed) & mask != 0
    }

    /// Traces draws whose children are finished or traced. Returns true if there were any.
    fn trace(&self, progress: &dyn Progress) -> Result<bool, Stopped> {
        let changed = AtomicBool::new(false);
        threads::each(self.layer.rows as usize, &|row| {
            let row = row as u64;
            if progress.stop() {
                return;
            }
            for number in 0..self.words {
                let word = &self.untraced[(row * self.words + number) as usize];
                for bit in cells(word.load(Ordering::Relaxed)) {
                    let column = number * 64 + u64::from(bit);
                    if self.can_be_traced(row, column) {
                        word.fetch_and(!(1 << bit), Ordering::Relaxed);
                        changed.store(true, Ordering::Relaxed);
                    }
                }
            }
        });
        progress.check()?;
        Ok(changed.into_inner())
    }

    /// Returns true if every draw among the children ends and is traced. A finished draw has no moves. Children with
    /// other values were checked elsewhere.
    fn can_be_traced(&self, row: u64, column: u64) -> bool {
        let game = self.keys.table.game();
        let position = self.keys.position((self.index, row, column));
        game.has_line(position.waiter)
            || game.legal_moves(position).all(|mv| {
                let (row, column) = self.keys.place(self.index, game.apply(position, mv));
                let code = self.code(row, column);
                let is_draw =
                    self.encoding.decode(code).is_some_and(|score| score.draw().is_some());
                !is_draw || code == self.end && !self.is_untraced(row, column)
            })
    }

    /// The rows and columns of the draws that are not traced.
    fn all_untraced(&self) -> impl Iterator<Item = (u64, u64)> {
        let entries = |row| (0..self.layer.columns).map(move |column| (row, column));
        (0..self.layer.rows)
            .flat_map(entries)
            .filter(|&(row, column)| self.is_untraced(row, column))
    }
}
