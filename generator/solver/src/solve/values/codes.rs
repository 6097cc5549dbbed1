//! Codes of entries of two bits.

pub(super) const DRAW: u8 = 0;
pub(super) const WIN: u8 = 1;
pub(super) const LOSS: u8 = 2;
pub(super) const NONE: u8 = 3;
