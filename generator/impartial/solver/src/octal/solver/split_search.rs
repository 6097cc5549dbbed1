//! Search for values among all splits of one heap. The compiler vectorises it, and the widest instructions of the
//! processor are chosen at run time.

use crate::nimber::Nimber;
use morpion_machine::isa::{Kernel, dispatch};

/// Splits searched between two checks for having found all values.
const CHUNK: usize = 256;

/// Adds to `found` a bit for each of the `wanted` values among `a[i] ^ b[i]`. Returns it with the number of searched
/// splits. Stops when all values are found. The slices have the same length.
pub(super) fn search<V: Nimber, const COUNT: usize>(
    a: &[V],
    b: &[V],
    wanted: [V; COUNT],
    found: u32,
) -> (u32, usize) {
    dispatch(Search { a, b, wanted, found })
}

struct Search<'a, V, const COUNT: usize> {
    a: &'a [V],
    b: &'a [V],
    wanted: [V; COUNT],
    found: u32,
}

impl<V: Nimber, const COUNT: usize> Kernel for Search<'_, V, COUNT> {
    type Output = (u32, usize);

    #[inline(always)]
    fn run<const BITS: bool>(self) -> (u32, usize) {
        let Self { a, b, wanted, mut found } = self;
        let (a_chunks, a_rest) = a.as_chunks::<CHUNK>();
        let (b_chunks, b_rest) = b.as_chunks::<CHUNK>();
        for (at, (a, b)) in a_chunks.iter().zip(b_chunks).enumerate() {
            // The least xor with each wanted value: 0 exactly if some split has that value.
            let mut least = [V::MAX; COUNT];
            for i in 0..CHUNK {
                let value = a[i] ^ b[i];
                for k in 0..COUNT {
                    least[k] = least[k].min(value ^ wanted[k]);
                }
            }
            for (k, least) in least.iter().enumerate() {
                found |= u32::from(*least == V::default()) << k;
            }
            if found + 1 == 1 << COUNT {
                return (found, (at + 1) * CHUNK);
            }
        }
        for (a, b) in a_rest.iter().zip(b_rest) {
            for (k, wanted) in wanted.iter().enumerate() {
                found |= u32::from(*a ^ *b == *wanted) << k;
            }
        }
        (found, a.len())
    }
}
