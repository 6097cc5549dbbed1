//! Computes the BLAKE3 hash of a file from digests of each MiB.
//!
//! BLAKE3 is a binary tree over the input in which each aligned MiB is a subtree. So parts of a file can be hashed on
//! several machines, and the result is the hash that `b3sum` prints for the file.

use crate::hex::Hex;
use blake3::Hasher;
use blake3::hazmat::{HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};

/// Number of bytes that one digest covers, and that one checksum of a table covers.
pub(crate) const UNIT: u64 = 1 << 20;

/// The value of a node of the tree. If the file has only one unit, the digest of this unit is the hash of the file.
pub(crate) type Digest = Hex<[u8; 32]>;

/// The digest of one unit of a file of `size` bytes.
pub(crate) fn of_unit(number: u64, bytes: &[u8], size: u64) -> Digest {
    let mut hasher = Hasher::new();
    hasher.set_input_offset(number * UNIT).update(bytes);
    Hex(if size <= UNIT { hasher.finalize().into() } else { hasher.finalize_non_root() })
}

/// The hash of a file, given the digests of its units; `None` without units.
pub(crate) fn of_file<'d>(units: impl Iterator<Item = &'d Digest>) -> Option<Digest> {
    let units: Vec<Digest> = units.copied().collect();
    match &units[..] {
        [] | [_] => units.first().copied(),
        units => {
            let [left, right] = halves(units).map(subtree);
            Some(Hex(merge_subtrees_root(&left, &right, Mode::Hash).into()))
        }
    }
}

fn subtree(units: &[Digest]) -> [u8; 32] {
    match units {
        [unit] => unit.0,
        _ => {
            let [left, right] = halves(units).map(subtree);
            merge_subtrees_non_root(&left, &right, Mode::Hash)
        }
    }
}

/// Splits units as BLAKE3 does: the left part is the largest power of two that is less than their number.
fn halves(units: &[Digest]) -> [&[Digest]; 2] {
    units.split_at(units.len().div_ceil(2).next_power_of_two()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_units_are_the_hash_of_the_file() {
        let all: Vec<u8> = (0..8 * UNIT + 77).map(|at| ((at * at) >> 7) as u8).collect();
        let lengths = (1..=8).flat_map(|units| [units * UNIT - 5, units * UNIT, units * UNIT + 77]);
        for length in lengths.chain([1, 1024]) {
            let file = &all[..length as usize];
            let units = (0..).zip(file.chunks(UNIT as usize));
            let units: Vec<Digest> =
                units.map(|(number, unit)| of_unit(number, unit, length)).collect();
            assert_eq!(of_file(units.iter()), Some(Hex(blake3::hash(file).into())), "{length}");
        }
        assert_eq!(of_file([].iter()), None);
    }
}
