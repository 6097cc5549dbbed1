//! The folders in which tables are searched for by name: the standard folders, and the folder that was installed with this library.

use morpion_lookup::Tables;
use std::path::{Path, PathBuf};

/// The standard folders, then `share/morpion` under the prefix of this library.
pub(crate) fn tables() -> Tables {
    let installed = library().and_then(|file| Some(prefix(&file)?.join("share/morpion")));
    Tables::standard().with_last(installed)
}

/// Returns `PREFIX` for a file in `PREFIX/lib`, `PREFIX/lib64`, `PREFIX/lib/x86_64-linux-gnu` or `PREFIX/bin`.
fn prefix(file: &Path) -> Option<&Path> {
    let folder = file.parent()?;
    let is_lib = |folder: &Path| folder.file_name().is_some_and(|name| name == "lib");
    let inside = folder.parent().filter(|above| is_lib(above)).unwrap_or(folder);
    inside.parent()
}

/// The file that contains this code: the shared library, or the program that was linked with the static library.
#[cfg(unix)]
fn library() -> Option<PathBuf> {
    use std::{ffi::CStr, ffi::OsStr, mem::MaybeUninit, os::unix::ffi::OsStrExt};
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    let address = library as fn() -> Option<PathBuf>;
    // SAFETY: `dladdr` only compares the address, and `info` has room for its answer; all zeros is a valid `Dl_info`.
    let (found, info) =
        unsafe { (libc::dladdr(address as *const _, info.as_mut_ptr()), info.assume_init()) };
    if found == 0 || info.dli_fname.is_null() {
        return std::env::current_exe().ok();
    }
    // SAFETY: the name ends with a zero byte and is valid while the library is loaded, and this function is part of the library.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    let file = std::path::absolute(OsStr::from_bytes(name.to_bytes())).ok();
    // For a program, the name is the one with which it was started, which may be relative to a folder in PATH.
    file.filter(|file| file.is_file()).or_else(|| std::env::current_exe().ok())
}

#[cfg(not(unix))]
fn library() -> Option<PathBuf> {
    std::env::current_exe().ok()
}
