//! The library half of the `morpion` program: the pages about all standard games, which the tests make again.

pub mod family;
