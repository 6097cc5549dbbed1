//! The codes of the entries of some layers.

use super::keys::{EntryIndex, Keys};
use super::report::Unfinished;
use super::unpacker::long_bytes;
use morpion_lookup::raw::{Encoding, LayerSection};
use morpion_lookup::{Damage, ProbeError};
use std::borrow::Cow;

/// The codes of the layers that were read last.
pub(super) struct Codes<'t> {
    encoding: Encoding,
    layers: Vec<(LayerSection, Cow<'t, [u8]>)>,
}

impl<'t> Codes<'t> {
    /// Creates the codes of no layer.
    pub fn new(encoding: Encoding, layers: &[LayerSection]) -> Codes<'t> {
        let layers = layers.iter().map(|&section| (section, Cow::default())).collect();
        Codes { encoding, layers }
    }

    /// Reads these layers, and drops all others.
    pub fn keep(&mut self, keys: &Keys<'t>, needed: &[usize]) -> Result<(), Unfinished> {
        for (index, (section, codes)) in self.layers.iter_mut().enumerate() {
            if !needed.contains(&index) {
                *codes = Cow::default();
            } else if codes.is_empty() {
                *codes = long_bytes(keys.table.source(), section.offset, section.bytes)?;
            }
        }
        Ok(())
    }

    /// The code of an entry.
    #[inline]
    pub fn code(&self, (layer, row, column): EntryIndex) -> Result<u16, ProbeError> {
        let (section, codes) = &self.layers[layer];
        let key = (row * section.columns + column) as usize;
        let byte = |at: usize| codes.get(at).copied();
        let code = match self.encoding {
            Encoding::Plies8 => byte(key).map(u16::from),
            Encoding::Plies16 => byte(2 * key)
                .zip(byte(2 * key + 1))
                .map(|(low, high)| u16::from_le_bytes([low, high])),
            Encoding::Wdl => byte(key / 4).map(|byte| u16::from(byte >> (key % 4 * 2) & 3)),
        };
        code.ok_or(ProbeError::Damaged(Damage::Entry))
    }

    /// Replaces `into` by the codes of a row.
    pub fn row(&self, layer: usize, row: u64, into: &mut Vec<u16>) -> Result<(), ProbeError> {
        let columns = self.layers[layer].0.columns;
        let key = row * columns;
        let bytes = |width: u64| {
            let range = (width * key) as usize..(width * (key + columns)) as usize;
            self.layers[layer].1.get(range).ok_or(ProbeError::Damaged(Damage::Entry))
        };
        into.clear();
        match self.encoding {
            Encoding::Plies8 => into.extend(bytes(1)?.iter().map(|&code| u16::from(code))),
            Encoding::Plies16 => {
                into.extend(bytes(2)?.as_chunks().0.iter().map(|&code| u16::from_le_bytes(code)));
            }
            Encoding::Wdl => {
                for column in 0..columns {
                    into.push(self.code((layer, row, column))?);
                }
            }
        }
        Ok(())
    }
}
