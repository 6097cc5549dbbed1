//! Solved tables, compared with the rules, with other solvers, and with the proof.

// Shared by several modules.
mod proof;
mod rules;

mod brute;
mod entry;
mod faults;
mod groups;
mod kinds;
mod pairs;
mod parts;
mod plan;
mod proved;
mod repetition;
mod shards;
mod values;
mod vectors;
