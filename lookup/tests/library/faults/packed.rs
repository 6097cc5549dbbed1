//! Faults of packed files: frames and seek tables.

use super::Refused;
use crate::vectors;
use ErrorKind::{Length, Packed};
use morpion_core::seek_table;
use morpion_lookup::ErrorKind;

/// A packed table: its frames, and their lengths.
struct Frames {
    bytes: Vec<u8>,
    lengths: Vec<(u32, u32)>,
}

impl Frames {
    fn wheel() -> Frames {
        let file = vectors::folder().join("packed/wheel.morpion.zst");
        let mut bytes = std::fs::read(file).unwrap();
        let word = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
        let count = word(bytes.len() - 9) as usize;
        let first = bytes.len() - 9 - 8 * count;
        let lengths =
            (0..count).map(|frame| (word(first + 8 * frame), word(first + 8 * frame + 4)));
        let lengths = lengths.collect();
        bytes.truncate(first - 8);
        Frames { bytes, lengths }
    }

    fn file(self) -> Vec<u8> {
        [self.bytes, seek_table(&self.lengths)].concat()
    }

    /// The file with other lengths.
    fn with_lengths(change: impl FnOnce(&mut Vec<(u32, u32)>)) -> Vec<u8> {
        let mut frames = Frames::wheel();
        change(&mut frames.lengths);
        frames.file()
    }

    /// The file with `count` bytes of the first frame replaced, from byte `at` on.
    fn with_bytes(at: usize, count: usize, bytes: &[u8]) -> Vec<u8> {
        let mut frames = Frames::wheel();
        frames.bytes.splice(at..at + count, bytes.iter().copied());
        frames.lengths[0].0 = frames.lengths[0].0 + bytes.len() as u32 - count as u32;
        frames.file()
    }

    /// The file whose first frame and its seek table state a length that differs by this from that of its blocks.
    fn stating(by: i16) -> Vec<u8> {
        let mut frames = Frames::wheel();
        let stated = u16::from_le_bytes([frames.bytes[5], frames.bytes[6]]);
        frames.bytes[5..7].copy_from_slice(&stated.wrapping_add_signed(by).to_le_bytes());
        frames.lengths[0].1 = frames.lengths[0].1.wrapping_add_signed(by.into());
        frames.file()
    }
}

/// Faults of packed files.
pub(super) fn all() -> Vec<Refused> {
    let end = |back: usize, byte: u8| {
        let mut bytes = Frames::wheel().file();
        let at = bytes.len() - back;
        bytes[at] = byte;
        bytes
    };
    let count = Frames::wheel().lengths.len();
    let sum = Frames::wheel().lengths[0].0 as usize - 4;
    let flags = Frames::wheel().bytes[4];
    let files = [
        ("seek-table-missing", Frames::wheel().bytes),
        ("seek-table-cut", Frames::wheel().file()[..700].to_vec()),
        ("seek-table-magic", end(1, 0x8e)),
        ("seek-table-flags", end(5, 1)),
        ("seek-table-of-2-to-the-24-frames", end(6, 1)),
        ("seek-table-of-2097153-frames", {
            let mut frames = Frames::wheel();
            frames.lengths.resize((1 << 21) + 1, (1, 1));
            let file = frames.file();
            // Without most of the seek table, whose end alone is refused.
            [&file[..700], &file[file.len() - 9..]].concat()
        }),
        ("seek-table-length", end(9 + 8 * count + 4, 0)),
        ("seek-table-skippable", end(9 + 8 * count + 8, 0x5f)),
        ("seek-table-of-fewer-bytes", Frames::with_lengths(|lengths| lengths[1].0 -= 1)),
        ("frame-of-no-packed-bytes", Frames::with_lengths(|lengths| lengths.push((0, 1)))),
        ("frame-of-no-unpacked-bytes", Frames::with_lengths(|lengths| lengths[1].1 = 0)),
        ("frame-of-more-than-8-mib", Frames::with_lengths(|lengths| lengths[1].1 = (8 << 20) + 1)),
        ("frame-longer-than-its-bound", {
            let mut frames = Frames::wheel();
            frames.lengths.push((66, 1));
            frames.bytes.extend([0; 66]);
            frames.file()
        }),
        ("frame-of-4-gib", Frames::with_lengths(|lengths| lengths[1].0 = u32::MAX)),
        ("frame-of-another-length", Frames::with_lengths(|lengths| lengths[0].1 += 1)),
        ("frame-without-a-length", Frames::with_bytes(4, 3, &[0x04, 0x58])),
        ("frame-with-a-dictionary", Frames::with_bytes(4, 1, &[flags | 1, 7])),
        ("frame-with-the-dictionary-0", Frames::with_bytes(4, 1, &[flags | 1, 0])),
        ("frame-with-too-large-a-window", Frames::with_bytes(4, 1, &[flags & !0x20, 0x69])),
        ("frame-with-a-skippable-frame", {
            Frames::with_bytes(sum + 4, 0, &[0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 0])
        }),
        ("frame-of-fewer-bytes-than-it-states", Frames::stating(1)),
        ("frame-of-more-bytes-than-it-states", Frames::stating(-1)),
        ("frame-with-a-reserved-bit", Frames::with_bytes(4, 1, &[flags | 8])),
        ("frame-without-a-sum", {
            let mut frames = Frames::wheel();
            frames.bytes[4] = flags & !4;
            frames.bytes.drain(sum..sum + 4);
            frames.lengths[0].0 -= 4;
            frames.file()
        }),
        ("frame-sum", Frames::with_bytes(sum, 1, &[Frames::wheel().bytes[sum] ^ 1])),
        ("frame-with-a-byte-more", Frames::with_bytes(sum + 4, 0, &[0])),
    ];
    let mut refused: Vec<Refused> = files
        .into_iter()
        .map(|(name, bytes)| Refused { file: format!("{name}.morpion.zst"), kind: Packed, bytes })
        .collect();
    refused.push(Refused {
        file: "frame-after-the-table.morpion.zst".into(),
        kind: Length,
        bytes: {
            let mut frames = Frames::wheel();
            let last = frames.lengths[count - 1];
            let again = frames.bytes[frames.bytes.len() - last.0 as usize..].to_vec();
            frames.bytes.extend(again);
            frames.lengths.push(last);
            frames.file()
        },
    });
    refused
}
