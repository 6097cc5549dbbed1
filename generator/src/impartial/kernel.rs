//! The inner loop of the plain way, written so that the compiler makes vector instructions of it; the widest set the processor
//! has is chosen at run time, with plain instructions where it has none.

use multiversion::multiversion;

/// Elements looked at between two looks at the answer.
const CHUNK: usize = 256;

macro_rules! search {
    ($type:ident, $name:ident) => {
        /// How many leading elements of `a[i] ^ b[i]` were looked at until `wanted` was among them.
        #[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+bmi2", "x86_64+avx2+bmi2"))]
        pub(super) fn $name(a: &[$type], b: &[$type], wanted: $type) -> Option<usize> {
            let (a_chunks, a_rest) = a.as_chunks::<CHUNK>();
            let (b_chunks, b_rest) = b.as_chunks::<CHUNK>();
            for (at, (a, b)) in a_chunks.iter().zip(b_chunks).enumerate() {
                // The least distance to the wanted value: 0 exactly where it is there.
                let mut least = $type::MAX;
                for i in 0..CHUNK {
                    least = least.min(a[i] ^ b[i] ^ wanted);
                }
                if least == 0 {
                    return Some((at + 1) * CHUNK);
                }
            }
            let mut least = $type::MAX;
            for (a, b) in a_rest.iter().zip(b_rest) {
                least = least.min(a ^ b ^ wanted);
            }
            (least == 0).then_some(a.len())
        }
    };
}

search!(u8, search_u8);
search!(u16, search_u16);
search!(u32, search_u32);
