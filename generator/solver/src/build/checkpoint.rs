//! What a build keeps beside the table it writes, so that it can go on after a kill, a full disk or Ctrl-C.
//!
//! Beside `NAME.morpion` stand, while it is being built: `.NAME.partial`, the table as far as it is written, which also
//! carries the lock; and `.NAME.checkpoint`, a sealed file replaced as a whole, which says how many layers of that are good
//! and holds the codes of the movement layer under way. A build that ends removes both.

use crate::build::image::CheckpointSink;
use crate::solve::Fault;
use crate::solve::frame::Frame;
use morpion_lookup::Encoding;
use morpion_lookup::format::CHECKPOINT_MAGIC;
use morpion_machine::{files, sealed};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A table on its way to a file.
pub type FileWriter<'f> = sealed::Writer<BufWriter<&'f File>>;

/// The files of one build, held by a lock.
#[derive(Debug)]
pub struct BuildFiles {
    folder: PathBuf,
    name: String,
    /// The table as far as it is written, locked as long as this lives.
    pub partial: File,
}

/// The header of a checkpoint. Only what cannot be found out anew stands in it: where the layers end follows from the
/// table's header, what is in them and how far the movement layer is solved from the codes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Of the table.
    pub encoding: Encoding,
    /// How many layers are written, the last of the game first.
    pub layers: u64,
    /// The sums that would close the partial file if it ended behind them.
    pub sums: Vec<u8>,
    /// Whether the codes of the movement layer follow.
    pub movement: bool,
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

    /// How much of the disk they take, in bytes.
    ///
    /// # Errors
    /// Where the partial file cannot be looked at.
    pub fn length(&self) -> io::Result<u64> {
        let checkpoint = fs::symlink_metadata(self.checkpoint_path());
        Ok(self.partial.metadata()?.len() + checkpoint.map_or(0, |checkpoint| checkpoint.len()))
    }

    /// Removes the checkpoint and empties the partial file.
    ///
    /// # Errors
    /// Where the files cannot be changed.
    pub fn clear(&self) -> io::Result<()> {
        self.remove_checkpoints()?;
        self.partial.set_len(0)?;
        (&self.partial).rewind()
    }

    /// Removes the checkpoint, and those that a kill left half written.
    ///
    /// # Errors
    /// Where they cannot be removed.
    pub fn remove_checkpoints(&self) -> io::Result<()> {
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

    /// Ends a build that failed: where there is no checkpoint to go on from, nothing of it stays. Gives whether there is.
    pub fn abandon(self) -> bool {
        let is_kept = self.checkpoint().is_some();
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

/// Keeps checkpoints of a build, now and then.
pub struct Checkpoints<'f> {
    files: &'f BuildFiles,
    encoding: Encoding,
    interval: Duration,
    last: Instant,
}

impl<'f> Checkpoints<'f> {
    /// Checkpoints of the build of `table`: inside the movement layer every `interval`, and after a layer where the
    /// last checkpoint is more than a second (or `interval`, if that is less) old.
    pub fn new(files: &'f BuildFiles, table: &Frame, interval: Duration) -> Checkpoints<'f> {
        Checkpoints { files, encoding: table.header().encoding, interval, last: Instant::now() }
    }

    fn keep(
        &mut self,
        writer: &mut FileWriter<'f>,
        layers: usize,
        movement: Option<&[u8]>,
    ) -> Result<(), Fault> {
        writer.out().flush()?;
        self.files.partial.sync_data()?;
        let checkpoint = Checkpoint {
            encoding: self.encoding,
            layers: layers as u64,
            sums: writer.sums(),
            movement: movement.is_some(),
        };
        files::replace_name(&self.files.checkpoint_path(), |out| {
            let mut writer = sealed::Writer::new(out);
            writer.write_header(CHECKPOINT_MAGIC, &checkpoint)?;
            writer.write(movement.unwrap_or_default())?;
            writer.finish().map(drop)
        })?;
        self.last = Instant::now();
        Ok(())
    }
}

impl<'f> CheckpointSink<BufWriter<&'f File>> for Checkpoints<'f> {
    fn layer(&mut self, writer: &mut FileWriter<'f>, layers: usize) -> Result<(), Fault> {
        if self.last.elapsed() < self.interval.min(Duration::from_secs(1)) {
            return Ok(());
        }
        self.keep(writer, layers, None)
    }

    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.interval
    }

    fn movement(&mut self, writer: &mut FileWriter<'f>, codes: &[u8]) -> Result<(), Fault> {
        self.keep(writer, 0, Some(codes))
    }
}
