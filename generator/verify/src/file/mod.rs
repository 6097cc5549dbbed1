//! The file under proof: checksums and hashes of its MiB.

pub mod digest;
pub mod units;
