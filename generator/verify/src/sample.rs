//! Checks a sample of the entries, chosen by a seed. Each entry is compared with its children.

use crate::fault::Unfinished;
use crate::proof::Proof;
use morpion_machine::splitmix::splitmix;
use morpion_machine::threads;

/// Number of entries between two looks at the observer.
const BATCH: usize = 1 << 12;

/// Checks `count` entries.
pub(super) fn check(proof: &Proof, count: u64, seed: u64) -> Result<(), Unfinished> {
    let header = proof.keys.table.raw().header();
    let total = header.entries();
    proof.progress.whole(count);
    let check = |number: u64| {
        let random = u128::from(splitmix(seed, number));
        let mut entry = ((random * u128::from(total)) >> 64) as u64;
        for (index, layer) in header.layers.iter().enumerate() {
            if entry < layer.entries() {
                proof.check_one((index, entry / layer.columns, entry % layer.columns));
                break;
            }
            entry -= layer.entries();
        }
        proof.progress.advance(1);
    };
    // A stop is noticed between two batches, since a sample may be larger than any table.
    for first in (0..count).step_by(BATCH) {
        proof.progress.check()?;
        let batch = (count - first).min(BATCH as u64) as usize;
        threads::each(batch, &|number| check(first + number as u64));
    }
    Ok(proof.progress.check()?)
}
