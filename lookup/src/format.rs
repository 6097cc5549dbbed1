//! The bytes of a table file; `tables/FORMAT.md` is the same in words. bincode appears in this module and nowhere else.
//!
//! ```text
//! magic (8) │ version u32 │ header length u32 │ header │ xxh3-64 of all before │ zeros to 64 │ body │ sums │ sum of sums
//! ```
//!
//! The body of a table: the maps (set → row and symmetry) and the layers, each from a multiple of 64 bytes, and the
//! census behind its length. The sums are one xxh3-64 for each MiB of everything before them.

use crate::error::TableError;
use crate::game::{Counts, Game};
use crate::rank::binomial;
use crate::rules::Rules;
use crate::score::Encoding;
use crate::symmetry::Permutation;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use bincode::config::{self, Config};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The version of the format that this library writes and reads.
pub const VERSION: u32 = 1;

/// The first eight bytes of a table.
pub const MAGIC: [u8; 8] = *b"\x89MORPION";

/// The unit of alignment: header and sections begin at multiples of it.
pub const ALIGNMENT: u64 = 64;

/// How many bytes one checksum covers.
pub const SUM_UNIT: u64 = 1 << 20;

/// The longest header or census that is read, in bytes.
pub const METADATA_LIMIT: usize = 1 << 22;

/// The largest group whose elements are written out; see `tables/FORMAT.md`.
pub const MAX_SYMMETRIES: usize = 1024;

fn configuration() -> impl Config {
    config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<METADATA_LIMIT>()
}

/// The first eight bytes of what a build keeps to go on from.
pub const CHECKPOINT_MAGIC: [u8; 8] = *b"\x89MORPCKP";

/// Serialises a header or another small structure: fields in order, integers little endian and of fixed width, lengths
/// and counts as `u64`, variants as `u32`, options as a byte 0 or 1 before the value.
///
/// # Errors
/// Where the result is longer than [`METADATA_LIMIT`].
pub fn serialise(value: &impl Serialize) -> Result<Vec<u8>, TableError> {
    let bytes = bincode::serde::encode_to_vec(value, configuration()).map_err(malformed)?;
    if bytes.len() > METADATA_LIMIT {
        return Err(TableError::Header(format!(
            "{} bytes, expected at most {METADATA_LIMIT}",
            bytes.len()
        )));
    }
    Ok(bytes)
}

/// Reads what [`serialise`] wrote; all bytes have to be used.
///
/// # Errors
/// Where the bytes are no such structure.
pub fn deserialise<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, TableError> {
    let (value, used) =
        bincode::serde::decode_from_slice(bytes, configuration()).map_err(malformed)?;
    if used != bytes.len() {
        return Err(TableError::Header(format!("{} bytes, expected {used}", bytes.len())));
    }
    Ok(value)
}

fn malformed(error: impl ToString) -> TableError {
    TableError::Header(error.to_string())
}

/// Rounds up to a multiple of [`ALIGNMENT`]; `None` beyond 2⁶⁴.
pub fn aligned(offset: u64) -> Option<u64> {
    offset.checked_next_multiple_of(ALIGNMENT)
}

/// The bytes before the body: magic, version, the header with its length and sum, zeros up to [`ALIGNMENT`].
///
/// # Errors
/// Where the header is too long.
pub fn frame(magic: [u8; 8], header: &impl Serialize) -> Result<Vec<u8>, TableError> {
    let header = serialise(header)?;
    let mut bytes = Vec::with_capacity(header.len() + 128);
    bytes.extend(magic);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header);
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT as usize), 0);
    Ok(bytes)
}

/// Reads what [`frame`] wrote from the beginning of `bytes`: the header and where the body begins.
///
/// # Errors
/// Other magic, another version, a truncated file, a wrong sum, a malformed header, padding that is not zero.
pub fn unframe<T: DeserializeOwned>(magic: [u8; 8], bytes: &[u8]) -> Result<(T, u64), TableError> {
    if bytes.get(..8) != Some(&magic[..]) {
        return Err(TableError::Magic);
    }
    let short = |expected: usize| TableError::Length {
        found: bytes.len() as u64,
        expected: expected as u64,
    };
    let word = |at: usize| read_u32(bytes, at as u64).ok_or_else(|| short(16));
    let version = word(8)?;
    if version != VERSION {
        return Err(TableError::Version { found: version, expected: VERSION });
    }
    let length = word(12)? as usize;
    if length > METADATA_LIMIT {
        return Err(TableError::Header(format!(
            "{length} bytes, expected at most {METADATA_LIMIT}"
        )));
    }
    let end = 16 + length;
    let body = (end + 8).next_multiple_of(ALIGNMENT as usize);
    let padding = bytes.get(end + 8..body).ok_or_else(|| short(body))?;
    let expected = read_u64(bytes, end as u64).ok_or_else(|| short(body))?;
    let found = xxh3_64(&bytes[..end]);
    if found != expected {
        return Err(TableError::Checksum { part: "the header".into(), found, expected });
    }
    if padding.iter().any(|&byte| byte != 0) {
        return Err(TableError::Header("padding that is not zero".into()));
    }
    Ok((deserialise(&bytes[16..end])?, body as u64))
}

