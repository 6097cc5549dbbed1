//! Tables with one fault each, which every reader must refuse. `refused` writes and checks their files.
//!
//! Takes sound tables of the conformance tests and changes one thing. Everything else follows from the change: offsets and sums.

mod fields;
mod game;
mod packed;

pub use fields::Sound;

use ErrorKind::{Checksum, Length, Magic, Version};
use fields::{Fields, differing};
use morpion_core::Permutation;
use morpion_lookup::{Board, ErrorKind};

/// A file with a fault.
pub struct Refused {
    /// Name of the file.
    pub file: String,
    /// The error that every reader reports.
    pub kind: ErrorKind,
    pub bytes: Vec<u8>,
}

/// All files.
pub fn all() -> Vec<Refused> {
    let all = [
        files(),
        encoded(),
        choices(),
        game::seen(),
        game::boards(),
        game::start(),
        game::lines(),
        game::steps(),
        game::layers(),
        sections(),
        packed::all(),
    ];
    all.into_iter().flatten().collect()
}

fn plain(name: &str, kind: ErrorKind, bytes: Vec<u8>) -> Refused {
    Refused { file: format!("{name}.morpion"), kind, bytes }
}

type Change = fn(&mut Fields);

/// The files of changed headers.
fn changed(sound: fn() -> Sound, changes: &[(&str, Change)]) -> Vec<Refused> {
    let file =
        |&(name, change): &(&str, Change)| plain(name, ErrorKind::Header, sound().with(change));
    changes.iter().map(file).collect()
}

/// Faults of the file around its header.
fn files() -> Vec<Refused> {
    let wheel = || Sound::wheel().with(|_| {});
    let changed = |at: usize, byte: u8| {
        let mut bytes = wheel();
        bytes[at] = byte;
        bytes
    };
    let header = Sound::wheel().header().len();
    let length = wheel().len();
    let mut padded = Sound::wheel();
    // The map of the empty set has 4 bytes, and the next map begins at a multiple of 64.
    padded.body[4] = 1;
    let mut long_census = Sound::wheel();
    let census = long_census.census();
    long_census.body[census..][..8].copy_from_slice(&(1u64 << 23).to_le_bytes());
    vec![
        plain("empty", Magic, Vec::new()),
        plain("magic", Magic, changed(0, 0x88)),
        plain("version-0", Version, changed(8, 0)),
        plain("version-4", Version, changed(8, 4)),
        plain("version-6", Version, changed(8, 6)),
        plain("version-200", Version, changed(8, 200)),
        plain("header-of-16-mib", ErrorKind::Header, changed(15, 1)),
        plain("header-sum", Checksum, changed(16 + header, wheel()[16 + header] ^ 1)),
        plain("header-byte", Checksum, changed(30, wheel()[30] ^ 1)),
        plain("padding", ErrorKind::Header, changed(16 + header + 8, 1)),
        plain("cut-in-the-preamble", Length, wheel()[..15].to_vec()),
        plain("cut-in-the-header", Length, wheel()[..100].to_vec()),
        plain("cut-in-a-layer", Length, wheel()[..length - 200].to_vec()),
        plain("cut-by-a-byte", Length, wheel()[..length - 1].to_vec()),
        plain("sum-of-sums", Checksum, changed(length - 1, wheel()[length - 1] ^ 1)),
        plain("sum-of-a-mib", Checksum, changed(length - 300, wheel()[length - 300] ^ 1)),
        plain("padding-after-a-map", ErrorKind::Header, padded.with(|_| {})),
        plain("a-byte-more", Length, [wheel(), vec![0]].concat()),
        plain("census-of-8-mib", ErrorKind::Header, long_census.with(|_| {})),
    ]
}

/// Faults of the encoding of fields.
fn encoded() -> Vec<Refused> {
    let set = |at: usize, byte: u8| Sound::wheel().with_bytes(|header| header[at] = byte);
    let Fields { name, title, rules, .. } = Sound::wheel().fields;
    let board = 24 + name.len() + title.len() + rules.len();
    let full = differing(&Sound::wheel(), |fields| fields.full = Some(1));
    let mover = differing(&Sound::wheel(), |fields| fields.phases[0][0].from = Some(1));
    let turn = differing(&Sound::wheel(), |fields| fields.layers[0].turn = None);
    let symmetries = differing(&Sound::wheel(), |fields| fields.symmetries.clear());
    let files = [
        ("name-not-utf8", set(8, 0xff)),
        ("title-not-utf8", set(16 + name.len(), 0xff)),
        ("rules-not-utf8", set(24 + name.len() + title.len(), 0xff)),
        ("title-beyond-the-header", set(15 + name.len(), 1)),
        ("board-choice", set(board, 3)),
        ("list-of-2-to-the-56-symmetries", set(symmetries + 7, 1)),
        ("full-option", set(full, 2)),
        ("steps-from-option", set(mover, 2)),
        ("layers-turn-option", set(turn, 2)),
        ("a-byte-after-the-fields", Sound::wheel().with_bytes(|header| header.push(0))),
        ("fields-cut-short", Sound::wheel().with_bytes(|header| _ = header.pop())),
    ];
    files.map(|(name, bytes)| plain(name, ErrorKind::Header, bytes)).into()
}

