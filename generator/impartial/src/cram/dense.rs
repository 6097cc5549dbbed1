//! Values of all positions of a board of cram, computed from the full board to the empty board, 64 sets of cells at a time.

use super::board::Board;
use morpion_machine::progress::{Progress, Stopped};

/// The maximum number of cells of a board for [`dense`], which takes 2^30 bytes.
pub const MAX_DENSE: u32 = 30;

/// Number of sets between two progress reports.
const STEP: usize = 1 << 20;

/// Computes the values of all sets of occupied cells, indexed by the set. Each set takes one byte and about 40
/// nanoseconds. `progress` receives the number of sets.
///
/// # Errors
/// If `progress` requests a stop.
///
/// # Panics
/// If the board is larger than [`MAX_DENSE`].
pub fn dense(board: Board, progress: &dyn Progress) -> Result<Vec<u8>, Stopped> {
    assert!(board.cells() <= MAX_DENSE, "a board of {} cells", board.cells());
    let sets = 1_usize << board.cells();
    progress.whole(sets as u64);
    let mut values = vec![0_u8; sets.max(64)];
    let dominoes: Vec<usize> = board.dominoes().into_iter().map(|d| d as usize).collect();
    // A domino above the lowest six cells leads from a whole block of 64 sets to another whole block. The other
    // dominoes are tried for each set.
    let (low, high): (Vec<usize>, Vec<usize>) = dominoes.into_iter().partition(|d| d & 63 != 0);
    for block in (0..sets.div_ceil(64)).rev() {
        let base = block * 64;
        let mut seen = [0_u32; 64];
        for domino in high.iter().filter(|d| *d & base == 0) {
            let options: &[u8; 64] = values[base | domino..].first_chunk().expect("a whole block");
            for (seen, value) in seen.iter_mut().zip(options) {
                *seen |= 1 << (value & 31);
            }
        }
        for i in (0..sets.min(64)).rev() {
            let set = base | i;
            let mut seen = seen[i];
            for domino in low.iter().filter(|d| *d & set == 0) {
                seen |= 1 << (values[set | domino] & 31);
            }
            // A value is at most the number of moves of the longest play, and 30 cells allow at most 15 moves.
            values[set] = seen.trailing_ones() as u8;
        }
        if block % (STEP / 64) == 0 {
            progress.check()?;
            progress.advance(STEP.min(sets) as u64);
        }
    }
    values.truncate(sets);
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use morpion_machine::progress::Unobserved;

    #[test]
    fn every_value_is_the_mex_of_the_options() {
        let board = Board { rows: 4, columns: 4 };
        let values = dense(board, &Unobserved).unwrap();
        let dominoes = board.dominoes();
        for set in 0..values.len() {
            let options: Vec<u8> = dominoes
                .iter()
                .filter(|d| **d & set as u64 == 0)
                .map(|d| values[set | *d as usize])
                .collect();
            let mex = (0..).find(|v| !options.contains(v)).unwrap();
            assert_eq!(values[set], mex);
        }
        assert_eq!(values[0], 0);
    }
}