/// How long the sums of a file are that has `before` bytes before them, in bytes.
pub fn sums_length(before: u64) -> u64 {
    (before.div_ceil(SUM_UNIT) + 1) * 8
}

/// Checks all sums of a file whose sums begin at `before`.
///
/// # Errors
/// The first MiB whose sum is wrong, or the sum of the sums.
pub fn check_sums(bytes: &[u8], before: u64) -> Result<(), TableError> {
    let expected = before.saturating_add(sums_length(before));
    let found = bytes.len() as u64;
    if expected != found {
        return Err(TableError::Length { found, expected });
    }
    let (body, sums) = bytes.split_at(before as usize);
    let compare = |part: String, found, expected| {
        if found == expected { Ok(()) } else { Err(TableError::Checksum { part, found, expected }) }
    };
    let last = sums.len() - 8;
    let read = |at: usize| read_u64(sums, at as u64).unwrap_or_default();
    compare("the checksums".into(), xxh3_64(&sums[..last]), read(last))?;
    for (index, unit) in body.chunks(SUM_UNIT as usize).enumerate() {
        let start = index as u64 * SUM_UNIT;
        compare(
            format!("bytes {start} to {}", start + unit.len() as u64 - 1),
            xxh3_64(unit),
            read(index * 8),
        )?;
    }
    Ok(())
}

/// Computes the sums of a file while it is written from its beginning to its end.
#[derive(Clone, Default)]
pub struct Sums {
    finished: Vec<u8>,
    unit: Xxh3,
    in_unit: u64,
}

impl Sums {
    /// Takes in the next bytes of the file.
    pub fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = (SUM_UNIT - self.in_unit).min(bytes.len() as u64);
            let (now, rest) = bytes.split_at(room as usize);
            self.unit.update(now);
            self.in_unit += room;
            bytes = rest;
            if self.in_unit == SUM_UNIT {
                self.close_unit();
            }
        }
    }

    /// The sums of the whole units so far.
    pub fn finished(&self) -> &[u8] {
        &self.finished
    }

    /// The bytes that close the file: the sums, and their own.
    pub fn finish(mut self) -> Vec<u8> {
        if self.in_unit > 0 {
            self.close_unit();
        }
        let sum = xxh3_64(&self.finished);
        self.finished.extend(sum.to_le_bytes());
        self.finished
    }

    fn close_unit(&mut self) {
        self.finished.extend(self.unit.digest().to_le_bytes());
        self.unit.reset();
        self.in_unit = 0;
    }
}

/// The `u32` at byte `at`, or `None` beyond the end.
#[inline]
pub fn read_u32(bytes: &[u8], at: u64) -> Option<u32> {
    let rest = bytes.get(usize::try_from(at).ok()?..)?;
    rest.first_chunk().map(|chunk| u32::from_le_bytes(*chunk))
}

/// The `u64` at byte `at`, or `None` beyond the end.
#[inline]
pub fn read_u64(bytes: &[u8], at: u64) -> Option<u64> {
    let rest = bytes.get(usize::try_from(at).ok()?..)?;
    rest.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

/// Which symmetries a table is folded by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Group {
    /// All symmetries of the rules.
    Rules,
    /// The rotations and reflections of the grid that keep the rules, because the rules have too many symmetries.
    Board,
    /// None, because the rules have too many symmetries and the board is no grid.
    Trivial,
}

impl Group {
    /// `rules`, `board` or `trivial`.
    pub fn name(self) -> &'static str {
        match self {
            Group::Rules => "rules",
            Group::Board => "board",
            Group::Trivial => "trivial",
        }
    }
}

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The rules, in canonical form.
    pub rules: Rules,
    /// Their [`fingerprint`].
    pub fingerprint: u64,
    /// How entries are written.
    pub encoding: Encoding,
    /// Which symmetries these are.
    pub group: Group,
    /// The elements of the group, ascending by their images, hence the identity first.
    pub symmetries: Vec<Permutation>,
    /// Of each size of set that a mover has: where its row is found.
    pub maps: Vec<MapSection>,
    /// The layers in the order of play. They stand in the file in the opposite order.
    pub layers: Vec<LayerSection>,
    /// Where the census begins, in bytes from the beginning of the file.
    pub census: u64,
}

