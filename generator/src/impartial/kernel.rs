//! The inner loops of the search for a value among all splits, written so that the compiler makes vector instructions of them; the widest
//! set the processor has is chosen at run time, with plain instructions where it has none.

use multiversion::multiversion;

/// Elements looked at between two looks at the answer.
const CHUNK: usize = 256;

macro_rules! search {
    ($type:ident, $one:ident, $four:ident) => {
        /// Bit 0 set where `wanted` is among `a[i] ^ b[i]`, and how many were looked at.
        #[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+bmi2", "x86_64+avx2+bmi2"))]
        pub(super) fn $one(a: &[$type], b: &[$type], wanted: $type) -> (u32, usize) {
            let (a_chunks, a_rest) = a.as_chunks::<CHUNK>();
            let (b_chunks, b_rest) = b.as_chunks::<CHUNK>();
            for (at, (a, b)) in a_chunks.iter().zip(b_chunks).enumerate() {
                // The least distance to the wanted value: 0 exactly where it is there.
                let mut least = $type::MAX;
                for i in 0..CHUNK {
                    least = least.min(a[i] ^ b[i] ^ wanted);
                }
                if least == 0 {
                    return (1, (at + 1) * CHUNK);
                }
            }
            let mut least = $type::MAX;
            for (a, b) in a_rest.iter().zip(b_rest) {
                least = least.min(a ^ b ^ wanted);
            }
            ((least == 0).into(), a.len())
        }

        /// The same for four values at once, a bit each; ends as soon as all have been found.
        #[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+bmi2", "x86_64+avx2+bmi2"))]
        pub(super) fn $four(
            a: &[$type],
            b: &[$type],
            wanted: [$type; 4],
            mut found: u32,
        ) -> (u32, usize) {
            let (a_chunks, a_rest) = a.as_chunks::<CHUNK>();
            let (b_chunks, b_rest) = b.as_chunks::<CHUNK>();
            for (at, (a, b)) in a_chunks.iter().zip(b_chunks).enumerate() {
                let mut least = [$type::MAX; 4];
                for i in 0..CHUNK {
                    let value = a[i] ^ b[i];
                    least[0] = least[0].min(value ^ wanted[0]);
                    least[1] = least[1].min(value ^ wanted[1]);
                    least[2] = least[2].min(value ^ wanted[2]);
                    least[3] = least[3].min(value ^ wanted[3]);
                }
                for (i, least) in least.iter().enumerate() {
                    found |= u32::from(*least == 0) << i;
                }
                if found == 15 {
                    return (found, (at + 1) * CHUNK);
                }
            }
            for (a, b) in a_rest.iter().zip(b_rest) {
                for (i, wanted) in wanted.iter().enumerate() {
                    found |= u32::from(a ^ b == *wanted) << i;
                }
            }
            (found, a.len())
        }
    };
}

search!(u8, search_u8, search_four_u8);
search!(u16, search_u16, search_four_u16);
search!(u32, search_u32, search_four_u32);
