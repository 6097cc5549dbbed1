//! The fields of a header as `tables/FORMAT.md` lists them, without the checks of the library, so that they may have any values.
//!
//! Reads them from a sound table, and writes the table again with changed fields.

use crate::vectors;
use morpion_core::fields::{Decode, Encode};
use morpion_core::{
    Condition, Header, MAGIC, Point, Sums, VERSION, body_begins, coded, deserialise, fields,
    preamble, read_preamble, serialise, sums_length,
};
use morpion_lookup::Board;

/// The fields of a header. Texts are bytes, choices numbers, and bools bytes.
#[derive(Clone)]
pub struct Fields {
    pub name: Vec<u8>,
    pub title: Vec<u8>,
    pub rules: Vec<u8>,
    pub board: Board,
    pub names: Vec<Vec<u8>>,
    pub places: Vec<Point>,
    pub start: Start,
    pub lines: Vec<u64>,
    pub extensions: Vec<u64>,
    pub phases: Vec<Vec<Step>>,
    pub layers: Vec<Layer>,
    pub line: u32,
    pub blocked: u32,
    pub reason: u32,
    pub full: Option<u32>,
    pub takes: Option<u32>,
    pub own_lines: u8,
    pub encoding: u32,
    pub group: u32,
    pub symmetries: Vec<Vec<u8>>,
    pub rows: Vec<u32>,
}

#[derive(Clone)]
pub struct Start {
    pub x: u64,
    pub o: u64,
    pub side: u32,
}

#[derive(Clone)]
pub struct Step {
    pub from: Option<u8>,
    pub to: u64,
    pub condition: Condition,
    pub effect: Effect,
}

/// A choice with the fields that it has.
#[derive(Clone)]
pub struct Effect {
    pub choice: u32,
    pub path: Option<u64>,
    pub oldest: Option<u32>,
}

#[derive(Clone)]
pub struct Layer {
    pub mover: u8,
    pub waiter: u8,
    /// Pieces in hand, of the mover and of the waiter.
    pub hands: (u8, u8),
    pub phase: u8,
    pub turn: Option<u32>,
    pub ended: u8,
}

fields!(Fields {
    name,
    title,
    rules,
    board,
    names,
    places,
    start,
    lines,
    extensions,
    phases,
    layers,
    line,
    blocked,
    reason,
    full,
    takes,
    own_lines,
    encoding,
    group,
    symmetries,
    rows,
});
fields!(Start { x, o, side });
fields!(Step { from, to, condition, effect });
fields!(Layer { mover, waiter, hands, phase, turn, ended });
coded!(
    Effect,
    |effect, encoder| {
        Encode::encode(&effect.choice, encoder)?;
        effect.path.map_or(Ok(()), |path| Encode::encode(&path, encoder))?;
        effect.oldest.map_or(Ok(()), |oldest| Encode::encode(&oldest, encoder))
    },
    |decoder| {
        let choice = u32::decode(decoder)?;
        let path = if choice == 1 { Some(Decode::decode(decoder)?) } else { None };
        let oldest = if choice == 2 { Some(Decode::decode(decoder)?) } else { None };
        Ok(Effect { choice, path, oldest })
    }
);

/// A sound table: its header, and the bytes between the header and the sums.
#[derive(Clone)]
pub struct Sound {
    pub fields: Fields,
    pub body: Vec<u8>,
}

impl Sound {
    /// Seven named cells, links, an opening.
    pub fn wheel() -> Sound {
        Sound::read("conformance/tables/wheel")
    }

    /// Nine cells, links, a start with all pieces on the board.
    pub fn shisima() -> Sound {
        Sound::read("builtin/shisima")
    }

    /// Nine cells, moves to any cell.
    pub fn swap() -> Sound {
        Sound::read("builtin/swap")
    }

    /// Nine cells, pieces in hand, lines that take, layers that have ended.
    pub fn mill() -> Sound {
        Sound::read("conformance/tables/mill")
    }

    /// Nine cells, pieces that age.
    pub fn disappearing() -> Sound {
        Sound::read("builtin/disappearing")
    }

    /// Nine cells, pushes.
    pub fn quixo3() -> Sound {
        Sound::read("builtin/quixo3")
    }

    fn read(name: &str) -> Sound {
        let file = vectors::folder().join(format!("../{name}.morpion"));
        let bytes = std::fs::read(file).unwrap();
        let header = read_preamble(MAGIC, VERSION, &bytes).unwrap();
        let start = body_begins(header.len());
        // These tables have less than a MiB.
        let end = bytes.len() - sums_length(1) as usize;
        let body = bytes[start as usize..end].to_vec();
        let sound = Sound { fields: deserialise(&header).unwrap(), body };
        assert!(sound.header() == header && sound.file(&header) == bytes);
        sound
    }

    /// The bytes of the header.
    pub fn header(&self) -> Vec<u8> {
        serialise(&self.fields).unwrap()
    }

    /// Offset of the maps.
    pub fn start(&self) -> usize {
        preamble(MAGIC, VERSION, &self.header()).len()
    }

    /// Offset of the census in the body.
    pub fn census(&self) -> usize {
        let header = Header::from_bytes(&self.header()).unwrap();
        header.census as usize - self.start()
    }

    /// The file with changed fields.
    pub fn with(mut self, change: impl FnOnce(&mut Fields)) -> Vec<u8> {
        change(&mut self.fields);
        self.file(&self.header())
    }

    /// The file with changed bytes of the header.
    pub fn with_bytes(self, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut header = self.header();
        change(&mut header);
        self.file(&header)
    }

    fn file(&self, header: &[u8]) -> Vec<u8> {
        let mut bytes = [preamble(MAGIC, VERSION, header), self.body.clone()].concat();
        let mut sums = Sums::default();
        sums.update(&bytes);
        bytes.extend(sums.finish());
        bytes
    }
}

/// The offset in the header at which a change of the fields begins.
pub fn differing(sound: &Sound, change: impl FnOnce(&mut Fields)) -> usize {
    let mut other = sound.clone();
    change(&mut other.fields);
    let (one, other) = (sound.header(), other.header());
    one.iter().zip(&other).position(|(a, b)| a != b).unwrap()
}
