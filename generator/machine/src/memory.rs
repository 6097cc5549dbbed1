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

/// Creates a vector of `count` copies of `value`, in large pages if the system has them. With small pages, random reads of an array of many
/// megabytes miss the address translation as often as the cache.
pub fn filled<T: Clone>(count: usize, value: T) -> Vec<T> {
    let mut vector = Vec::with_capacity(count);
    #[cfg(target_os = "linux")]
    {
        use libc::{MADV_HUGEPAGE, madvise};
        const PAGE: usize = 4096;
        let bytes = vector.spare_capacity_mut();
        let start = bytes.as_ptr() as usize;
        let length = std::mem::size_of_val(bytes);
        let first = start.next_multiple_of(PAGE);
        if length > 64 * PAGE {
            let whole = (start + length - first) / PAGE * PAGE;
            let first = std::ptr::without_provenance_mut(first);
            // SAFETY: these are whole pages of memory that the vector owns and has not filled yet. The advice changes
            // no contents, and a refusal is harmless.
            let _ = unsafe { madvise(first, whole, MADV_HUGEPAGE) };
        }
    }
    vector.resize(count, value);
    vector
}
