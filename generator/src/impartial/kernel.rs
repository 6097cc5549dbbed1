//! The two inner loops, written so that the compiler makes vector instructions of them; the widest set the processor has is
//! chosen at run time, with plain instructions where it has none.

use super::sparse::Rare;
use super::value::BLOCK;
use multiversion::multiversion;

/// Elements looked at between two looks at the answer.
const CHUNK: usize = 512;

macro_rules! kernels {
    ($type:ident, $found:ident, $refute:ident) => {
        /// Whether `wanted` is among `a[i] ^ b[i]`.
        #[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+bmi2", "x86_64+avx2+bmi2"))]
        pub(super) fn $found(a: &[$type], b: &[$type], wanted: $type) -> bool {
            let (a_chunks, a_rest) = a.as_chunks::<CHUNK>();
            let (b_chunks, b_rest) = b.as_chunks::<CHUNK>();
            for (a, b) in a_chunks.iter().zip(b_chunks) {
                // The least distance to the wanted value: 0 exactly where it is there.
                let mut least = $type::MAX;
                for i in 0..CHUNK {
                    least = least.min(a[i] ^ b[i] ^ wanted);
                }
                if least == 0 {
                    return true;
                }
            }
            a_rest.iter().zip(b_rest).any(|(a, b)| a ^ b == wanted)
        }

        /// `least[j]` becomes 0 where a rare heap `r` has `g[first + j − r] ^ G(r) == wanted[j]`.
        #[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+bmi2", "x86_64+avx2+bmi2"))]
        pub(super) fn $refute(
            g: &[$type],
            first: usize,
            rares: &[Rare<$type>],
            wanted: &[$type; BLOCK],
            least: &mut [$type; BLOCK],
        ) {
            let row = |rare: &Rare<$type>| -> &[$type; BLOCK] {
                g[first - rare.heap as usize..].first_chunk().expect("a block of values behind every rare heap")
            };
            let (eights, rest) = rares.as_chunks::<8>();
            for e in eights {
                let rows: [&[$type; BLOCK]; 8] = std::array::from_fn(|i| row(&e[i]));
                for j in 0..BLOCK {
                    let w = wanted[j];
                    let mut m = least[j];
                    m = m.min(rows[0][j] ^ e[0].value ^ w);
                    m = m.min(rows[1][j] ^ e[1].value ^ w);
                    m = m.min(rows[2][j] ^ e[2].value ^ w);
                    m = m.min(rows[3][j] ^ e[3].value ^ w);
                    m = m.min(rows[4][j] ^ e[4].value ^ w);
                    m = m.min(rows[5][j] ^ e[5].value ^ w);
                    m = m.min(rows[6][j] ^ e[6].value ^ w);
                    m = m.min(rows[7][j] ^ e[7].value ^ w);
                    least[j] = m;
                }
            }
            for rare in rest {
                let row = row(rare);
                for j in 0..BLOCK {
                    least[j] = least[j].min(row[j] ^ rare.value ^ wanted[j]);
                }
            }
        }
    };
}

kernels!(u8, found_u8, refute_u8);
kernels!(u16, found_u16, refute_u16);
kernels!(u32, found_u32, refute_u32);
