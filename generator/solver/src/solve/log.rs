//! The log of a stored block: newly decided entries, which are appended so that the block is not packed again for them.
//!
//! A record has the number of a strip in its block, the form of its body, a code and the length of the body. The body has
//! entries of one strip that get one code: the differences of their ascending keys as variable-length numbers or, if there are many
//! keys, a bit for each entry of the strip. A mark has a distance instead of a code: all entries up to this distance are before the mark.

use crate::solve::code::Code;
use crate::solve::exchange::beyond;
use crate::solve::store::OldBlock;
use morpion_core::rank::cells;
use std::io;

/// Forms of a record's body.
const KEYS: u8 = 0;
const BITS: u8 = 1;
const MARK: u8 = 2;

/// Length of a record before its body.
const HEAD: usize = 8;

/// A record for the end of a log that has all entries up to `distance`.
pub fn mark(distance: u16) -> Vec<u8> {
    let mut log = Vec::new();
    push(&mut log, 0, MARK, distance, |_| {});
    log
}

/// Adds a record of entries of one strip. `bits` has a bit for each entry of the strip, of which `count` are set.
pub(crate) fn add(log: &mut Vec<u8>, strip: usize, code: u16, bits: &[u64], count: usize) {
    if count > bits.len() * 64 / 9 {
        push(log, strip, BITS, code, |log| {
            log.extend(bits.iter().flat_map(|word| word.to_le_bytes()));
        });
        return;
    }
    push(log, strip, KEYS, code, |log| {
        let mut before = 0;
        for (word, &bits) in bits.iter().enumerate() {
            for key in cells(bits).map(|bit| word * 64 + usize::from(bit)) {
                let mut rest = key - before;
                while rest >= 1 << 7 {
                    log.push(rest as u8 | 1 << 7);
                    rest >>= 7;
                }
                log.push(rest as u8);
                before = key;
            }
        }
    });
}

fn push(log: &mut Vec<u8>, strip: usize, form: u8, code: u16, body: impl FnOnce(&mut Vec<u8>)) {
    let start = log.len();
    log.extend([strip as u8, form]);
    log.extend(code.to_le_bytes());
    log.extend([0; 4]);
    body(log);
    let length = (log.len() - start - HEAD) as u32;
    log[start + 4..start + HEAD].copy_from_slice(&length.to_le_bytes());
}

/// A record of entries.
struct Record<'l> {
    strip: usize,
    form: u8,
    code: u16,
    body: &'l [u8],
}

/// The records of a stored block.
pub(crate) struct Log<'l> {
    records: Vec<Record<'l>>,
    /// The greatest distance of a mark.
    pub mark: Option<u16>,
}

impl<'l> Log<'l> {
    /// Reads the log of a block.
    ///
    /// # Errors
    /// If the log is not a sequence of records.
    pub fn of(block: &'l dyn OldBlock) -> io::Result<Log<'l>> {
        let mut log = Log { records: Vec::new(), mark: None };
        for mut rest in block.log() {
            while let Some((&[strip, form, low, high, ref length @ ..], after)) =
                rest.split_first_chunk::<HEAD>()
            {
                let length = u32::from_le_bytes(*length) as usize;
                let (body, next) = after.split_at_checked(length).ok_or_else(beyond)?;
                let code = u16::from_le_bytes([low, high]);
                match form {
                    MARK => log.mark = log.mark.max(Some(code)),
                    _ => log.records.push(Record { strip: strip.into(), form, code, body }),
                }
                rest = next;
            }
        }
        Ok(log)
    }

    /// Writes the entries of one strip of the block.
    ///
    /// # Errors
    /// If a key is beyond the end of the strip.
    pub fn apply<E: Code>(&self, strip: usize, codes: &mut [E]) -> io::Result<()> {
        for record in self.records.iter().filter(|record| record.strip == strip) {
            let mut put = |key: usize| {
                *codes.get_mut(key).ok_or_else(beyond)? = E::new(record.code);
                io::Result::Ok(())
            };
            if record.form == BITS {
                for (word, &bits) in record.body.as_chunks().0.iter().enumerate() {
                    let mut keys = cells(u64::from_le_bytes(bits));
                    keys.try_for_each(|bit| put(word * 64 + usize::from(bit)))?;
                }
                continue;
            }
            let (mut key, mut part, mut shift) = (0, 0, 0);
            for &byte in record.body {
                part |= usize::from(byte & 0x7f) << shift;
                shift = (shift + 7) % 56;
                if byte < 1 << 7 {
                    key += part;
                    put(key)?;
                    (part, shift) = (0, 0);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Block(Vec<Vec<u8>>);

    impl OldBlock for Block {
        fn read(&self, _: usize, _: &mut [u8]) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }

        fn log(&self) -> Vec<&[u8]> {
            self.0.iter().map(|bytes| &bytes[..]).collect()
        }
    }

    #[test]
    fn entries_are_read_back_from_keys_and_bits_of_their_strip() {
        for step in [1, 2, 9, 100, 1000, 40_000] {
            let entries = 64 * 1000;
            let (mut bits, mut expected) = (vec![0u64; 1000], vec![0u8; entries]);
            let keys: Vec<usize> = (0..entries).skip(step / 2).step_by(step).collect();
            for &key in &keys {
                bits[key / 64] |= 1 << (key % 64);
                expected[key] = 5;
            }
            let mut log = Vec::new();
            add(&mut log, 3, 5, &bits, keys.len());
            assert!(log.len() <= HEAD + (3 * keys.len()).min(entries / 8), "{step}");
            add(&mut log, 4, 9, &[1], 1);
            let block = Block(vec![log, mark(7), mark(2)]);
            let log = Log::of(&block).unwrap();
            assert_eq!(log.mark, Some(7));
            let mut codes = vec![0u8; entries];
            log.apply(3, &mut codes).unwrap();
            assert!(codes == expected, "{step}");
            log.apply(4, &mut codes).unwrap();
            assert_eq!(codes[0], 9);
            assert!(log.apply::<u8>(4, &mut []).is_err());
        }
    }

    #[test]
    fn bytes_that_are_not_records_are_refused() {
        let mut log = mark(1);
        log[4] = 1;
        assert!(Log::of(&Block(vec![log])).is_err());
    }
}
