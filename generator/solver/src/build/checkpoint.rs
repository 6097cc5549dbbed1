//! What a build keeps beside the table it writes, so that it can be resumed after a kill, a full disk or Ctrl-C.
//!
//! Beside `NAME.morpion` stand, while it is being built: `.NAME.partial`, the table as far as it is written, which also
//! carries the lock; and `.NAME.checkpoint`, a sealed file replaced as a whole, which says how many layers of that are good
//! and holds the codes of the movement layer under way. A build whose layers are not held in memory keeps a folder `.NAME.rows`
//! instead, the [`Shard`] of one process. A build that ends removes them.

use crate::build::stream::{FramesWritten, TableWriter};
use crate::build::table::write_layer;
use crate::error::SolveError;
use crate::solve::blocks::shard::Shard;
use crate::solve::layers::LayerSink;
use morpion_lookup::raw::Encoding;
use morpion_machine::{files, sealed};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A table on its way to a file.
pub(crate) type FileWriter<'f> = sealed::Writer<TableWriter<'f>>;

/// The files of one build, held by a lock.
#[derive(Debug)]
pub(crate) struct BuildFiles {
    folder: PathBuf,
    name: String,
    /// The table as far as it is written, locked as long as this lives.
    pub partial: File,
}

/// The header of a checkpoint. It has only what cannot be found otherwise: where the layers end follows from the
/// table's header, what is in them and how far the movement layer is solved from the codes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Of the table.
    pub encoding: Encoding,
    /// How many layers are written, the last of the game first.
    pub layers: u64,
    /// The sums that would close the table if it ended after them.
    pub sums: Vec<u8>,
    /// The frames of a packed table that are written.
    pub frames: FramesWritten,
    /// Whether the codes of the movement layer follow.
    pub movement: bool,
}

impl Checkpoint {
    /// The first eight bytes of its file.
    pub const MAGIC: [u8; 8] = *b"\x89MORPCKP";
}

impl BuildFiles {
    /// Takes the lock of the build of `name` in `folder`; `None` where another build holds it.
    ///
    /// # Errors
    /// Where the folder cannot be written, or something else has the name of the partial file.
    pub fn lock(folder: &Path, name: &str) -> io::Result<Option<BuildFiles>> {
        let path = folder.join(format!(".{name}.partial"));
        loop {
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true).create(true);
            let partial = files::open_name(&path, options)?;
            match partial.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // A build that ended in between has renamed this file to the table: then it is not ours to write.
            if is_same_file(&partial, &path) {
                return Ok(Some(BuildFiles { folder: folder.into(), name: name.into(), partial }));
            }
        }
    }

    /// The table as far as it is written.
    pub fn partial_path(&self) -> PathBuf {
        self.folder.join(format!(".{}.partial", self.name))
    }

    /// What the partial file is resumed by.
    pub fn checkpoint_path(&self) -> PathBuf {
        self.folder.join(format!(".{}.checkpoint", self.name))
    }

    /// The folder of the rows of a build whose layers are not held in memory.
    pub fn rows_path(&self) -> PathBuf {
        self.folder.join(format!(".{}.rows", self.name))
    }

    /// How much of the disk they take, in bytes.
    ///
    /// # Errors
    /// Where the length of the partial file cannot be read.
    pub fn length(&self) -> io::Result<u64> {
        let checkpoint = fs::symlink_metadata(self.checkpoint_path());
        let rows = fs::read_dir(self.rows_path()).into_iter().flatten().flatten();
        let rows = rows.filter_map(|entry| entry.metadata().ok()).map(|file| file.len());
        let checkpoint = checkpoint.map_or(0, |checkpoint| checkpoint.len());
        Ok(self.partial.metadata()?.len() + checkpoint + rows.sum::<u64>())
    }

    /// Removes the checkpoint and the rows, and empties the partial file.
    ///
    /// # Errors
    /// Where the files cannot be changed.
    pub fn clear(&self) -> io::Result<()> {
        self.remove_checkpoints()?;
        self.partial.set_len(0)?;
        (&self.partial).rewind()
    }

    /// Removes the checkpoint, those that a kill left half written, and the rows.
    ///
    /// # Errors
    /// Where they cannot be removed.
    pub fn remove_checkpoints(&self) -> io::Result<()> {
        match fs::remove_dir_all(self.rows_path()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                let path = self.rows_path();
                return Err(io::Error::new(error.kind(), format!("{}: {error}", path.display())));
            }
            _ => {}
        }
        let checkpoint = format!(".{}.checkpoint", self.name);
        let half_written = format!("{checkpoint}.");
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            if name.to_str().is_some_and(|n| n == checkpoint || n.starts_with(&half_written)) {
                let path = self.folder.join(name);
                fs::remove_file(&path).map_err(|error| {
                    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
                })?;
            }
        }
        Ok(())
    }

    /// Ends a build that failed: where there is no checkpoint to resume from, nothing of it stays. Returns whether there is.
    pub fn abandon(self) -> bool {
        let is_kept = self.checkpoint().is_some() || Shard::part_of(&self.rows_path()).is_ok();
        if !is_kept {
            // The build has failed already, and what stays of it does no harm.
            let _ = self.clear();
            let _ = fs::remove_file(self.partial_path());
        }
        is_kept
    }
}

