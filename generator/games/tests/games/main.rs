//! Games: their rule files, their names, their symmetries.

mod burnside;
mod catalogue;
mod faults;
mod group;
mod orbits;
mod rules;
mod symmetries;
