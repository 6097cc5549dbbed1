//! The division of a proof into parts.

use morpion_core::LayerSection;
use std::ops::Range;

/// Parts of a layer begin at multiples of this number of rows.
const ALIGNED: u64 = 16;

/// One part of a divided proof. The entries of the table are divided into `of` equal ranges; the part has the blocks of rows that begin in
/// range number `number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Number of the part, from 1 to `of`.
    pub number: u32,
    /// Number of parts.
    pub of: u32,
}

impl Part {
    /// The only part of an undivided proof.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// The rows of the part in each layer. Layers are in the order of play, and the last one is the first in the file.
    pub(crate) fn rows(self, layers: &[LayerSection]) -> Vec<Range<u64>> {
        let all = layers.iter().map(|layer| u128::from(layer.entries())).sum::<u128>();
        let bound = |number: u32| (all * u128::from(number) / u128::from(self.of)) as u64;
        let [start, end] = [self.number - 1, self.number].map(bound);
        let mut before = 0;
        let mut rows: Vec<Range<u64>> = (layers.iter().rev())
            .map(|layer| {
                let row = |entry: u64| {
                    let entry = entry.saturating_sub(before).min(layer.entries());
                    entry.div_ceil(layer.columns).next_multiple_of(ALIGNED).min(layer.rows)
                };
                let rows = row(start)..row(end);
                before += layer.entries();
                rows
            })
            .collect();
        rows.reverse();
        rows
    }

    /// Number of entries of the part in all layers.
    pub(crate) fn entries(self, layers: &[LayerSection]) -> u64 {
        let rows = self.rows(layers).into_iter().zip(layers);
        rows.map(|(rows, layer)| (rows.end - rows.start) * layer.columns).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_contain_every_row_once() {
        let table = morpion_lookup::Table::builtin("swap").unwrap();
        let layers = &table.raw().header().layers;
        for of in [1, 2, 3, 7, 1000] {
            let parts: Vec<_> = (1..=of).map(|number| Part { number, of }.rows(layers)).collect();
            for (index, layer) in layers.iter().enumerate() {
                let mut next = 0;
                for rows in parts.iter().map(|part| &part[index]) {
                    assert!(rows.start == next && rows.end >= next, "{of} {index} {rows:?}");
                    next = rows.end;
                }
                assert_eq!(next, layer.rows, "{of} {index}");
            }
        }
    }
}
