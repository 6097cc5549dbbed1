//! The codes of the entries of the layers that a check needs at present.

use crate::fault::Unfinished;
use crate::keys::{EntryIndex, Keys};
use morpion_core::{Damage, Encoding, LayerSection, ProbeError};
use morpion_machine::unpacker::long_bytes;
use std::borrow::Cow;
use std::ops::Range;

/// The codes of the layers in memory.
pub(super) struct Codes<'t> {
    encoding: Encoding,
    layers: Vec<(LayerSection, Cow<'t, [u8]>)>,
}

impl<'t> Codes<'t> {
    /// Creates the list of all layers, without any codes.
    pub fn new(encoding: Encoding, layers: &[LayerSection]) -> Codes<'t> {
        let layers = layers.iter().map(|&section| (section, Cow::default())).collect();
        Codes { encoding, layers }
    }

    /// Reads the codes of the layers `needed`, unless they are in memory, and drops the codes of all other layers.
    pub fn keep(&mut self, keys: &Keys<'t>, needed: &[usize]) -> Result<(), Unfinished> {
        for (index, (_, codes)) in self.layers.iter_mut().enumerate() {
            if !needed.contains(&index) {
                *codes = Cow::default();
            }
        }
        for &index in needed {
            let (section, codes) = &mut self.layers[index];
            if codes.is_empty() {
                *codes = long_bytes(keys.table.source(), section.offset, section.bytes)?;
            }
        }
        Ok(())
    }

    /// The code of an entry.
    pub fn code(&self, (layer, row, column): EntryIndex) -> Result<u16, ProbeError> {
        let (section, codes) = &self.layers[layer];
        let code = at(self.encoding, codes, row * section.columns + column);
        code.ok_or(ProbeError::Damaged(Damage::Entry))
    }

    /// Replaces the content of `into` by the codes of the entries of a layer with the numbers `keys`.
    pub fn list(&self, layer: usize, keys: &[u64], into: &mut Vec<u16>) -> Result<(), ProbeError> {
        let codes = &*self.layers[layer].1;
        into.resize(keys.len(), 0);
        for (into, &key) in into.iter_mut().zip(keys) {
            *into = at(self.encoding, codes, key).ok_or(Damage::Entry)?;
        }
        Ok(())
    }

    /// Appends the codes of a row to `into`.
    pub fn row(&self, layer: usize, row: u64, into: &mut Vec<u16>) -> Result<(), ProbeError> {
        let (section, codes) = &self.layers[layer];
        let keys = row * section.columns..(row + 1) * section.columns;
        decode(self.encoding, codes, keys, into).ok_or(ProbeError::Damaged(Damage::Entry))
    }
}

/// Appends the codes of the entries with the numbers `keys` in `bytes`; `None` if `bytes` are too short.
pub(super) fn decode(
    encoding: Encoding,
    bytes: &[u8],
    keys: Range<u64>,
    into: &mut Vec<u16>,
) -> Option<()> {
    let of_width =
        |width: u64| bytes.get((width * keys.start) as usize..(width * keys.end) as usize);
    // Decodes whole slices: code by code, a proof by sums would take 4 % more instructions.
    match encoding {
        Encoding::Plies8 => into.extend(of_width(1)?.iter().map(|&code| u16::from(code))),
        Encoding::Plies16 => {
            into.extend(of_width(2)?.as_chunks().0.iter().map(|&code| u16::from_le_bytes(code)));
        }
        Encoding::Wdl | Encoding::WdlCycle => {
            let bytes = bytes.get(..keys.end.div_ceil(4) as usize)?;
            into.extend(keys.map(|key| u16::from(bytes[(key / 4) as usize] >> (key % 4 * 2) & 3)));
        }
    }
    Some(())
}

/// The code of entry number `key` in the bytes `codes`.
#[inline(always)]
fn at(encoding: Encoding, codes: &[u8], key: u64) -> Option<u16> {
    match encoding {
        Encoding::Plies8 => codes.get(key as usize).copied().map(u16::from),
        Encoding::Plies16 => codes.as_chunks().0.get(key as usize).copied().map(u16::from_le_bytes),
        Encoding::Wdl | Encoding::WdlCycle => {
            codes.get((key / 4) as usize).map(|byte| u16::from(byte >> (key % 4 * 2) & 3))
        }
    }
}
