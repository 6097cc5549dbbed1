//! The `morpion` program.
fn main() {}
