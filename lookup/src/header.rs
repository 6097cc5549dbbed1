//! The header of a table: its game, its symmetries, and the places of its sections.
//!
//! Reads and writes its bytes, and checks that the sections of a header that was read are inside the file.

use crate::game::{About, Game};
use crate::{Counts, Over, Side, TableError, Value};
use alloc::vec::Vec;
use morpion_core::rank::binomial;
use morpion_core::{
    Encoding, Group, Header, Layer, LayerGraph, LayerSection, MapSection, Permutation, Step, Stuck,
    Takes, deserialise, fields, serialise,
};

/// The largest group whose elements are written out; see `tables/FORMAT.md`.
pub const MAX_SYMMETRIES: usize = 1024;

/// A header with its game.
#[derive(Clone, Debug, PartialEq)]
pub struct FullHeader {
    /// The game.
    pub game: Game,
    /// The fields after the game.
    pub header: Header,
}

/// A header as it is written. The order of the fields is the file format.
struct Stored {
    about: About,
    lines: Vec<u64>,
    prolongations: Vec<u64>,
    phases: Vec<Vec<Step>>,
    layers: Vec<StoredLayer>,
    line: Value,
    blocked: Stuck,
    reason: Over,
    full: Option<Stuck>,
    takes: Option<Takes>,
    own_lines: bool,
    encoding: Encoding,
    group: Group,
    symmetries: Vec<Permutation>,
    maps: Vec<MapSection>,
    census: u64,
}

fields!(Stored {
    about,
    lines,
    prolongations,
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
    maps,
    census,
});

/// A layer as it is written: its pieces, its moves, and its entries.
struct StoredLayer {
    counts: Counts,
    hands: Counts,
    phase: u8,
    next: Option<u16>,
    turn: Option<Side>,
    ended: bool,
    rows: u64,
    columns: u64,
    offset: u64,
}

fields!(StoredLayer { counts, hands, phase, next, turn, ended, rows, columns, offset });

impl FullHeader {
    /// Its bytes in the file.
    ///
    /// # Errors
    /// If they are longer than 4 MiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TableError> {
        let Header { encoding, group, symmetries, maps, layers: sections, census, .. } =
            self.header.clone();
        let LayerGraph { phases, layers, line, blocked, blocked_reason, full, takes, own_lines } =
            self.game.raw().graph().clone();
        let layer = |(layer, section): (Layer, LayerSection)| {
            let Layer { counts, hands, phase, next, turn, ended } = layer;
            let LayerSection { rows, columns, offset, .. } = section;
            StoredLayer { counts, hands, phase, next, turn, ended, rows, columns, offset }
        };
        serialise(&Stored {
            about: self.game.about().clone(),
            lines: self.game.lines().to_vec(),
            prolongations: self.game.raw().prolongations().to_vec(),
            phases,
            layers: layers.into_iter().zip(sections).map(layer).collect(),
            line,
            blocked,
            reason: blocked_reason,
            full,
            takes,
            own_lines,
            encoding,
            group,
            symmetries,
            maps,
            census,
        })
    }

    /// Reads the bytes of a header.
    ///
    /// # Errors
    /// If the bytes are not a header whose game can be played, and whose sections are before its census.
    pub fn from_bytes(bytes: &[u8]) -> Result<FullHeader, TableError> {
        let stored: Stored = deserialise(bytes)?;
        let section = |layer: &StoredLayer| {
            let &StoredLayer { counts, rows, columns, offset, .. } = layer;
            let bytes = bits(rows, columns, stored.encoding).div_ceil(8) as u64;
            LayerSection { counts, rows, columns, offset, bytes }
        };
        let layer = |layer: &StoredLayer| {
            let &StoredLayer { counts, hands, phase, next, turn, ended, .. } = layer;
            Layer { counts, hands, phase, next, turn, ended }
        };
        let sections = stored.layers.iter().map(section).collect();
        let graph = LayerGraph {
            phases: stored.phases,
            layers: stored.layers.iter().map(layer).collect(),
            line: stored.line,
            blocked: stored.blocked,
            blocked_reason: stored.reason,
            full: stored.full,
            takes: stored.takes,
            own_lines: stored.own_lines,
        };
        let cells = stored.about.board.cells().min(255) as u8;
        let core = morpion_core::Game::new(cells, stored.lines, stored.prolongations, graph)?;
        let game = Game::new(stored.about, core)?;
        let header = Header {
            fingerprint: game.fingerprint(),
            encoding: stored.encoding,
            group: stored.group,
            symmetries: stored.symmetries,
            maps: stored.maps,
            layers: sections,
            census: stored.census,
        };
        let full = FullHeader { game, header };
        full.contradiction().map_or(Ok(full), |message| Err(TableError::header(message)))
    }

    /// The first thing that keeps a reader from finding entries.
    fn contradiction(&self) -> Option<&'static str> {
        let (cells, header) = (self.game.cells(), &self.header);
        let Header { symmetries, maps, layers, census, .. } = header;
        let is_of_board = |symmetry: &Permutation| symmetry.images().len() == usize::from(cells);
        let is_identity = |first: &Permutation| *first == Permutation::identity(cells);
        let ends_before = |offset: u64, bits: u128| {
            (u128::from(offset) * 8).saturating_add(bits) <= u128::from(*census) * 8
        };
        let is_map = |map: &MapSection| {
            let sets = binomial(cells.into(), map.size.into());
            map.size <= cells && ends_before(map.offset, 32 * u128::from(sets))
        };
        let is_section = |layer: &LayerSection| {
            ends_before(layer.offset, bits(layer.rows, layer.columns, header.encoding))
        };
        let mut sizes: Vec<u8> = maps.iter().map(|map| map.size).collect();
        sizes.sort_unstable();
        let checks = [
            ((1..=MAX_SYMMETRIES).contains(&symmetries.len()), "no symmetries, or more than 1,024"),
            (
                symmetries.iter().all(is_of_board),
                "a symmetry that is not a permutation of the cells",
            ),
            (symmetries.is_sorted_by(|a, b| a < b), "symmetries out of order"),
            (symmetries.first().is_some_and(is_identity), "symmetries without the identity"),
            (sizes.is_sorted_by(|a, b| a < b), "two maps of sets of one size"),
            (maps.iter().all(is_map), "a map that does not end before the census"),
            (layers.iter().all(is_section), "a layer that does not end before the census"),
        ];
        checks.into_iter().find_map(|(is_right, message)| (!is_right).then_some(message))
    }
}

/// Bits of the entries of a layer. 128 bits hold any three factors of a header.
fn bits(rows: u64, columns: u64, encoding: Encoding) -> u128 {
    (u128::from(rows) * u128::from(columns)).saturating_mul(encoding.bits().into())
}
