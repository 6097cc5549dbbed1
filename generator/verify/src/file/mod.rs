//! The bytes of the file under proof: checksums and hashes of each MiB.

pub mod digest;
pub mod units;
