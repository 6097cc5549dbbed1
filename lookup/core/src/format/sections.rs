//! The places of the sections of a table, which follow from its game, its group, its encoding and the rows of its maps.

use super::header::{Header, LayerSection, symmetry_bits};
use super::preamble::ALIGNMENT;
use crate::error::{ErrorKind, TableError};
use crate::game::Game;
use crate::layers::Layer;
use crate::rank::binomial;
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
    /// Places the sections from byte `start` on.
    ///
    /// # Errors
    /// If a map has too many sets, or the file would be too long.
    pub(super) fn placed_from(mut self, start: u64) -> Result<Header, TableError> {
        let (game, cells) = (&self.game, u32::from(self.game.cells()));
        // Offsets are computed in 128 bits, in which they cannot overflow on any board, and the last one is compared with the limit at the
        // end.
        let (mut layers, mut end) = (Vec::new(), u128::from(start));
        let mut place = |bytes: u128| {
            let offset = end as u64;
            end = (end + bytes).next_multiple_of(ALIGNMENT.into());
            offset
        };
        // Row and symmetry share the 32 bits of a map's entry, which limits the rows. Sets have the same limit, so that their ranks fit
        // too.
        let most = (1u64 << (32 - symmetry_bits(self.symmetries.len()).min(32))) - 1;
        for map in &mut self.maps {
            let (name, size, sets) = (game.name(), map.size, binomial(cells, map.size.into()));
            if sets > most {
                let message = format_args!(
                    "{name}: board: {size} pieces of a side stand on {cells} cells in {sets} ways, more than the {most} that a table can \
                     number with its symmetries: write fewer cells, or a smaller `each` in [pieces]"
                );
                return Err(TableError::new(ErrorKind::Header, message));
            }
            map.offset = place(4 * u128::from(sets));
        }
        for (index, &Layer { counts, ended, .. }) in game.graph().layers.iter().enumerate().rev() {
            let orders = game.words(index).orders;
            let map = self.maps.iter().find(|map| map.size == counts.mover && !ended);
            let rows = map.map_or(0, |map| u128::from(map.rows)) * u128::from(orders.mover);
            let left = cells.saturating_sub(counts.mover.into());
            let columns =
                u128::from(binomial(left, counts.waiter.into())) * u128::from(orders.waiter);
            let bytes = (rows * columns * u128::from(self.encoding.bits())).div_ceil(8);
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
        Ok(Header { layers, census: end as u64, ..self })
    }
}
