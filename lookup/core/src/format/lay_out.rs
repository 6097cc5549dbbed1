//! The layout of a table: the sections of its header, with all offsets.

use super::full_header::FullHeader;
use super::header::{Group, Header, LayerSection, MapSection, symmetry_bits};
use super::preamble::{ALIGNMENT, body_begins};
use crate::encoding::Encoding;
use crate::error::{ErrorKind, TableError};
use crate::game::Game;
use crate::layers::Layer;
use crate::rank::binomial;
use crate::symmetry::Permutation;
use alloc::vec::Vec;

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
    let bits = symmetry_bits(symmetries.len());
    let laid_out = |start| sections(game, encoding, bits, start, &rows);
    let (maps, layers, census) = laid_out(0)?;
    let header = Header { encoding, group, symmetries, maps, layers, census };
    let mut full = FullHeader { game: game.clone(), header };
    // The offsets have a fixed width, so the header is as long now as with the right ones.
    let (maps, layers, census) = laid_out(body_begins(full.to_bytes()?.len()))?;
    full.header = Header { maps, layers, census, ..full.header };
    Ok(full)
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
            let name = game.name();
            let message = format_args!(
                "{name}: board: {size} pieces of a side stand on {cells} cells in {sets} ways, more than the {most} that a table can \
                 number with its symmetries: write fewer cells, or a smaller `each` in [pieces]"
            );
            return Err(TableError::new(ErrorKind::Header, message));
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
        return Err(TableError::header(format_args!(
            "a table of {end} bytes, expected less than 2^61"
        )));
    }
    layers.reverse();
    Ok((maps, layers, end as u64))
}
