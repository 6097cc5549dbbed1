//! The header of a table: its rules, the fields after them, and its moves.
//!
//! Reads the headers of all versions. Lays out the sections of a game's table, with all offsets, given its group and its numbers of
//! rows; and finds what in a header that was read does not follow from its rules.

use crate::game::Game;
use crate::rank::binomial;
use crate::rules::{Additions, Further, Rules};
use crate::{ErrorKind, RulesError, TableError};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use morpion_core::{
    ALIGNMENT, Encoding, Group, Header, Layer, LayerGraph, LayerSection, METADATA_LIMIT,
    MapSection, Permutation, body_begins, deserialise, serialise, symmetry_bits,
};
use xxhash_rust::xxh3::xxh3_64;

/// The largest group whose elements are written out; see `tables/FORMAT.md`.
pub const MAX_SYMMETRIES: usize = 1024;

/// A header with its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullHeader {
    /// The rules, in canonical form.
    pub rules: Rules,
    /// The fields after the rules.
    pub header: Header,
    /// The moves and the ends of the game, from version 3 of the format on. In earlier versions they are derived from the rules.
    pub graph: Option<LayerGraph>,
}

/// The xxh3-64 of the serialised rules with empty name and title: equal for equal rules, whatever they are called.
#[must_use]
pub fn fingerprint(rules: &Rules) -> u64 {
    let nameless = Rules { name: String::new(), title: String::new(), ..rules.clone() };
    let mut bytes = serialise(&nameless).unwrap_or_default();
    if rules.version() > 1 {
        bytes.extend(serialise(&rules.additions()).unwrap_or_default());
    }
    if rules.version() > 2 {
        bytes.extend(serialise(&rules.further).unwrap_or_default());
    }
    xxh3_64(&bytes)
}

impl FullHeader {
    /// The version of the format that it is written in: 3 if it has the moves, otherwise the first that can say its rules.
    #[must_use]
    pub fn version(&self) -> u32 {
        if self.graph.is_some() { 3 } else { self.rules.version() }
    }

    /// Lays out the table of `game`: all sections with their offsets. `rows` gives the number of orbits of the sets of a size.
    ///
    /// # Errors
    /// If a size does not fit its field.
    pub fn lay_out(
        game: &Game,
        encoding: Encoding,
        group: Group,
        symmetries: Vec<Permutation>,
        rows: impl Fn(u8) -> u64,
    ) -> Result<FullHeader, TableError> {
        let rules = game.rules().clone();
        let graph = (rules.version() > 2).then(|| game.graph().clone());
        let (fingerprint, bits) = (fingerprint(&rules), symmetry_bits(symmetries.len()));
        let laid_out = |start| sections(game, encoding, bits, start, &rows);
        let (maps, layers, census) = laid_out(0)?;
        let header = Header { fingerprint, encoding, group, symmetries, maps, layers, census };
        let mut full = FullHeader { rules, header, graph };
        // The offsets have a fixed width, so the header is as long now as with the right ones.
        let (maps, layers, census) = laid_out(body_begins(full.to_bytes()?.len()))?;
        full.header = Header { maps, layers, census, ..full.header };
        Ok(full)
    }

