//! Tables with one fault each, which every reader must refuse. `refused` writes and checks their files.
//!
//! Takes sound tables of the conformance tests and changes one thing. Everything else follows from the change: fingerprint,
//! offsets and sums.

use crate::vectors;
use ErrorKind::{Checksum, Length, Magic, Packed, Version};
use morpion_format::{Sums, WriteHeader, preamble, seek_table};
use morpion_lookup::raw::rank::subsets;
use morpion_lookup::raw::{
    Encoding, Header, LayerGraph, MAGIC, Permutation, cell_name, deserialise, fingerprint,
    serialise,
};
use morpion_lookup::{
    Board, During, ErrorKind, Game, Mills, Movement, Oldest, Opening, Point, Rules, Side, Start,
    Stuck, Table, Travel,
};

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
        rules(),
        boards(),
        version_2(),
        version_3(),
        rules_3(),
        derived(),
        packed(),
    ];
    all.into_iter().flatten().collect()
}

fn plain(name: &str, kind: ErrorKind, bytes: Vec<u8>) -> Refused {
    Refused { file: format!("{name}.morpion"), kind, bytes }
}

/// A sound table: its header, and the bytes between the header and the sums.
struct Sound {
    header: Header,
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
        let header = Table::from_source(&bytes).unwrap().raw().header().clone();
        let sums = Sums::default().finish().len() + 8;
        let start = start(&header, header.version());
        let sound = Sound { body: bytes[start..bytes.len() - sums].to_vec(), header };
        assert!(sound.bytes(sound.header.version(), &sound.header.to_bytes().unwrap()) == bytes);
        sound
    }

    /// The file with a changed header.
    fn with(mut self, change: impl FnOnce(&mut Header)) -> Vec<u8> {
        let before = start(&self.header, self.header.version());
        change(&mut self.header);
        self.header.fingerprint = fingerprint(&self.header.rules);
        let after = start(&self.header, self.header.version());
        let moved = |offset: &mut u64| *offset = *offset + after as u64 - before as u64;
        self.header.maps.iter_mut().for_each(|map| moved(&mut map.offset));
        self.header.layers.iter_mut().for_each(|layer| moved(&mut layer.offset));
        moved(&mut self.header.census);
        self.bytes(self.header.version(), &self.header.to_bytes().unwrap())
    }

    /// The file with changed rules.
    fn with_rules(self, change: impl FnOnce(&mut Rules)) -> Vec<u8> {
        self.with(|header| change(&mut header.rules))
    }

    /// The file with a header of changed bytes in this version.
    fn with_bytes(self, version: u32, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut header = self.header.to_bytes().unwrap();
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
fn start(header: &Header, version: u32) -> usize {
    preamble(MAGIC, version, &header.to_bytes().unwrap()).len()
}

/// Faults of the file around its header.
fn files() -> Vec<Refused> {
    let wheel = || Sound::wheel().with(|_| {});
    let changed = |at: usize, byte: u8| {
        let mut bytes = wheel();
        bytes[at] = byte;
        bytes
    };
    let header = Sound::wheel().header.to_bytes().unwrap().len();
    let length = wheel().len();
    let mut padded = Sound::wheel();
    // The map of the empty set has 4 bytes, and the next map begins at a multiple of 64.
    padded.body[4] = 1;
    let mut long_census = Sound::wheel();
    let census = long_census.header.census as usize - start(&long_census.header, 2);
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
    let Header { rules, fingerprint, encoding, .. } = Sound::wheel().header;
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
        let side = serialise(&Sound::shisima().header.rules).unwrap().len() - 5;
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
        ("encoding-choice", set(group - 4, 3)),
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
        let mut changed: Header = deserialise(header).unwrap();
        movement(&mut changed.rules).stuck = Stuck::Pass;
        *header = serialise(&changed).unwrap();
    })
}

