//! The header of a table: its rules, its symmetries, and where everything stands.
//!
//! Lays out the sections of a game's table, with all offsets, given its group and its numbers of rows; and finds what in a header
//! that was read does not follow from its rules.

use crate::encoding::Encoding;
use crate::error::{RulesError, TableError};
use crate::format::preamble::{ALIGNMENT, MAX_SYMMETRIES, deserialise, serialise};
use crate::game::Game;
use crate::layers::{Layer, LayerGraph};
use crate::position::Counts;
use crate::rank::binomial;
use crate::rules::{Additions, Further, Rules};
use crate::symmetry::Permutation;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// The group of symmetries that a table is folded by.
///
/// The order of the variants is the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Group {
    /// All symmetries of the rules.
    Rules,
    /// The rotations and reflections of the grid that keep the rules, because the rules have too many symmetries.
    Board,
    /// The identity alone: the rules have too many symmetries and the board is not a grid.
    Trivial,
}

names!(Group { Rules = "rules", Board = "board", Trivial = "trivial" });

/// The header of a table. The order of the fields is the file format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The rules, in canonical form.
    pub rules: Rules,
    /// Their [`fingerprint`].
    pub fingerprint: u64,
    /// Encoding of the entries.
    pub encoding: Encoding,
    /// The group that the symmetries form.
    pub group: Group,
    /// The elements of the group, ascending by their images, hence the identity first.
    pub symmetries: Vec<Permutation>,
    /// The map of each size of the mover's set.
    pub maps: Vec<MapSection>,
    /// The layers in the order of play. In the file they are in the opposite order.
    pub layers: Vec<LayerSection>,
    /// Offset of the census, in bytes from the beginning of the file.
    pub census: u64,
    /// The moves and the ends of the game, from version 3 of the format on. Readers of earlier versions derive them from the rules.
    #[serde(skip)]
    pub graph: Option<LayerGraph>,
}

/// Offset of the map of one set size. The map has a `u32` for each set of that size, by rank: the row above
/// [`symmetry_bits`] bits that number a symmetry which takes the set to the row's representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapSection {
    /// Cells in a set.
    pub size: u8,
    /// Number of orbits of such sets.
    pub rows: u64,
    /// Bytes from the beginning of the file.
    pub offset: u64,
}

/// Offset and shape of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerSection {
    /// Pieces of the side to move and of the side waiting.
    pub counts: Counts,
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
    /// Number of entries.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.rows * self.columns
    }
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

impl Header {
    /// Entries of all layers.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.layers.iter().map(LayerSection::entries).sum()
    }

    /// The version of the format that it is written in: 3 if it has the moves, otherwise the first that can say its rules.
    #[must_use]
    pub fn version(&self) -> u32 {
        if self.graph.is_some() { 3 } else { self.rules.version() }
    }

    /// Reads the bytes of a header in this version, from 1 to [`VERSION`](super::VERSION).
    ///
    /// # Errors
    /// If the bytes are not such a header.
    pub fn from_bytes(version: u32, bytes: &[u8]) -> Result<Header, TableError> {
        let (mut header, additions, graph): (Header, Additions, Option<LayerGraph>);
        match version {
            1 => (header, additions, graph) = (deserialise(bytes)?, Additions::default(), None),
            2 => ((header, additions), graph) = (deserialise(bytes)?, None),
            _ => {
                let read: (Header, Additions, Further, LayerGraph) = deserialise(bytes)?;
                (header, additions, graph) = (read.0, read.1, Some(read.3));
                header.rules.further = read.2;
            }
        }
        let Header { rules, layers, .. } = &mut header;
        (rules.prolongations, rules.names, rules.layout) = additions;
        header.graph = graph.map(|mut graph| {
            let counts = layers.iter().map(|section| section.counts);
            graph.layers.iter_mut().zip(counts).for_each(|(layer, counts)| layer.counts = counts);
            graph
        });
        let expected = header.version();
        if version != expected {
            return Err(TableError::header(format_args!(
                "version {version} with rules of version {expected}"
            )));
        }
        Ok(header)
    }

    /// Checks that everything in the header follows from its rules, as [`Sections::lay_out`] lays it out. The header ends,
    /// with its sum and padding, at byte `start`. Costs as much as laying the header out; nothing after it is read.
    ///
    /// # Errors
    /// The first contradiction.
    pub(crate) fn check(&self, game: &Game, start: u64) -> Result<(), TableError> {
        let cells = game.cells();
        if self.rules != *game.rules() {
            return Err(TableError::Rules(RulesError {
                key: "rules",
                found: "lines or links out of order".into(),
                expected: "the canonical form",
            }));
        }
        let ensure = |is_so: bool, fault: &str| match is_so {
            true => Ok(()),
            false => Err(TableError::header(fault)),
        };
        let (group, graph) = (&self.symmetries, game.graph());
        ensure((1..=MAX_SYMMETRIES).contains(&group.len()), "no symmetries, or more than 1,024")?;
        let is_of_board = |symmetry: &Permutation| symmetry.images().len() == usize::from(cells);
        ensure(group.iter().all(is_of_board), "a symmetry that is not a permutation of the cells")?;
        let has_order = group.is_sorted_by(|a, b| a < b);
        ensure(has_order && group[0] == Permutation::identity(cells), "symmetries out of order")?;
        let follows = self.graph.as_ref().is_none_or(|own| own == graph);
        ensure(follows, "moves that do not follow from the rules")?;
        let has_room = self.encoding != Encoding::Wdl || !graph.has_cycles();
        ensure(has_room, "two bits an entry in a game with movement")?;
        let fits =
            |map: &MapSection| (1..=binomial(cells.into(), map.size.into())).contains(&map.rows);
        ensure(self.maps.iter().all(fits), "more rows than sets")?;
        let rows = |size| self.maps.iter().find(|map| map.size == size).map_or(0, |map| map.rows);
        let sections =
            Sections::lay_out(game, self.encoding, symmetry_bits(group.len()), start, &rows)?;
        let own = (&self.maps, &self.layers, self.census);
        let is_laid_out = own == (&sections.maps, &sections.layers, sections.census);
        ensure(is_laid_out, "sections that do not follow from the rules")?;
        let is_its_own = self.fingerprint == fingerprint(&self.rules);
        ensure(is_its_own, "a fingerprint that is not that of the rules")?;
        Ok(())
    }
}

