//! Solver of the morpion family.