/// Where the map of one set size stands: for each set of that size by rank a `u32`, the row above
/// [`Header::symmetry_bits`] bits that number a symmetry which takes the set to the row's representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapSection {
    /// Cells in a set.
    pub size: u8,
    /// Number of orbits of such sets.
    pub rows: u64,
    /// Bytes from the beginning of the file.
    pub offset: u64,
}

/// Where a layer stands, and its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerSection {
    /// Pieces of the side to move.
    pub mover: u8,
    /// Pieces of the side waiting.
    pub waiter: u8,
    /// Rows: orbits of sets of the mover.
    pub rows: u64,
    /// Columns: sets of the waiter among the cells the mover leaves.
    pub columns: u64,
    /// Bytes from the beginning of the file.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
}

impl LayerSection {
    /// The piece counts.
    pub fn counts(&self) -> Counts {
        Counts { mover: self.mover, waiter: self.waiter }
    }

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        self.rows * self.columns
    }
}

/// The xxh3-64 of the serialised rules with empty name and title: equal for equal rules, whatever they are called.
pub fn fingerprint(rules: &Rules) -> u64 {
    let nameless = Rules { name: String::new(), title: String::new(), ..rules.clone() };
    serialise(&nameless).map_or(0, |bytes| xxh3_64(&bytes))
}

impl Header {
    /// Lays out the table of `game`: all sections with their offsets. `rows` gives the number of orbits of the sets of a
    /// size.
    ///
    /// # Errors
    /// Where the sizes do not fit their fields.
    pub fn lay_out(
        game: &Game,
        encoding: Encoding,
        group: Group,
        symmetries: Vec<Permutation>,
        rows: impl Fn(u8) -> u64,
    ) -> Result<Header, TableError> {
        let bits = symmetry_bits(symmetries.len());
        let sections = |start| Sections::lay_out(game, encoding, bits, start, &rows);
        let Sections { maps, layers, census } = sections(0)?;
        let rules = game.rules().clone();
        let fingerprint = fingerprint(&rules);
        let mut header =
            Header { rules, fingerprint, encoding, group, symmetries, maps, layers, census };
        // The offsets have a fixed width, so the header is as long now as with those that are meant.
        let start = frame(MAGIC, &header)?.len() as u64;
        Sections { maps: header.maps, layers: header.layers, census: header.census } =
            sections(start)?;
        Ok(header)
    }

    /// How many low bits of a map's entry number the symmetry: enough for all, none for the identity alone.
    pub fn symmetry_bits(&self) -> u32 {
        symmetry_bits(self.symmetries.len())
    }

    /// Whether everything in the header follows from its rules, as [`Header::lay_out`] would have it; the header ends,
    /// with its sum and padding, at byte `start`.
    ///
    /// # Errors
    /// What contradicts what.
    pub fn check(&self, game: &Game, start: u64) -> Result<(), TableError> {
        let fault = |text: &str| Err(TableError::Header(text.into()));
        let cells = usize::from(game.cells());
        if self.symmetries.is_empty() || self.symmetries.len() > MAX_SYMMETRIES {
            return fault("no symmetries, or more than 1,024");
        }
        if self.symmetries.iter().any(|symmetry| symmetry.len() != cells) {
            return fault("a symmetry that is no permutation of the cells");
        }
        if !self.symmetries.is_sorted_by(|a, b| a < b)
            || self.symmetries[0] != Permutation::identity(cells as u8)
        {
            return fault("symmetries out of order");
        }
        if self.encoding == Encoding::Wdl && game.rules().movement.is_some() {
            return fault("two bits an entry in a game with movement");
        }
        let fits = |map: &MapSection| {
            map.rows >= 1 && map.rows <= binomial(cells as u32, u32::from(map.size))
        };
        if !self.maps.iter().all(fits) {
            return fault("more rows than sets");
        }
        let rows = |size| self.maps.iter().find(|map| map.size == size).map_or(0, |map| map.rows);
        let Sections { maps, layers, census } =
            Sections::lay_out(game, self.encoding, self.symmetry_bits(), start, &rows)?;
        if self.maps != maps || self.layers != layers || self.census != census {
            return fault("sections that do not follow from the rules");
        }
        if self.fingerprint != fingerprint(&self.rules) {
            return fault("a fingerprint that is not that of the rules");
        }
        Ok(())
    }
}

/// Where everything behind the header stands.
struct Sections {
    maps: Vec<MapSection>,
    layers: Vec<LayerSection>,
    census: u64,
}

