//! Packed bytes are the table's, or a named error: whatever is cut off, changed or claimed.
#![cfg(feature = "packed")]

use crate::vectors;
use morpion_core::{MAX_FRAME, MAX_FRAMES, seek_table};
use morpion_lookup::{Bytes, ErrorKind, Packed, Position, ProbeError, Source, Table, TableError};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

const SWAP: &[u8] = include_bytes!("../packed/swap.morpion.zst");

fn unpacked(packed: &[u8]) -> Result<Vec<u8>, String> {
    let packed = Packed::open(packed).map_err(|error| error.to_string())?;
    let mut bytes = vec![0; packed.size() as usize];
    packed.read_at(0, &mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn plain() -> Vec<u8> {
    Table::builtin("swap").unwrap().source().in_memory().unwrap().to_vec()
}

/// Packed bytes with a cache of this size.
fn with_cache<S: Source>(source: S, cache: usize) -> Packed<S> {
    let packed = Packed::open(source).unwrap();
    packed.set_cache(cache);
    packed
}

#[test]
fn packed_bytes_are_those_of_the_table() {
    let is_packed = |bytes: Bytes| Bytes::detect(bytes).unwrap().packed().is_some();
    assert!(is_packed(SWAP.into()));
    assert!(!is_packed(plain().into()));
    assert_eq!(unpacked(SWAP).unwrap(), plain());
    let packed = Packed::open(SWAP).unwrap();
    assert!(packed.frame_count() > 3 && *packed.get_ref() == SWAP);
}

#[test]
fn all_vectors_are_answered_from_packed_files() {
    let file = |name: &str| vectors::folder().join(format!("packed/{name}.morpion.zst"));
    vectors::check(&|name| Table::from_source(Bytes::open(file(name)).unwrap()).unwrap());
    vectors::check(&|name| {
        let far_away = Changing::new(std::fs::read(file(name)).unwrap());
        Table::from_source(with_cache(far_away, 0)).unwrap()
    });
}

#[test]
fn no_truncation_opens() {
    for length in 0..SWAP.len() {
        let error = Packed::open(&SWAP[..length]).err().expect("no seek table");
        assert_eq!(error.kind(), ErrorKind::Packed, "{length}");
    }
}

/// Outcomes of flipped bits.
#[derive(Debug, Default)]
struct Flips {
    tried: u32,
    refused: u32,
    right: u32,
    wrong: u32,
}

impl Flips {
    /// Flips one bit, opens the table and compares with `plain` what can be read of `part`, 1 KiB at a time.
    fn try_bit(&mut self, packed: &mut [u8], plain: &[u8], bit: usize, part: Range<usize>) {
        packed[bit / 8] ^= 1 << (bit % 8);
        let opened = Packed::open(&*packed).ok().and_then(|packed| Table::from_source(packed).ok());
        self.tried += 1;
        let (mut refused, mut wrong) = (opened.is_none(), false);
        if let Some(table) = opened {
            let mut bytes = vec![0; 1 << 10];
            for start in part.clone().step_by(bytes.len()) {
                let length = bytes.len().min(part.end - start);
                match table.source().read_at(start as u64, &mut bytes[..length]) {
                    Ok(()) => wrong |= bytes[..length] != plain[start..start + length],
                    Err(_) => refused = true,
                }
            }
        }
        self.wrong += u32::from(wrong);
        self.refused += u32::from(refused && !wrong);
        self.right += u32::from(!refused && !wrong);
        packed[bit / 8] ^= 1 << (bit % 8);
    }
}

/// A packed file, its table, and for each frame its packed and its unpacked end.
struct Packing {
    packed: Vec<u8>,
    plain: Vec<u8>,
    ends: Vec<(usize, usize)>,
}

impl Packing {
    fn read(file: &Path) -> Packing {
        let packed = std::fs::read(file).unwrap();
        let plain = unpacked(&packed).unwrap();
        let frames = Packed::open(&packed[..]).unwrap().frame_count();
        let seek_table = packed.len() - (8 + frames * 8 + 9);
        let mut ends = Vec::new();
        for entry in packed[seek_table + 8..].chunks(8).take(frames) {
            let [packed, unpacked] =
                [0, 4].map(|at| u32::from_le_bytes(entry[at..at + 4].try_into().unwrap()) as usize);
            let (before, start) = ends.last().copied().unwrap_or_default();
            ends.push((before + packed, start + unpacked));
        }
        assert_eq!(ends[frames - 1], (seek_table, plain.len()));
        Packing { packed, plain, ends }
    }

    fn bits(&self) -> usize {
        self.packed.len() * 8
    }

    fn bits_of_frames(&self) -> usize {
        self.ends[self.ends.len() - 1].0 * 8
    }

    /// Flips one bit and reads what it can change: the table's part in the frame of the bit, or all of it if the bit is in
    /// the seek table.
    fn flip(&mut self, bit: usize, flips: &mut Flips) {
        let frame = self.ends.partition_point(|&(end, _)| end <= bit / 8);
        let start = |frame: usize| frame.checked_sub(1).map_or(0, |before| self.ends[before].1);
        let part = match self.ends.get(frame) {
            Some(&(_, end)) => start(frame)..end,
            None => 0..self.plain.len(),
        };
        flips.try_bit(&mut self.packed, &self.plain, bit, part);
    }
}

/// Every bit of the small tables, or one of each `step`.
fn flip_small_tables(step: usize) {
    let mut flips = Flips::default();
    for file in std::fs::read_dir(vectors::folder().join("packed")).unwrap() {
        let mut packing = Packing::read(&file.unwrap().path());
        (0..packing.bits()).step_by(step).for_each(|bit| packing.flip(bit, &mut flips));
    }
    println!("small tables: {flips:?}");
    assert_eq!(flips.wrong, 0);
    // A few bits of Zstandard's frames have no meaning.
    assert!(flips.refused > flips.tried / 100 * 99, "{flips:?}");
}

#[test]
fn flipped_bits_change_no_answer_without_an_error() {
    // One bit in about three bytes, the lowest as often as the highest.
    flip_small_tables(25);
    flip_large_table(200);
}

#[test]
#[ignore = "long: every bit of small tables and 10,000 bits of a large one, about 20 s; .ci/run runs it"]
fn no_flipped_bit_changes_an_answer_without_an_error() {
    flip_small_tables(1);
    flip_large_table(5_000);
}

/// As many bits of teeko's frames, and as many of its seek table.
fn flip_large_table(turns: usize) {
    let mut teeko = Packing::read(&vectors::folder().join("../../tables/teeko.morpion.zst"));
    let (mut in_frames, mut in_seek_table) = (Flips::default(), Flips::default());
    let (frames, all) = (teeko.bits_of_frames(), teeko.bits());
    for turn in 0..turns {
        teeko.flip(turn * 1_000_003 % frames, &mut in_frames);
        teeko.flip(frames + turn * 1_009 % (all - frames), &mut in_seek_table);
    }
    println!("teeko's frames: {in_frames:?}, its seek table: {in_seek_table:?}");
    assert_eq!((in_frames.wrong, in_seek_table.wrong), (0, 0));
    assert_eq!(in_seek_table.refused, in_seek_table.tried);
}

/// Bytes that change under the table that is read from them.
#[derive(Clone)]
struct Changing(Arc<Mutex<Vec<u8>>>);

impl Changing {
    fn new(bytes: Vec<u8>) -> Changing {
        Changing(Arc::new(Mutex::new(bytes)))
    }
}

impl Source for Changing {
    fn size(&self) -> u64 {
        self.0.lock().unwrap().len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        self.0.lock().unwrap().read_at(offset, into)
    }
}

#[test]
fn a_table_with_a_damaged_frame_answers_right_or_says_so() {
    let whole = Table::builtin("swap").unwrap();
    let bytes = Changing::new(SWAP.to_vec());
    let packed = with_cache(bytes.clone(), 0);
    let table = Table::from_source(packed).unwrap();
    let (mut right, mut refused) = (0, 0);
    for at in (0..SWAP.len()).step_by(100) {
        let flip = || bytes.0.lock().unwrap()[at] ^= 0xff;
        flip();
        for (mover, waiter) in (0..1 << 9).flat_map(|mover| (0..1 << 9).map(move |w| (mover, w))) {
            let position = Position { mover, waiter };
            let Ok(score) = whole.probe(position) else { continue };
            match table.probe(position) {
                Ok(found) => {
                    assert_eq!(found, score, "byte {at}");
                    right += 1;
                }
                Err(ProbeError::Read(_)) => refused += 1,
                Err(other) => panic!("{other}"),
            }
        }
        flip();
    }
    assert!(right > 0 && refused > 0, "{right} right, {refused} refused");
}

#[test]
fn a_seek_table_that_lies_is_refused() {
    let frame = &SWAP[..SWAP.len() - 9];
    let with = |frames: &[(u32, u32)]| {
        let mut bytes = frame.to_vec();
        bytes.extend(seek_table(frames));
        bytes
    };
    let length = frame.len() as u32;
    for (frames, what) in [
        (&[(length - 1, length)][..], "frames of"),
        (&[(length, 0)], "unpack to 0"),
        (&[(length, u32::MAX)], "unpack to 4294967295"),
        (&[(length, length - 70)], "expected at most"),
        (&[(0, 5), (length, 5)], "of 0 bytes"),
        (&[], "frames of 0 bytes"),
    ] {
        let error = Packed::open(with(frames)).err().unwrap().to_string();
        assert!(error.contains(what), "{error}");
    }
    // Lengths that fit the file but not the frame itself.
    let error = unpacked(&with(&[(length, length)])).unwrap_err();
    assert!(error.contains("frame 0"), "{error}");
}

#[test]
fn a_small_file_that_claims_more_than_any_memory_is_refused() {
    let frames = vec![(1, MAX_FRAME); MAX_FRAMES as usize];
    let mut bytes = SWAP[..4].to_vec();
    bytes.resize(frames.len(), 0);
    bytes.extend(seek_table(&frames));
    let error = Bytes::detect(bytes.into()).unwrap().loaded().err().unwrap().to_string();
    // A system that promises more memory than it has lets the first frame be read.
    assert!(error.contains("do not fit in memory") || error.contains("frame 0"), "{error}");
}

/// A source of zeros with an end, which counts the bytes of its longest read.
struct Sparse {
    size: u64,
    end: Vec<u8>,
    longest: Arc<Mutex<usize>>,
}

impl Source for Sparse {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), TableError> {
        let mut longest = self.longest.lock().unwrap();
        *longest = into.len().max(*longest);
        into.fill(0);
        let end = self.size - self.end.len() as u64;
        let from = offset.max(end);
        let bytes = &self.end[(from - end) as usize..];
        let into = into.get_mut((from - offset) as usize..).unwrap_or_default();
        let length = into.len().min(bytes.len());
        into[..length].copy_from_slice(&bytes[..length]);
        Ok(())
    }
}

/// Opens frames of these lengths without content, and returns the error and the bytes of the longest read.
fn hostile(frames: &[(u32, u32)]) -> (String, usize) {
    let end = seek_table(frames);
    let packed: u64 = frames.iter().map(|frame| u64::from(frame.0)).sum();
    let longest = Arc::new(Mutex::new(0));
    let source = Sparse { size: packed + end.len() as u64, end, longest: longest.clone() };
    let mut bytes = vec![0; 16 << 20];
    let opened = Packed::open(source).and_then(|packed| packed.read_at(0, &mut bytes));
    let longest = *longest.lock().unwrap();
    (opened.unwrap_err().to_string(), longest)
}

#[test]
fn no_seek_table_makes_a_reader_fetch_much_at_once() {
    // A frame that Zstandard itself could have written for bytes that it cannot compress.
    let most = MAX_FRAME + MAX_FRAME / 256 + 64;
    for (frames, what) in [
        (vec![(u32::MAX, MAX_FRAME); 64], "expected at most 8421440"),
        (vec![(most + 1, MAX_FRAME); 64], "expected at most 8421440"),
        (vec![(most, MAX_FRAME); 64], "frame 0"),
        (vec![(66, 1)], "expected at most 65"),
        (vec![(65, 1); 1000], "bytes at 0 of 1000"),
        (vec![(65, 1 << 10); MAX_FRAMES as usize], "frame 0"),
        (vec![(1, 1); MAX_FRAMES as usize + 1], "2097153 frames, expected at most 2097152"),
    ] {
        let (error, longest) = hostile(&frames);
        assert!(error.contains(what), "{error}");
        assert!(longest <= 17 << 20, "{what}: a read of {longest} bytes");
    }
}

#[test]
fn the_smallest_cache_answers_as_the_largest_does() {
    let [small, large] =
        [0, usize::MAX].map(|cache| Table::from_source(with_cache(SWAP, cache)).unwrap());
    let start = large.game().start().raw;
    assert_eq!(small.probe(start).unwrap(), large.probe(start).unwrap());
    assert_eq!(small.best_move(start).unwrap(), large.best_move(start).unwrap());
}

#[test]
fn any_range_of_bytes_is_read_from_a_source_far_away_whatever_is_kept() {
    let plain = plain();
    for cache in [0, 400, 1000, usize::MAX] {
        let packed = with_cache(Changing::new(SWAP.to_vec()), cache);
        for (turn, start) in (0..plain.len()).step_by(61).enumerate() {
            // Forwards and backwards in turn, so that frames are let go of on either side.
            let start = if turn % 2 == 0 { start } else { plain.len() - start };
            for length in [0, 1, 63, 200, 700, 1500] {
                let end = (start + length).min(plain.len());
                let mut bytes = vec![0; end - start];
                packed.read_at(start as u64, &mut bytes).unwrap();
                assert!(bytes == plain[start..end], "{start}..{end} with {cache} bytes kept");
            }
        }
        assert!(packed.read_at(plain.len() as u64, &mut [0]).is_err());
        assert!(packed.read_at(u64::MAX, &mut [0]).is_err());
    }
}

#[test]
fn files_of_either_kind_are_told_apart_by_their_bytes() {
    for (bytes, packed) in [(SWAP.to_vec(), true), (plain(), false)] {
        let file = Bytes::detect(Bytes::from(bytes)).unwrap();
        assert_eq!(file.packed().is_some(), packed);
        let file = file.loaded().unwrap();
        assert_eq!(file.in_memory().unwrap(), plain());
        assert!(Table::from_source(file).is_ok());
    }
}
