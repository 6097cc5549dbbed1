//! Instruction sets: a kernel is compiled several times, and the best version is chosen at run time. All versions give
//! the same results.

use std::sync::OnceLock;

/// An instruction set for which a [`Kernel`] is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// The baseline instructions of the target.
    Plain,
    /// x86-64 with AVX2 and BMI2.
    Avx2,
    /// x86-64 with AVX-512 (F, BW, VL, DQ) and BMI2.
    Avx512,
}

impl Isa {
    /// Detects the best instruction set of this machine. The variable `MORPION_ISA` (`plain`, `avx2`, `avx512`) can choose a lower
    /// instruction set, so that tests and benchmarks can compare instruction sets.
    pub fn detect() -> Isa {
        static CHOSEN: OnceLock<Isa> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let most = match std::env::var("MORPION_ISA").as_deref() {
                Ok("plain") => Isa::Plain,
                Ok("avx2") => Isa::Avx2,
                _ => Isa::Avx512,
            };
            Isa::best().min(most)
        })
    }

    /// The best instruction set of this machine. The machine also has all lower instruction sets.
    pub fn best() -> Isa {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt");
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq");
            if avx2 {
                return if avx512 { Isa::Avx512 } else { Isa::Avx2 };
            }
        }
        Isa::Plain
    }
}

/// A piece of hot code. Its `run` must be `#[inline(always)]`, so that it is compiled for the caller's instruction set.
pub trait Kernel {
    /// The result.
    type Output;
    /// False if vectors of 512 bits do not help. Then the kernel is not compiled for [`Isa::Avx512`].
    const WIDE: bool = true;
    /// Does the work. `BITS` is true if [`compress`] and [`expand`] are single instructions.
    fn run<const BITS: bool>(self) -> Self::Output;
}

/// Runs a kernel with the instruction set of [`Isa::detect`].
#[inline]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    match Isa::detect() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `detect` returns this variant only if the machine has these instructions.
        Isa::Avx512 if K::WIDE => unsafe { with_avx512(kernel) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above. AVX-512 includes AVX2.
        Isa::Avx512 | Isa::Avx2 => unsafe { with_avx2(kernel) },
        _ => kernel.run::<false>(),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2,bmi1,bmi2,popcnt,lzcnt")]
fn with_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<true>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<true>()
}

/// Calls [`morpion_core::rank::compress`], or uses the equivalent instruction if `BITS` is true, which only [`dispatch`] sets.
#[inline(always)]
pub fn compress<const BITS: bool>(set: u64, within: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if BITS {
        // SAFETY: `BITS` is true only inside the functions above, which enable BMI2.
        return unsafe { core::arch::x86_64::_pext_u64(set, within) };
    }
    morpion_core::rank::compress(set, within)
}

/// Calls [`morpion_core::rank::expand`], or uses the equivalent instruction if `BITS` is true, which only [`dispatch`] sets.
#[inline(always)]
pub fn expand<const BITS: bool>(bits: u64, within: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if BITS {
        // SAFETY: as in `compress`.
        return unsafe { core::arch::x86_64::_pdep_u64(bits, within) };
    }
    morpion_core::rank::expand(bits, within)
}

/// Packs 64 bytes, which are 0 or 1, into the bits of one word, in order.
#[inline(always)]
pub fn pack(flags: &[u8; 64]) -> u64 {
    let mut word = 0;
    #[cfg(target_arch = "x86_64")]
    for (index, sixteen) in flags.as_chunks::<16>().0.iter().enumerate() {
        use core::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8, _mm_slli_epi16};
        // SAFETY: every x86-64 processor has SSE2. The shift moves each flag to the sign of its byte.
        let signs = unsafe {
            _mm_movemask_epi8(_mm_slli_epi16::<7>(_mm_loadu_si128(sixteen.as_ptr().cast())))
        };
        word |= u64::from(signs.cast_unsigned()) << (16 * index);
    }
    #[cfg(not(target_arch = "x86_64"))]
    for (index, eight) in flags.as_chunks::<8>().0.iter().enumerate() {
        // The product moves the bit of byte i to bit 56 + i, without carries.
        let product = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080);
        word |= (product >> 56) << (8 * index);
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_become_bits_in_order() {
        for word in [0u64, 1, 1 << 63, 0x0123_4567_89AB_CDEF, u64::MAX] {
            let flags = std::array::from_fn(|bit| (word >> bit & 1) as u8);
            assert_eq!(pack(&flags), word);
        }
    }
}