    /// Its bytes in the file: rules and header, and after them what the rules have had since the second version.
    ///
    /// # Errors
    /// If they are longer than 4 MiB.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TableError> {
        let mut bytes = serialise(&(&self.rules, &self.header))?;
        if self.version() > 1 {
            bytes.extend(serialise(&self.rules.additions())?);
        }
        if let Some(graph) = &self.graph {
            bytes.extend(serialise(&(&self.rules.further, graph))?);
        }
        let length = bytes.len();
        if length > METADATA_LIMIT {
            let message = format_args!("{length} bytes, expected at most {METADATA_LIMIT}");
            return Err(fault(message));
        }
        Ok(bytes)
    }

    /// Reads the bytes of a header in this version, from 1 to [`VERSION`](morpion_core::VERSION).
    ///
    /// # Errors
    /// If the bytes are not such a header.
    pub fn from_bytes(version: u32, bytes: &[u8]) -> Result<FullHeader, TableError> {
        let (mut rules, header, additions, graph): (Rules, Header, Additions, _) = match version {
            1 => {
                let (rules, header) = deserialise(bytes)?;
                (rules, header, Additions::default(), None)
            }
            2 => {
                let (rules, header, additions) = deserialise(bytes)?;
                (rules, header, additions, None)
            }
            _ => {
                let read: (Rules, Header, Additions, Further, LayerGraph) = deserialise(bytes)?;
                let (rules, header, additions, further, graph) = read;
                (Rules { further, ..rules }, header, additions, Some(graph))
            }
        };
        (rules.prolongations, rules.names, rules.layout) = additions;
        let graph = graph.map(|mut graph| {
            let counts = header.layers.iter().map(|section| section.counts);
            graph.layers.iter_mut().zip(counts).for_each(|(layer, counts)| layer.counts = counts);
            graph
        });
        let full = FullHeader { rules, header, graph };
        let expected = full.version();
        if version != expected {
            return Err(fault(format_args!("version {version} with rules of version {expected}")));
        }
        Ok(full)
    }

    /// Checks that everything in the header follows from its rules, as [`FullHeader::lay_out`] lays it out. The header ends,
    /// with its sum and padding, at byte `start`. Costs as much as laying the header out; nothing after it is read.
    ///
    /// # Errors
    /// The first contradiction.
    pub(crate) fn check(&self, game: &Game, start: u64) -> Result<(), TableError> {
        let (cells, header) = (game.cells(), &self.header);
        if self.rules != *game.rules() {
            return Err(TableError::Rules(RulesError {
                key: "rules",
                found: "lines or links out of order".into(),
                expected: "the canonical form",
            }));
        }
        let ensure = |is_so: bool, message: &str| if is_so { Ok(()) } else { Err(fault(message)) };
        let (group, graph) = (&header.symmetries, game.graph());
        ensure((1..=MAX_SYMMETRIES).contains(&group.len()), "no symmetries, or more than 1,024")?;
        let is_of_board = |symmetry: &Permutation| symmetry.images().len() == usize::from(cells);
        ensure(group.iter().all(is_of_board), "a symmetry that is not a permutation of the cells")?;
        let has_order = group.is_sorted_by(|a, b| a < b);
        ensure(has_order && group[0] == Permutation::identity(cells), "symmetries out of order")?;
        let follows = self.graph.as_ref().is_none_or(|own| own == graph);
        ensure(follows, "moves that do not follow from the rules")?;
        let says_draws = match header.encoding {
            Encoding::Wdl => !game.has_cycles(),
            Encoding::WdlCycle => game.has_cycles(),
            Encoding::Plies8 | Encoding::Plies16 => true,
        };
        ensure(says_draws, "entries of two bits whose draws are not those of the game")?;
        let fits =
            |map: &MapSection| (1..=binomial(cells.into(), map.size.into())).contains(&map.rows);
        ensure(header.maps.iter().all(fits), "more rows than sets")?;
        let rows = |size| header.maps.iter().find(|map| map.size == size).map_or(0, |map| map.rows);
        let bits = symmetry_bits(group.len());
        let (maps, layers, census) = sections(game, header.encoding, bits, start, &rows)?;
        let own = (&header.maps, &header.layers, header.census);
        let is_laid_out = own == (&maps, &layers, census);
        ensure(is_laid_out, "sections that do not follow from the rules")?;
        let is_its_own = header.fingerprint == fingerprint(&self.rules);
        ensure(is_its_own, "a fingerprint that is not that of the rules")?;
        Ok(())
    }
}

/// The error of a header that contradicts itself.
fn fault(message: impl fmt::Display) -> TableError {
    TableError::new(ErrorKind::Header, format_args!("header: {message}"))
}

/// Everything after the header: the map of each size of the mover's set, the layers in the order of play, and the offset of the census.
type Sections = (Vec<MapSection>, Vec<LayerSection>, u64);

/// Lays out a table of `game` from byte `start` on, or returns an error if a size does not fit its field. `rows` gives the number of
/// orbits of the sets of a size, and `symmetry_bits` bits of a map's entry number the symmetry.
fn sections(
    game: &Game,
    encoding: Encoding,
    symmetry_bits: u32,
    start: u64,
    rows: &impl Fn(u8) -> u64,
) -> Result<Sections, TableError> {
    let cells = u32::from(game.cells());
    let graph = game.graph();
    // Computed in 128 bits, which no board exceeds, and compared with the limit at the end.
    let (mut maps, mut layers, mut end) = (Vec::<MapSection>::new(), Vec::new(), u128::from(start));
    let mut place = |bytes: u128| {
        let offset = end as u64;
        end = (end + bytes).next_multiple_of(ALIGNMENT.into());
        offset
    };
    for size in graph.layers.iter().filter(|layer| !layer.ended).map(|layer| layer.counts.mover) {
        if maps.iter().any(|map| map.size == size) {
            continue;
        }
        // Rows and symmetry together have 32 bits, and ranks of sets fit them too.
        let sets = binomial(cells, u32::from(size));
        let most = (1u64 << (32 - symmetry_bits)) - 1;
        if sets > most {
            return Err(fault(format_args!(
                "{sets} sets of {size} of {cells} cells, expected at most {most}: set and symmetry share 32 bits"
            )));
        }
        maps.push(MapSection { size, rows: rows(size), offset: place(4 * u128::from(sets)) });
    }
    for (index, &Layer { counts, ended, .. }) in graph.layers.iter().enumerate().rev() {
        let [row_orders, column_orders] = game.words(index).orders;
        let columns = binomial(cells - u32::from(counts.mover), counts.waiter.into());
        let columns = columns * column_orders;
        let rows = if ended { 0 } else { rows(counts.mover) * row_orders };
        let bits = u128::from(rows) * u128::from(columns) * u128::from(encoding.bits());
        let bytes = bits.div_ceil(8);
        let offset = place(bytes);
        layers.push(LayerSection { counts, rows, columns, offset, bytes: bytes as u64 });
    }
    if end >> 61 != 0 {
        return Err(fault(format_args!("a table of {end} bytes, expected less than 2^61")));
    }
    layers.reverse();
    Ok((maps, layers, end as u64))
}
