//! What a build keeps beside the table it writes, so that it can go on after a kill, a full disk or Ctrl-C.
//!
//! Beside `NAME.morpion` stand, while it is being built: `.NAME.partial`, the table as far as it is written, which also
//! carries the lock; `.NAME.checkpoint`, small, replaced as a whole, which says how far that is good; and, inside a long
//! movement layer, `.NAME.movement.D`, its codes at distance D. A build that ends removes them all.

use crate::build::image::{Behind, Keeper, MovementBehind, Writer};
use crate::solve::Fault;
use crate::solve::census::Counted;
use crate::solve::frame::Frame;
use crate::solve::movement::Stage;
use morpion_lookup::Encoding;
use morpion_lookup::format::{CHECKPOINT_MAGIC, LayerSection, Sums, frame, unframe};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64;

/// The writer of a build that goes on, and what is behind it.
pub type Resumed<'f> = (Writer<BufWriter<&'f File>>, Behind);

/// The files of one build, held by a lock.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    name: String,
    /// The table as far as it is written, locked as long as this lives.
    pub partial: File,
}

/// What the small file says.
#[derive(Debug, Serialize, Deserialize)]
struct Checkpoint {
    fingerprint: u64,
    encoding: Encoding,
    /// Bytes of the partial file that are good, and the sums of their whole units.
    written: u64,
    sums: Vec<u8>,
    counted: Vec<Counted>,
    movement: Option<Movement>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Movement {
    distance: u16,
    stage: Stage,
    bytes: u64,
    sum: u64,
}

impl Files {
    /// Takes the lock of the build of `name` in `folder`; `None` where another build holds it.
    ///
    /// # Errors
    /// Where the folder cannot be written.
    pub fn lock(folder: &Path, name: &str) -> io::Result<Option<Files>> {
        let path = folder.join(format!(".{name}.partial"));
        loop {
            let partial = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)?;
            match partial.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // A build that ended in between has renamed this file to the table: then it is not ours to write.
            if is_same_file(&partial, &path) {
                return Ok(Some(Files { folder: folder.into(), name: name.into(), partial }));
            }
        }
    }

    fn path(&self, ending: &str) -> PathBuf {
        self.folder.join(format!(".{}.{ending}", self.name))
    }

    /// The table as far as it is written.
    pub fn partial_path(&self) -> PathBuf {
        self.path("partial")
    }

    /// Removes everything but the partial file, which is emptied.
    ///
    /// # Errors
    /// Where the files cannot be changed.
    pub fn clear(&self) -> io::Result<()> {
        self.remove_checkpoints(None)?;
        self.partial.set_len(0)?;
        (&self.partial).rewind()
    }

    /// Removes everything but the partial file.
    ///
    /// # Errors
    /// Where the files cannot be removed.
    pub fn clear_checkpoints(&self) -> io::Result<()> {
        self.remove_checkpoints(None)
    }

