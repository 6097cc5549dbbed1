//! The library half of the `morpion` program: the pages about all standard games, which tests generate again.

pub mod family;
