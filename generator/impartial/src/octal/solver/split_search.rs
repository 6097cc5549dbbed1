//! Search for a value among all splits of one heap. The compiler vectorises it, and the widest instructions of the
//! processor are chosen at run time.

use crate::nimber::Nimber;
use morpion_machine::isa::{Kernel, dispatch};

/// Splits searched between two checks for the value.
const CHUNK: usize = 256;

/// Looks for the `wanted` value among `a[i] ^ b[i]`. Returns the number of searched splits if the value is found. The slices have
/// the same length.
pub(super) fn search<V: Nimber>(a: &[V], b: &[V], wanted: V) -> Option<usize> {
    dispatch(Search { a, b, wanted })
}

struct Search<'a, V> {
    a: &'a [V],
    b: &'a [V],
    wanted: V,
}

impl<V: Nimber> Kernel for Search<'_, V> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<const BITS: bool>(self) -> Option<usize> {
        let Self { a, b, wanted } = self;
        let mut chunks = a.chunks(CHUNK).zip(b.chunks(CHUNK));
        let has = |(a, b): (&[V], &[V])| {
            // The least xor with the wanted value: 0 exactly if some split has that value.
            let xors = a.iter().zip(b).map(|(a, b)| *a ^ *b ^ wanted);
            xors.fold(!V::default(), V::min) == V::default()
        };
        let at = chunks.position(has)?;
        Some(a.len().min((at + 1) * CHUNK))
    }
}