/// Whether `path` still leads to the open file.
fn is_same_file(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let open = file.metadata().map(identity).ok();
        open.is_some() && fs::symlink_metadata(path).map(identity).ok() == open
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// A table on its way to its file, with a checkpoint now and then.
pub(crate) struct FileSink<'f> {
    files: &'f BuildFiles,
    writer: FileWriter<'f>,
    encoding: Encoding,
    /// Layers that are written.
    layers: u64,
    interval: Duration,
    last: Instant,
}

impl<'f> FileSink<'f> {
    /// Continues a table of which `layers` layers are written. Checkpoints are kept inside the movement layer every
    /// `interval`, and after a layer where the last one is more than a second (or `interval`, if that is less) old.
    pub fn new(
        files: &'f BuildFiles,
        writer: FileWriter<'f>,
        encoding: Encoding,
        layers: usize,
        interval: Duration,
    ) -> FileSink<'f> {
        let last = Instant::now();
        FileSink { files, writer, encoding, layers: layers as u64, interval, last }
    }

    /// What the rest of the file is written by.
    pub fn into_writer(self) -> FileWriter<'f> {
        self.writer
    }

    fn keep(&mut self, movement: Option<&[u8]>) -> Result<(), SolveError> {
        self.writer.out().flush()?;
        self.files.partial.sync_data()?;
        let checkpoint = Checkpoint {
            encoding: self.encoding,
            layers: self.layers,
            sums: self.writer.sums(),
            frames: self.writer.out().frames(),
            movement: movement.is_some(),
        };
        files::replace_name(&self.files.checkpoint_path(), |out| {
            let mut writer = sealed::Writer::new(out);
            writer.write_header(Checkpoint::MAGIC, &checkpoint)?;
            writer.write(movement.unwrap_or_default())?;
            writer.finish().map(drop)
        })?;
        self.last = Instant::now();
        Ok(())
    }
}

impl LayerSink for FileSink<'_> {
    fn layer(&mut self, pieces: &mut dyn Iterator<Item = Cow<'_, [u8]>>) -> Result<(), SolveError> {
        write_layer(&mut self.writer, pieces)?;
        self.layers += 1;
        if self.last.elapsed() < self.interval.min(Duration::from_secs(1)) {
            return Ok(());
        }
        self.keep(None)
    }

    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.interval
    }

    fn movement(&mut self, codes: &[u8]) -> Result<(), SolveError> {
        self.keep(Some(codes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(folder: &tempfile::TempDir) -> Option<BuildFiles> {
        BuildFiles::lock(folder.path(), "game").unwrap()
    }

    fn names(folder: &tempfile::TempDir) -> Vec<String> {
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A sink of a table with no header, so that a checkpoint's sums are those of the layers alone.
    fn sink(files: &BuildFiles, interval: Duration) -> FileSink<'_> {
        let writer = sealed::Writer::new(TableWriter::Plain(io::BufWriter::new(&files.partial)));
        FileSink::new(files, writer, Encoding::Plies8, 0, interval)
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
        assert!(is_same_file(&files.partial, &files.partial_path()));
        fs::rename(files.partial_path(), folder.path().join("game.morpion")).unwrap();
        assert!(!is_same_file(&files.partial, &files.partial_path()));
        assert!(lock(&folder).is_some(), "the next build has a file of its own");
    }

    #[test]
    fn a_checkpoint_names_what_is_on_the_disk_when_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let files = lock(&folder).unwrap();
        assert!(files.checkpoint().is_none());
        let mut sink = sink(&files, Duration::ZERO);
        assert!(sink.is_due());
        sink.movement(&[7; 100]).unwrap();
        let checkpoint = files.checkpoint().unwrap();
        assert_eq!((checkpoint.layers, checkpoint.movement), (0, true));
        for layers in 1..4 {
            let bytes = vec![layers as u8; 3_000_000];
            sink.layer(&mut bytes.chunks(1 << 20).map(Cow::Borrowed)).unwrap();
            let checkpoint = files.checkpoint().unwrap();
            assert_eq!((checkpoint.layers, checkpoint.movement), (layers, false));
            // The partial file, closed by the checkpoint's sums, is a sealed file.
            let mut sealed = fs::read(files.partial_path()).unwrap();
            let end = sealed.len() as u64;
            assert_eq!(end, layers * 3_000_000_u64.next_multiple_of(64));
            sealed.extend(&checkpoint.sums);
            morpion_lookup::raw::check_sums(&sealed, end).unwrap();
        }
        assert_eq!(names(&folder), [".game.checkpoint", ".game.partial"]);
    }

    #[test]
    fn a_checkpoint_is_not_due_before_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let files = lock(&folder).unwrap();
        assert!(!sink(&files, Duration::from_secs(3600)).is_due());
    }

    #[test]
    fn a_build_that_failed_leaves_what_can_be_resumed_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".game.checkpoint.half-written"), "half").unwrap();
        fs::write(folder.path().join(".games.checkpoint"), "of another game").unwrap();
        assert!(!lock(&folder).unwrap().abandon());
        assert_eq!(names(&folder), [".games.checkpoint"]);
        let files = lock(&folder).unwrap();
        sink(&files, Duration::ZERO).movement(&[]).unwrap();
        assert!(files.abandon());
        assert_eq!(names(&folder), [".game.checkpoint", ".game.partial", ".games.checkpoint"]);
    }
}
