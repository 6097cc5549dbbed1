//! Sets of cells with the numbers of their cells among the cells that another set leaves.

use morpion_core::rank::compress;

/// Compresses sets of cells, eight cells at a time.
pub(super) struct Compression {
    /// Number of times that eight cells are compressed.
    bytes: u32,
    /// For the removed cells and the cells of the set, eight of each: the set with the numbers of its cells among the others.
    of: Vec<u8>,
    /// Number of cells that stay, by the removed cells.
    stay: [u8; 256],
}

impl Compression {
    pub fn new(cells: u8) -> Compression {
        let all = || 0..256u64;
        let of = all().flat_map(|removed| {
            all().map(move |set| compress(set & !removed, 255 & !removed) as u8)
        });
        let stay = |removed: usize| removed.count_zeros() as u8 - (usize::BITS - 8) as u8;
        Compression {
            bytes: u32::from(cells).div_ceil(8),
            of: of.collect(),
            stay: std::array::from_fn(stay),
        }
    }

    /// The set with the numbers of its cells among the cells that are not removed.
    #[inline(always)]
    pub fn compress(&self, set: u64, removed: u64) -> u64 {
        let (mut compressed, mut length) = (0, 0);
        for byte in 0..self.bytes {
            let [set, removed] = [set, removed].map(|set| (set >> (8 * byte)) as usize & 255);
            compressed |= u64::from(self.of[removed << 8 | set]) << length;
            length += u32::from(self.stay[removed]);
        }
        compressed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_bytes_are_joined() {
        let mut random = 1u64;
        for cells in [1, 8, 9, 24, 36] {
            let compression = Compression::new(cells);
            for _ in 0..1000 {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let board = (1 << cells) - 1;
                let removed = (random >> 20) & board;
                let set = random.rotate_left(23) & board & !removed;
                assert_eq!(compression.compress(set, removed), compress(set, board & !removed));
            }
        }
    }
}
