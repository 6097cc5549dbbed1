//! Ranks and compression of sets of cells by lookup tables, some cells at a time.
//!
//! Computes what [`crate::rank`] defines. The time does not depend on how many cells a set has, and
//! no branch can be mispredicted.

use crate::position::MAX_CELLS;
use crate::rank::binomial;

/// Cells in a chunk. In a module that is loaded by a page, tables are smaller.
pub const WIDTH: u32 = if cfg!(target_arch = "wasm32") { 6 } else { 7 };

/// The sets of one chunk.
pub const SETS: usize = 1 << WIDTH;

/// Chunks of the largest board.
const CHUNKS: usize = (MAX_CELLS as usize).div_ceil(WIDTH as usize);

/// First row of each chunk in [`RANKS`]. Chunk j has a row for each number of cells that a set may have below the chunk: 0 to `WIDTH` j.
const START: [usize; CHUNKS + 1] =
    array!(0; CHUNKS + 1, |chunk| chunk + WIDTH as usize * (chunk * chunk.saturating_sub(1) / 2));

/// Contribution of one chunk of a set to the rank of the set, by chunk and number of cells below the chunk, then by the cells in the chunk.
/// Sums beyond 2³² wrap around; no table has ranks that large.
static RANKS: [[u32; SETS]; START[CHUNKS]] = array!([0; SETS]; START[CHUNKS], |row| {
    let mut chunk = 0;
    while START[chunk + 1] <= row {
        chunk += 1;
    }
    let (shift, below) = (chunk as u32 * WIDTH, row - START[chunk]);
    array!(0; SETS, |set| crate::rank::rank_above(below as u32, (set as u64) << shift) as u32)
});

/// Results of [`crate::rank::compress`] in one chunk, by the argument `within`, then by the argument `set`.
static COMPRESSED: [[u8; SETS]; SETS] = array!([0; SETS]; SETS, |within| {
    array!(0; SETS, |set| crate::rank::compress(set as u64, within as u64) as u8)
});

/// Number of cells in a set of one chunk.
static SIZES: [u8; SETS] = array!(0; SETS, |set| (set as u32).count_ones() as u8);

/// Binomial coefficients C(n, k) modulo 2³², by n up to 63, then by k up to 31.
static BINOMIALS_MOD_2_32: [[u32; 32]; 64] =
    array!([0; 32]; 64, |n| array!(0; 32, |k| binomial(n as u32, k as u32) as u32));

/// C(n, k) modulo 2³² for a cell n of the largest board and k below 32.
#[inline(always)]
pub fn binomial_mod_2_32(n: u8, k: usize) -> u32 {
    BINOMIALS_MOD_2_32[usize::from(n) & 63][k & 31]
}

/// The cells of one chunk of a set.
#[inline(always)]
pub fn chunk(set: u64, index: usize) -> usize {
    (set >> (index as u32 * WIDTH)) as usize & (SETS - 1)
}

/// The number of chunks of a board, 2 to 6: the argument `chunks` of the other functions.
#[inline(always)]
pub fn chunks_of(cells: u32) -> usize {
    (cells.div_ceil(WIDTH) as usize).clamp(2, CHUNKS)
}

/// Returns [`crate::rank::rank`] modulo 2³² of a set of cells of the first `chunks` chunks, and the size of the set.
#[inline(always)]
pub fn rank(chunks: usize, set: u64) -> (u32, usize) {
    let (mut sum, mut below) = (0u32, 0);
    for (index, start) in START.iter().enumerate().take(chunks) {
        let set = chunk(set, index);
        sum = sum.wrapping_add(RANKS[start + below][set]);
        below += usize::from(SIZES[set]);
    }
    (sum, below)
}

/// Returns [`crate::rank::compress`] of sets of cells of the first `chunks` chunks.
#[inline(always)]
pub fn compress(chunks: usize, set: u64, within: u64) -> u64 {
    let (mut answer, mut shift) = (0, 0);
    for index in 0..chunks {
        let within = chunk(within, index);
        answer |= u64::from(COMPRESSED[within][chunk(set, index)]) << shift;
        shift += SIZES[within];
    }
    answer
}

/// Calls a function with a number of chunks that the compiler knows, so that loops over the chunks are unrolled.
#[macro_export]
macro_rules! by_chunks {
    ($count:expr, $chunks:ident => $call:expr) => {
        $crate::by_chunks!($count, $chunks => $call, 0..=2 => 2, 3 => 3, 4 => 4, 5 => 5, _ => 6)
    };
    ($count:expr, $chunks:ident => $call:expr, $($counted:pat_param => $number:literal),*) => {
        match $count {
            $($counted => {
                let $chunks: usize = $number;
                $call
            })*
        }
    };
}
pub use by_chunks;

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets spread over the whole board, among them the empty and the full one.
    fn sets(cells: u8) -> impl Iterator<Item = u64> {
        let full = (1u64 << cells) - 1;
        let mixed = (1..2000u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20);
        let sparse = (1..2000u64).map(|i| i.wrapping_mul(i) * 0x1_0001);
        [0, full].into_iter().chain(mixed).chain(sparse).map(move |set| set & full)
    }

    #[test]
    fn agrees_with_the_definitions_on_every_size_of_board() {
        for cells in 1..=MAX_CELLS {
            agrees(chunks_of(cells.into()), cells);
        }
    }

    fn agrees(chunks: usize, cells: u8) {
        let mut within = 0x5_A3C6_9F31 & ((1u64 << cells) - 1);
        for set in sets(cells) {
            let expected = (crate::rank::rank(set) as u32, set.count_ones() as usize);
            assert_eq!(rank(chunks, set), expected);
            let inside = set & within;
            assert_eq!(compress(chunks, inside, within), crate::rank::compress(set, within));
            within = set | within >> 1;
        }
    }
}
