//! Writes the bytes of a table to a partial file and reads them back. Callers need not know whether the file is packed.

use crate::files;
use crate::frames::FrameUnpacker;
use crate::packer::{FramesWritten, PackedFrame, Packer, Packing, frames};
use morpion_core::{Header, Source, fields};
use morpion_lookup::Bytes;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Resumes a table with this header after `written` bytes or, if it is packed, after these frames. The file is truncated there.
pub fn resume<'f>(
    mut file: &'f File,
    header: &Header,
    packing: Option<Packing>,
    written: u64,
    frames: FramesWritten,
) -> io::Result<Packer<BufWriter<&'f File>>> {
    let frames = frames.unwrap_or_default();
    let length = match packing {
        None => written,
        Some(_) => frames.iter().map(|frame| u64::from(frame.packed)).sum(),
    };
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length))?;
    Ok(Packer::resume(BufWriter::new(file), header, packing, frames))
}

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

/// The bytes of a table that are in its partial file.
pub struct ReadBack {
    file: File,
    /// The start of each frame in the file and in the table, and the frame; `None` if the table is not packed.
    frames: Option<Vec<(u64, u64, PackedFrame)>>,
    /// The place in the table from which the next bytes are read.
    at: u64,
}

impl ReadBack {
    /// Reads the bytes of the table in `file` from `at` on. If the table is packed, the file begins with `frames`.
    pub fn new(file: File, frames: Option<&[PackedFrame]>, at: u64) -> ReadBack {
        let places = |frames: &[PackedFrame]| {
            let next = |(packed, start): &mut (u64, u64), &frame: &PackedFrame| {
                let place = (*packed, *start, frame);
                (*packed, *start) =
                    (*packed + u64::from(frame.packed), *start + u64::from(frame.unpacked));
                Some(place)
            };
            frames.iter().scan((0, 0), next).collect()
        };
        ReadBack { file, frames: frames.map(places), at }
    }
}

impl Read for ReadBack {
    /// Fills the whole buffer. Frames are unpacked on all threads.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let offset = self.at;
        self.at += into.len() as u64;
        let Some(frames) = &self.frames else {
            return files::read_at(&self.file, offset, into).map(|()| into.len());
        };
        let end = offset + into.len() as u64;
        let first = frames.partition_point(|&(_, start, _)| start <= offset).saturating_sub(1);
        let last = frames.partition_point(|&(_, start, _)| start < end);
        let needed = &frames[first.min(last)..last];
        let unpack = |unpacker: &mut FrameUnpacker, place: &(u64, u64, PackedFrame)| {
            let (packed, _, frame) = *place;
            let mut bytes = vec![0; frame.packed as usize];
            files::read_at(&self.file, packed, &mut bytes)?;
            let mut unpacked = vec![0; frame.unpacked as usize];
            unpacker.unpack(&bytes, &mut unpacked).map(|()| unpacked)
        };
        let unpacked = needed.par_iter().map_init(FrameUnpacker::default, unpack);
        let unpacked = unpacked.collect::<io::Result<Vec<Vec<u8>>>>()?;
        let mut filled = 0;
        for (bytes, &(_, start, _)) in unpacked.iter().zip(needed) {
            let before = (offset + filled as u64 - start) as usize;
            let rest = bytes.get(before..).unwrap_or_default();
            let length = rest.len().min(into.len() - filled);
            into[filled..][..length].copy_from_slice(&rest[..length]);
            filled += length;
        }
        let is_whole = filled == into.len();
        is_whole.then_some(filled).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}
