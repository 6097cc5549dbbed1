//! Codes of entries of two bits.

pub const DRAW: u8 = 0;
pub const WIN: u8 = 1;
pub const LOSS: u8 = 2;
/// An invalid arrangement.
pub const NONE: u8 = 3;