/// Faults of the moves in a header of version 3.
fn version_3() -> Vec<Refused> {
    let file = |name: &str, change: fn(&mut LayerGraph)| {
        let bytes = Sound::swap().with(|header| {
            let mut graph = Game::new(header.rules.clone()).unwrap().graph().clone();
            change(&mut graph);
            header.graph = Some(graph);
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

/// Faults of the rules that only version 3 has, beside moves of other rules.
fn rules_3() -> Vec<Refused> {
    let changes: &[(&str, Change)] = &[
        ("ages-without-movement", |rules| {
            (rules.movement, rules.further.oldest) = (None, Some(Oldest::First));
        }),
        ("ages-without-a-number-of-pieces", |rules| {
            (rules.pieces, rules.further.oldest) = (None, Some(Oldest::First));
        }),
        ("ages-of-nine-pieces", |rules| {
            rules.board = Board::plain(36);
            (rules.pieces, rules.further.oldest) = (Some(9), Some(Oldest::AfterLines));
        }),
        ("ages-beside-links", |rules| {
            movement(rules).to = Travel::Links(vec![(0, 1)]);
            rules.further.oldest = Some(Oldest::First);
        }),
        ("ages-beside-a-pass", |rules| {
            (movement(rules).stay, rules.further.oldest) = (true, Some(Oldest::First));
        }),
        ("mills-without-movement", |rules| {
            (rules.movement, rules.further.mills) = (None, Some(Mills::new()));
        }),
        ("mills-with-ages", |rules| {
            (rules.further.oldest, rules.further.mills) = (Some(Oldest::First), Some(Mills::new()));
        }),
        ("mills-in-misere", |rules| {
            (rules.misere, rules.further.mills) = (true, Some(Mills::new()));
        }),
        ("mills-of-more-than-all-pieces", |rules| {
            rules.further.mills = Some(Mills::new());
            rules.pieces = Some(2);
        }),
        ("mills-that-pass-on-a-full-board", |rules| {
            let mut mills = Mills::new();
            mills.full = Some(Stuck::Pass);
            rules.further.mills = Some(mills);
        }),
        ("pushes-with-a-number-of-pieces", |rules| movement(rules).to = Travel::Push),
        ("pushes-off-a-grid", |rules| {
            (rules.pieces, movement(rules).to) = (None, Travel::Push);
            rules.board = Board::plain(9);
        }),
        ("pushes-with-a-pass", |rules| {
            (rules.pieces, movement(rules).to) = (None, Travel::Push);
            movement(rules).stay = true;
        }),
    ];
    let file = |&(name, change): &(&str, Change)| {
        let bytes = Sound::swap().with(|header| {
            header.graph = Some(Game::new(header.rules.clone()).unwrap().graph().clone());
            change(&mut header.rules);
        });
        plain(name, ErrorKind::Rules, bytes)
    };
    changes.iter().map(file).collect()
}

fn movement(rules: &mut Rules) -> &mut Movement {
    rules.movement.as_mut().unwrap()
}

fn links(rules: &mut Rules) -> &mut Vec<(u8, u8)> {
    match &mut movement(rules).to {
        Travel::Links(links) => links,
        _ => panic!("no links"),
    }
}

fn start_of(rules: &mut Rules) -> &mut Start {
    rules.start.as_mut().unwrap()
}

type Change = fn(&mut Rules);

/// The files of changed rules.
fn changed(sound: fn() -> Sound, changes: &[(&str, Change)]) -> Vec<Refused> {
    let file = |&(name, change): &(&str, Change)| {
        plain(name, ErrorKind::Rules, sound().with_rules(change))
    };
    changes.iter().map(file).collect()
}

/// Faults of the rules of version 1.
fn rules() -> Vec<Refused> {
    let wheel: &[(&str, Change)] = &[
        ("name-empty", |rules| rules.name.clear()),
        ("name-with-a-space", |rules| rules.name = "a wheel".into()),
        ("name-of-65-letters", |rules| rules.name = "w".repeat(65)),
        ("title-with-a-line-feed", |rules| rules.title = "two\nlines".into()),
        ("title-with-an-escape", |rules| rules.title = "\u{1b}[2J".into()),
        ("title-with-a-delete", |rules| rules.title = "\u{7f}".into()),
        ("title-with-a-next-line", |rules| rules.title = "two\u{85}lines".into()),
        ("title-of-1025-bytes", |rules| rules.title = format!("{}a", "é".repeat(512))),
        ("lines-none", |rules| rules.lines.clear()),
        ("lines-with-an-empty-one", |rules| rules.lines[0] = 0),
        ("lines-off-the-board", |rules| rules.lines.push(1 << 7)),
        ("lines-out-of-order", |rules| rules.lines.swap(0, 1)),
        ("lines-one-twice", |rules| rules.lines.insert(1, rules.lines[0])),
        ("lines-one-within-another", |rules| rules.lines.push(0x7f)),
        ("pieces-none", |rules| rules.pieces = Some(0)),
        ("pieces-more-than-cells", |rules| rules.pieces = Some(4)),
        ("movement-without-pieces", |rules| rules.pieces = None),
        ("links-higher-cell-first", |rules| links(rules)[0] = (1, 0)),
        ("links-to-the-same-cell", |rules| links(rules)[0] = (0, 0)),
        ("links-off-the-board", |rules| links(rules).push((6, 7))),
        ("links-out-of-order", |rules| links(rules).swap(0, 1)),
        ("links-one-twice", |rules| links(rules).insert(1, (0, 1))),
        ("opening-forbids-nothing", |rules| rules.opening.as_mut().unwrap().forbidden = 0),
        ("opening-off-the-board", |rules| rules.opening.as_mut().unwrap().forbidden = 1 << 7),
    ];
    let shisima: &[(&str, Change)] = &[
        ("start-without-movement", |rules| rules.movement = None),
        ("start-with-an-opening", |rules| {
            rules.opening = Some(Opening { forbidden: 1, during: During::First });
        }),
        ("start-of-two-pieces", |rules| start_of(rules).x = 3),
        ("start-of-four-pieces", |rules| start_of(rules).o = 0o740),
        ("start-off-the-board", |rules| start_of(rules).o = 1 << 9 | 3 << 7),
        ("start-on-the-same-cells", |rules| start_of(rules).o = 7),
        ("start-with-a-line", |rules| {
            *start_of(rules) = Start { x: 0o421, o: 0o016, side: Side::O };
        }),
    ];
    let [wheel, shisima] = [changed(Sound::wheel, wheel), changed(Sound::shisima, shisima)];
    wheel.into_iter().chain(shisima).collect()
}

/// Faults of the board, and too many lines.
fn boards() -> Vec<Refused> {
    let board = |rows, columns, open| Board::of_squares(rows, columns, open);
    let files = [
        ("board-of-no-cells", Board::plain(0)),
        ("board-of-37-cells", Board::plain(37)),
        ("board-of-42-squares", Board::new(6, 7)),
        ("board-of-27-columns", Board::new(1, 27)),
        ("board-of-holes-alone", board(3, 3, 0)),
        ("board-off-its-squares", board(1, 3, 0b1011)),
        ("board-of-129-squares", board(43, 3, 0x7f)),
    ];
    let with_board = |board: Board, lines: Vec<u64>| {
        Sound::wheel().with_rules(|rules| *rules = Rules::new("board", board, lines))
    };
    let mut refused: Vec<Refused> = files
        .into_iter()
        .map(|(name, board)| plain(name, ErrorKind::Rules, with_board(board, vec![1])))
        .collect();
    let many = with_board(Board::plain(36), subsets(36, 3).take(4097).collect());
    refused.push(plain("lines-4097", ErrorKind::Rules, many));
    refused
}

/// Faults of the rules of version 2.
fn version_2() -> Vec<Refused> {
    let wheel: &[(&str, Change)] = &[
        ("names-six", |rules| _ = rules.names.pop()),
        ("names-in-capitals", |rules| rules.names[0] = "N".into()),
        ("names-of-seven-letters", |rules| rules.names[0] = "northly".into()),
        ("names-empty", |rules| rules.names[0].clear()),
        ("names-pass", |rules| rules.names[0] = "pass".into()),
        ("names-one-twice", |rules| rules.names[0] = rules.names[1].clone()),
        ("layout-six", |rules| _ = rules.layout.pop()),
        ("layout-one-twice", |rules| rules.layout[0] = rules.layout[1]),
        ("pass-without-a-cell-to-place-on", |rules| {
            movement(rules).stuck = Stuck::Pass;
            rules.opening.as_mut().unwrap().forbidden = 0b111_1000;
        }),
        ("layout-away-from-the-corner", |rules| {
            rules.layout.iter_mut().for_each(|point| *point = Point { x: point.x + 1, ..*point });
        }),
    ];
    let shisima: &[(&str, Change)] = &[
        ("extensions-too-few", |rules| {
            extend(rules);
            rules.prolongations.pop();
        }),
        ("extensions-off-the-board", |rules| {
            extend(rules);
            rules.prolongations[0] = 1 << 9;
        }),
        ("extensions-of-their-own-line", |rules| {
            extend(rules);
            rules.prolongations[0] = rules.lines[0];
        }),
        ("extensions-all-empty", |rules| rules.prolongations = vec![0; rules.lines.len()]),
        ("extensions-out-of-order", |rules| {
            extend(rules);
            rules.lines.insert(0, rules.lines[0]);
            rules.prolongations.insert(0, 1 << 8);
        }),
        ("extensions-of-a-line-within-a-line", |rules| {
            extend(rules);
            rules.lines.push(rules.lines[3] | 1 << 7);
            rules.prolongations.push(rules.prolongations[3]);
        }),
        ("names-of-the-board", |rules| {
            rules.names = (0..9).map(|cell| cell_name(rules.board, cell)).collect();
        }),
    ];
    let [wheel, shisima] = [changed(Sound::wheel, wheel), changed(Sound::shisima, shisima)];
    wheel.into_iter().chain(shisima).collect()
}

/// Extends each line by the lowest cell outside it.
fn extend(rules: &mut Rules) {
    rules.prolongations = rules.lines.iter().map(|line| !line & (line + 1)).collect();
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
        plain(name, ErrorKind::Header, Sound::wheel().with(change))
    };
    let mut refused: Vec<Refused> = changes.iter().map(file).collect();
    let twice = Sound::wheel().with_bytes(2, |header| {
        let at = serialise(&Sound::wheel().header.symmetries[1].images()).unwrap();
        let place = header.windows(at.len()).position(|window| window == at).unwrap();
        header[place + 8] = header[place + 9];
    });
    refused.push(plain("symmetries-that-join-cells", ErrorKind::Header, twice));
    let huge = Sound::wheel().with(|header| {
        header.rules = Rules::new("huge", Board::plain(36), vec![0b11]);
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
}

/// Faults of packed files.
fn packed() -> Vec<Refused> {
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
        ("seek-table-of-262145-frames", {
            let mut frames = Frames::wheel();
            frames.lengths.resize((1 << 18) + 1, (1, 1));
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