    /// Removes the checkpoint, and all movement files but the one of distance `keep`; with one to keep the checkpoint
    /// stays.
    fn remove_checkpoints(&self, keep: Option<u16>) -> io::Result<()> {
        let keep = keep.map(|distance| format!(".{}.movement.{distance}", self.name));
        let movement = format!(".{}.movement.", self.name);
        let checkpoint = format!(".{}.checkpoint", self.name);
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            let Some(name) = name.to_str() else { continue };
            let stale = name.starts_with(&movement) && keep.as_deref() != Some(name);
            if stale || name == checkpoint && keep.is_none() {
                fs::remove_file(self.folder.join(name))?;
            }
        }
        Ok(())
    }

    /// The encoding of the build that was interrupted here, where its checkpoint is one of the game with this
    /// fingerprint.
    pub fn encoding(&self, fingerprint: u64) -> Option<Encoding> {
        let checkpoint = self.read_checkpoint()?;
        (checkpoint.fingerprint == fingerprint).then_some(checkpoint.encoding)
    }

    fn read_checkpoint(&self) -> Option<Checkpoint> {
        let bytes = fs::read(self.path("checkpoint")).ok()?;
        unframe(CHECKPOINT_MAGIC, &bytes).ok().map(|(checkpoint, _)| checkpoint)
    }

    /// What an earlier build of the same table has behind it, with the writer to go on with; `None` where there is
    /// nothing to go on from, or what there is does not hold.
    ///
    /// # Errors
    /// Where the partial file cannot be read.
    pub fn resume(&self, table: &Frame) -> io::Result<Option<Resumed<'_>>> {
        let header = table.header();
        let Some(checkpoint) = self.read_checkpoint() else { return Ok(None) };
        if checkpoint.fingerprint != header.fingerprint
            || checkpoint.encoding != header.encoding
            || checkpoint.counted.len() > header.layers.len()
            || self.partial.metadata()?.len() < checkpoint.written
        {
            return Ok(None);
        }
        let mut sums = Sums::default();
        let mut file = &self.partial;
        file.rewind()?;
        let mut buffer = vec![0; 1 << 20];
        let mut left = checkpoint.written;
        while left > 0 {
            let now = left.min(buffer.len() as u64) as usize;
            file.read_exact(&mut buffer[..now])?;
            sums.update(&buffer[..now]);
            left -= now as u64;
        }
        // The sum of the unit under way is not kept; what it covers is read again with the last layer.
        if sums.finished() != checkpoint.sums {
            return Ok(None);
        }
        let movement = match checkpoint.movement {
            None => None,
            Some(kept) => match fs::read(self.path(&format!("movement.{}", kept.distance))) {
                Ok(codes) if codes.len() as u64 == kept.bytes && xxh3_64(&codes) == kept.sum => {
                    Some(MovementBehind { codes, distance: kept.distance, stage: kept.stage })
                }
                _ => return Ok(None),
            },
        };
        let last = match checkpoint.counted.len().checked_sub(1) {
            Some(written) => self.read_layer(&header.layers[header.layers.len() - 1 - written])?,
            None => Vec::new(),
        };
        self.partial.set_len(checkpoint.written)?;
        file.seek(SeekFrom::Start(checkpoint.written))?;
        let writer = Writer::resume(BufWriter::new(file), (sums, checkpoint.written));
        Ok(Some((writer, Behind { counted: checkpoint.counted, last, movement })))
    }

    fn read_layer(&self, layer: &LayerSection) -> io::Result<Vec<u8>> {
        let mut file = &self.partial;
        file.seek(SeekFrom::Start(layer.offset))?;
        let mut bytes = vec![0; layer.bytes as usize];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// Whether `path` still leads to the open file.
fn is_same_file(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let open = file.metadata().map(identity).ok();
        open.is_some() && fs::metadata(path).map(identity).ok() == open
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Keeps checkpoints of a build, now and then.
pub struct Checkpoints<'f> {
    files: &'f Files,
    fingerprint: u64,
    encoding: Encoding,
    interval: Duration,
    last: Instant,
}

impl<'f> Checkpoints<'f> {
    /// Checkpoints of the build of `table`: inside the movement layer every `interval`, and after a layer where the
    /// last checkpoint is more than a second (or `interval`, if that is less) old.
    pub fn new(files: &'f Files, table: &Frame, interval: Duration) -> Checkpoints<'f> {
        let header = table.header();
        let (fingerprint, encoding) = (header.fingerprint, header.encoding);
        Checkpoints { files, fingerprint, encoding, interval, last: Instant::now() }
    }

    fn keep(
        &mut self,
        writer: &mut Writer<BufWriter<&'f File>>,
        counted: &[Counted],
        movement: Option<Movement>,
    ) -> Result<(), Fault> {
        writer.out().flush()?;
        self.files.partial.sync_data()?;
        let distance = movement.as_ref().map(|movement| movement.distance);
        let checkpoint = Checkpoint {
            fingerprint: self.fingerprint,
            encoding: self.encoding,
            written: writer.written(),
            sums: writer.sums().to_vec(),
            counted: counted.to_vec(),
            movement,
        };
        replace(&self.files.path("checkpoint"), &frame(CHECKPOINT_MAGIC, &checkpoint)?)?;
        // Movement files that no checkpoint names any more; u16::MAX is the distance of none.
        self.files.remove_checkpoints(Some(distance.unwrap_or(u16::MAX)))?;
        self.last = Instant::now();
        Ok(())
    }
}

impl<'f> Keeper<BufWriter<&'f File>> for Checkpoints<'f> {
    fn layer(
        &mut self,
        writer: &mut Writer<BufWriter<&'f File>>,
        counted: &[Counted],
    ) -> Result<(), Fault> {
        if self.last.elapsed() < self.interval.min(Duration::from_secs(1)) {
            return Ok(());
        }
        self.keep(writer, counted, None)
    }

    fn is_due(&self) -> bool {
        self.last.elapsed() >= self.interval
    }

    fn movement(
        &mut self,
        writer: &mut Writer<BufWriter<&'f File>>,
        codes: &[u8],
        distance: u16,
        stage: Stage,
    ) -> Result<(), Fault> {
        replace(&self.files.path(&format!("movement.{distance}")), codes)?;
        let movement = Movement { distance, stage, bytes: codes.len() as u64, sum: xxh3_64(codes) };
        self.keep(writer, &[], Some(movement))
    }
}

/// Puts a file in its place as a whole: written beside it, synced, renamed.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let write = || {
        let mut file = File::create(&fresh)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&fresh, path)
    };
    write().inspect_err(|_| {
        // What could not be written is in the way on a full disk.
        let _ = fs::remove_file(&fresh);
    })
}
