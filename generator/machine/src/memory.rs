//! Support for large arrays that are read at random: prefetches of cache lines, and large pages.

/// Prefetches the cache line of `array[index]`, if the processor can, so that a later read need not wait. Does nothing
/// if `index` is beyond the end.
#[inline(always)]
pub fn prefetch<T>(array: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(element) = array.get(index) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and never faults, and the address belongs to an element.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (array, index);
}

// SAFETY: the declaration has the types of the manual page of madvise(2).
#[cfg(target_os = "linux")]
unsafe extern "C" {
    /// The function of the C library, to which every program on Linux is linked.
    fn madvise(
        address: *mut std::ffi::c_void,
        length: usize,
        advice: std::ffi::c_int,
    ) -> std::ffi::c_int;
}

/// `MADV_HUGEPAGE` of Linux.
#[cfg(target_os = "linux")]
const HUGE_PAGES: std::ffi::c_int = 14;

/// Creates a vector of `count` copies of `value`, in large pages if the system has them. With small pages, random reads of an array of many
/// megabytes miss the address translation as often as the cache.
pub fn filled<T: Clone>(count: usize, value: T) -> Vec<T> {
    let mut vector = Vec::with_capacity(count);
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let bytes = vector.spare_capacity_mut();
        let start = bytes.as_ptr() as usize;
        let length = std::mem::size_of_val(bytes);
        let first = start.next_multiple_of(PAGE);
        if length > 64 * PAGE {
            let whole = (start + length - first) / PAGE * PAGE;
            // SAFETY: these are whole pages of memory that the vector owns and has not filled yet. The advice changes
            // no contents, and a refusal is harmless.
            let _ = unsafe { madvise(std::ptr::without_provenance_mut(first), whole, HUGE_PAGES) };
        }
    }
    vector.resize(count, value);
    vector
}
