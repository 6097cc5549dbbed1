//! Large arrays of plain values, in memory or in files.

use crate::memory;
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU64};

/// A value that several threads can read and write as an atomic one.
///
/// # Safety
/// `Shared` has the same size, alignment and bits as the value, and neither has anything to drop. All bits of the default are zero.
pub unsafe trait Plain: Copy + Default + PartialEq + Send + Sync + 'static {
    /// The atomic value.
    type Shared: Send + Sync + 'static;
}

// SAFETY: the standard library promises this layout.
unsafe impl Plain for bool {
    type Shared = AtomicBool;
}

// SAFETY: as above.
unsafe impl Plain for u8 {
    type Shared = AtomicU8;
}

// SAFETY: as above.
unsafe impl Plain for u16 {
    type Shared = AtomicU16;
}

// SAFETY: as above.
unsafe impl Plain for u64 {
    type Shared = AtomicU64;
}

/// An array that does not grow.
pub struct Array<T> {
    start: NonNull<T>,
    length: usize,
    /// The vector or the mapped file that has the values.
    _owner: Box<dyn Send + Sync>,
    values: PhantomData<T>,
}

// SAFETY: an array owns its values.
unsafe impl<T: Send> Send for Array<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Array<T> {}

impl<T: Plain> Array<T> {
    /// Creates an array of `length` times `value`: in memory, or in a file in this folder. The file has no name, so it goes away with
    /// the process. Its parts are in memory while they are used, as far as the system has memory.
    ///
    /// # Errors
    /// If the folder has too little space, or the file cannot be mapped.
    pub fn filled(folder: Option<&Path>, length: usize, value: T) -> io::Result<Array<T>> {
        let bytes = length * size_of::<T>();
        match folder.filter(|_| bytes > 0) {
            Some(folder) => {
                let file = tempfile::tempfile_in(folder)?;
                reserve(&file, bytes as u64)?;
                // SAFETY: the file has no name, so no other process changes it.
                let mut map = unsafe { memmap2::MmapMut::map_mut(&file)? };
                let start = NonNull::from(map.as_mut()).cast::<T>();
                // A new file has zeros. Writing them would fill the memory and the disk with pages that may never be used.
                if value != T::default() {
                    // SAFETY: a map starts at a page, so it is aligned, and the file has this many values.
                    unsafe { (0..length).for_each(|at| start.add(at).write(value)) };
                }
                Ok(Array { start, length, _owner: Box::new(map), values: PhantomData })
            }
            None => {
                let mut vector = memory::filled(length, value);
                let start = NonNull::from(vector.as_mut_slice()).cast();
                Ok(Array { start, length, _owner: Box::new(vector), values: PhantomData })
            }
        }
    }

    /// Converts the values to atomic ones.
    pub fn share(self) -> Array<T::Shared> {
        let Array { start, length, _owner, .. } = self;
        Array { start: start.cast(), length, _owner, values: PhantomData }
    }
}

impl<T> Default for Array<T> {
    fn default() -> Array<T> {
        Array { start: NonNull::dangling(), length: 0, _owner: Box::new(()), values: PhantomData }
    }
}

impl<T> Deref for Array<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the owner keeps this many values at the start until it is dropped.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T> DerefMut for Array<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the owner gives them to nobody else.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

/// Makes a file this long, and reserves its space: if the disk were full later, a write to the map would kill the process.
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    nix::fcntl::posix_fallocate(file, 0, bytes as i64)?;
    #[cfg(not(target_os = "linux"))]
    file.set_len(bytes)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn arrays_in_files_are_like_arrays_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        for home in [None, Some(folder.path())] {
            for (length, value) in [(0, 7), (1, 7), (100_000, 7), (100_000, 0)] {
                let mut array = Array::filled(home, length, value).unwrap();
                assert_eq!(*array, vec![value; length]);
                array.iter_mut().zip(0u64..).for_each(|(value, number)| *value = number);
                let shared = array.share();
                assert!((0..).zip(&*shared).all(|(number, value)| value.load(Relaxed) == number));
            }
            let names = std::fs::read_dir(folder.path()).unwrap().count();
            assert_eq!(names, 0, "files without names");
        }
        assert!(Array::filled(Some(&folder.path().join("none")), 1, 0u8).is_err());
        assert!(Array::<u8>::default().is_empty());
    }
}
