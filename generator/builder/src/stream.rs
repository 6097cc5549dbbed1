//! Reads back the bytes of a table from its partial file. Callers need not know whether the file is packed.

use crate::frames::FrameUnpacker;
use crate::packer::{FramesWritten, PackedFrame, frames};
use morpion_core::{Source, fields};
use morpion_lookup::Bytes;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::{iter, mem, vec};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Length of some frames, and a checksum of their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FramesSum {
    length: u64,
    sum: u64,
}

fields!(FramesSum { length, sum });

impl FramesSum {
    /// The sum of `frames`.
    pub fn of(frames: &[PackedFrame]) -> FramesSum {
        frames.iter().fold(FramesSum::default(), |FramesSum { length, sum }, frame| FramesSum {
            length: length + u64::from(frame.packed),
            sum: xxh3_64_with_seed(&frame.sum.to_le_bytes(), sum),
        })
    }
}

/// Finds the frames at the beginning of a partial file, which is locked. Fails if the frames do not have the sum `written`.
pub fn find_frames(file: &File, written: FramesSum) -> io::Result<Vec<PackedFrame>> {
    let other = || io::Error::new(io::ErrorKind::InvalidData, "other frames than were written");
    // SAFETY: only this process writes the file.
    let bytes = unsafe { Bytes::map_file(file)? };
    let packed = bytes.in_memory().and_then(|bytes| bytes.get(..written.length as usize));
    let found = frames(packed.ok_or_else(other)?)?;
    if FramesSum::of(&found) == written { Ok(found) } else { Err(other()) }
}

/// Reads back the bytes of a table from its partial file, beginning with the byte `at`. If the table is packed, the file begins with `frames`,
/// and `at` has to be the first byte of a frame.
///
/// # Errors
/// If the file cannot be read, or no frame begins at `at`.
pub fn read_back(mut file: File, frames: FramesWritten, at: u64) -> io::Result<Box<dyn Read>> {
    let Some(frames) = frames else {
        file.seek(SeekFrom::Start(at))?;
        return Ok(Box::new(file));
    };
    let (mut packed, mut unpacked, mut frames) = (0, 0, frames.into_iter());
    while unpacked < at
        && let Some(frame) = frames.next()
    {
        packed += u64::from(frame.packed);
        unpacked += u64::from(frame.unpacked);
    }
    if unpacked != at {
        return Err(io::Error::other(format!("no frame begins at byte {at} of the table")));
    }
    file.seek(SeekFrom::Start(packed))?;
    Ok(Box::new(PackedReader { file, frames, waiting: Vec::new() }))
}

/// Unpacks the frames of a partial file in order.
struct PackedReader {
    /// The file, from which the next frame is read.
    file: File,
    frames: vec::IntoIter<PackedFrame>,
    /// Unpacked bytes that are not read yet.
    waiting: Vec<u8>,
}

impl Read for PackedReader {
    /// Fills the whole buffer if there are enough bytes. Frames are unpacked on all threads.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let (mut all, mut length) = (Vec::new(), self.waiting.len());
        while length < into.len()
            && let Some(frame) = self.frames.next()
        {
            let mut packed = vec![0; frame.packed as usize];
            self.file.read_exact(&mut packed)?;
            length += frame.unpacked as usize;
            all.push((packed, frame.unpacked));
        }
        let unpack = |unpacker: &mut FrameUnpacker, (packed, length): (Vec<u8>, u32)| {
            let mut unpacked = vec![0; length as usize];
            unpacker.unpack(&packed, &mut unpacked).map(|()| unpacked)
        };
        let unpacked = all.into_par_iter().map_init(FrameUnpacker::default, unpack);
        let unpacked = unpacked.collect::<io::Result<Vec<Vec<u8>>>>()?;
        let mut filled = 0;
        for bytes in iter::once(mem::take(&mut self.waiting)).chain(unpacked) {
            let (now, later) = bytes.split_at(bytes.len().min(into.len() - filled));
            into[filled..][..now.len()].copy_from_slice(now);
            filled += now.len();
            self.waiting.extend_from_slice(later);
        }
        Ok(filled)
    }
}
