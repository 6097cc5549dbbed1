//! Packed bytes are the table's, or a named error: whatever is cut off, changed or claimed.
#![cfg(feature = "packed")]

mod vectors;

use morpion_lookup::raw::seek_table;
use morpion_lookup::{
    Bytes, MAX_FRAME, Packed, PackedError, Position, ProbeError, ReadError, Source, Table,
    TableFile, builtin, is_packed,
};
use std::sync::Mutex;

const SWAP: &[u8] = include_bytes!("packed/swap.morpion.zst");

fn unpacked(packed: &[u8]) -> Result<Vec<u8>, String> {
    let packed = Packed::open(packed).map_err(|error| error.to_string())?;
    let mut bytes = vec![0; packed.size() as usize];
    packed.read_at(0, &mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn plain() -> Vec<u8> {
    builtin("swap").unwrap().source().as_ref().to_vec()
}

#[test]
fn packed_bytes_are_those_of_the_table() {
    assert!(is_packed(&SWAP).unwrap());
    assert!(!is_packed(&plain()).unwrap());
    assert_eq!(unpacked(SWAP).unwrap(), plain());
    assert!(Packed::open(SWAP).unwrap().frame_count() > 3);
}

#[test]
fn all_vectors_are_answered_from_packed_files() {
    let file = |name: &str| vectors::folder().join(format!("packed/{name}.morpion.zst"));
    vectors::check(|name| Table::open(TableFile::read(file(name)).unwrap()).unwrap());
    vectors::check(|name| {
        let far_away = Changing(Mutex::new(std::fs::read(file(name)).unwrap()));
        Table::open(Packed::with_cache(far_away, 0).unwrap()).unwrap()
    });
}

#[test]
fn no_truncation_opens() {
    for length in 0..SWAP.len() {
        assert!(
            matches!(Packed::open(&SWAP[..length]), Err(PackedError::SeekTable(_))),
            "{length}"
        );
    }
}

#[test]
fn a_damaged_byte_is_found_or_does_no_harm() {
    let plain = plain();
    let mut found = 0;
    for at in 0..SWAP.len() {
        for bit in 0..8 {
            let mut damaged = SWAP.to_vec();
            damaged[at] ^= 1 << bit;
            match unpacked(&damaged) {
                Ok(bytes) => assert!(bytes == plain, "bit {bit} of byte {at}"),
                Err(_) => found += 1,
            }
        }
    }
    // Zstandard has a few bits that say nothing.
    assert!(found * 100 > SWAP.len() * 8 * 99, "{found} of {} are found", SWAP.len() * 8);
}

/// Bytes that change under the table that is read from them.
struct Changing(Mutex<Vec<u8>>);

impl Source for Changing {
    fn size(&self) -> u64 {
        self.0.lock().unwrap().len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), ReadError> {
        self.0.lock().unwrap().read_at(offset, into)
    }
}

#[test]
fn a_table_with_a_damaged_frame_answers_right_or_says_so() {
    let whole = builtin("swap").unwrap();
    let packed = Packed::with_cache(Changing(Mutex::new(SWAP.to_vec())), 0).unwrap();
    let table = Table::open(packed).unwrap();
    let (mut right, mut refused) = (0, 0);
    for at in (0..SWAP.len()).step_by(100) {
        let flip = || table.source().get_ref().0.lock().unwrap()[at] ^= 0xff;
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
        (&[(length - 1, 100)][..], "frames of"),
        (&[(length, 0)], "unpack to 0"),
        (&[(length, u32::MAX)], "unpack to 4294967295"),
        (&[(0, 5), (length, 5)], "of 0 bytes"),
        (&[], "frames of 0 bytes"),
    ] {
        let error = Packed::open(with(frames)).err().unwrap().to_string();
        assert!(error.contains(what), "{error}");
    }
    // Lengths that fit the file but not the frame itself.
    let error = unpacked(&with(&[(length, 100)])).unwrap_err();
    assert!(error.contains("frame 0"), "{error}");
}

#[test]
fn a_small_file_that_claims_more_than_any_memory_is_refused() {
    let frames = vec![(1, MAX_FRAME); 120_000];
    let mut bytes = SWAP[..4].to_vec();
    bytes.resize(frames.len(), 0);
    bytes.extend(seek_table(&frames));
    let error = TableFile::new(bytes.into()).unwrap().unpacked().err().unwrap().to_string();
    // A system that promises more memory than it has lets the first frame be read.
    assert!(error.contains("do not fit in memory") || error.contains("frame 0"), "{error}");
}

#[test]
fn the_smallest_cache_answers_as_the_largest_does() {
    let (small, large) = (
        Table::open(Packed::with_cache(SWAP, 0).unwrap()).unwrap(),
        Table::open(Packed::with_cache(SWAP, usize::MAX).unwrap()).unwrap(),
    );
    let (start, _) = large.game().start();
    assert_eq!(small.probe(start).unwrap(), large.probe(start).unwrap());
    assert_eq!(small.best(start).unwrap(), large.best(start).unwrap());
}

#[test]
fn any_range_of_bytes_is_read_from_a_source_far_away_whatever_is_kept() {
    let plain = plain();
    for cache in [0, 400, 1000, usize::MAX] {
        let packed = Packed::with_cache(Changing(Mutex::new(SWAP.to_vec())), cache).unwrap();
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
        let file = TableFile::new(Bytes::from(bytes)).unwrap();
        assert_eq!(matches!(file, TableFile::Packed(_)), packed);
        let file = file.unpacked().unwrap();
        assert_eq!(file.in_memory().unwrap(), plain());
        assert!(Table::open(file).is_ok());
    }
}
