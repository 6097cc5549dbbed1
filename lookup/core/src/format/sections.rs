//! The places of the sections of a table, which follow from its game, its group, its encoding and the rows of its maps.

use super::header::{Group, Header, LayerSection, MapSection, symmetry_bits};
use super::preamble::ALIGNMENT;
use crate::encoding::Encoding;
use crate::error::{ErrorKind, TableError};
use crate::game::Game;
use crate::layers::Layer;
use crate::rank::binomial;
use crate::symmetry::Permutation;
use alloc::vec::Vec;

/// Limit of the length of a table in bytes: numbers below it are exact in every language, also in those that only have floats.
const MOST: u128 = 1 << 53;

impl Game {
    /// The sizes of the sets that have a map: the numbers of pieces of a mover in layers with entries, in the order of play.
    pub fn map_sizes(&self) -> Vec<u8> {
        let mut sizes = Vec::new();
        for layer in self.graph().layers.iter().filter(|layer| !layer.ended) {
            if !sizes.contains(&layer.counts.mover) {
                sizes.push(layer.counts.mover);
            }
        }
        sizes
    }
}

impl Header {
    /// The header of the game's table whose sections begin at byte `start`. `rows` has the number of orbits for each of the
    /// [`map_sizes`](Game::map_sizes).
    ///
    /// # Errors
    /// If a map has too many sets, or the file would be too long.
    pub fn new(
        game: &Game,
        encoding: Encoding,
        group: Group,
        symmetries: Vec<Permutation>,
        rows: &[u32],
        start: u64,
    ) -> Result<Header, TableError> {
        let cells = u32::from(game.cells());
        // Offsets are computed in 128 bits, in which they cannot overflow on any board, and the last one is compared with the limit at the
        // end.
        let (mut maps, mut layers, mut end) =
            (Vec::<MapSection>::new(), Vec::new(), u128::from(start));
        let mut place = |bytes: u128| {
            let offset = end as u64;
            end = (end + bytes).next_multiple_of(ALIGNMENT.into());
            offset
        };
        // Row and symmetry share the 32 bits of a map's entry, which limits the rows. Sets have the same limit, so that their ranks fit
        // too.
        let most = (1u64 << (32 - symmetry_bits(symmetries.len()).min(32))) - 1;
        for (size, &rows) in game.map_sizes().into_iter().zip(rows) {
            let sets = binomial(cells, u32::from(size));
            if sets > most {
                let name = game.name();
                let message = format_args!(
                    "{name}: board: {size} pieces of a side stand on {cells} cells in {sets} ways, more than the {most} that a table can \
                     number with its symmetries: write fewer cells, or a smaller `each` in [pieces]"
                );
                return Err(TableError::new(ErrorKind::Header, message));
            }
            let (rows, offset) = (rows.into(), place(4 * u128::from(sets)));
            maps.push(MapSection { size, rows, offset });
        }
        for (index, &Layer { counts, ended, .. }) in game.graph().layers.iter().enumerate().rev() {
            let orders = game.words(index).orders;
            let map = maps.iter().find(|map| map.size == counts.mover && !ended);
            let rows = map.map_or(0, |map| u128::from(map.rows)) * u128::from(orders.mover);
            let left = cells.saturating_sub(counts.mover.into());
            let columns =
                u128::from(binomial(left, counts.waiter.into())) * u128::from(orders.waiter);
            let bytes = (rows * columns * u128::from(encoding.bits())).div_ceil(8);
            let offset = place(bytes);
            let [rows, columns, bytes] = [rows, columns, bytes].map(|number| number as u64);
            layers.push(LayerSection { counts, rows, columns, offset, bytes });
        }
        if end >= MOST {
            return Err(TableError::header(format_args!(
                "a table of {end} bytes, expected less than 2^53"
            )));
        }
        layers.reverse();
        Ok(Header { encoding, group, symmetries, maps, layers, census: end as u64 })
    }
}
