//! Tests of the library from outside: answers, files, sources, packed tables and invalid input.

// Shared by several modules.
mod arrangements;
mod faults;
mod unfolded;
mod vectors;

mod answers;
mod conformance;
mod files;
mod packed;
mod refused;
mod sharing;
mod sources;
mod text;
mod totality;
