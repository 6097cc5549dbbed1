//! Finds the draws that end again, starting from finished games, until nothing changes.
//!
//! If pieces move, it is not enough that every drawing child is a draw that ends. That also holds for a cycle of draws
//! that are all marked as ending. A draw ends only if it can be traced to finished games.

use super::keys::{EntryIndex, Keys, bytes};
use super::report::{Collector, Unfinished, words};
use morpion_format::Encode;
use morpion_lookup::raw::rank::cells;
use morpion_lookup::raw::{Census, Encoding};
use morpion_lookup::{DrawKind, Score};
use morpion_machine::progress::Progress;
use morpion_machine::threads;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Checks the draws that end in the movement layer, if the census has any. If the census has none although there are
/// some, another check reports it.
pub(super) fn check(
    keys: &Keys,
    stored: &Census,
    progress: &dyn Progress,
    collector: &Collector,
) -> Result<(), Unfinished> {
    let game = keys.table.game();
    let header = keys.table.raw().header();
    let encoding = header.encoding;
    let Some(ends) = encoding.encode(Score::Draw { kind: DrawKind::End }) else { return Ok(()) };
    let Some(index) = (0..header.layers.len()).find(|&index| game.graph().is_cyclic(index)) else {
        return Ok(());
    };
    let layer = header.layers[index];
    if stored.layers.get(index).is_none_or(|census| census.draws_end == 0) {
        return Ok(());
    }
    let codes = bytes(keys.table.source(), layer.offset, layer.bytes)?;
    let code = |(_, row, column): EntryIndex| {
        let key = (row * layer.columns + column) as usize;
        match encoding {
            Encoding::Plies16 => {
                let code = codes[2 * key..].first_chunk().copied().unwrap_or_default();
                u16::from_le_bytes(code)
            }
            // A movement layer has distances.
            Encoding::Plies8 | Encoding::Wdl => codes[key].into(),
        }
    };
    // One bit per entry: the entry is marked as a draw that ends, and is not traced to finished games yet.
    let words_of_row = layer.columns.div_ceil(64);
    let untraced: Vec<AtomicU64> =
        (0..layer.rows * words_of_row).map(|_| AtomicU64::new(0)).collect();
    let bit = |row: u64, column: u64| {
        (&untraced[(row * words_of_row + column / 64) as usize], 1u64 << (column % 64))
    };
    threads::each(layer.rows as usize, &|row| {
        let row = row as u64;
        for column in (0..layer.columns).filter(|&column| code((index, row, column)) == ends) {
            let (word, mask) = bit(row, column);
            word.fetch_or(mask, Ordering::Relaxed);
        }
    });
    let is_untraced = |(row, column): (u64, u64)| {
        let (word, mask) = bit(row, column);
        word.load(Ordering::Relaxed) & mask != 0
    };
    loop {
        let changed = AtomicBool::new(false);
        threads::each(layer.rows as usize, &|row| {
            let row = row as u64;
            if progress.stop() {
                return;
            }
            for part in 0..words_of_row {
                let word = &untraced[(row * words_of_row + part) as usize];
                for column in
                    cells(word.load(Ordering::Relaxed)).map(|bit| part * 64 + u64::from(bit))
                {
                    let position = keys.position((index, row, column));
                    // A finished draw has no moves. A child with another value was checked elsewhere.
                    let traced = game.has_line(position.waiter)
                        || game.legal_moves(position).all(|mv| {
                            let child = keys.place(index, position.after(mv));
                            let code = code((index, child.0, child.1));
                            let draws =
                                encoding.decode(code).is_some_and(|score| score.draw().is_some());
                            !draws || code == ends && !is_untraced(child)
                        });
                    if traced {
                        let (word, mask) = bit(row, column);
                        word.fetch_and(!mask, Ordering::Relaxed);
                        changed.store(true, Ordering::Relaxed);
                    }
                }
            }
        });
        if progress.stop() {
            return Err(Unfinished::Stopped);
        }
        if !changed.into_inner() {
            break;
        }
    }
    let cycle = encoding.encode(Score::Draw { kind: DrawKind::Cycle });
    for row in 0..layer.rows {
        for column in (0..layer.columns).filter(|&column| is_untraced((row, column))) {
            collector.add(
                (index, row, column),
                words(encoding, Some(ends)),
                words(encoding, cycle),
            );
        }
    }
    Ok(())
}
