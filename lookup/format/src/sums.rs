//! The sums that close a file.

use morpion_core::SUM_UNIT;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Computes the sums of a file while it is written from its beginning to its end.
#[derive(Clone, Default)]
pub struct Sums {
    finished: Vec<u8>,
    unit: Xxh3,
    in_unit: u64,
}

impl Sums {
    /// Takes in the next bytes of the file.
    pub fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = (SUM_UNIT - self.in_unit).min(bytes.len() as u64);
            let (now, rest) = bytes.split_at(room as usize);
            self.unit.update(now);
            self.in_unit += room;
            bytes = rest;
            if self.in_unit == SUM_UNIT {
                self.close_unit();
            }
        }
    }

    /// The bytes that close the file: the sums, and their own.
    pub fn finish(mut self) -> Vec<u8> {
        if self.in_unit > 0 {
            self.close_unit();
        }
        let sum = xxh3_64(&self.finished);
        self.finished.extend(sum.to_le_bytes());
        self.finished
    }

    fn close_unit(&mut self) {
        self.finished.extend(self.unit.digest().to_le_bytes());
        self.unit.reset();
        self.in_unit = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_of_each_unit_and_of_themselves() {
        let body: Vec<u8> = (0..SUM_UNIT as usize + 5000).map(|i| (i * 7) as u8).collect();
        let mut sums = Sums::default();
        body.chunks(777).for_each(|chunk| sums.update(chunk));
        let mut expected: Vec<u8> =
            body.chunks(SUM_UNIT as usize).flat_map(|unit| xxh3_64(unit).to_le_bytes()).collect();
        expected.extend(xxh3_64(&expected).to_le_bytes());
        assert_eq!(sums.finish(), expected);
    }
}
