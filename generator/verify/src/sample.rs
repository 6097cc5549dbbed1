//! Checks a sample of the entries, chosen by a seed. Each entry is compared with its children.

use crate::fault::Unfinished;
use crate::proof::Proof;
use morpion_machine::splitmix::splitmix;
use morpion_machine::threads::share;

/// Number of entries that a thread takes at a time. Before it takes more, it asks the observer, because a large sample may take long.
const TOGETHER: u64 = 64;

/// Checks `count` entries, which `seed` chooses.
pub(super) fn check(proof: &Proof, count: u64, seed: u64) -> Result<(), Unfinished> {
    let header = proof.keys.table.raw().header();
    let total = header.entries();
    proof.progress.whole(count);
    let check = |number: u64| {
        let random = u128::from(splitmix(seed, number));
        let mut entry = ((random * u128::from(total)) >> 64) as u64;
        for (index, layer) in header.layers.iter().enumerate() {
            if entry < layer.entries() {
                return proof.check_one((index, entry / layer.columns, entry % layer.columns));
            }
            entry -= layer.entries();
        }
    };
    let new = || Ok::<(), Unfinished>(());
    share(0..count, TOGETHER, proof.progress, new, |(), numbers| {
        let entries = numbers.end - numbers.start;
        numbers.for_each(check);
        proof.count(entries);
        proof.progress.advance(entries);
        Ok(())
    })?;
    Ok(proof.progress.check()?)
}
