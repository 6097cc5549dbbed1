//! Tables with one fault each, which every reader must refuse. `refused` writes and checks their files.
//!
//! Takes sound tables of the conformance tests and changes one thing. Everything else follows from the change: fingerprint,
//! offsets and sums.

mod packed;
mod rules;

use crate::vectors;
use ErrorKind::{Checksum, Length, Magic, Version};
use morpion_format::{Sums, preamble};
use morpion_lookup::raw::{
    Encoding, FullHeader, Header, LayerGraph, MAGIC, Oldest, Permutation, Stuck, deserialise,
    fingerprint, serialise,
};
use morpion_lookup::{Board, ErrorKind, Game, Rules, Table};

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
        rules::version_1(),
        rules::boards(),
        rules::version_2(),
        moves(),
        rules::version_3(),
        derived(),
        packed::all(),
    ];
    all.into_iter().flatten().collect()
}

fn plain(name: &str, kind: ErrorKind, bytes: Vec<u8>) -> Refused {
    Refused { file: format!("{name}.morpion"), kind, bytes }
}

/// A sound table: its header, and the bytes between the header and the sums.
struct Sound {
    full: FullHeader,
    body: Vec<u8>,
}

impl Sound {
    /// Seven named cells, links, an opening.
    fn wheel() -> Sound {
        Sound::read("conformance/tables/wheel")
    }

    /// Nine cells, links, a start with all pieces on the board.
    fn shisima() -> Sound {
        Sound::read("builtin/shisima")
    }

    /// Nine cells, moves to any cell.
    fn swap() -> Sound {
        Sound::read("builtin/swap")
    }

    fn read(name: &str) -> Sound {
        let file = vectors::folder().join(format!("../{name}.morpion"));
        let bytes = std::fs::read(file).unwrap();
        let full = Table::from_source(&bytes).unwrap().raw().full_header();
        let sums = Sums::default().finish().len() + 8;
        let start = start(&full, full.version());
        let sound = Sound { body: bytes[start..bytes.len() - sums].to_vec(), full };
        assert!(sound.bytes(sound.full.version(), &sound.full.to_bytes().unwrap()) == bytes);
        sound
    }

    /// The file with a changed header.
    fn with(mut self, change: impl FnOnce(&mut FullHeader)) -> Vec<u8> {
        let before = start(&self.full, self.full.version());
        change(&mut self.full);
        self.full.header.fingerprint = fingerprint(&self.full.rules);
        let after = start(&self.full, self.full.version());
        let moved = |offset: &mut u64| *offset = *offset + after as u64 - before as u64;
        let header = &mut self.full.header;
        header.maps.iter_mut().for_each(|map| moved(&mut map.offset));
        header.layers.iter_mut().for_each(|layer| moved(&mut layer.offset));
        moved(&mut header.census);
        self.bytes(self.full.version(), &self.full.to_bytes().unwrap())
    }

    /// The file with changed rules.
    fn with_rules(self, change: impl FnOnce(&mut Rules)) -> Vec<u8> {
        self.with(|full| change(&mut full.rules))
    }

    /// The file with a header of changed bytes in this version.
    fn with_bytes(self, version: u32, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut header = self.full.to_bytes().unwrap();
        change(&mut header);
        self.bytes(version, &header)
    }

    fn bytes(&self, version: u32, header: &[u8]) -> Vec<u8> {
        let mut bytes = [preamble(MAGIC, version, header), self.body.clone()].concat();
        let mut sums = Sums::default();
        sums.update(&bytes);
        bytes.extend(sums.finish());
        bytes
    }
}

/// Offset of the maps after this header.
fn start(full: &FullHeader, version: u32) -> usize {
    preamble(MAGIC, version, &full.to_bytes().unwrap()).len()
}

