//! The files of an interrupted build: their names, their lock and their removal.

use crate::checkpoint::state::ShardId;
use crate::files;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};

/// Removes the temporary files that a kill left in a folder. The caller must hold the lock of the folder.
///
/// # Errors
/// If the folder cannot be read, or a file cannot be removed.
pub fn remove_temporaries(folder: &Path) -> io::Result<()> {
    remove_files(folder, |name| name.contains(".rows.") || name.contains(".state."))
}

/// Removes the files of a folder for whose names `chosen` returns true. A missing folder is not an error.
///
/// # Errors
/// If the folder cannot be read, or a file cannot be removed.
pub fn remove_files(folder: &Path, chosen: impl Fn(&str) -> bool) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(&chosen) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The files of a single-process build, which are locked until this value is dropped.
#[derive(Debug)]
pub struct BuildFiles {
    /// The unfinished table.
    pub partial: File,
    /// Path of the unfinished table.
    pub partial_path: PathBuf,
    /// Path of the folder of rows and states.
    pub rows: PathBuf,
}

impl Drop for BuildFiles {
    fn drop(&mut self) {
        // Closing the file is not enough, since a process that was just forked may still have a copy of its descriptor.
        let _ = self.partial.unlock();
    }
}

impl BuildFiles {
    /// Locks the build of `name` in `folder`, and removes temporary files; `None` if another build holds the lock.
    pub fn lock(folder: &Path, name: &str) -> io::Result<Option<BuildFiles>> {
        let partial_path = folder.join(format!(".{name}.partial"));
        let rows = folder.join(format!(".{name}.rows"));
        loop {
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true).create(true);
            let partial = files::open_name(&partial_path, options)?;
            if !files::lock(&partial)? {
                return Ok(None);
            }
            // Another build may have finished meanwhile. It then has renamed this file to the table, which must not be changed.
            if files::is_same_file(&partial, &partial_path) {
                // A link with that name is not followed.
                if fs::symlink_metadata(&rows).is_ok_and(|found| !found.is_dir()) {
                    fs::remove_file(&rows)?;
                }
                remove_temporaries(&rows)?;
                return Ok(Some(BuildFiles { partial, partial_path, rows }));
            }
        }
    }

    /// Size of the files on disk in bytes.
    pub fn length(&self) -> io::Result<u64> {
        let rows = fs::read_dir(&self.rows).into_iter().flatten().flatten();
        let rows = rows.filter_map(|entry| entry.metadata().ok()).map(|file| file.len());
        Ok(self.partial.metadata()?.len() + rows.sum::<u64>())
    }

    /// Removes the rows and the states, and empties the partial file.
    pub fn clear(&self) -> io::Result<()> {
        self.remove_rows()?;
        self.partial.set_len(0)?;
        (&self.partial).rewind()
    }

    /// Removes the rows and the states.
    pub fn remove_rows(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.rows) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(io::Error::new(error.kind(), format!("{}: {error}", self.rows.display())))
            }
            _ => Ok(()),
        }
    }

    /// Returns the identity of an interrupted build; `None` if there is nothing to resume.
    pub fn interrupted(&self) -> Option<ShardId> {
        ShardId::of_folder(&self.rows).ok()
    }

    /// Ends a failed build. Removes its files and returns false if there is nothing to resume; otherwise returns true.
    pub fn abandon(self) -> bool {
        let is_kept = self.interrupted().is_some();
        if !is_kept {
            // The build has already failed, and files that remain are harmless.
            let _ = self.clear();
            let _ = fs::remove_file(&self.partial_path);
        }
        is_kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(folder: &tempfile::TempDir) -> Option<BuildFiles> {
        BuildFiles::lock(folder.path(), "game").unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_second_build_does_not_get_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let first = lock(&folder).unwrap();
        assert!(lock(&folder).is_none());
        drop(first);
        assert!(lock(&folder).is_some());
    }

    #[test]
    fn a_lock_on_a_file_that_has_become_the_table_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let files = lock(&folder).unwrap();
        assert!(files::is_same_file(&files.partial, &files.partial_path));
        fs::rename(&files.partial_path, folder.path().join("game.morpion")).unwrap();
        assert!(!files::is_same_file(&files.partial, &files.partial_path));
        assert!(lock(&folder).is_some(), "the next build has a file of its own");
    }

    #[test]
    fn temporary_files_are_removed_before_the_disk_is_checked() {
        let folder = tempfile::tempdir().unwrap();
        let rows = folder.path().join(".game.rows");
        fs::create_dir(&rows).unwrap();
        let kept = ["3-3-0.rows", "worker-0.state"];
        let temporary =
            ["3-3-0.rows.k2Js9a", "worker-0.state.k2Js9a", ".worker-0.state.k2Js9a.unfinished"];
        for name in kept.iter().chain(&temporary) {
            fs::write(rows.join(name), [0; 1000]).unwrap();
        }
        let files = lock(&folder).unwrap();
        assert_eq!(names(&rows), kept);
        assert_eq!(files.length().unwrap(), 2000);
        assert!(!files.abandon(), "that is not a state");
        assert!(names(folder.path()).is_empty());
    }
}