/// Offsets of everything after the header.
pub struct Sections {
    /// The map of each size of the mover's set.
    pub maps: Vec<MapSection>,
    /// The layers in the order of play.
    pub layers: Vec<LayerSection>,
    /// Offset of the census.
    pub census: u64,
}

impl Sections {
    /// Lays out a table of `game` from byte `start` on. `rows` gives the number of orbits of the sets of a size, and
    /// `symmetry_bits` bits of a map's entry number the symmetry.
    ///
    /// # Errors
    /// If a size does not fit its field.
    pub fn lay_out(
        game: &Game,
        encoding: Encoding,
        symmetry_bits: u32,
        start: u64,
        rows: &impl Fn(u8) -> u64,
    ) -> Result<Sections, TableError> {
        let cells = u32::from(game.cells());
        let graph = game.graph();
        // Computed in 128 bits, which no board exceeds, and compared with the limit at the end.
        let (mut maps, mut layers, mut end) =
            (Vec::<MapSection>::new(), Vec::new(), u128::from(start));
        let mut place = |bytes: u128| {
            let offset = end as u64;
            end = (end + bytes).next_multiple_of(ALIGNMENT.into());
            offset
        };
        for size in graph.layers.iter().filter(|layer| !layer.ended).map(|layer| layer.counts.mover)
        {
            if maps.iter().any(|map| map.size == size) {
                continue;
            }
            // Rows and symmetry together have 32 bits, and ranks of sets fit them too.
            let sets = binomial(cells, u32::from(size));
            let most = (1u64 << (32 - symmetry_bits)) - 1;
            if sets > most {
                return Err(TableError::header(format_args!(
                    "{sets} sets of {size} of {cells} cells, expected at most {most}: set and symmetry share 32 bits"
                )));
            }
            maps.push(MapSection { size, rows: rows(size), offset: place(4 * u128::from(sets)) });
        }
        for (index, &Layer { counts, ended, .. }) in graph.layers.iter().enumerate().rev() {
            let [row_orders, column_orders] = game.orders(index);
            let columns = binomial(cells - u32::from(counts.mover), counts.waiter.into());
            let columns = columns * column_orders;
            let rows = if ended { 0 } else { rows(counts.mover) * row_orders };
            let bits = u128::from(rows) * u128::from(columns) * u128::from(encoding.bits());
            let bytes = bits.div_ceil(8);
            let offset = place(bytes);
            layers.push(LayerSection { counts, rows, columns, offset, bytes: bytes as u64 });
        }
        if end >> 61 != 0 {
            return Err(TableError::header(format_args!(
                "a table of {end} bytes, expected less than 2^61"
            )));
        }
        layers.reverse();
        Ok(Sections { maps, layers, census: end as u64 })
    }
}

/// Number of low bits of a map's entry that number the symmetry: enough for all, none for the identity alone.
#[must_use]
pub fn symmetry_bits(symmetries: usize) -> u32 {
    usize::BITS - symmetries.saturating_sub(1).leading_zeros()
}