/// Choices that do not exist, and bytes that are not a bool.
fn choices() -> Vec<Refused> {
    changed(
        Sound::wheel,
        &[
            ("start-side-choice", |fields| fields.start.side = 2),
            ("steps-effect-choice", |fields| fields.phases[0][0].effect.choice = 4),
            ("layers-turn-choice", |fields| fields.layers[0].turn = Some(2)),
            ("layers-ended-bool", |fields| fields.layers[0].ended = 2),
            ("line-choice", |fields| fields.line = 3),
            ("blocked-choice", |fields| fields.blocked = 4),
            ("reason-line", |fields| fields.reason = 0),
            ("reason-own-line", |fields| fields.reason = 3),
            ("reason-choice", |fields| fields.reason = 5),
            ("full-choice", |fields| fields.full = Some(4)),
            ("full-pass", |fields| fields.full = Some(3)),
            ("takes-choice", |fields| fields.takes = Some(6)),
            ("own-lines-bool", |fields| fields.own_lines = 2),
            ("encoding-choice", |fields| fields.encoding = 4),
            ("group-choice", |fields| fields.group = 3),
        ],
    )
}

/// Faults of the symmetries, and sections that are not inside the file.
fn sections() -> Vec<Refused> {
    changed(
        Sound::wheel,
        &[
            ("symmetries-none", |fields| fields.symmetries.clear()),
            ("symmetries-without-the-identity", |fields| _ = fields.symmetries.remove(0)),
            ("symmetries-out-of-order", |fields| fields.symmetries.swap(1, 2)),
            ("symmetries-one-twice", |fields| fields.symmetries[2] = fields.symmetries[1].clone()),
            ("symmetries-that-join-cells", |fields| {
                fields.symmetries[1][0] = fields.symmetries[1][1];
            }),
            ("symmetries-off-the-board", |fields| fields.symmetries[1][0] = 255),
            ("symmetries-of-six-cells", |fields| {
                fields.symmetries[1] = Permutation::identity(6).images().to_vec();
            }),
            ("symmetries-of-37-cells", |fields| fields.symmetries[1] = (0..37).collect()),
            ("symmetries-1025", |fields| {
                let mut cells = [0, 1, 2, 3, 4, 5, 6];
                let next = |_| {
                    let symmetry = cells.to_vec();
                    next_permutation(&mut cells);
                    symmetry
                };
                fields.symmetries = (0..1025).map(next).collect();
            }),
            ("rows-of-one-map-more", |fields| fields.rows.push(1)),
            ("rows-of-one-map-less", |fields| _ = fields.rows.pop()),
            ("maps-of-9-billion-sets", |fields| {
                fields.board = Board::Plain { cells: 36 };
                (fields.names, fields.places) = (Vec::new(), Vec::new());
                fields.symmetries = vec![(0..36).collect()];
                (fields.layers[1].mover, fields.rows) = (18, vec![1; fields.rows.len() + 1]);
            }),
        ],
    )
    .into_iter()
    .chain([
        plain(
            "rows-one-more",
            ErrorKind::Length,
            Sound::wheel().with(|fields| fields.rows[1] += 64),
        ),
        plain(
            "rows-of-2-to-the-32",
            ErrorKind::Length,
            Sound::wheel().with(|fields| fields.rows[1] = u32::MAX),
        ),
    ])
    .collect()
}

/// The next permutation in ascending order, if there is one.
fn next_permutation(cells: &mut [u8]) {
    if let Some(at) = (1..cells.len()).rev().find(|&at| cells[at - 1] < cells[at]) {
        let next = (at..cells.len()).rev().find(|&next| cells[next] > cells[at - 1]);
        cells.swap(at - 1, next.unwrap_or(at));
        cells[at..].reverse();
    }
}
