//! Reproducible random numbers: the same seed gives the same choices on every machine and with every version.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// A stream of random choices. ChaCha with eight rounds is standardised, and the reduction to a range is our own code, so a new
/// version of a library cannot change a game.
#[derive(Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// Dice with this seed.
    pub fn new(seed: u64) -> Dice {
        Dice::stream(seed, 0)
    }

    /// Independent dice with the same seed, one for each `stream`. Games that run at the same time take one stream
    /// each.
    pub fn stream(seed: u64, stream: u64) -> Dice {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        Dice(generator)
    }

    /// A number from 0 to `bound` - 1, or 0 if `bound` is 0. Probabilities differ from equal probabilities by less than `bound`
    /// / 2⁶⁴.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// One of `items`; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u64) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_numbers() {
        // The first words of ChaCha8 with a zero key, from the published test vectors: 3e00ef2f895f40d6
        // 7f5bb8e81f09a5a1.
        let mut dice = Dice::new(0);
        assert_eq!(dice.0.next_u64().to_le_bytes(), [0x3e, 0, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6]);
        assert_eq!(
            dice.0.next_u64().to_le_bytes(),
            [0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09, 0xa5, 0xa1]
        );
    }

    #[test]
    fn every_item_is_equally_likely() {
        let mut dice = Dice::stream(1, 2);
        let mut counts = [0; 6];
        for _ in 0..6_000 {
            counts[*dice.pick(&[0, 1, 2, 3, 4, 5]).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (800..1_200).contains(count)), "{counts:?}");
        assert_eq!(dice.pick::<u8>(&[]), None);
    }
}
