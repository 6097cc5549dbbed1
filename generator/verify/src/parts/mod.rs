//! A proof divided into parts: the rows of a part, its result, and the sum of all results.

pub mod joined;
pub mod part;
pub mod partial;