/// Faults of the file around its header.
fn files() -> Vec<Refused> {
    let wheel = || Sound::wheel().with(|_| {});
    let changed = |at: usize, byte: u8| {
        let mut bytes = wheel();
        bytes[at] = byte;
        bytes
    };
    let header = Sound::wheel().full.to_bytes().unwrap().len();
    let length = wheel().len();
    let mut padded = Sound::wheel();
    // The map of the empty set has 4 bytes, and the next map begins at a multiple of 64.
    padded.body[4] = 1;
    let mut long_census = Sound::wheel();
    let census = long_census.full.header.census as usize - start(&long_census.full, 2);
    long_census.body[census..][..8].copy_from_slice(&(1u64 << 23).to_le_bytes());
    vec![
        plain("empty", Magic, Vec::new()),
        plain("magic", Magic, changed(0, 0x88)),
        plain("version-0", Version, changed(8, 0)),
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
    // The offsets of some fields.
    let FullHeader { rules, header: Header { fingerprint, encoding, .. }, .. } =
        Sound::wheel().full;
    let length = |fields: &[Vec<u8>]| fields.concat().len();
    let name = serialise(&rules.name).unwrap();
    let title = serialise(&(&rules.name, &rules.title)).unwrap();
    let board = serialise(&rules.board).unwrap();
    let lines = serialise(&rules.lines).unwrap();
    let whole = serialise(&rules).unwrap();
    let pieces = length(&[title.clone(), board.clone(), lines]);
    let group = length(&[whole.clone(), serialise(&(fingerprint, encoding)).unwrap()]);
    let opening = pieces + serialise(&(rules.pieces, &rules.movement)).unwrap().len();
    let set = |at: usize, byte: u8| Sound::wheel().with_bytes(2, |header| header[at] = byte);
    let shisima = |at: usize, byte: u8| {
        let side = serialise(&Sound::shisima().full.rules).unwrap().len() - 5;
        Sound::shisima().with_bytes(1, |header| header[side + at] = byte)
    };
    let files = [
        ("name-not-utf8", set(8, 0xff)),
        ("title-not-utf8", set(name.len() + 8, 0xff)),
        ("title-beyond-the-header", set(name.len() + 7, 1)),
        ("board-choice", set(title.len(), 3)),
        ("list-of-2-to-the-56-lines", set(title.len() + board.len() + 7, 1)),
        ("pieces-option", set(pieces, 2)),
        ("movement-choice", set(pieces + 3, 2)),
        ("stuck-choice", set(opening - 4, 4)),
        ("during-choice", set(opening + 9, 3)),
        ("start-side-choice", shisima(0, 2)),
        ("misere-bool", set(whole.len() - 1, 2)),
        ("encoding-choice", set(group - 4, 4)),
        ("group-choice", set(group, 3)),
        ("a-byte-after-the-fields", Sound::wheel().with_bytes(2, |header| header.push(0))),
        ("fields-cut-short", Sound::wheel().with_bytes(2, |header| _ = header.pop())),
        ("fingerprint", set(whole.len(), 0)),
        ("version-1-with-names", Sound::wheel().with_bytes(1, |_| {})),
        ("version-1-with-a-pass", shisima_that_passes()),
        ("version-2-without-need", Sound::shisima().with_bytes(2, |header| header.extend([0; 24]))),
    ];
    files.map(|(name, bytes)| plain(name, ErrorKind::Header, bytes)).into()
}

/// Rules of version 2 in a header of version 1.
fn shisima_that_passes() -> Vec<u8> {
    Sound::shisima().with_bytes(1, |header| {
        let mut changed: (Rules, Header) = deserialise(header).unwrap();
        rules::movement(&mut changed.0).stuck = Stuck::Pass;
        *header = serialise(&changed).unwrap();
    })
}

/// Faults of the moves in a header of version 3.
fn moves() -> Vec<Refused> {
    let file = |name: &str, change: fn(&mut LayerGraph)| {
        let bytes = Sound::swap().with(|full| {
            let mut graph = Game::new(full.rules.clone()).unwrap().graph().clone();
            change(&mut graph);
            full.graph = Some(graph);
        });
        plain(name, ErrorKind::Header, bytes)
    };
    vec![
        file("moves-from-off-the-board", |graph| graph.phases[1][0].from = Some(9)),
        file("moves-to-off-the-board", |graph| graph.phases[0][0].to |= 1 << 9),
        file("moves-that-need-a-piece-off-the-board", |graph| graph.phases[0][0].filled = 1 << 9),
        file("moves-of-no-phase", |graph| graph.layers[0].phase = 2),
        file("moves-to-no-layer", |graph| graph.layers[6].next = Some(7)),
        file("moves-of-a-layer-missing", |graph| _ = graph.layers.pop()),
        file("moves-along-a-path-off-the-board", |graph| graph.phases[1][0].path = 1 << 9 | 1),
        file("moves-along-a-path-of-one-cell", |graph| graph.phases[1][0].path = 1),
        file("moves-of-a-piece-while-the-oldest-goes", |graph| {
            graph.phases[1][0].oldest = Some(Oldest::First);
        }),
    ]
}

/// Faults of the parts of a header that follow from its rules.
fn derived() -> Vec<Refused> {
    type Change = fn(&mut Header);
    let changes: &[(&str, Change)] = &[
        ("two-bits-with-movement", |header| header.encoding = Encoding::Wdl),
        ("symmetries-none", |header| header.symmetries.clear()),
        ("symmetries-without-the-identity", |header| _ = header.symmetries.remove(0)),
        ("symmetries-out-of-order", |header| header.symmetries.swap(1, 2)),
        ("symmetries-one-twice", |header| header.symmetries[2] = header.symmetries[1]),
        ("symmetries-of-six-cells", |header| header.symmetries[1] = Permutation::identity(6)),
        ("symmetries-1025", |header| {
            let mut cells = [0, 1, 2, 3, 4, 5, 6];
            header.symmetries = (0..1025)
                .map(|_| {
                    let symmetry = Permutation::new(&cells).unwrap();
                    next_permutation(&mut cells);
                    symmetry
                })
                .collect();
        }),
        ("maps-size", |header| header.maps[0].size = 1),
        ("maps-missing", |header| _ = header.maps.pop()),
        ("maps-of-no-rows", |header| set_rows(header, 0)),
        ("maps-of-more-rows-than-sets", |header| set_rows(header, 8)),
        ("maps-offset", |header| header.maps[1].offset += 64),
        ("layers-counts", |header| header.layers[1].counts.mover = 1),
        ("layers-missing", |header| _ = header.layers.pop()),
        ("layers-rows", |header| header.layers[2].rows += 1),
        ("layers-columns", |header| header.layers[2].columns += 1),
        ("layers-bytes", |header| header.layers[2].bytes += 1),
        ("layers-offset", |header| header.layers[2].offset += 64),
        ("census-offset", |header| header.census += 64),
    ];
    let file = |&(name, change): &(&str, Change)| {
        plain(name, ErrorKind::Header, Sound::wheel().with(|full| change(&mut full.header)))
    };
    let mut refused: Vec<Refused> = changes.iter().map(file).collect();
    // Apart from the draws these headers follow from their rules.
    for (name, table, encoding) in [
        ("draws-that-end-with-movement", "swap-wdl", Encoding::Wdl),
        ("draws-by-cycle-without-movement", "classic-wdl", Encoding::WdlCycle),
    ] {
        let sound = Sound::read(&format!("conformance/tables/{table}"));
        let bytes = sound.with(|full| full.header.encoding = encoding);
        refused.push(plain(name, ErrorKind::Header, bytes));
    }
    let twice = Sound::wheel().with_bytes(2, |header| {
        let at = serialise(&Sound::wheel().full.header.symmetries[1].images()).unwrap();
        let place = header.windows(at.len()).position(|window| window == at).unwrap();
        header[place + 8] = header[place + 9];
    });
    refused.push(plain("symmetries-that-join-cells", ErrorKind::Header, twice));
    let huge = Sound::wheel().with(|full| {
        full.rules = Rules::new("huge", Board::plain(36), vec![0b11]);
    });
    refused.push(plain("maps-of-2-to-the-32-sets", ErrorKind::Header, huge));
    refused
}

/// The number of orbits of one piece.
fn set_rows(header: &mut Header, rows: u64) {
    header.maps[1].rows = rows;
    let layers = header.layers.iter_mut().filter(|layer| layer.counts.mover == 1);
    layers.for_each(|layer| layer.rows = rows);
}

/// The next permutation in ascending order, if there is one.
fn next_permutation(cells: &mut [u8]) {
    if let Some(at) = (1..cells.len()).rev().find(|&at| cells[at - 1] < cells[at]) {
        let next = (at..cells.len()).rev().find(|&next| cells[next] > cells[at - 1]);
        cells.swap(at - 1, next.unwrap_or(at));
        cells[at..].reverse();
    }
}