impl Sections {
    fn lay_out(
        game: &Game,
        encoding: Encoding,
        symmetry_bits: u32,
        start: u64,
        rows: &impl Fn(u8) -> u64,
    ) -> Result<Sections, TableError> {
        let too_large = || TableError::Header("a table too large for its fields".into());
        let cells = u32::from(game.cells());
        let counts = game.layers();
        let (mut maps, mut end) = (Vec::<MapSection>::new(), start);
        for size in counts.iter().map(|counts| counts.mover) {
            if maps.last().is_some_and(|map| map.size == size) {
                continue;
            }
            // Rows and symmetry together have 32 bits, and ranks of sets fit them too.
            let sets = binomial(cells, u32::from(size));
            if sets << symmetry_bits >= 1 << 32 {
                return Err(too_large());
            }
            maps.push(MapSection { size, rows: rows(size), offset: end });
            end = end.checked_add(4 * sets).and_then(aligned).ok_or_else(too_large)?;
        }
        let mut layers = Vec::with_capacity(counts.len());
        for &Counts { mover, waiter } in counts.iter().rev() {
            let (rows, columns) =
                (rows(mover), binomial(cells - u32::from(mover), u32::from(waiter)));
            let bits =
                rows.checked_mul(columns).and_then(|n| n.checked_mul(encoding.bits().into()));
            let bytes = bits.ok_or_else(too_large)?.div_ceil(8);
            layers.push(LayerSection { mover, waiter, rows, columns, offset: end, bytes });
            end = end.checked_add(bytes).and_then(aligned).ok_or_else(too_large)?;
        }
        layers.reverse();
        Ok(Sections { maps, layers, census: end })
    }
}

/// See [`Header::symmetry_bits`].
pub fn symmetry_bits(symmetries: usize) -> u32 {
    usize::BITS - symmetries.saturating_sub(1).leading_zeros()
}

/// What a table holds, counted: one entry counts as often as its row's orbit has sets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Census {
    /// One for each layer, in the order of play.
    pub layers: Vec<LayerCensus>,
    /// The longest win, where there is one and the table has distances: the first in key order, in the earliest layer.
    pub longest_win: Option<Deepest>,
    /// The longest loss, likewise.
    pub longest_loss: Option<Deepest>,
}

/// The counts of one layer; they sum up to its number of arrangements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerCensus {
    /// Arrangements whose mover owns a line: no positions.
    pub none: u64,
    /// Wins; of a table with distances by plies, index `d` a win in `d`; else one number.
    pub wins: Vec<u64>,
    /// Losses, likewise.
    pub losses: Vec<u64>,
    /// Draws that end.
    pub draws_end: u64,
    /// Draws by cycle.
    pub draws_cycle: u64,
}

/// A position as deep as any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deepest {
    /// Its distance.
    pub plies: u16,
    /// Cells of the side to move.
    pub mover: u64,
    /// Cells of the side waiting.
    pub waiter: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serialised_bytes_are_the_fields_in_order() {
        let section =
            LayerSection { mover: 1, waiter: 2, rows: 3, columns: 4, offset: 5, bytes: 6 };
        let expected: Vec<u8> = [1u8, 2]
            .into_iter()
            .chain([3u64, 4, 5, 6].into_iter().flat_map(u64::to_le_bytes))
            .collect();
        assert_eq!(serialise(&section).unwrap(), expected);
        let deepest = Some(Deepest { plies: 0x0102, mover: 1, waiter: 2 });
        let mut expected = alloc::vec![1u8, 2, 1];
        expected.extend([1u64, 2].into_iter().flat_map(u64::to_le_bytes));
        assert_eq!(serialise(&deepest).unwrap(), expected);
        assert_eq!(
            serialise(&(Group::Board, "ab", true)).unwrap(),
            [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 97, 98, 1]
        );
    }

    #[test]
    fn sums_find_any_flipped_byte() {
        let body: Vec<u8> = (0..SUM_UNIT as usize + 5000).map(|i| (i * 7) as u8).collect();
        let mut sums = Sums::default();
        body.chunks(777).for_each(|chunk| sums.update(chunk));
        let mut file = body.clone();
        file.extend(sums.finish());
        check_sums(&file, body.len() as u64).unwrap();
        for at in [0, 5000, SUM_UNIT as usize, body.len() - 1, body.len(), file.len() - 1] {
            file[at] ^= 1;
            assert!(check_sums(&file, body.len() as u64).is_err(), "byte {at}");
            file[at] ^= 1;
        }
        assert!(check_sums(&file[..file.len() - 1], body.len() as u64).is_err());
    }
}
